"""Fits one head of a profile: the model of one front end, with its noise and its threshold from left-out folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.fitting.asked import LEAST_MORE, LEAST_TAKES_TO_FIT, check_takes
from calibration.fitting.own_accuracy import LeftOut, own_accuracy
from calibration.recordings.folder import Recording
from calibration.recordings.folds import Unit, inner_folds, number
from calibration.recordings.whole_sets import rounds_of, sets_of
from calibration.takes.features import Row
from sensors.ear.errors import FitError
from sensors.ear.frames.frontend import Direction, Floats, FrontEnd
from sensors.ear.models.fitting import Fitted, fit_model
from sensors.ear.models.labels import Labels
from sensors.ear.models.model import EarModel
from sensors.ear.models.reading import UNCALIBRATED, reading_of
from sensors.ear.models.relative import Relative
from sensors.ear.models.relative_fit import fit_relative, relative_error
from sensors.ear.profiles.profile import Head, Usual
from sensors.ear.shakes.features import FIXED_GROUPS
from sensors.ear.shakes.net import net_for
from sensors.ear.verdicts.drift import strange_from, usual_of

# About the figures that a profile keeps of itself: penalties, noise, lean, threshold and start were chosen on the same
# takes that the figures are of.
KIND = "while it was being fitted: kind to itself; `calibrate igloos evaluate --leave-out {}` is the honest figure"
USUAL = (  # features that tell a shake from talk, music and knocks, on any sensor
    "loc.participation_20ms_{w}", "loc.participation_100ms_{w}", "loc.crest_5ms_{w}", "loc.flatness_100ms_{w}",
    "ons.rate_1.1_-4.0", "ons.rise_6", "stk.rate", "stk.participation", "stk.duration", "stk.unevenness", "mod.e_48Hz",
)  # fmt: skip


def fit_head(
    rows: Sequence[Row],
    front: FrontEnd,
    *,
    counts: tuple[int, ...],
    fixed: bool,
    unit: Unit | None,
    start: Head | None = None,
    source_of: Callable[[Recording], str] | None = None,
    strangers: bool = False,
) -> tuple[Head, dict[str, Any], LeftOut]:
    """One head, its figures on the takes that it was chosen by, and its left-out answers. Raises FitError where there
    are too few takes."""
    beads = np.array([r.recording.beads for r in rows], dtype=np.intp)
    check_takes(beads, counts, LEAST_TAKES_TO_FIT if start is None else LEAST_MORE)
    floor = _floor(rows, unit, start)
    rows = [replace(row, shake=row.shake.on(floor)) for row in rows]
    guided = rows[0].recording.gesture is not None
    names = _names(rows[0].shake.names, fixed, start)
    picked = np.array([r.shake.pick(names) for r in rows])
    labels, left_out_by = _labels(rows, beads, unit, source_of)
    fitted = fit_model(
        names,
        picked,
        labels,
        counts,
        _before(start, guided),
        # the network was trained on shakes and cannot read a knock
        reading=None if guided else reading_of(net_for(front.name), names, counts, UNCALIBRATED),
        strangers=strangers,
    )
    told = LeftOut(front, rows, fitted.scores)
    accuracy, sure_from = own_accuracy([told], counts, start)
    made, values = rows[0].shake.names, np.array([r.shake.values for r in rows])
    low, middle, high = _band(rows, start)
    own_set = start is not None and not guided and len(np.unique(labels.sets)) < 2
    head = Head(
        front=front,
        model=fitted.model,
        sure_from=sure_from,
        strength_middle=middle,
        strength_low=low,
        strength_high=high,
        usual=_usual(made, values, front, start),
        relative=_relative(made, values, beads, _rounds(rows, counts), labels.folds, fitted, start),
        floor=floor,
        strange_from=strange_from(fitted.model, picked) if own_set else None,
    )
    note = KIND.format("device" if strangers else "session")
    return head, accuracy | {"left_out_by": left_out_by, "front": front.name, "note": note}, told


def _names(made: tuple[str, ...], fixed: bool, start: Head | None) -> tuple[str, ...]:
    """The features that the model counts by, out of all that are measured. Raises FitError where the start counts by
    one that is not measured."""
    if start is None:
        return tuple(name for name in made if fixed or name.split(".")[0] not in FIXED_GROUPS)
    if not set(start.model.names) <= set(made):
        raise FitError(
            "the profile to start from counts by what is measured of free shakes alone, and this is a gesture",
            "start from nothing (--start-from nothing)",
        )
    return start.model.names


def _labels(
    rows: Sequence[Row],
    beads: npt.NDArray[np.intp],
    unit: Unit | None,
    source_of: Callable[[Recording], str] | None,
) -> tuple[Labels, str]:
    """The labels of each take, and, in words, the unit that is left out by turns."""
    recordings = [row.recording for row in rows]
    folds, left_out_by = inner_folds(recordings, unit)
    labels = Labels(
        beads,
        sessions=number([r.occasion for r in recordings]),
        folds=folds,
        devices=number([r.device or "" for r in recordings]),
        people=_people(rows),
        sources=None if source_of is None else number([source_of(r) for r in recordings]),
    )
    return labels, left_out_by


def _before(start: Head | None, guided: bool) -> EarModel | None:
    """The model to start from. For a gesture it comes without the network's reading, which is for free shakes."""
    if start is None:
        return None
    return replace(start.model, reading=None) if guided else start.model


