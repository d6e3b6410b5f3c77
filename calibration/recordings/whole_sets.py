"""Sets of igloos: which recordings form one, and what it consists of.

A set is from one sensor, in one place, on one occasion, even if others have its name. Igloos whose count is not among
those told apart are not part of it. A recording that names no igloo counts as an igloo of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibration.recordings.folder import Recording
from calibration.recordings.taken import taken_at

Igloos = dict[str, list[int]]  # igloo name → indices of its recordings


@dataclass(frozen=True, slots=True)
class SetMade:
    """What a joined set consists of."""

    igloos: int
    counts: int  # number of counts told apart
    shakes: tuple[int, int]  # of one igloo, least and most
    twice: bool  # two igloos are said to hold the same count

    @property
    def whole(self) -> bool:
        """Has it an igloo of every count, each shaken once?"""
        return self.igloos == self.counts and self.shakes == (1, 1) and not self.twice


def sets_of(recordings: Sequence[Recording], counts: Iterable[int]) -> list[Igloos]:
    """The sets among these recordings, by igloo; whether or not they can be joined."""
    known = set(counts)
    sets: dict[tuple[str | None, ...], Igloos] = {}
    for i, r in enumerate(recordings):
        if r.set is not None and r.rejected is None and (r.beads is None or r.beads in known):
            igloos = sets.setdefault((r.sensor, r.place, r.occasion, r.set), {})
            igloos.setdefault(r.igloo or r.below, []).append(i)  # an igloo that was shaken twice is one igloo
    return list(sets.values())


def once_each(igloos: Igloos, recordings: Sequence[Recording]) -> Igloos:
    """The same without repeated lines for one file, because that was one shake."""
    out: Igloos = {}
    for name, mine in igloos.items():
        once: dict[str, int] = {}
        for i in mine:
            once.setdefault(recordings[i].below, i)
        out[name] = [*once.values()]
    return out


def rounds_of(igloos: Igloos, recordings: Sequence[Recording]) -> list[dict[str, int]]:
    """A set's recordings in rounds of one hand (igloo → recording), whatever the order of the lines: a player's second
    take of an igloo is in his second round. The order is by `taken` where all of the player's takes have it, else as in
    the list."""
    hands: dict[str, list[tuple[str, int]]] = {}
    for name, mine in igloos.items():
        for i in mine:
            hands.setdefault(recordings[i].player or "", []).append((name, i))
    out: list[dict[str, int]] = []
    for _, of_hand in sorted(hands.items()):
        times = {i: taken_at(recordings[i]) for _, i in of_hand}
        if None not in times.values():
            of_hand.sort(key=lambda one: (times[one[1]] or 0.0, one[1]))
        rounds: list[dict[str, int]] = []
        for name, i in of_hand:
            at = sum(name in r for r in rounds)
            if at == len(rounds):
                rounds.append({})
            rounds[at][name] = i
        out += [dict(sorted(of_round.items())) for of_round in rounds]
    return out


def said_to_hold(igloos: Igloos, recordings: Sequence[Recording]) -> dict[int, list[str]]:
    """For each count, the igloos of a set that are said to hold it."""
    held: dict[int, list[str]] = {}
    for name, mine in igloos.items():
        for beads in {recordings[i].beads for i in mine} - {None}:
            held.setdefault(beads or 0, []).append(name)
    return held


def made_of(igloos: Igloos, recordings: Sequence[Recording], counts: Sequence[int]) -> SetMade:
    """What one of `sets_of` consists of."""
    shakes = [len(mine) for mine in once_each(igloos, recordings).values()]
    twice = any(len(names) > 1 for names in said_to_hold(igloos, recordings).values())
    return SetMade(len(igloos), len(counts), (min(shakes), max(shakes)), twice)


def span_of(made: Sequence[SetMade]) -> dict[str, Any]:
    """The same for all sets behind some figures, each value as [least, most]; docs/contracts.md 3."""
    shakes = [n for one in made for n in one.shakes]
    return {
        "whole": all(one.whole for one in made),
        "igloos": [min(one.igloos for one in made), max(one.igloos for one in made)],
        "counts": [min(one.counts for one in made), max(one.counts for one in made)],
        "shakes": [min(shakes), max(shakes)],
    }


def as_a_set(figures: Mapping[str, Any], what: str = "shake") -> str:
    """What `exact_in_sets` refers to: `a whole set, one shake each`, or what the sets consist of instead."""
    made = figures.get("sets")
    if made is None:
        return "as a set"
    if made["whole"]:
        return f"a whole set, one {what} each"
    igloos, counts, shakes = (_span(made[key]) for key in ("igloos", "counts", "shakes"))
    return (
        f"as a set, {igloos} igloo{'' if igloos == '1' else 's'} for {counts} counts, "
        f"{f'one {what}' if shakes == '1' else f'{shakes} {what}s'} each"
    )


def _span(bounds: Sequence[int]) -> str:
    least, most = bounds
    return str(least) if least == most else f"{least}–{most}"
