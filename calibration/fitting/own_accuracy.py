"""Figures of a profile on the takes that it was chosen by, each told while left out; and its `sure` threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.scores import Told, summary
from calibration.takes.features import Row
from sensors.ear.frames.frontend import Floats, FrontEnd
from sensors.ear.models.model import joined, of_one_view
from sensors.ear.profiles.profile import Head

SURE_RIGHT = 0.95  # least accuracy of sure answers
# least accuracy of left-out takes above the threshold; stricter, because the igloos at a table are other ones
SURE_SEEN = 0.97
SURE_LEAST = 0.6
# The doubt at the threshold is reduced to this part, because igloos at a table differ from all that were left out:
# without it, sure answers on unknown simulated sets were right too rarely. The value is a judgement. A guided gesture
# is done alike by everybody and does not need it.
DOUBT_KEPT = 0.6
# The doubt at the start's threshold is reduced to this part, unless strange sounds are recognised (below). Without the
# hand's motion, a gentle stranger's three or four beads are taken for the owner's two, and nothing seems odd.
DOUBT_LEFT = 0.7


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Left-out answers of the head of one front end to its rows: ln p, float64[rows, counts]."""

    front: FrontEnd
    rows: Sequence[Row]
    scores: Floats

    @property
    def places(self) -> dict[tuple[str, str], int]:
        """The index of each recording's row."""
        return {(str(r.recording.folder), r.recording.file): i for i, r in enumerate(self.rows)}


def own_accuracy(
    told: Sequence[LeftOut], counts: tuple[int, ...], start: Head | None
) -> tuple[dict[str, Any], float]:
    """Figures of the recordings that all heads heard, their answers joined, and the least probability of a sure answer.
    `start`: the head that the fit was started from."""
    places = [one.places for one in told]
    names = _heard_by_all(places)
    rows = [told[0].rows[places[0][name]] for name in names]
    of_each = [one.scores[[where[name] for name in names]] for one, where in zip(told, places, strict=True)]
    beads = np.array([r.recording.beads for r in rows], dtype=np.intp)
    inside = np.isin(beads, counts)
    fronts = [one.front for one in told]
    p, beads = joined(of_each, [front.name for front in fronts])[inside], beads[inside]
    confidence, sure = p.max(axis=1), of_one_view(p, fronts).max(axis=1)
    best = np.array(counts)[p.argmax(axis=1)]
    guided = rows[0].recording.gesture is not None
    one_set = len({r.recording.device for r in rows}) == 1
    sure_from = _sure_from(sure, best == beads, start, guided, one_set)
    occasions = [r.recording.occasion for r, i in zip(rows, inside, strict=True) if i]
    figures = summary(
        [
            Told(int(t), int(b), float(c), bool(enough >= sure_from), None, s)
            for t, b, c, enough, s in zip(beads, best, confidence, sure, occasions, strict=True)
        ]
    )
    keep = ("n", "exact", "within_one", "mae", "sure_share", "sure_right", "ece", "sessions", "interval")
    column = np.searchsorted(np.asarray(counts), beads)
    log_score = float(np.log(p[np.arange(len(p)), column] + 1e-9).mean())
    return {key: figures[key] for key in keep} | {"log_score": log_score}, sure_from


def heard_by_all(told: Sequence[LeftOut]) -> int:
    """How many recordings all heads heard."""
    return len(_heard_by_all([one.places for one in told]))


def _heard_by_all(places: Sequence[dict[tuple[str, str], int]]) -> list[tuple[str, str]]:
    return [name for name in places[0] if all(name in others for others in places)]


def _sure_from(
    confidence: Floats, right: npt.NDArray[np.bool_], start: Head | None, guided: bool, one_set: bool
) -> float:
    sure_from = 1 - (1.0 if guided else DOUBT_KEPT) * (1 - _threshold(confidence, right))
    if start is None:
        return sure_from
    # Thousands of takes stand behind the start's threshold, so a handful must merely not contradict it. With an owner's
    # sweep, an accelerometer recognises sounds unlike that igloo's (sensors.ear.verdicts.drift): in seven simulated
    # folders of three engines it was then sure of .053 of other people's shakes, and right in .957; with twice the
    # doubt, of .072, and right in .92.
    told_apart = start.front.hand and start.model.populations is not None and one_set
    # an owner's own profile has the right threshold already
    whole = guided or told_apart or start.strange_from is not None
    asked = 1 - (1.0 if whole else DOUBT_LEFT) * (1 - start.sure_from)
    above = confidence >= asked
    wrong = int((above & ~right).sum())
    return asked if wrong <= 1 + (1 - SURE_RIGHT) * above.sum() else max(sure_from, asked)


def _threshold(confidence: Floats, right: npt.NDArray[np.bool_]) -> float:
    """The least probability from which on `sure` answers were right often enough, with a margin for having searched for
    it."""
    order = np.argsort(-confidence)
    hits = np.cumsum(right[order])
    n = np.arange(1, len(order) + 1)
    # count one error more than was seen: a few lucky answers prove nothing
    good = np.flatnonzero((hits / (n + 1) >= SURE_SEEN) & (confidence[order] >= SURE_LEAST))
    if not len(good):
        return float(max(SURE_RIGHT + 0.02, min(0.999, confidence.max() + 1e-3)))
    return float(confidence[order][good[-1]])
