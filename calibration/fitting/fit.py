"""Fitting a profile on recordings: a head for each front end that they fill, and which of the heads judges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.fitting.asked import (
    LEAST_COUNTS,
    LEAST_MORE,
    check_enough,
    check_usable,
    counts_known,
    for_others,
    of_one_kind,
    on_the_shell,
    usable,
)
from calibration.fitting.fitted_on import fitted_on
from calibration.fitting.heads import fit_head
from calibration.fitting.own_accuracy import LeftOut, heard_by_all, own_accuracy
from calibration.recordings.folder import Recording
from calibration.recordings.folds import Unit
from calibration.takes.features import Row
from sensors.ear.errors import FitError
from sensors.ear.frames.frontend import COUNT_TOGETHER, FRONT_ENDS, ON_THE_SHELL, FrontEnd
from sensors.ear.profiles.profile import Head, Profile
from sensors.one_thread import one_thread


@dataclass(frozen=True, slots=True)
class Fit:
    """A profile; the left-out answers of its heads that count together; and which of the heads judges."""

    profile: Profile
    left_out: tuple[LeftOut, ...]
    first: int


@one_thread()  # bitwise reproducible, and no slower on a busy machine
def fit(
    rows: Sequence[Sequence[Row]],
    counts: tuple[int, ...] | None = None,
    *,
    unit: Unit | None = None,
    start_from: Profile | None = None,
    note: str | None = None,
    source_of: Callable[[Recording], str] | None = None,
) -> Fit:
    """A profile from the rows of each recording (one row for each front end that it fills). Raises FitError.

    `source_of` names the source of a recording, where there are several kinds of igloos with little in common.
    """
    heard = [row for of_one in rows for row in of_one]
    check_usable(heard)
    flat = usable(heard)
    sensor, gesture = of_one_kind(flat, start_from)
    check_enough(counts)
    counts = counts or counts_known(flat)
    if len(counts) < LEAST_COUNTS and start_from is not None:  # then it is a start that knows what may come
        counts = start_from.counts
    fixed = start_from.fixed if start_from else on_the_shell(flat)
    strangers = for_others(flat, unit)
    heads, accuracies, told = [], [], []
    why: FitError | None = None
    for front in _fronts(flat, fixed, start_from):
        mine = [row for row in flat if row.front == front]
        try:
            head, of_head, said = fit_head(
                rows=mine,
                front=front,
                counts=counts,
                fixed=fixed,
                unit=unit,
                start=head_of(start_from, front),
                source_of=source_of,
                strangers=strangers,
            )
        except FitError as error:  # more takes may fill another front end
            why = why or error
            continue
        heads.append(head)
        accuracies.append(of_head)
        told.append(said)
    if not heads:
        raise why or FitError("no take fills a front end that is wanted", "record faster")
    accuracy = max(accuracies, key=lambda of_head: of_head["n"])  # of the head that most takes fill
    together = [i for i, head in enumerate(heads) if head.front.name in COUNT_TOGETHER and gesture is None]
    first = together[0] if together else 0  # the verdict comes from it, for the joint count of all
    counting = tuple(told[i] for i in together) or (told[first],)
    if len(counting) > 1 and heard_by_all(counting) >= LEAST_MORE:
        figures, sure_from = own_accuracy(counting, counts, head_of(start_from, heads[first].front))
        heads[first] = replace(heads[first], sure_from=sure_from)
        accuracy = accuracy | figures
    known = fitted_on(flat, start_from, strangers, note, gesture)
    rate = float(np.median([row.rate for row in flat]))
    profile = Profile(sensor, rate, fixed, counts, tuple(heads), known, accuracy | {"heads": accuracies})
    return Fit(profile, counting, first)


def head_of(profile: Profile | None, front: FrontEnd) -> Head | None:
    """The head that a fit through this front end starts from."""
    return next((h for h in profile.heads if h.front == front), None) if profile else None


def _fronts(rows: Sequence[Row], fixed: bool, start_from: Profile | None) -> list[FrontEnd]:
    """The front ends that get a head: those that some take fills and the start knows; without a start, those that are
    meant for the sensor's place (`fixed`: on the shell)."""
    fronts = [front for front in FRONT_ENDS if any(row.front == front for row in rows)]
    if start_from is not None:
        # a head fitted on these takes alone would count as much as one fitted on thousands
        return [front for front in fronts if head_of(start_from, front) is not None] or fronts
    return fronts if fixed else [front for front in fronts if front.name not in ON_THE_SHELL]
