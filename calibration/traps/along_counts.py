"""Confounders that vary with the count within sittings: how hard or fast the hand shook, the background or the file.

If fuller igloos were shaken harder, a fit learns that hard shaking means many beads. Leaving sessions out does not show
it, and igloos that are shaken alike get wrong counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration.recordings.sweep import LEAST_TAKES
from calibration.takes.features import Row
from calibration.traps.kind_of_file import beyond_chance, kinds_of_files, means_of, means_of_kinds
from sensors.ear.frames.frontend import Floats

CHANCE = 4.0  # standard errors of a zero correlation
HEARD_DB = 10.0  # over the background; beginning and end of a weaker take are not heard
PITCH = "hand.pitch"  # ln of Hz, of the hand's own motion (sensors.ear.shakes.features)
KNOWN_OF = 0.5  # least share of the takes where it is known; else these takes may be selected by it


@dataclass(frozen=True, slots=True)
class Thing:
    """A possible confounder. `python -m benchmarks.traps FOLDER…` prints its correlation and its change."""

    what: str
    least_correlation: float  # the bound, within sittings
    matters: float  # the bound on the change from the fewest beads to the most
    alike: str  # what figures say nothing about then
    mend: str  # how sweeps have to be recorded
    grave: bool = True  # may figures be refused because of it?


_SHAKEN = "igloos that are shaken alike", "all igloos shaken as hard and as long"
# more strokes a second make more hits a second, whatever the number of beads
PACE = Thing(
    "how fast the hand shook",
    0.6,
    float(np.log(1.2)),
    "igloos that are shaken alike",
    "all igloos shaken as fast",
)
# a shake's length, cut where it fades, follows the count a little in any case
STRENGTH = Thing("how hard the hand shook", 0.6, float(np.log(1.2)), *_SHAKEN)
DURATION = Thing("how long the shake was", 0.6, float(np.log(1.2)), *_SHAKEN)
# Beads rattle on after a shake, and in a closely cut take most of the background is that. The change is relative to the
# shake, and beyond what beads account for: more beads are louder, by 10 to 20 times the logarithm.
BACKGROUND = Thing(
    "the background",
    0.8,
    10.0,
    "igloos in any other noise",
    "all igloos in random order, in the same room and with the same gain",
)
# in ln N between the kinds
FILE = Thing(
    "the kind of sound file",
    0.6,
    0.5,
    "igloos recorded another way",
    "all igloos with the same phone and the same program",
)
GAIN = Thing(
    "the gain", 0.8, 3.0, "igloos at another gain", "all igloos in random order and with the same gain", False
)


@dataclass(frozen=True, slots=True)
class AlongCounts:
    """The correlation of a confounder with the count within sittings, and its change over the counts (`change`, in
    units of the bound)."""

    thing: Thing
    correlation: float
    change: float
    takes: int
    # the tested takes are judged by a fit on similar ones; else by a profile learned elsewhere, or only the others are
    # so
    refuses: bool = True

    @property
    def what(self) -> str:
        return self.thing.what

    @property
    def clear(self) -> bool:
        """Is it large, and more than chance?"""
        chance = CHANCE / float(np.sqrt(max(1, self.takes)))
        enough = self.takes >= LEAST_TAKES and abs(self.change) >= 1.0
        return enough and abs(self.correlation) >= max(self.thing.least_correlation, chance)

    def sentence(self) -> str:
        goes = f"{self.what} goes with the count within sittings (correlation {self.correlation:.2f})"
        sweeps = f"record sweeps, {self.thing.mend}"
        if not self.refuses:
            return f"{goes}: a fit on such takes takes that for beads, and tells {self.thing.alike} wrongly; {sweeps}"
        return (
            f"{goes}: a fit takes that for beads, and figures say nothing of {self.thing.alike}, even with whole "
            f"sessions left out; {sweeps}"
        )

    def advice(self) -> str:
        return f"Record sweeps, {self.thing.mend}: {self.what} went with the count, and a fit takes that for beads."


def along_counts(
    rows: Sequence[Row], tested: Sequence[Row] | None = None, learned: bool = True
) -> list[AlongCounts]:
    """The confounders of these takes, the clearest first; empty where there is none.

    `tested`: the takes that figures are of (None: all); `learned`: is the tested profile fitted on the others?
    """
    found = each_thing(rows)
    of_tested = {one.what: one for one in (found if tested is None else each_thing(tested))}
    out = []
    for one in found:
        those = of_tested[one.what]
        if one.clear:
            # among the tested ones alone it may be chance, but matches what the others taught
            flattered = those.correlation * np.sign(one.correlation) >= one.thing.least_correlation
            out.append(replace(one, refuses=one.thing.grave and learned and bool(flattered)))
        elif those.clear:
            out.append(replace(those, refuses=those.thing.grave and learned))
    return sorted(out, key=lambda one: -abs(one.correlation))


def each_thing(rows: Sequence[Row]) -> list[AlongCounts]:
    """All possible confounders, whether clear or not."""
    # ln 0 is no point of the line, so empty igloos are not fitted on (`fitting.asked.usable`)
    known = [r for r in rows if r.recording.kept_with_count and r.recording.beads != 0]
    heard = _if_most(known, [r for r in known if r.snr_db >= HEARD_DB])
    # only where the hand is felt: by ear, pace is strokes a second, and strokes of few beads are often missed
    felt = [r for r in heard if r.shake.front.hand]
    paced = [r for r in felt if PITCH in r.shake.names]
    quiet = _if_most(known, [r for r in known if r.quiet_db is not None])
    noise = _asked(BACKGROUND, quiet, [r.quiet_db or 0.0 for r in quiet])
    noise = replace(noise, change=_asked(BACKGROUND, quiet, [_beside(r) for r in quiet]).change)
    # a gain amplifies everything: absolute loudness is compared only for sensors on the shell
    fixed = [] if noise.clear else [r for r in quiet if r.recording.kind != "microphone"]
    return [
        _asked(STRENGTH, felt, [r.shake.strength for r in felt]),
        _asked(PACE, paced, [float(r.shake.pick((PITCH,))[0]) for r in paced]),
        _asked(DURATION, heard, [float(np.log(r.shake.seconds)) for r in heard]),
        noise,
        _asked(GAIN, fixed, [r.quiet_db or 0.0 for r in fixed]),
        # on the shell, each igloo may have a sensor of its own, and that a rate
        _by_file([r for r in known if r.recording.kind == "microphone"]),
    ]


def _if_most(known: Sequence[Row], some: Sequence[Row]) -> Sequence[Row]:
    return some if len(some) > KNOWN_OF * len(known) else []


def _beside(row: Row) -> float:
    """The background relative to the shake, dB, corrected for the effect of that many beads."""
    level = row.background_db + row.snr_db
    return (row.quiet_db or 0.0) - level + 10 * float(np.log10(row.recording.beads or 1))


def _by_file(rows: Sequence[Row]) -> AlongCounts:
    if not rows:
        return _asked(FILE, rows, [])
    kinds = kinds_of_files(rows)
    found = _asked(FILE, rows, means_of_kinds(*_beads_and_sittings(rows), kinds).tolist())
    return replace(found, correlation=beyond_chance(found.correlation, len(rows), int(kinds.max()) + 1))


def _beads_and_sittings(rows: Sequence[Row]) -> tuple[Floats, npt.NDArray[np.intp]]:
    """ln N and the number of its sitting for each row."""
    of = [(r.recording.occasion, r.recording.kind) for r in rows]
    number = {one: i for i, one in enumerate(sorted(set(of)))}
    beads = np.log([float(r.recording.beads or 1) for r in rows])
    return beads, np.array([number[one] for one in of], dtype=np.intp)


def _asked(thing: Thing, rows: Sequence[Row], values: Sequence[float]) -> AlongCounts:
    if not rows:
        return AlongCounts(thing, 0.0, 0.0, 0)
    beads, sittings = _beads_and_sittings(rows)
    correlation, slope = _within(np.array(values), beads, sittings)
    return AlongCounts(thing, correlation, slope * float(np.ptp(beads)) / thing.matters, len(rows))


def _within(values: Floats, beads: Floats, sittings: npt.NDArray[np.intp]) -> tuple[float, float]:
    """Correlation and slope of the values over beads, both centred on each sitting's mean."""
    a, b = (x - means_of(x, sittings) for x in (values, beads))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return (float(a @ b) / size, float(a @ b) / float(b @ b)) if size > 1e-9 else (0.0, 0.0)
