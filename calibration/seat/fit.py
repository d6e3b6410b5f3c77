"""Fits recordings of the counting gesture; unusable ones are reported and left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from calibration.errors import NothingToTest
from calibration.recordings.folder import Complain
from calibration.recordings.folds import Unit, key_of
from calibration.recordings.named_as import fits
from calibration.recordings.sweep import counts_of
from calibration.seat.as_played import as_played
from calibration.seat.in_order import evaluate_taps
from calibration.seat.labels import as_error, believed, in_doubt
from calibration.seat.taps import UNNAMED, Answered, Tapped, fingerprint
from calibration.seat.weighed_by import sittings_of, weighed_by
from calibration.seat.weighed_twice import contradicted
from calibration.words import many
from firmware_bridge.errors import PolartableError
from sensors.ear.errors import FitError
from sensors.evidence import COUNTS
from sensors.gesture.fitting import LEAST_IGLOOS, RECORD, Labelled, fit_gesture
from sensors.gesture.judge import NO_EMPTY, complaint
from sensors.gesture.profile import GestureProfile, with_digest
from sensors.gesture.weigh import EMPTY_WITHIN

Sets = Mapping[str, Sequence[Tapped]]

MORE_GAIN = "turn the gain up until a good tap peaks near −18 dB of full scale, look at the disc's plug"
TOO_FAINT = f"the taps are too faint to be weighed: {MORE_GAIN}"


def counts_told(tapped: Iterable[Tapped]) -> tuple[int, ...]:
    """The counts that the sets hold, weighed or not: the igloos that the wizard asked for where it recorded everything,
    else the game's 2–13; and further counts of kept gestures. An igloo that was never weighed needs its own count, or
    it would get another one, now and then a sure one."""
    kept = [t for t in tapped if t.recording.rejected is None and t.gesture is not None]
    asked = [counts_of(t.recording) for t in kept]
    sets = {n for counts in asked for n in counts or COUNTS}
    return tuple(
        sorted((sets or set(COUNTS)) | {t.recording.beads for t in kept if t.recording.beads is not None})
    )


def _unheard(error: PolartableError) -> None:
    """When folds are fitted, unusable recordings have been reported already."""


def fit_taps(
    tapped: Sequence[Tapped], counts: tuple[int, ...] | None = None, complain: Complain = _unheard
) -> GestureProfile:
    """A profile of every recorded set, for `counts` or by default `counts_told`. Recordings and sets that are left out
    are reported to `complain`. Raises FitError where nothing is left, or sensors are mixed."""
    kept = [t for t in tapped if t.recording.kept_with_count]
    if not any(t.gesture for t in kept):
        nothing = "no recording holds a gesture of a known count"
        if faint := sum(t.faint for t in kept):
            nothing += f": in {faint} of {len(kept)} the taps are too faint to be weighed"
        raise FitError(nothing, f"{MORE_GAIN}, and record them again" if faint else RECORD)
    sensors = {t.recording.sensor for t in kept if t.gesture}
    if len(sensors) > 1:
        raise FitError("microphone and accelerometer are mixed", "choose one with --sensor")
    sensor = next(iter(sensors))
    sets = _enough(_of_one_seat(_by_set(_weighed(kept, complain)), complain), complain)
    profile = fit_gesture(_labelled(sets), sensor, counts or _counts(sets))
    # faults are found relative to the scatter of the others, so the noise is estimated first
    good = {name: list(_done_well(mine, profile, name, complain)) for name, mine in sets.items()}
    good = {name: list(_believed(mine, profile.counts, name, complain)) for name, mine in good.items()}
    if _fewer(good, sets):
        sets = _enough(good, complain)
        profile = fit_gesture(_labelled(sets), sensor, counts or _counts(sets))
    # then contradicting weighings of one igloo, relative to what is left
    good = {name: list(_agreeing(mine, profile, name, complain)) for name, mine in sets.items()}
    if _fewer(good, sets):
        sets = _enough(good, complain)
        profile = fit_gesture(_labelled(sets), sensor, counts or _counts(sets))
    used = [t for mine in sets.values() for t in mine]
    fitted_on = replace(
        profile.fitted_on,
        sessions=len({t.recording.occasion for t in used}),
        beads=tuple(sorted({t.recording.beads or 0 for t in used})),
        fingerprints="".join(sorted({p for t in used if (p := fingerprint(t))})),
        weighed_by=weighed_by(t.recording for t in used),
        sittings=sittings_of(t.recording for t in used),
    )
    return replace(profile, fitted_on=fitted_on)


def _fewer(good: Sets, sets: Sets) -> bool:
    return any(len(good[name]) < len(sets[name]) for name in sets)


def _counts(sets: Sets) -> tuple[int, ...]:
    return counts_told(t for mine in sets.values() for t in mine)


def _by_set(tapped: Iterable[Tapped]) -> Sets:
    sets: dict[str, list[Tapped]] = defaultdict(list)
    for t in tapped:
        sets[t.recording.device or UNNAMED].append(t)
    return sets


def _labelled(sets: Sets) -> dict[str, list[Labelled]]:
    return {
        name: [Labelled(t.recording.beads or 0, t.gesture, t.recording.occasion) for t in mine if t.gesture]
        for name, mine in sets.items()
    }


def _left_out(tapped: Tapped, why: str) -> FitError:
    cause, _, mend = why.partition(": ")
    return FitError(
        f"{tapped.recording.path} is left out: {cause}",
        f"record it again: {mend}" if mend else "record it again",
    )


def _weighed(tapped: Iterable[Tapped], complain: Complain) -> Iterator[Tapped]:
    """The recordings in which some tap was weighed."""
    for t in tapped:
        if t.gesture is not None and t.gesture.weights:
            yield t
        else:
            wrong = None if t.gesture is None else complaint(t.gesture, None)
            complain(_left_out(t, TOO_FAINT if t.faint else wrong or NO_EMPTY))


def _of_one_seat(sets: Sets, complain: Complain) -> Sets:
    """Drops recordings whose empty seat has other tones than in the set's other recordings: it was not empty."""
    out = {}
    for name, mine in sets.items():
        found = [
            t.gesture.empty.upright for t in mine if t.gesture is not None and t.gesture.empty is not None
        ]
        usual = float(np.median(found))
        out[name] = list[Tapped]()
        for t in mine:
            assert t.gesture is not None
            hz = t.gesture.empty.upright if t.gesture.empty is not None else 0.0
            if abs(hz / usual - 1) <= EMPTY_WITHIN:
                out[name].append(t)
                continue
            why = f"its empty seat sings at {hz:.0f} Hz, that of the set's other recordings at {usual:.0f}"
            complain(_left_out(t, f"{why}: tap the empty seat first, the same seat as of the others"))
    return out


