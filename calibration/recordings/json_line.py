"""One line of JSON that anybody may have written: what it holds, and which of its keys say two things."""

from __future__ import annotations

import json
import math
from functools import partial
from typing import Any

_SHOWN = 60  # of a key, or a value, in a sentence


def loads(line: str, doubled: list[str] | None = None) -> Any:
    """What a line holds; null for what Python and spreadsheets write for nothing (NaN), which is no JSON. Raises
    ValueError or RecursionError.

    Of a key that stands twice in one object, with two values, the last one holds, and `doubled` gets the words,
    of the first such key alone.
    """
    hook = None if doubled is None else partial(_object, doubled)
    return json.loads(line, parse_constant=lambda _: None, parse_float=_finite, object_pairs_hook=hook)


def _object(doubled: list[str], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) < len(pairs):
        first: dict[str, Any] = {}
        for key, value in pairs:
            if not doubled and first.setdefault(key, value) != value:
                doubled.append(f"{_told(key)} twice, as {_told(first[key])} and as {_told(value)}")
    return out


def _told(value: Any) -> str:
    return json.dumps(value)[:_SHOWN]  # in ASCII: nothing in it steers a terminal


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None
