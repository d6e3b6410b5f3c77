"""The one figure that a fit may print beside its profile: whole units left out, and everything chosen without them.

The units are sessions, or sets of igloos for a profile that is for others.

`fit` chose penalties, noise, lean and threshold on left-out takes as well, but on the same ones: that figure is
optimistic, and is kept in the file under that name only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from calibration.bulk import Hands
from calibration.fitting.asked import usable
from calibration.fitting.prior import Starts
from calibration.recordings.folder import Complain, Recording
from calibration.recordings.folds import Unit, key_of
from calibration.recordings.one_shake import united
from calibration.scores import summary
from calibration.takes.features import Takes
from calibration.testing.evaluate import Tested, evaluate_left_out
from calibration.testing.pairs import in_sittings, join_pairs
from calibration.traps.confounding import Confounding
from calibration.traps.given_away import refusals
from calibration.traps.not_left_out import not_left_out
from sensors.ear.errors import FitError, ProfileError
from sensors.ear.profiles.profile import Profile

# takes times units to leave out: some seconds, with an accelerometer up to a minute or two on a slow machine
MOST_WORK = 400
KEPT = (
    "n", "exact", "within_one", "mae", "sure_share", "sure_right", "ece", "sessions", "devices", "interval",
    "interval_by",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Every session, or set of igloos, left out in turn: the answers and their figures; `why` says why there are
    none."""

    tested: tuple[Tested, ...] = ()
    figures: dict[str, Any] | None = None
    why: str | None = None


def why_not(
    rows: Takes,
    unit: Unit,
    command: str,
    start: Profile | None = None,
    traps: Sequence[Confounding] = (),
) -> str | None:
    """One sentence where nothing can be left out by turns after a fit, because figures would flatter or take too long;
    `command` is what to type for them. `start`: the start profile that was asked for; `traps`: what gives the counts
    away."""
    takes = usable([of_one[0] for of_one in rows])
    recordings = [row.recording for row in takes]
    units = len(set(united(recordings, [key_of(r, unit) for r in recordings])))
    if units < 2:
        return f"no accuracy is shown: {_alone(recordings, unit)}, then: {command}"
    if flatters := not_left_out(start, rows, unit):
        return f"no accuracy is shown: {flatters}"
    if given := refusals(traps):
        return f"no accuracy is shown: {'; '.join(given)}"
    if len(takes) * units > MOST_WORK:
        what = "what it was not fitted on" if unit == "session" else "other sets"
        return f"how well it counts {what} takes longer than a fit may; it is told by: {command}"
    return None


def _alone(recordings: Sequence[Recording], unit: Unit) -> str:
    """About a single unit, which cannot be left out: what it is, and what to do."""
    if unit == "device":
        return "all takes are of one set of igloos; record another set (--device NAME)"
    if all(recording.session is None for recording in recordings):
        return 'no line names its session, so all takes count as of one; give "session" in recordings.jsonl'
    return (
        "all takes are of one session, and takes of one sitting betray one another; record another session on "
        "another day"
    )


def leave_units_out(
    rows: Takes,
    counts: tuple[int, ...] | None,
    unit: Unit,
    starts: Callable[[Takes], Starts],
    hands: Hands | None = None,
    complain: Complain | None = None,
    step: Callable[[], None] = lambda: None,
) -> LeftOut:
    """The answers of `evaluate --leave-out` session or device, where nothing speaks against it (`why_not`). `step` is
    called once for each unit."""
    tested: list[Tested] = []
    try:
        for fold in evaluate_left_out(
            rows, unit, None, counts, starts=starts, hands=hands, complain=complain, digests=False
        ):
            tested += fold
            step()
    except (FitError, ProfileError) as error:
        return LeftOut(why=f"no accuracy is shown: {error.cause}; {error.mend}")
    told = [t.told() for t in in_sittings(join_pairs(tested)) if t.counted]
    if not told:
        return LeftOut(why="no accuracy is shown: no take has a count that the profile knows; check --counts")
    figures = summary(told)
    return LeftOut(tuple(tested), {key: figures[key] for key in KEPT if key in figures})
