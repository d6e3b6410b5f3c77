"""Where a fit starts: from the shipped profiles, from nothing, or from whichever of them predicts left-out takes best.

One sweep cannot separate its sitting from its igloos; a shipped profile at least knows how shaken beads behave. Where
there are enough sweeps to stand on their own, a fit from nothing is tried as well. Where nobody says where a microphone
sits, the profile of a contact microphone is tried beside that of one across the table, and both may count. Which of
them judges whether something is a shake at all is decided by how the takes sound, because a contact microphone's judge
refuses half of the shakes heard across a table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from calibration.fitting.asked import LEAST_MORE, on_the_shell, usable
from calibration.fitting.fit import Fit, fit, head_of
from calibration.fitting.own_accuracy import heard_by_all, own_accuracy
from calibration.fitting.worth import few_sessions, worth
from calibration.recordings.folds import Unit
from calibration.takes.features import Row
from sensors.ear.errors import FitError
from sensors.ear.models.population_fit import LEAST_DEVICES, LEAST_OCCASIONS
from sensors.ear.profiles.profile import Profile, load_shipped
from sensors.ear.verdicts.likeness import learned_for, likeness
from sensors.ear.verdicts.no_shake import DOUBTFUL

ENOUGH_SESSIONS = 3
FRESH_MUST_GAIN = 0.15  # nats a take; a model that has met only a few hands is overconfident about the next
# nats a take: starts within this of the best all count. Which of them is best on a few takes says little about another
# day: on the real matchbox, choosing one was worse than joining all.
AS_GOOD_NATS = 0.15
FROM_NOTHING = "nothing"  # the `asked_start` in the profile's memory
COUNTS_OF_A_SWEEP = 6  # different counts that make a session a sweep

Starts = tuple[Profile | None, ...]  # None: from nothing
Scored = tuple[float, Fit, Profile | None]  # nats a take, the fit, and its start


def automatic(rows: Sequence[Sequence[Row]]) -> Starts:
    """The profiles that a fit may start from, as far as their front ends match the recordings. Raises ProfileError
    where a shipped one is damaged, because a fit without it is worse, and nobody would notice."""
    flat = usable([row for of_one in rows for row in of_one])
    if not flat or len({row.recording.sensor for row in flat}) > 1:
        return (None,)
    held: dict[str, set[int]] = defaultdict(set)
    for row in flat:
        assert row.recording.beads is not None
        held[row.recording.occasion].add(row.recording.beads)
    sweeps = sum(len(counts_held) >= COUNTS_OF_A_SWEEP for counts_held in held.values())
    many = sweeps >= LEAST_OCCASIONS and len({row.recording.device for row in flat}) >= LEAST_DEVICES
    # the shipped profiles know shaking: of help for another gesture, but its own features help more
    guided = any(row.recording.gesture for row in flat)
    if guided and many:
        return (None,)
    starts: list[Profile | None] = [None] if guided or sweeps >= ENOUGH_SESSIONS else []
    for kind in _kinds(flat):
        shipped = load_shipped(kind)
        if {head.front for head in shipped.heads} & {row.front for row in flat}:
            starts.append(shipped)
    return tuple(starts) or (None,)


def given(start: Profile | None, rows: Sequence[Sequence[Row]]) -> Starts:
    """The start profile that somebody asked for, whatever `rows` are fitted on."""
    return (start,)


def _kinds(flat: Sequence[Row]) -> tuple[str, ...]:
    if flat[0].recording.sensor == "accelerometer":
        return ("accelerometer",)
    if on_the_shell(flat):
        return ("contact",)
    unsaid = all(row.recording.place is None for row in flat)
    return ("microphone", "contact") if unsaid else ("microphone",)


def fit_from(
    rows: Sequence[Sequence[Row]],
    counts: tuple[int, ...] | None = None,
    *,
    unit: Unit | None = None,
    starts: Starts = (None,),
    step: Callable[[], None] = lambda: None,
) -> Profile:
    """The profile with the greatest likelihood of the true counts of left-out takes. Beside its own heads it has those
    of every other start that is hardly worse.

    The first head judges what is a shake. Where some heads are for a sensor on the shell and some are not, those that
    suit the sound of these takes come first. `step` is called once for each start. Raises FitError where no start fits.
    """
    fitted: list[Scored] = []
    failed: FitError | None = None
    for start in starts:
        try:
            made = fit(rows, counts, unit=unit, start_from=start)
        except FitError as error:
            failed = failed or error
            continue
        finally:
            step()
        fitted.append((float(made.profile.accuracy["log_score"]), made, start))
    if not fitted:
        raise failed or FitError("there is nothing to fit", "record a sweep")
    fitted = [
        (told - (FRESH_MUST_GAIN if start is None else 0.0), made, start)
        for told, made, start in _asked(fitted, rows, counts, unit)
    ]
    fitted.sort(key=lambda scored: -scored[0])
    most, best, _ = fitted[0]
    kept = [
        (score, made, start)
        for score, made, start in fitted
        if made is best or (score >= most - AS_GOOD_NATS and made.profile.counts == best.profile.counts)
    ]
    chosen = [(made, start) for _, made, start in _judge_first(kept, fitted, rows)]
    return chosen[0][0].profile if len(chosen) == 1 else _joined(chosen)


def _asked(
    fitted: list[Scored], rows: Sequence[Sequence[Row]], counts: tuple[int, ...] | None, unit: Unit | None
) -> list[Scored]:
    """With few sessions, a fit from nothing and one from a profile cannot be compared by their own figures: each gets
    the `worth` of its start instead, where that can be measured for all."""
    starts = [start for _, _, start in fitted]
    if len(starts) < 2 or None not in starts or not few_sessions(rows):
        return fitted
    worths = [worth(rows, counts, unit, start) for start in starts]
    if None in worths:
        return fitted
    return [(told or 0.0, made, start) for told, (_, made, start) in zip(worths, fitted, strict=True)]


def _judge_first(kept: list[Scored], fitted: Sequence[Scored], rows: Sequence[Sequence[Row]]) -> list[Scored]:
    """The kept fits, with those for the sensor's apparent place first. Where none of them is for that place, the best
    fit for it is added, because one has to judge: a slightly worse count costs less than refused shakes."""
    if len({made.profile.fixed for _, made, _ in fitted}) < 2:
        return kept
    on_shell = sounds_on_the_shell(rows)
    counts = kept[0][1].profile.counts
    judges = [one for one in fitted if one[1].profile.fixed == on_shell and one[1].profile.counts == counts]
    if judges and not any(made.profile.fixed == on_shell for _, made, _ in kept):
        kept = [*kept, judges[0]]
    return sorted(kept, key=lambda one: one[1].profile.fixed != on_shell)


def sounds_on_the_shell(rows: Sequence[Sequence[Row]]) -> bool:
    """Whether a microphone's takes, all of them shakes, sound as if it sat on the shell: the judge trained on such
    takes clearly accepts the typical one of them.

    Only the judge trained in quiet is asked, whatever the noise. Of those trained in noise, the room's accepts shakes
    on the shell as well, so that a contact microphone is taken for one in the room; and the contact microphone's
    accepts more of the shakes across the table. Some simulated sweeps across a table sound like the shell in any case,
    most of Bullet's: then `"place"` has to be given.
    """
    told = [
        likeness(row.shake, True)
        for row in usable([row for of_one in rows for row in of_one])
        if learned_for(row.front.name, True) is not None
    ]
    return bool(told) and float(np.median(told)) >= DOUBTFUL


def _joined(kept: Sequence[tuple[Fit, Profile | None]]) -> Profile:
    """All heads, in order. The first one's figures and `sure` threshold are replaced by those of all heads together."""
    best = kept[0][0]
    heads = [*best.profile.heads]
    accuracy = best.profile.accuracy
    told = [said for made, _ in kept for said in made.left_out]
    if heard_by_all(told) >= LEAST_MORE:
        front = heads[best.first].front
        # each start has its own threshold: take the most cautious one
        each = [own_accuracy(told, best.profile.counts, head_of(start, front)) for _, start in kept]
        heads[best.first] = replace(heads[best.first], sure_from=max(sure_from for _, sure_from in each))
        accuracy = accuracy | each[0][0]
    others = (head for made, _ in kept[1:] for head in made.profile.heads)
    started = tuple(None if start is None else start.digest for _, start in kept)
    return replace(
        best.profile,
        heads=(*heads, *others),
        accuracy=accuracy,
        fitted_on=replace(best.profile.fitted_on, started_from=started),
    )
