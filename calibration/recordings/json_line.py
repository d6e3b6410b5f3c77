"""One line of JSON from anybody: its content, and keys that have two values."""

from __future__ import annotations

import json
import math
from functools import partial
from typing import Any

_SHOWN = 60  # characters of a key or value, in a sentence


def loads(line: str, doubled: list[str] | None = None) -> Any:
    """The content of a line; NaN, which Python and spreadsheets write although it is no JSON, becomes null. Raises
    ValueError or RecursionError.

    Of a key with two different values in one object the last one holds, and `doubled` gets a sentence, for the first
    such key only.
    """
    hook = None if doubled is None else partial(_object, doubled)
    return json.loads(line, parse_constant=lambda _: None, parse_float=_finite, object_pairs_hook=hook)


def _object(doubled: list[str], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) < len(pairs):
        first: dict[str, Any] = {}
        for key, value in pairs:
            if not doubled and first.setdefault(key, value) != value:
                doubled.append(f"{told(key)} twice, as {told(first[key])} and as {told(value)}")
    return out


def told(value: Any) -> str:
    """A value as the line has it, truncated."""
    return json.dumps(value)[:_SHOWN]  # in ASCII, so that nothing in it steers a terminal


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None