def _band(rows: Sequence[Row], start: Head | None) -> tuple[float, float, float]:
    """Low, middle and high of the strengths (ln) at which it counts well: those of the takes and of the start, with
    some slack."""
    low, middle, high = np.quantile([row.shake.strength for row in rows], (0.02, 0.5, 0.98))
    if start is not None:
        low, high = min(low, start.strength_low), max(high, start.strength_high)
    slack = 0.15 * max(high - low, 0.2)
    return float(low - slack), float(middle), float(high + slack)


def _people(rows: Sequence[Row]) -> npt.NDArray[np.intp] | None:
    """Labels of the people who shook; None where no recording names anybody."""
    names = [row.recording.player or "" for row in rows]
    return number(names) if any(names) else None


def _relative(
    names: tuple[str, ...],
    values: Floats,
    beads: npt.NDArray[np.intp],
    rounds: npt.NDArray[np.intp],
    folds: npt.NDArray[np.intp],
    fitted: Fitted,
    start: Head | None,
) -> Relative | None:
    """The model that compares igloos of one round: fitted on these takes, or the start's where its errors are
    smaller."""
    slope = fitted.model.slope
    relative = fit_relative(names, values, beads, rounds, folds, fitted.left_out, slope)
    known = None if start is None else start.relative
    if known is None:
        return relative
    # a few rounds of one's own make a worse model of differences than the thousands behind the start
    if relative is None or relative.sigma >= relative_error(
        known, names, values, beads, rounds, fitted.left_out, slope
    ):
        return known
    return relative


def _floor(rows: Sequence[Row], unit: Unit | None, start: Head | None) -> Direction | None:
    """The orientation of the igloos' floor in the axes of their sensor, where all takes are of one set and the profile
    will be asked about that set. A few more takes do not override what the start profile knows."""
    if unit == "device" or len({row.recording.device for row in rows}) > 1 or not rows[0].front.hand:
        return None
    from sensors.ear.shakes.imagined import common_floor  # see sensors.ear.shakes.shake.get_ready

    found: dict[str | int | None, list[Direction]] = {}
    for row in rows:
        if row.shake.floor is not None:
            found.setdefault(row.recording.igloo or row.recording.beads, []).append(row.shake.floor)
    means = [np.mean(of_one, axis=0) for of_one in found.values()]
    floor = common_floor([(x, y, z) for x, y, z in (mean / (np.linalg.norm(mean) + 1e-9) for mean in means)])
    return floor or (start.floor if start else None)


def _rounds(rows: Sequence[Row], counts: Sequence[int]) -> npt.NDArray[np.intp]:
    """The round of each recording, as used for joining sets; −1 where it is in none."""
    recordings = [row.recording for row in rows]
    rounds = [one for igloos in sets_of(recordings, counts) for one in rounds_of(igloos, recordings)]
    out = np.full(len(rows), -1, np.intp)
    for i, one in enumerate(rounds):
        out[list(one.values())] = i
    return out


def _usual(names: tuple[str, ...], values: Floats, front: FrontEnd, start: Head | None) -> Usual:
    wide = len(front.bands) - 1
    chosen = tuple(n for n in (u.format(w=wide) for u in USUAL) if n in names)
    return usual_of(chosen, values[:, [names.index(n) for n in chosen]], start.usual if start else None)
