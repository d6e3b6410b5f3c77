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

CLEAR = 0.6  # correlation within sittings
STANDARD_ERRORS = 4.0  # of none
SHAKEN_ALIKE = "all igloos shaken as hard and as long"
# by so much from the fewest beads to the most: of a shake that is cut where it fades a little follows the count anyway
MORE = float(np.log(1.2))  # as long, or as hard
GAIN_DB = 3.0
# noise beside the shake, beyond what beads make of it: more of them are louder, by 10 to 20 times the logarithm
LOUDER_DB = 10.0
HEARD_DB = 10.0  # over the background: where a take began and ended that stands out less nobody heard
BACKGROUND = 0.8  # instead of CLEAR: in honest folders up to .45 where takes are cut close, else .4
IN_ONE_NOISE = "all igloos in random order, in the same room and with the same gain"
ONE_GAIN = "all igloos in random order and with the same gain"
MOST = 0.5  # of the takes whose background is known; of fewer they may be chosen by it


@dataclass(frozen=True, slots=True)
class AlongCounts:
    """So closely (a correlation) does `what` go with the count within sittings."""

    what: str
    correlation: float
    takes: int
    change: float  # from the fewest beads to the most, in units of what would matter
    least: float = CLEAR  # of which it is much
    alike: str = "igloos that are shaken alike"  # of what figures say nothing
    mend: str = SHAKEN_ALIKE  # how sweeps are to be recorded
    grave: bool = True  # may figures be refused for it?
    # of what is tested, by a fit on others like it; else a profile learned elsewhere, or others alone are so
    refuses: bool = True

    @property
    def clear(self) -> bool:
        """Is it much, and more than chance would do?"""
        chance = STANDARD_ERRORS / float(np.sqrt(max(1, self.takes)))
        enough = self.takes >= LEAST_TAKES and abs(self.change) >= 1.0
        return enough and abs(self.correlation) >= max(self.least, chance)

    def sentence(self) -> str:
        goes = f"{self.what} goes with the count within sittings (correlation {self.correlation:.2f})"
        sweeps = f"record sweeps, {self.mend}"
        if not self.refuses:
            return (
                f"{goes}: a fit on such takes takes that for beads, and tells {self.alike} wrongly; {sweeps}"
            )
        return (
            f"{goes}: a fit takes that for beads, and figures say nothing of {self.alike}, even with whole sessions "
            f"left out; {sweeps}"
        )

    def advice(self) -> str:
        return f"Record sweeps, {self.mend}: {self.what} went with the count, and a fit takes that for beads."


def along_counts(
    rows: Sequence[Row], tested: Sequence[Row] | None = None, learned: bool = True
) -> list[AlongCounts]:
    """What goes with the counts of these takes, the most clear first; empty where nothing does.

    `tested`: those of them that figures are of (None: all); `learned`: is what is asked fitted on the others?
    """
    found = _found(rows)
    of_tested = {one.what: one for one in (found if tested is None else _found(tested))}
    out = []
    for one in found:
        those = of_tested[one.what]
        if one.clear:
            # of those alone it may be chance, and still be what the others taught
            flattered = those.correlation * np.sign(one.correlation) >= one.least
            out.append(replace(one, refuses=one.grave and learned and bool(flattered)))
        elif those.clear:
            out.append(replace(those, refuses=those.grave and learned))
    return sorted(out, key=lambda one: -abs(one.correlation))


def _found(rows: Sequence[Row]) -> list[AlongCounts]:
    known = [r for r in rows if r.recording.beads and r.recording.rejected is None]
    heard = _most(known, [r for r in known if r.snr_db >= HEARD_DB])
    # only where it is felt: of what is heard alone it is strokes a second, and those of few beads are often missed
    felt = [r for r in heard if r.shake.front.hand]
    return [
        _asked("how hard the hand shook", felt, [r.shake.strength for r in felt], MORE),
        _asked("how long the shake was", heard, [float(np.log(r.shake.seconds)) for r in heard], MORE),
        *_in_the_quiet(_most(known, [r for r in known if r.quiet_db is not None])),
    ]


def _most(known: Sequence[Row], some: Sequence[Row]) -> Sequence[Row]:
    return some if len(some) > MOST * len(known) else []


def _in_the_quiet(rows: Sequence[Row]) -> list[AlongCounts]:
    """What is heard while nobody shakes: noise, or the gain, by which takes are written louder or softer as a whole.
    Nothing but a sensor on the shell is asked how loud it is."""
    levels = [r.quiet_db or 0.0 for r in rows]
    beside = [
        (r.quiet_db or 0.0) - (r.background_db + r.snr_db) + 10 * float(np.log10(r.recording.beads or 1))
        for r in rows
    ]
    noise = replace(
        _asked("the background", rows, levels, LOUDER_DB),
        change=_asked("the background", rows, beside, LOUDER_DB).change,
        least=BACKGROUND,
        alike="igloos in any other noise",
        mend=IN_ONE_NOISE,
    )
    fixed = [] if noise.clear else [r for r in rows if r.recording.kind != "microphone"]
    gain = replace(
        _asked("the gain", fixed, [r.quiet_db or 0.0 for r in fixed], GAIN_DB),
        least=BACKGROUND,
        alike="igloos at another gain",
        mend=ONE_GAIN,
        grave=False,
    )
    return [noise, gain]


def _asked(what: str, rows: Sequence[Row], values: Sequence[float], matters: float) -> AlongCounts:
    """`matters`: a change of the values that would."""
    if not rows:
        return AlongCounts(what, 0.0, 0, 0.0)
    beads = np.log([float(r.recording.beads or 1) for r in rows])
    of = [(r.recording.occasion, r.recording.kind) for r in rows]
    number = {one: i for i, one in enumerate(sorted(set(of)))}
    sittings = np.array([number[one] for one in of])
    correlation, slope = _within(np.array(values), beads, sittings)
    return AlongCounts(what, correlation, len(rows), slope * float(np.ptp(beads)) / matters)


def _within(values: Floats, beads: Floats, sittings: npt.NDArray[np.intp]) -> tuple[float, float]:
    """Their correlation and the slope of the values over beads, each sitting's mean taken off."""
    a, b = (x - (np.bincount(sittings, x) / np.bincount(sittings))[sittings] for x in (values, beads))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return (float(a @ b) / size, float(a @ b) / float(b @ b)) if size > 1e-9 else (0.0, 0.0)
