"""What went with the counts within sittings, and is no bead: what the hand did otherwise with fuller igloos, or what
was heard while nobody shook.

A fit learns that whoever shook harder held more, leaving sessions out shows nothing of it, and igloos that are shaken
alike are told wrongly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration.recordings.sweep import LEAST_TAKES
from calibration.takes.features import Row
from sensors.ear.frames.frontend import Floats

CHANCE = 4.0  # standard errors of no correlation
HEARD_DB = 10.0  # over the background: where a take began and ended that stands out less nobody heard
PITCH = "hand.pitch"  # ln of Hz, of the hand's own motion (sensors.ear.shakes.features)
KNOWN_OF = 0.5  # of the takes, and of more; else they may be chosen by it


@dataclass(frozen=True, slots=True)
class Thing:
    """What may go with the count. `python -m benchmarks.traps FOLDER…` prints how closely, and how much, it does."""

    what: str
    least_correlation: float  # within sittings
    matters: float  # and such a change from the fewest beads to the most
    alike: str  # of what figures say nothing then
    mend: str  # how sweeps are to be recorded
    grave: bool = True  # may figures be refused for it?


_SHAKEN = "igloos that are shaken alike", "all igloos shaken as hard and as long"
# more strokes a second are more hits a second, however many beads there are
PACE = Thing(
    "how fast the hand shook",
    0.6,
    float(np.log(1.2)),
    "igloos that are shaken alike",
    "all igloos shaken as fast",
)
# of a shake that is cut where it fades a little follows the count anyway
STRENGTH = Thing("how hard the hand shook", 0.6, float(np.log(1.2)), *_SHAKEN)
DURATION = Thing("how long the shake was", 0.6, float(np.log(1.2)), *_SHAKEN)
# beads rattle on behind a shake, and where a take is cut close that is most of its background; the change is beside the
# shake, and beyond what beads make of that: more of them are louder, by 10 to 20 times the logarithm
BACKGROUND = Thing(
    "the background",
    0.8,
    10.0,
    "igloos in any other noise",
    "all igloos in random order, in the same room and with the same gain",
)
GAIN = Thing(
    "the gain", 0.8, 3.0, "igloos at another gain", "all igloos in random order and with the same gain", False
)


@dataclass(frozen=True, slots=True)
class AlongCounts:
    """So closely (a correlation) does a thing go with the count within sittings, and by so much (`change`, of what
    would matter)."""

    thing: Thing
    correlation: float
    change: float
    takes: int
    # of what is tested, by a fit on others like it; else a profile learned elsewhere, or others alone are so
    refuses: bool = True

    @property
    def what(self) -> str:
        return self.thing.what

    @property
    def clear(self) -> bool:
        """Is it much, and more than chance would do?"""
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
    """What goes with the counts of these takes, the most clear first; empty where nothing does.

    `tested`: those of them that figures are of (None: all); `learned`: is what is asked fitted on the others?
    """
    found = each_thing(rows)
    of_tested = {one.what: one for one in (found if tested is None else each_thing(tested))}
    out = []
    for one in found:
        those = of_tested[one.what]
        if one.clear:
            # of those alone it may be chance, and still be what the others taught
            flattered = those.correlation * np.sign(one.correlation) >= one.thing.least_correlation
            out.append(replace(one, refuses=one.thing.grave and learned and bool(flattered)))
        elif those.clear:
            out.append(replace(those, refuses=those.thing.grave and learned))
    return sorted(out, key=lambda one: -abs(one.correlation))


def each_thing(rows: Sequence[Row]) -> list[AlongCounts]:
    """Each thing that may go with the counts, whether it does or not."""
    # ln 0 is no point of the line, so nothing is fitted on empty igloos (`fitting.asked.usable`)
    known = [r for r in rows if r.recording.kept_with_count and r.recording.beads != 0]
    heard = _if_most(known, [r for r in known if r.snr_db >= HEARD_DB])
    # only where it is felt: of what is heard alone it is strokes a second, and those of few beads are often missed
    felt = [r for r in heard if r.shake.front.hand]
    paced = [r for r in felt if PITCH in r.shake.names]
    quiet = _if_most(known, [r for r in known if r.quiet_db is not None])
    noise = _asked(BACKGROUND, quiet, [r.quiet_db or 0.0 for r in quiet])
    noise = replace(noise, change=_asked(BACKGROUND, quiet, [_beside(r) for r in quiet]).change)
    # what a gain makes louder as a whole: of a sensor on the shell alone it is asked how loud it is
    fixed = [] if noise.clear else [r for r in quiet if r.recording.kind != "microphone"]
    return [
        _asked(STRENGTH, felt, [r.shake.strength for r in felt]),
        _asked(PACE, paced, [float(r.shake.pick((PITCH,))[0]) for r in paced]),
        _asked(DURATION, heard, [float(np.log(r.shake.seconds)) for r in heard]),
        noise,
        _asked(GAIN, fixed, [r.quiet_db or 0.0 for r in fixed]),
    ]


def _if_most(known: Sequence[Row], some: Sequence[Row]) -> Sequence[Row]:
    return some if len(some) > KNOWN_OF * len(known) else []


def _beside(row: Row) -> float:
    """The background beside the shake, dB, less what so many beads make of that."""
    level = row.background_db + row.snr_db
    return (row.quiet_db or 0.0) - level + 10 * float(np.log10(row.recording.beads or 1))


def _asked(thing: Thing, rows: Sequence[Row], values: Sequence[float]) -> AlongCounts:
    if not rows:
        return AlongCounts(thing, 0.0, 0.0, 0)
    beads = np.log([float(r.recording.beads or 1) for r in rows])
    of = [(r.recording.occasion, r.recording.kind) for r in rows]
    number = {one: i for i, one in enumerate(sorted(set(of)))}
    sittings = np.array([number[one] for one in of])
    correlation, slope = _within(np.array(values), beads, sittings)
    return AlongCounts(thing, correlation, slope * float(np.ptp(beads)) / thing.matters, len(rows))


def _within(values: Floats, beads: Floats, sittings: npt.NDArray[np.intp]) -> tuple[float, float]:
    """Their correlation and the slope of the values over beads, each sitting's mean taken off."""
    a, b = (x - (np.bincount(sittings, x) / np.bincount(sittings))[sittings] for x in (values, beads))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return (float(a @ b) / size, float(a @ b) / float(b @ b)) if size > 1e-9 else (0.0, 0.0)