def _done_well(
    tapped: Iterable[Tapped], profile: GestureProfile, name: str, complain: Complain
) -> Iterator[Tapped]:
    for t in tapped:
        assert t.gesture is not None
        why = complaint(t.gesture, profile.sets.get(name))
        if why is None:
            yield t
        else:
            complain(_left_out(t, why))


def _believed(
    tapped: Sequence[Tapped], counts: Sequence[int], name: str, complain: Complain
) -> Iterator[Tapped]:
    """The recordings whose labels the weights do not contradict: a wrong label would bend the common line."""
    doubts = in_doubt(tapped, counts)
    several = len({t.recording.occasion for t in tapped}) > 1
    for occasion, mine in doubts.items():
        session = next((t.recording.session for t in tapped if t.recording.occasion == occasion), None)
        complain(as_error(name, mine, session if several else None))
    yield from believed(tapped, doubts)


def _agreeing(
    tapped: Sequence[Tapped], profile: GestureProfile, name: str, complain: Complain
) -> Iterator[Tapped]:
    """The recordings that contradict no other weighing of their igloo: of two that differ one is wrong, and so is their
    mean."""
    wrong = set[int]()
    for mine, error in contradicted(tapped, profile.sets[name].model):
        complain(error)
        wrong |= {id(t) for t in mine}
    yield from (t for t in tapped if id(t) not in wrong)


def _enough(sets: Sets, complain: Complain) -> Sets:
    """The sets that suffice for a profile. Raises FitError for none."""
    out = {}
    for name, mine in sets.items():
        igloos = len({t.recording.beads for t in mine})
        if igloos >= LEAST_IGLOOS:
            out[name] = mine
        else:
            complain(
                FitError(
                    f"the set {name} is left out: {many(igloos, 'igloo')} of it could be used, and {LEAST_IGLOOS} are "
                    "the least",
                    "weigh more of its igloos",
                )
            )
    if not out:
        raise FitError("no set has three igloos that were weighed", RECORD)
    return out


def evaluate_taps_left_out(
    tapped: Sequence[Tapped], unit: Unit, test_on: str | None = None, counts: tuple[int, ...] | None = None
) -> Iterator[list[Answered]]:
    """Fold by fold: fit on all other units, test this one. Raises NothingToTest or FitError."""
    counts = counts or counts_told(tapped)  # a fold that lacks a count may be asked about it all the same
    names = sorted({key_of(t.recording, unit) for t in tapped})
    if len(names) < 2:
        raise NothingToTest(
            f"all recordings are of one {unit}, so none can be left out",
            f'record with another {unit}, and name it in "{unit}"',
        )
    tested = False
    for name in names:
        test = [t for t in tapped if key_of(t.recording, unit) == name]
        test = [t for t in test if fits(t.recording.session, test_on)]
        if not test:
            continue
        tested = True
        chosen = {id(t) for t in test}
        try:
            profile = with_digest(fit_taps([t for t in tapped if id(t) not in chosen], counts))
        except FitError as error:
            raise FitError(f"without {unit} {name}: {error.cause}", error.mend) from error
        answered = evaluate_taps(profile, test, _unheard, as_played)
        yield [replace(a, left_out=(unit, name)) for a in answered]
    if not tested:
        raise NothingToTest(f"no session is named like {test_on!r}", "look at the names in recordings.jsonl")
