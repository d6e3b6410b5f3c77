"""Weighings of one igloo that contradict each other: on a seat it weighs the same, whoever taps and on whatever day.

Two weighings much further apart than those of the set's other igloos have no useful mean: one of them is wrong, and a
profile fitted on both would be confidently wrong. A third weighing decides which one; or the loose mass does, if one
weighing lies on the line of the set's other igloos and the other one far off it. Else neither is used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.seat.taps import Tapped
from sensors.ear.errors import FitError
from sensors.gesture.model import BEAD_SPREAD, Noise, SetModel, Weighing, fit_kappa
from sensors.gesture.one_day import on_one_day
from sensors.gesture.unknown_set import LEAST_IGLOOS

Floats = NDArray[np.float64]
Some = NDArray[np.bool_]
# Standard deviations. Of 496 pairs of simulated weighings, 428 of them by a simulation that shares no code with ours,
# right ones reached at most 4.6, and wrong ones at least 12.
FAR = 8.0
LEAST_OTHERS = 3  # igloos that were weighed twice as well, to estimate that scatter on this seat
ON_LINE, OFF_LINE = 2.5, 5.0  # standard deviations of the loose mass
How = Literal["others", "line", "nothing"]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Weighings of one count, as indices. right: those to keep; empty where undecided. far: the largest distance
    between them, in standard deviations."""

    beads: int
    wrong: tuple[int, ...]
    right: tuple[int, ...]
    far: float
    how: How


def contradictions(
    weighings: Sequence[Weighing], beads: Sequence[int], sessions: Sequence[str], model: SetModel
) -> list[Contradiction]:
    """For one set on which `model` was fitted; `beads` and `sessions` of each weighing."""
    alike = on_one_day(weighings, beads, sessions, model.noise)
    of_count: dict[int, list[int]] = defaultdict(list)
    for i, n in enumerate(beads):
        of_count[n].append(i)
    apart = {n: _apart([alike[i] for i in mine], model) for n, mine in of_count.items() if len(mine) > 1}
    out = []
    for n, z in apart.items():
        far = _beyond(z, [other for k, other in apart.items() if k != n], alike[of_count[n][0]], model.noise)
        if far.max() <= FAR:
            continue
        mine = np.array(of_count[n])
        right = _friends(far <= FAR)
        how: How = "others"
        if right is None:
            right, how = _on_line([alike[i] for i in mine], n, _line(alike, beads, n, model.noise)), "line"
        if right is None or np.any(far[np.ix_(right, right)] > FAR):
            right, how = np.zeros(len(mine), bool), "nothing"
        out.append(Contradiction(n, tuple(mine[~right]), tuple(mine[right]), float(far.max()), how))
    return out


def _apart(mine: Sequence[Weighing], model: SetModel) -> Floats:
    """[n, n, 2]: distances of t and b between any two weighings, in standard deviations of the model."""
    sides = np.array([(w.upright, model.loose(w)) for w in mine])
    noise, kappa = model.noise, model.kappa
    sd = np.array(
        [
            (
                noise.upright(w.taps, w.placings, w.upright),
                noise.loose(w.loose_taps, w.placings, model.bead, w.scatter(kappa)),
            )
            for w in mine
        ]
    )
    out: Floats = np.abs(sides[:, None] - sides[None]) / np.hypot(sd[:, None], sd[None])
    return out


def _beyond(z: Floats, others: Sequence[Floats], one: Weighing, noise: Noise) -> Floats:
    """[n, n]: the same relative to the differences among the set's `others`, where these are larger. With few others,
    the common change of two days is unknown, and only upright loads are compared, relative to that change."""
    if len(others) < LEAST_OTHERS:
        sd = noise.upright(one.taps, one.placings, one.upright)
        out: Floats = z[:, :, 0] * sd / np.hypot(sd, noise.gain * one.upright)
        return out
    pairs = np.concatenate([other[np.triu_indices(len(other), 1)] for other in others])
    usual = np.maximum(1.0, 1.4826 * np.median(pairs, axis=0))
    beside: Floats = np.max(z / usual, axis=2)
    return beside


def _friends(agree: Some) -> Some | None:
    """[n]: the majority that agree with one another and with no weighing outside it; None where there is none."""
    for i in range(len(agree)):
        row: Some = agree[i]
        if 2 * row.sum() > len(row) and agree[np.ix_(row, row)].all() and not agree[np.ix_(row, ~row)].any():
            return row
    return None


Line = tuple[float, float, Noise]


def _line(weighings: Sequence[Weighing], beads: Sequence[int], without: int, noise: Noise) -> Line | None:
    """κ and one bead's loose mass, fitted on all other igloos; None where these are too few."""
    rest = [i for i, n in enumerate(beads) if n != without]
    if len({beads[i] for i in rest}) < LEAST_IGLOOS:
        return None
    return *fit_kappa([weighings[i] for i in rest], [beads[i] for i in rest], noise), noise


def _on_line(mine: Sequence[Weighing], n: int, line: Line | None) -> Some | None:
    """[n]: which weighings have the loose mass of `n` beads; None where one of them neither clearly has nor clearly
    lacks it."""
    if line is None:
        return None
    kappa, bead, noise = line
    off = np.array(
        [
            (w.upright - kappa * w.sideways - bead * n)
            / np.hypot(
                noise.loose(w.loose_taps, w.placings, bead, w.scatter(kappa)), np.sqrt(n) * BEAD_SPREAD * bead
            )
            for w in mine
        ]
    )
    near, far = np.abs(off) < ON_LINE, np.abs(off) > OFF_LINE
    return near if near.any() and far.any() and (near | far).all() else None


def contradicted(tapped: Sequence[Tapped], model: SetModel) -> Iterator[tuple[list[Tapped], FitError]]:
    """For one set: recordings that must not be fitted on, with the reason as a sentence and its remedy."""
    known = [t for t in tapped if t.gesture is not None and t.gesture.weights]
    weighings = [Weighing.of(t.gesture.weights) for t in known if t.gesture is not None]
    beads = [t.recording.beads or 0 for t in known]
    for one in contradictions(weighings, beads, [t.recording.occasion for t in known], model):
        yield (
            [known[i] for i in one.wrong],
            _as_error(one, [known[i] for i in one.wrong], [known[i] for i in one.right]),
        )


def _as_error(one: Contradiction, wrong: Sequence[Tapped], right: Sequence[Tapped]) -> FitError:
    apart, single = f"{one.far:.0f} standard deviations", len(wrong) == 1
    are, weigh, them = ("is", "it weighs", "it") if single else ("are", "they weigh", "them")
    again = f"record {them} again"
    if one.how == "others":
        why = f"{len(right)} others of its {one.beads} beads agree, and {weigh} {apart} otherwise"
    elif one.how == "line":
        why = (
            f"{weigh} {apart} otherwise than {_listed(right)}, of {one.beads} beads as well, and what is loose in "
            f"{them} lies far off the line of the set's other igloos"
        )
    else:
        why = f"these weighings of {one.beads} beads lie {apart} apart, and nothing tells which is right"
        again = "weigh that igloo once more: a third tells"
    if len({t.recording.igloo for t in (*wrong, *right)} - {None}) > 1:
        again += '; if these are igloos of two sets, say of which each is ("device" in recordings.jsonl)'
    return FitError(f"{_listed(wrong)} {are} left out: {why}", again)


def _listed(tapped: Sequence[Tapped]) -> str:
    *others, last = (str(t.recording.path) for t in tapped)
    return f"{', '.join(others)} and {last}" if others else last
