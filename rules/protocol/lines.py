"""JSON lines: parses one that anybody may have written, and writes one that is always valid JSON."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, NoReturn

from rules.core.reading import shown, whole_numbers
from rules.core.refusal import Unreadable

LONGEST = 1 << 20  # bytes of a line, without its end
MOST_DIGITS = 4000  # of an integer; Python itself reads 4,300
DEEPEST = 100  # levels of nesting; no request needs a tenth of them


def read(line: str | bytes, doubled: list[str]) -> dict[str, Any]:
    """The object in a line. Raises Unreadable for anything else.

    Of a key with two different values in one object the last one holds, and `doubled` gets a sentence, for the first
    such key only.
    """
    try:
        data = line.encode("utf-8") if isinstance(line, str) else line
        data = data.removesuffix(b"\n").removesuffix(b"\r")
        if len(data) > LONGEST:
            raise Unreadable(f"the line is longer than 1 MiB ({LONGEST} bytes)")
        value = json.loads(
            data.decode("utf-8"),
            parse_constant=_no_number,
            parse_float=_float,
            parse_int=_int,
            object_pairs_hook=partial(once_each, doubled),
        )
    except UnicodeError:
        raise Unreadable("the line is not UTF-8") from None
    except RecursionError:
        raise Unreadable("the line nests too deep") from None
    except ValueError as wrong:
        raise Unreadable(f"the line is not JSON: {wrong}") from None
    if not isinstance(value, dict):
        raise Unreadable("the line is JSON, but no object")
    if _deep(value):
        raise Unreadable(f"the line nests deeper than {DEEPEST} levels")
    # the id is echoed as it was written
    return {key: inner if key == "id" else whole_numbers(inner) for key, inner in value.items()}


def _deep(value: Any) -> bool:
    """Whether objects and lists are nested deeper than DEEPEST levels."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def once_each(doubled: list[str], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Builds an object from the pairs that a JSON reader passes; fills `doubled` as `read` says."""
    out = dict(pairs)
    if len(out) < len(pairs):
        first: dict[str, Any] = {}
        for key, value in pairs:
            if not doubled and first.setdefault(key, value) != value:
                doubled.append(f"{shown(key)} twice, as {shown(first[key])} and as {shown(value)}")
    return out


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


def _int(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(f"a number of {len(text)} digits is too large")
    return int(text)


def _float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{text if len(text) <= 40 else text[:37] + '…'} is too large a number")
    return value


def write(reply: dict[str, Any]) -> str:
    """One line without line end, in ASCII."""
    return json.dumps(reply, separators=(",", ":"), allow_nan=False)
