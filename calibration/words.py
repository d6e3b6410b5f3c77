"""Small words that sentences about recordings share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def many(n: int, one: str, more: str | None = None) -> str:
    """`1 session`, `2 sessions`; `more` where the plural is no `s`."""
    return f"{n} {one if n == 1 else more or one + 's'}"


def on_page(sentence: str) -> str:
    """With a capital and a full stop: on a page a sentence stands by itself."""
    return sentence[:1].upper() + sentence[1:] + ("" if sentence[-1:] in ".!?" else ".")


def of_those_sure(figures: Mapping[str, Any]) -> str:
    """`23 of 24`: how many `sure` answers of `calibration.scores.summary` were right; nothing where none was sure."""
    if figures["sure_right"] is None:
        return ""
    sure = round(figures["sure_share"] * figures["n"])
    return f"{round(figures['sure_right'] * sure)} of {sure}"
