"""Scores: exact, within one, mean error, calibration error, and confidence intervals.

Intervals are by whole sessions, or by the units that were left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are first asked

from calibration.recordings.folds import Unit
from calibration.recordings.whole_sets import SetMade, span_of
from sensors.ear.frames.frontend import Floats

ECE_BINS = 10
FEW_SESSIONS = 3  # figures from fewer sessions mean little


@dataclass(frozen=True, slots=True)
class Told:
    """The answer to one recording whose truth is known."""

    true: int
    best: int
    confidence: float  # probability of `best`
    sure: bool
    in_set: int | None
    session: str
    in_pair: int | None = None
    made: SetMade | None = None  # the set that gave `in_set`
    in_shakes: int | None = None  # the igloo's answer after this many `shakes`
    shakes: int = 0
    again: bool = False  # another sensor's recording of a shake that is counted already
    left_out: tuple[Unit, str] | None = None  # the unit whose takes its fit did not know, and its name

    @property
    def unit(self) -> str:
        """The name of the unit that was left out; its session where none was."""
        return self.left_out[1] if self.left_out else self.session


def calibration_error(confidence: Floats, right: npt.NDArray[np.bool_]) -> float:
    """Expected calibration error: |confidence − accuracy| in ten equal bins, weighted by their recordings. `confidence`
    [recordings] in 0–1, `right` [recordings]."""
    if not len(confidence):
        return 0.0
    bins = np.minimum((confidence * ECE_BINS).astype(int), ECE_BINS - 1)
    gaps = [
        abs(confidence[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean()
        for b in range(ECE_BINS)
        if np.any(bins == b)
    ]
    return float(sum(gaps))


def by_sessions(sessions: Sequence[str], values: npt.ArrayLike) -> tuple[float, float]:
    """95 % confidence interval of the mean of `values`, one for each take, where takes of one session are correlated.

    Each session is left out in turn (the jackknife: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, 11),
    with Student's t of one degree of freedom less than there are sessions. A few sessions tell little about how
    sessions differ; a single one tells nothing about another, so its interval is infinite. For sessions of equal size
    this is the ratio estimator over sessions (Cochran, Sampling Techniques, 1977, 6.3), which would take a large
    session beside tiny ones for certain. Unequal sessions count as their effective number (Kish, Survey Sampling, 1965,
    11.7): two long sessions do not become eight by six crumbs.
    """
    names, which = np.unique(np.array(sessions, dtype=str), return_inverse=True)
    each = np.asarray(values, dtype=np.float64)
    k, mean = len(names), float(each.mean())
    if k < 2:
        return -math.inf, math.inf
    sizes = np.bincount(which)
    # shift of the mean when each session is left out
    moved = np.bincount(which, each - mean) / (len(each) - sizes)
    error = math.sqrt((k - 1) / k * float(np.square(moved).sum()))
    alike = len(each) ** 2 / float(np.square(sizes).sum())
    reach = _student(max(1.0, alike - 1)) * error
    return mean - reach, mean + reach


# figures and pictures need the same few values, which take longer to compute than all the rest
@lru_cache(maxsize=64)
def _student(freedom: float) -> float:
    """The 97.5 % quantile of Student's t with so many degrees of freedom."""
    return float(scipy.stats.t.ppf(0.975, freedom))


def of_shares(
    sessions: Sequence[str],
    hits: npt.NDArray[np.bool_],
    again: Sequence[bool] | None = None,
    units: Sequence[str] | None = None,
) -> list[float]:
    """95 % interval of the share of `hits` [takes], as `widest`. `again`: which takes are further recordings of a
    shake."""
    low, high = widest(sessions, hits, len(hits) - sum(again or ()), units)
    return [round(low, 3), round(high, 3)]


def widest(
    sessions: Sequence[str], hits: npt.ArrayLike, shakes: int, units: Sequence[str] | None = None
) -> tuple[float, float]:
    """95 % interval of the mean of `hits`, one for each take, 0–1, over whole sessions, but never narrower than for as
    many independent `shakes`: sessions that happen to agree carry no more information than their shakes.

    `units`: the set of igloos or person of each take where whole ones were left out, because several sessions of one
    are not independent samples of others. On each side the further limit is taken.
    """
    each = np.asarray(hits, dtype=np.float64)
    reaches = [by_sessions(sessions, each), wilson(float(each.mean()), shakes)]
    if units is not None:
        reaches.append(by_sessions(units, each))
    return max(0.0, min(low for low, _ in reaches)), min(1.0, max(high for _, high in reaches))


def wilson(share: float, n: int) -> tuple[float, float]:
    """95 % interval of a proportion among `n` independent shakes (Wilson, 1927)."""
    z = _normal()
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return middle - reach, middle + reach


@cache
def _normal() -> float:
    """The 97.5 % quantile of the standard normal distribution."""
    return float(scipy.stats.norm.ppf(0.975))


def interval_by(told: Sequence[Told]) -> Unit:
    """The unit of the intervals of these answers: the one that was left out, else sessions."""
    return next((t.left_out[0] for t in told if t.left_out), "session")


