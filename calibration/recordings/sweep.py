"""A sweep: every igloo once, in random order, each put down and gripped anew. Tells what comes next.

The order is drawn from the sweep's name, so a wizard that was stopped continues where it was. A rejected take is
repeated after all others, the longest waiting one first; so the igloo is put down in between, unless it is the last one
left. A sweep is by one person and belongs to one session, even if it is finished on another day: it is left out as a
whole.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import random
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.recordings.folder import Recording
from calibration.recordings.occasion import Now, by_the_boot
from calibration.recordings.taken import WITHIN_S, taken_at
from firmware_bridge.clock import BORN

# two sweeps of twelve igloos: with fewer, chance looks like something that gives the counts away
LEAST_TAKES = 24
ADVISE_SECOND_PERSON_AFTER = 3  # sweeps by one and the same person
# the reason why a take does not count that was under way when a second run was noticed
BESIDE = "another run was at the same sweep"


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
    return {r.beads or 0 for r in recordings if r.set == sweep.name and r.kept_with_count}


def remaining(sweep: Sweep, recordings: Sequence[Recording]) -> list[int]:
    """The counts that are still to be recorded, in order; repeated takes come after all others."""
    have = kept(sweep, recordings)
    tried = {r.beads: i for i, r in enumerate(recordings) if r.set == sweep.name and r.rejected is not None}
    return sorted((n for n in sweep.order() if n not in have), key=lambda n: tried.get(n, -1))


def next_sweep(
    recordings: Sequence[Recording],
    counts: Sequence[int],
    device: str,
    session: str,
    player: str | None = None,
) -> tuple[Sweep, bool]:
    """The player's unfinished sweep of the session, or a new one; and whether it is resumed. None: of any player."""
    for number in itertools.count(1):
        sweep = Sweep(f"{device}/{session}/{number}", tuple(counts))
        lines = [r for r in recordings if r.set == sweep.name]
        if not lines or goes_on(sweep, lines, player):
            return sweep, bool(lines)
    raise AssertionError("numbers do not end")


def unfinished(
    recordings: Sequence[Recording], counts: Sequence[int], device: str, player: str
) -> str | None:
    """The session of the player's last unfinished sweep on this device; None: there is none."""
    seen: set[str] = set()
    for last in reversed(recordings):
        if last.set is None or last.set in seen or not last.set.startswith(f"{device}/{last.session}/"):
            continue
        seen.add(last.set)
        if goes_on(Sweep(last.set, tuple(counts)), [r for r in recordings if r.set == last.set], player):
            return last.session
    return None


def goes_on(sweep: Sweep, lines: Sequence[Recording], player: str | None) -> bool:
    """Is a sweep with these lines unfinished, for this player, and was it meant for the same igloos?"""
    own = of_its_run(sweep, lines)
    return (
        (player is None or {r.player for r in own} == {player})
        and all(counts_of(r) in (None, sweep.counts) for r in own)
        and bool(remaining(sweep, lines))
    )


def of_its_run(sweep: Sweep, recordings: Iterable[Recording]) -> list[Recording]:
    """The lines that tell whose the sweep is: all except those of a second run at the same sweep."""
    return [r for r in recordings if r.set == sweep.name and r.rejected != BESIDE]


def counts_of(take: Recording) -> tuple[int, ...] | None:
    """The igloos of the take's sweep; None in older lists, and in those of other programs."""
    counts = take.more.get("counts")
    if not isinstance(counts, list) or not all(isinstance(n, int) for n in counts):
        return None
    return tuple(counts)


def file_name(sweep: Sweep, beads: int, recordings: Sequence[Recording], folder: Path) -> str:
    """A name that no recording and no file of the folder has (its line may be damaged): repeated takes get another
    letter, or a number after the last letter."""
    taken = {r.file for r in recordings}
    more = (f"_{n}" for n in itertools.count(27))
    for letter in itertools.chain(["", *string.ascii_lowercase[1:]], more):
        name = f"{sweep.name}-{beads:02d}{letter}.wav"
        if name not in taken and not os.path.lexists(folder / name):
            return name
    raise AssertionError("numbers do not end")


def advice(recordings: Sequence[Recording], player: str) -> str | None:
    """Advice when somebody else should take over: people differ more than igloos, so a tenth sweep by one tells
    little."""
    sets = {r.set for r in recordings if r.rejected is None and r.set is not None}
    players = {r.player for r in recordings if r.rejected is None}
    if len(sets) >= ADVISE_SECOND_PERSON_AFTER and players <= {player}:
        return (
            f"{len(sets)} sweeps by {player} alone: another person's first sweep helps more than your next one, "
            "so hand the igloos over"
        )
    return None


def too_soon(recordings: Iterable[Recording], device: str, session: str, player: str, now: Now) -> str | None:
    """A remark where a session begins only minutes after the last one by the same hands: it is another one only in
    name."""
    for r in recordings:
        if r.rejected is not None or (r.device, r.player) != (device, player) or r.session == session:
            continue
        ago = _ago(r, now)
        if ago is not None and abs(ago) < WITHIN_S:
            return (
                f"The session {r.session} was recorded minutes ago: to show how well your igloos are counted on "
                "another day, record this one on another day"
            )
    return None


def _ago(take: Recording, now: Now) -> float | None:
    """Seconds since a take, by a clock that nobody sets where machine and boot are the same. None where only a clock
    that was never set could tell: such a clock begins at the same hour every time."""
    taken, by = taken_at(take), by_the_boot(take)
    if by is not None and by.boot == now.boot:
        return now.up - by.up
    if taken is None or min(taken, now.at) < BORN.timestamp():
        return None
    return now.at - taken
