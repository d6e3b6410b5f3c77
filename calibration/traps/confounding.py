"""The trap of takes in a row: does the sitting give the count away?

Where most takes of a count were made in one sitting, its gain, place and background identify the count: nearest
neighbours by loudness alone "predict" it, as long as other takes of the same sitting are available. With only other
sittings they fail. Such a folder gives flattering figures for everything except whole sessions left out. Where a
sitting holds a single igloo, or two of many, its very name gives the count away (`OneIgloo`), however few its takes
are. Leaving such sittings out is no test either: nobody else took that igloo, and days drift with the counts.
Confounders within each sitting are another trap (`calibration.traps.along_counts`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from calibration.recordings.folder import Recording
from calibration.recordings.folds import Unit, key_of
from calibration.recordings.sweep import LEAST_TAKES
from calibration.takes.features import Row
from calibration.traps.nearness import BEYOND_CHANCE, background, loudness, scaled, told_by_neighbours
from sensors.ear.frames.frontend import Floats

CLEAR_GAP = 0.12  # by which loudness must predict better inside sittings than across them
# a sitting with so few counts, of at least this many times as many, gives the count away by its name
ONE_OR_TWO, OF_MANY = 2, 3
TOLD_BY_NAME = 0.5  # least share of the takes in such sittings
SWEEPS = "Record sweeps: all igloos once, in random order, put down and gripped anew between takes."


class Confounding(Protocol):
    """A way in which the counts of a folder are given away."""

    @property
    def what(self) -> str:
        """What alone predicts them."""

    @property
    def refuses(self) -> bool:
        """Do figures flatter, or say nothing, even with whole sessions left out? Then none is shown."""

    def sentence(self) -> str:
        """How, what it means, and what to do."""

    def advice(self) -> str:
        """What to do next, as a sentence for a page."""


@dataclass(frozen=True, slots=True)
class ByEar:
    """Shares of counts that `what` alone predicts, with and without takes of the same sitting."""

    what: str
    inside: float
    across: float
    takes: int
    left_out: bool = True  # would figures with whole sessions left out be meaningful?

    @property
    def clear(self) -> bool:
        """Is it more than chance?"""
        spread = np.sqrt(max(self.inside * (1 - self.inside), 0.02) / max(1, self.takes))
        return self.inside - self.across > max(CLEAR_GAP, BEYOND_CHANCE * float(spread))

    def sentence(self) -> str:
        return (
            f"{self.what} alone tells {self.inside:.2f} of the counts inside sittings, {self.across:.2f} across them: "
            "the sitting gives the count away"
            + (", so only figures with whole sessions left out mean anything" if self.left_out else "")
            + "; record sweeps (all igloos in random order), not many takes of one igloo in a row"
        )

    @property
    def refuses(self) -> bool:
        """With whole sessions left out figures are honest; otherwise `traps.not_left_out` decides."""
        return False

    def advice(self) -> str:
        return SWEEPS


@dataclass(frozen=True, slots=True)
class OneIgloo:
    """The share of takes in sessions, devices or players (`unit`) that hold hardly any other count."""

    unit: Unit
    takes: int
    of: int

    @property
    def what(self) -> str:
        return f"the name of the {self.unit}"

    def sentence(self) -> str:
        return (
            f"{self.takes} of {self.of} takes are of a {self.unit} that holds one or two of the counts, so that the "
            f"{self.unit} is the count, and figures of these say nothing of another day's igloos, even with each left "
            "out whole; record sweeps (all igloos in random order), and test those alone (--test-on 'sweep-*')"
        )

    @property
    def refuses(self) -> bool:
        return True

    def advice(self) -> str:
        return f"{SWEEPS} A {self.unit} of one igloo tells nothing of another."


def one_igloo_each(recordings: Iterable[Recording], unit: Unit = "session") -> list[Recording]:
    """The takes whose named session, device or player holds one count, or two, and at most a third of all counts."""
    known = [r for r in recordings if r.kept_with_count]
    counts: dict[str, set[int]] = defaultdict(set)
    for r in known:
        counts[key_of(r, unit)].add(r.beads or 0)
    held = len({r.beads for r in known})
    few = {name for name, mine in counts.items() if len(mine) <= ONE_OR_TWO and OF_MANY * len(mine) <= held}
    return [r for r in known if getattr(r, unit) and key_of(r, unit) in few]


def by_its_name(recordings: Sequence[Recording], unit: Unit = "session") -> OneIgloo | None:
    """Are most of these takes in sittings whose name gives the count away? Of single takes each is a sitting."""
    known = [r for r in recordings if r.kept_with_count]
    those = one_igloo_each(known, unit)
    names = {key_of(r, unit) for r in those}
    if len(those) <= TOLD_BY_NAME * len(known) or len(those) < 2 * len(names):
        return None
    return OneIgloo(unit, len(those), len(known))


def look(rows: Sequence[Row], unit: Unit | None = "session") -> list[Confounding]:
    """The confounders of these recordings, the clearest first; empty for none. `unit`: what is left out by turns, None
    for nothing: to a profile that knows none of their sittings, their names say nothing."""
    named = by_its_name([r.recording for r in rows], unit) if unit else None
    return [*([named] if named else []), *by_ear(rows, left_out=named is None)]


def by_ear(rows: Sequence[Row], left_out: bool = True) -> list[ByEar]:
    """What alone predicts the counts within sittings, but not across them. `left_out`: would figures with whole
    sessions left out be meaningful?"""
    known = [r for r in rows if r.recording.kept_with_count]
    if len(known) < LEAST_TAKES or len({r.recording.occasion for r in known}) < 2:
        return []
    beads = np.array([r.recording.beads for r in known])
    _, sittings = np.unique([r.recording.occasion for r in known], return_inverse=True)
    found = []
    for what, values in (("loudness", loudness(known)), ("the background", background(known))):
        inside = told_by_neighbours(_each_apart(values), beads)
        across = told_by_neighbours(_each_apart(values, sittings), beads)
        found.append(ByEar(what, inside, across, len(known), left_out))
    return sorted((f for f in found if f.clear), key=lambda f: f.across - f.inside)


def _each_apart(values: Floats, sittings: npt.NDArray[np.intp] | None = None) -> Iterator[Floats]:
    """For each take in turn its squared distances from all others; `sittings`: only from takes of other sittings.

    All at once they would fill the memory, for a whole world of takes.
    """
    z = scaled(values)
    for i in range(len(z)):
        distances: Floats = np.square(z - z[i]).sum(axis=1)
        distances[i] = np.inf
        if sittings is not None:
            distances[sittings == sittings[i]] = np.inf
        yield distances