def summary(told: Sequence[Told]) -> dict[str, Any]:
    """The figures of docs/contracts.md 3. None for a figure that nothing counts for. Raises ValueError for an empty
    list."""
    if not told:
        raise ValueError("nothing was told")
    true = np.array([t.true for t in told])
    best = np.array([t.best for t in told])
    right, near = best == true, np.abs(best - true) <= 1
    sure = np.array([t.sure for t in told])
    joined = np.array([t.in_set is not None for t in told])
    in_sets = np.array([t.in_set == t.true for t in told])
    near_in_sets = np.array([t.in_set is not None and abs(t.in_set - t.true) <= 1 for t in told])
    confusion: dict[str, dict[str, int]] = {}
    for t in told:
        row = confusion.setdefault(str(t.true), {})
        row[str(t.best)] = row.get(str(t.best), 0) + 1

    def share(hits: npt.NDArray[np.bool_], among: npt.NDArray[np.bool_], digits: int = 4) -> float | None:
        return round(float(hits[among].mean()), digits) if np.any(among) else None

    everything = np.ones(len(told), bool)
    interval = {
        "exact": _interval(told, right),
        "within_one": _interval(told, near),
    }
    if np.any(joined):
        interval["exact_in_sets"] = _of_sets([t for t in told if t.in_set is not None], in_sets[joined])
    added_up = [t.shakes for t in told if t.in_shakes is not None]
    more = _of_others("in_shakes", told, [t.in_shakes for t in told], interval)
    more |= {"shakes": [min(added_up), max(added_up)]} if added_up else {}
    if any(t.in_pair is not None for t in told):
        more |= _of_others("in_pairs", told, [t.in_pair for t in told], interval)
        more["different_shakes"] = len(told) - sum(others_again([t.again for t in told]))
    by = interval_by(told)
    more |= {f"{by}s": len({t.unit for t in told})} if by != "session" else {}
    return {
        "n": len(told),
        "exact": share(right, everything),
        "within_one": share(near, everything),
        "mae": round(float(np.abs(best - true).mean()), 4),
        "exact_in_sets": share(in_sets, joined),
        "within_one_in_sets": share(near_in_sets, joined),
        **({"sets": span_of(made)} if (made := [t.made for t in told if t.made is not None]) else {}),
        **more,
        "sure_share": share(sure, everything, 6),  # digits enough to recover the whole numbers
        "sure_right": share(right, sure, 6),
        "ece": round(calibration_error(np.array([t.confidence for t in told]), right), 4),
        "sessions": len({t.session for t in told}),
        "interval": interval,
        "interval_by": by,
        "confusion": {
            n: dict(sorted(row.items(), key=lambda c: int(c[0])))
            for n, row in sorted(confusion.items(), key=lambda c: int(c[0]))
        },
    }


def _of_others(
    name: str, told: Sequence[Told], said: Sequence[int | None], interval: dict[str, Any]
) -> dict[str, Any]:
    """The `exact_` and `within_one_` figures of answers that only some recordings have, None where none has; and their
    interval."""
    those = [(t, abs(n - t.true)) for t, n in zip(told, said, strict=True) if n is not None]
    if not those:
        return {f"exact_{name}": None, f"within_one_{name}": None}
    by = np.array([off for _, off in those])
    interval[f"exact_{name}"] = _interval([t for t, _ in those], by == 0)
    return {
        f"exact_{name}": round(float((by == 0).mean()), 4),
        f"within_one_{name}": round(float((by <= 1).mean()), 4),
    }


def _interval(told: Sequence[Told], hits: npt.NDArray[np.bool_]) -> list[float]:
    again = others_again([t.again for t in told])
    return of_shares([t.session for t in told], hits, again, [t.unit for t in told])


def _of_sets(told: Sequence[Told], hits: npt.NDArray[np.bool_]) -> list[float]:
    """Fewer answers are independent: an igloo told wrongly takes another one's count, so errors come in twos, and all
    shakes of an igloo in a set have one answer."""
    again = others_again([t.again for t in told])
    igloos = sum(1 / t.made.shakes[1] if t.made else 1.0 for t, a in zip(told, again, strict=True) if not a)
    sessions, units = [t.session for t in told], [t.unit for t in told]
    low, high = widest(sessions, hits, max(1, round(igloos / 2)), units)
    return [round(low, 3), round(high, 3)]


def others_again(again: Sequence[bool]) -> Sequence[bool]:
    """Which recordings are of a shake that is among them already; where only such are left, each counts for itself."""
    return [False] * len(again) if all(again) else again


def nothing_to_count(sessions: int) -> dict[str, Any]:
    """The keys of `summary` where no recording has a count, so that there are no figures."""
    keys = (
        "exact",
        "within_one",
        "mae",
        "exact_in_sets",
        "within_one_in_sets",
        "exact_in_shakes",
        "within_one_in_shakes",
        "sure_share",
        "sure_right",
        "ece",
        "interval_by",
    )
    return {"n": 0} | dict.fromkeys(keys) | {"sessions": sessions, "interval": {}, "confusion": {}}
