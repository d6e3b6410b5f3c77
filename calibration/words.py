"""Short phrases that sentences about recordings share."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

# a unit that can be left out
CALLED = {"session": "session", "device": "set of igloos", "player": "person"}
SEVERAL = {"session": "whole sessions", "device": "sets of igloos", "player": "people"}


def many(n: int, one: str, more: str | None = None) -> str:
    """`1 session`, `2 sessions`; `more`: an irregular plural."""
    return f"{n} {one if n == 1 else more or one + 's'}"


def on_page(sentence: str) -> str:
    """With a capital and a full stop: on a page a sentence stands by itself. A file name at its beginning stays
    unchanged."""
    begins = sentence[:1] if "." in sentence.partition(" ")[0][:-1] else sentence[:1].upper()
    return begins + sentence[1:] + ("" if sentence[-1:] in ".!?" else ".")


def of_those_sure(figures: Mapping[str, Any]) -> str:
    """`23 of 24`: how many `sure` answers of `calibration.scores.summary` were right; empty where none was sure."""
    if figures["sure_right"] is None:
        return ""
    sure = round(figures["sure_share"] * figures["n"])
    return f"{round(figures['sure_right'] * sure)} of {sure}"


def by_what(figures: Mapping[str, Any]) -> str:
    """`whole sessions`, `sets of igloos` or `people`: the unit of the intervals of `calibration.scores.summary`."""
    return SEVERAL[figures["interval_by"]]


def of_one_alone(figures: Mapping[str, Any]) -> str | None:
    """`session`, `set of igloos` or `person` where there is only one, which says nothing about another; else None."""
    units = ("session", figures["interval_by"])
    return next((CALLED[unit] for unit in units if figures[f"{unit}s"] < 2), None)


def of_how_many(figures: Mapping[str, Any], missing: Collection[str] = ()) -> str | None:
    """`of one session`, or another phrase for why figures have no interval; None where they have one.

    missing: what no recording names (`recordings.named.unnamed`); without session names there may be any number of
    sessions.
    """
    alone = of_one_alone(figures)
    if alone == CALLED["session"] and "session" in missing:
        return "of nobody knows how many sessions"
    return f"of one {alone}" if alone else None


def interval(missing: Collection[str], figures: Mapping[str, Any], name: str) -> str:
    """`38–51 % by whole sessions`, for the figure of this name; or the phrase of `of_how_many`, where it has no
    interval."""
    if (alone := of_how_many(figures, missing)) is not None:
        return alone
    low, high = figures["interval"][name]
    return f"{100 * low:.0f}–{100 * high:.0f} % by {by_what(figures)}"


def whose(takes: int, sessions: int, missing: Collection[str], one: str = "recording") -> str:
    """`24 recordings of 2 sessions`, or `…, which name no session`."""
    if "session" in missing:
        return f"{many(takes, one)}, which {'names' if takes == 1 else 'name'} no session"
    return f"{many(takes, one)} of {many(sessions, 'session')}"


def ranges(numbers: Sequence[int]) -> str:
    """`2, 5–7 or 9`."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    words = [w for a, b in runs for w in ([f"{a}–{b}"] if b > a + 1 else [str(n) for n in range(a, b + 1)])]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def beads_of(counts: Sequence[int]) -> str:
    """`1 bead`, or `2, 5–7 or 9 beads`."""
    return f"{ranges(counts)} {'bead' if list(counts) == [1] else 'beads'}"
