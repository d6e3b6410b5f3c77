"""A sweep: every igloo once, in random order, put down and gripped anew. What comes next, also after a break.

The order is drawn from the sweep's name, so a wizard that was stopped goes on where it was; a take that was rejected is
asked for again, at a random later place, never twice in a row.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from calibration.recordings import Recording

ADVISE_SECOND_PERSON_AFTER = 3  # sweeps by one person alone


@dataclass(frozen=True, slots=True)
class Sweep:
    """One set of recordings: `name` goes into `set`, `counts` are the beads of the igloos."""

    name: str
    counts: tuple[int, ...]

    def order(self) -> list[int]:
        """The same random order for the same name."""
        seed = int.from_bytes(hashlib.sha256(self.name.encode()).digest()[:8], "big")
        counts = list(self.counts)
        random.Random(seed).shuffle(counts)
        return counts


def kept(sweep: Sweep, recordings: Iterable[Recording]) -> set[int]:
    """Counts of the sweep that have a take which was not rejected."""
    return {r.beads for r in recordings if r.set == sweep.name and r.rejected is None and r.beads is not None}


def remaining(sweep: Sweep, recordings: Sequence[Recording]) -> list[int]:
    """What is still to be recorded, in order; a retake comes last, so that the igloo is put down in between."""
    have = kept(sweep, recordings)
    tried = [r.beads for r in recordings if r.set == sweep.name and r.rejected is not None]
    open_counts = [n for n in sweep.order() if n not in have]
    return [n for n in open_counts if n not in tried] + [n for n in open_counts if n in tried]


def next_sweep(
    recordings: Sequence[Recording], counts: Sequence[int], device: str, session: str
) -> tuple[Sweep, bool]:
    """The session's unfinished sweep, or a new one; and whether it is resumed."""
    prefix = f"{device}/{session}/"
    number = 1
    while True:
        sweep = Sweep(f"{prefix}{number}", tuple(counts))
        have = kept(sweep, recordings)
        if not have >= set(counts):
            return sweep, any(r.set == sweep.name for r in recordings)
        number += 1


def file_name(sweep: Sweep, beads: int, recordings: Sequence[Recording]) -> str:
    """A name that no recording has: retakes get another letter."""
    taken = {r.file for r in recordings}
    for letter in ["", *"bcdefghijklmnopqrstuvwxyz"]:
        name = f"{sweep.name}-{beads:02d}{letter}.wav"
        if name not in taken:
            return name
    raise ValueError("too many retakes of one igloo")


def advice(recordings: Sequence[Recording], player: str) -> str | None:
    """When somebody else should take over: people differ more than igloos, a tenth sweep by one tells little."""
    sets = {r.set for r in recordings if r.rejected is None and r.set is not None}
    players = {r.player for r in recordings if r.rejected is None}
    if len(sets) >= ADVISE_SECOND_PERSON_AFTER and players <= {player}:
        return (
            f"{len(sets)} sweeps by {player} alone: another person's first sweep helps more than your next one, "
            "so hand the igloos over"
        )
    return None
