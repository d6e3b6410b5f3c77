"""Parses what a person types, and suggests what would have been possible. No particular game's notation enters here.

A typed line is *whole* (all words of a move), a *part* of one (`use NE`: some words are missing), or unreadable. A part
that fits one legal move is that move; one that fits several is ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, takewhile
from types import MappingProxyType
from typing import TypeVar

from .reading import did_you_mean
from .refusal import Ambiguous, Illegal, NotNow, Refusal, Unreadable

LONGEST = 200  # characters; no move of any game is nearly as long
LOOKED_AT = 2000  # legal moves that are compared
NEAREST = 5
CANDIDATES = 40

T = TypeVar("T")
Verbs = Mapping[str, Sequence[Sequence[str]]]  # verb → its forms → a pattern for each word after the verb


def words(text: str) -> list[str]:
    """`tilt n>S` → tilt, n, >S; `use NE 3#2` → use, NE, 3, #2."""
    return text.replace(">", " >").replace("#", " #").split()


def is_part(typed: Sequence[str], verbs: Verbs) -> bool:
    """Whether the words can be some of the words of a move, in order."""
    forms = verbs.get(typed[0].lower(), ()) if typed else ()
    return any(_subsequence(typed[1:], form) for form in forms)


def _subsequence(typed: Sequence[str], patterns: Sequence[str]) -> bool:
    rest = iter(patterns)
    return all(any(re.fullmatch(pattern, word, re.IGNORECASE) for pattern in rest) for word in typed)


def fits(typed: Sequence[str], legal: str) -> bool:
    """Whether the typed words are some of the words of this legal move, in order, with the same verb first."""
    have = [word.lower() for word in words(legal)]
    if not typed or typed[0].lower() != have[0]:
        return False
    rest = iter(have)
    return all(word.lower() in rest for word in typed)


def complete(
    text: str,
    verbs: Verbs,
    legal: Iterable[str],
    rule: str | None,
    why: str,
    examples: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The one legal move that a part of a move stands for. Raises Unreadable, Ambiguous, NotNow or Illegal.

    `rule`, `why`: given if no legal move fits · `examples`: the notation of each verb.
    """
    typed = words(text)
    if len(text) > LONGEST or not is_part(typed, verbs):
        raise unreadable(text, verbs, examples)
    possible = list(islice(legal, LOOKED_AT))
    found = [move for move in possible if fits(typed, move)]
    if len(found) == 1:
        return found[0]
    if found:
        raise several(typed, found)
    raise refusal(text, possible, rule, why)


def several(typed: Sequence[str], found: Sequence[str]) -> Ambiguous:
    """The refusal of a part of a move that fits several legal moves."""
    return Ambiguous(
        f"{' '.join(typed)!r} fits {len(found)} legal moves: say which", tuple(found[:CANDIDATES])
    )


def understood(
    text: str,
    parse: Callable[[str], T | None],
    verbs: Verbs,
    legal: Callable[[], Iterable[str]],
    why_not: Callable[[], tuple[str | None, str]],
    examples: Mapping[str, str] = MappingProxyType({}),
) -> T:
    """The move that a text stands for, whole or in part; raises as `complete` does.

    `why_not`: returns the rule and the words for a part that no legal move fits.
    """
    found = parse(text) if len(text) <= LONGEST else None
    if found is None:
        found = parse(complete(text, verbs, legal(), *why_not(), examples))
        assert found is not None
    return found


def whole(text: str, patterns: Mapping[str, re.Pattern[str]]) -> tuple[str, re.Match[str]] | None:
    """The verb of a whole move, and the match of that verb's pattern with the rest; None if there is none. `patterns`:
    for each verb, a pattern of what follows it, words separated by single spaces."""
    verb, _, rest = " ".join(text.split()).partition(" ")
    verb = verb.lower()
    found = patterns[verb].fullmatch(rest) if verb in patterns else None
    return None if found is None else (verb, found)


def unreadable(
    text: str, verbs: Iterable[str], examples: Mapping[str, str] = MappingProxyType({})
) -> Unreadable:
    """The refusal of a text outside the notation."""
    if not text.strip():
        return Unreadable("an empty move")
    if len(text) > LONGEST:
        return Unreadable(f"a move of {len(text)} characters: none is longer than {LONGEST}")
    verb = text.split()[0]
    known = list(verbs)
    if verb.lower() in known:
        how = f": it is written {examples[verb.lower()]}" if verb.lower() in examples else ""
        return Unreadable(f"{text.strip()!r} is not how {verb.lower()} is written{how}")
    return Unreadable(
        f"{text.strip()!r} is no move: moves begin with {', '.join(known)}{did_you_mean(verb, known)}"
    )


def refusal(text: str, legal: Iterable[str], rule: str | None, why: str) -> Refusal:
    """NotNow if no legal move has the same verb, else Illegal; with the nearest legal moves."""
    possible = list(islice(legal, LOOKED_AT))
    verb = text.split()[0].lower() if text.split() else ""
    near = nearest(text, possible)
    if any(move.split(None, 1)[0] == verb for move in possible):
        return Illegal(rule, why, near)
    return NotNow(rule, why, near)


def nearest(text: str, legal: Sequence[str], most: int = NEAREST) -> tuple[str, ...]:
    """Up to `most` legal moves nearest to the text: by verb, then by words, then by letters."""
    typed = [word.lower() for word in words(text)]

    def unlike(move: str) -> tuple[bool, int]:
        have = [word.lower() for word in words(move)]
        same = sum(a == b for a, b in zip(typed, have, strict=False))
        return (not typed or typed[0] != have[0], -2 * same + abs(len(typed) - len(have)))

    close = sorted(legal, key=unlike)[: 8 * most]
    line = " ".join(text.lower().split())
    return tuple(sorted(close, key=lambda move: (*unlike(move), edits(line, move.lower())))[:most])


def edits(a: str, b: str) -> int:
    """The Levenshtein distance: letters to insert, delete or change until a is b."""
    # moves have common beginnings, and these cost nothing
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    a, b = a[same:], b[same:]
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (x != y))
    return row[-1]
