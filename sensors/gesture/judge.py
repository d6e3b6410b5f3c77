"""From a gesture to evidence: counts with probabilities, or why there are none and what to do."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from sensors.evidence import Heard
from sensors.gesture import changed
from sensors.gesture.day import Day
from sensors.gesture.gathered import Gesture
from sensors.gesture.model import Noise, Weighing
from sensors.gesture.profile import GestureProfile, KnownSet
from sensors.gesture.unknown_set import alone
from sensors.gesture.weigh import STEEL
from sensors.why import Reason, Why

# Distance from the nearest igloo of the set, in standard deviations of weight and loose mass together. For simulated
# seats' own igloos, 287 gestures on 6 of them, 99 in 100 were within 3.4 and all within 4.
ODD = 4.2
DISAGREE = 6.0  # standard deviations of one tap
DULL_QUALITY = 0.6  # of the usual quality factor
# The same on steel leaves where the empty seat rings as usual: then something touches the igloo. A fingertip that only
# just lies on it stiffens the seat by what some beads weigh. Judgement: simulated igloos that nothing touches ring
# nearly as long each time. benchmarks/seat_mishaps.py prints what is left of sure answers.
TOUCHED_QUALITY = 0.85
HOPPED = 25.0  # quality factor of the sideways tone: hopping beads damp it
LEAN_DEG = 0.8
# Judgement: from here on beads lie on the wall. Two days of a seat that is levelled to .3° in each direction, as the
# simulated ones are, differ by less in 998 of 1000 (exp(−1.5²/(4 · .3²)) is the rest). What sure answers on seats that
# lean are worth: benchmarks/seat_mishaps.py.
LEANS_FAR_DEG = 1.5
SENSOR_MOVED_DEG = 10.0  # judgement: beads roll down a seat that leans so, and nobody overlooks it
LEAST_GRAVITY = 0.5  # g; less was filtered away, and says nothing of a direction
# The most probability of all never-weighed counts together beside a sure answer: their loads are extrapolated. For
# simulated igloos of such counts (accelerometer, one to six of twelve not weighed), 3 of 953 got a sure answer with
# another count, instead of 25.
UNWEIGHED = 0.02

NO_EMPTY = Reason(
    Why.NO_EMPTY,
    "the empty seat was not heard before: lift the igloo off, tap the mark twice, and begin again",
)
HELD = Reason(
    Why.HELD, "the seat could not ring: let go of the igloo before you tap, and keep hands off seat and base"
)
CLIPPED = Reason(Why.TAPS_CUT_OFF, "the taps were too hard: tap the mark lightly with the end of a pencil")
FAINT = Reason(
    Why.TAPS_TOO_FAINT,
    "the taps were too faint: tap the mark a little harder, or turn a disc's gain up",
)
HARD = Reason(
    Why.BEADS_HOPPED, "the taps were so hard that the beads hopped: tap lightly, with the end of a pencil"
)
DIFFER = Reason(
    Why.EMPTY_DIFFERS, "the taps on the empty seat do not agree: tap it again, once, and let the pencil go"
)
FEW = Reason(Why.NO_TAPS, "no tap could be weighed: tap the mark on the base once after each setting down")
CROOKED = Reason(
    Why.CROOKED, "the taps do not agree: set the igloo into the ring, on all three nubs, and tap again"
)
FOREIGN = Reason(
    Why.FOREIGN,
    "this weighs like no igloo of the set: is it set down straight, one of this set, and the base touched by "
    "nothing?",
)
NEVER = Reason(
    Why.NEVER_WEIGHED,
    "this weighs like an igloo that was never weighed: weigh the whole set, and fit a profile again",
)
UNKNOWN = Reason(
    Why.UNKNOWN_SET,
    "this set was never weighed: fit a profile on it, or weigh all its igloos once and join them",
)


def which_set(profile: GestureProfile) -> Reason:
    """The reason where the profile holds several sets and nobody named this igloo's."""
    return Reason(
        Why.WHICH_SET,
        f"the profile holds {' and '.join(profile.sets)}, and nobody said which set this is: name one",
    )


def alike(one: int, other: int) -> Reason:
    """The reason where two counts may be told apart by more placings."""
    return Reason(
        Why.WEIGH_ALIKE, f"{one} and {other} weigh nearly alike: set it down anew and tap once more"
    )


def alike_so_far(one: int, other: int) -> Reason:
    """The reason where more placings of this igloo do not tell two counts apart, but knowing more about the day may."""
    return Reason(
        Why.DAY_UNKNOWN,
        f"{one} and {other} weigh nearly alike until more is known of today: tap other igloos, and then this one again",
    )


def complaint(gesture: Gesture, known: KnownSet | None) -> Reason | None:
    """What was done wrongly, in one sentence with its remedy; None where nothing was."""
    if gesture.empty is None:
        if known is not None and gesture.other_seat_hz is not None:
            return Reason(
                Why.OTHER_SEAT,
                f"this seat sings at {gesture.other_seat_hz:.0f} Hz, the profile's at {known.empty.upright:.0f}: "
                "another seat, or very cold or warm; weigh the set anew",
            )
        return FAINT if gesture.faint else CLIPPED if gesture.clipped else NO_EMPTY
    if not gesture.weights:
        if gesture.too_faint:
            return FAINT
        return HELD if gesture.hand_on else CLIPPED if gesture.clipped else FEW
    if gesture.doubtful:
        return DIFFER
    weighing = Weighing.of(gesture.weights)
    noise = known.model.noise if known is not None else Noise()
    limit = DISAGREE * noise.upright(1, 1, weighing.upright) + 1.5e-3
    if known is not None:
        quality = float(np.median([w.qualities[1] for w in gesture.weights])) / known.quality
        if quality < DULL_QUALITY or quality < _untouched(gesture, known):
            return HELD
    if gesture.contradicted or weighing.spread > limit or weighing.taps <= len(gesture.weights) // 2:
        return CLIPPED if gesture.clipped else CROOKED
    return changed.changed(gesture.empty, weighing, known) if known is not None else None


def _untouched(gesture: Gesture, known: KnownSet) -> float:
    """The least quality factor, relative to the usual one, of an igloo that nothing touches: a seat whose jaws became
    loose rings shorter, and empty as well. Printed leaves do so on any warm day: 0 for these."""
    if known.quality <= STEEL:
        return 0.0
    if gesture.empty_quality is None or known.empty_quality is None:
        return TOUCHED_QUALITY
    return TOUCHED_QUALITY * min(1.0, gesture.empty_quality / known.empty_quality)


def lean_deg(gesture: Gesture, known: KnownSet) -> float | None:
    """How far the sensor is tilted from its position when the set was weighed, degrees; None where nothing felt
    gravity."""
    if known.level is None or gesture.gravity is None or len(gesture.gravity) != 3:
        return None
    a, b = np.array(known.level), gesture.gravity
    of_a, of_b = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    if min(of_a, of_b) < LEAST_GRAVITY:
        return None
    return math.degrees(math.acos(min(1.0, max(-1.0, float(a @ b) / (of_a * of_b)))))


def leans(lean: float) -> Reason:
    """The reason where the sensor is tilted by so many degrees: with the seat, or without it."""
    if lean > SENSOR_MOVED_DEG:
        return Reason(
            Why.LEANS,
            f"the seat's sensor is turned by {lean:.0f}° from how it sat when the set was weighed: fasten it as it "
            "was, or weigh the set anew",
        )
    return Reason(
        Why.LEANS,
        f"the seat leans {lean:.1f}° from where it stood when the set was weighed: level it; where it is level, its "
        "sensor was moved: weigh the set anew",
    )


def probabilities(
    gesture: Gesture,
    profile: GestureProfile,
    known: KnownSet | None,
    day: Day | None = None,
) -> dict[int, float]:
    """Probabilities over the profile's counts; empty where no tap was weighed. day: None where nothing is known yet."""
    if not gesture.weights:
        return {}
    weighing = Weighing.of(gesture.weights)
    if known is None:
        return alone(weighing, profile.counts)
    p = _today(day, known, gesture).probabilities(weighing)
    inside = {n: float(v) for n, v in zip(known.model.counts, p, strict=True)}
    return {n: inside.get(n, 0.0) for n in profile.counts}


def _today(day: Day | None, known: KnownSet, gesture: Gesture) -> Day:
    """What is known of the day, or else what the empty seat alone tells about it."""
    return (day or known.day).with_empty(gesture.empty)


def _never_weighed(known: KnownSet, count: int) -> bool:
    counts = known.model.counts
    return count not in counts or known.model.weighed[counts.index(count)] == 0


def _may_be_unweighed(known: KnownSet, p: Mapping[int, float]) -> bool:
    return sum(share for n, share in p.items() if _never_weighed(known, n)) > UNWEIGHED


def judge(
    gesture: Gesture,
    profile: GestureProfile,
    source: str,
    device: str | None = None,
    day: Day | None = None,
) -> Heard:
    """The evidence of one finished gesture; day: what is known of its day (None: nothing)."""
    known = profile.set_for(device)
    p = probabilities(gesture, profile, known, day)
    reason = complaint(gesture, known)
    if reason is None and known is None:
        several = device is None and len(profile.sets) > 1
        reason = which_set(profile) if several else UNKNOWN
    if reason is None and known is not None:
        reason = FOREIGN if _odd(_today(day, known, gesture), Weighing.of(gesture.weights)) else None
    best = max(p.values(), default=0.0)
    lean = lean_deg(gesture, known) if known is not None else None
    if reason is None and known is not None and _never_weighed(known, max(p, key=lambda n: p[n])):
        reason = NEVER  # its load is extrapolated from the others'
    if reason is None and best < profile.sure_from:
        first, second = sorted(p, key=lambda n: -p[n])[:2]
        reason = alike(first, second)
        if known is not None:
            if_known = _today(day, known, gesture).if_known(Weighing.of(gesture.weights))
            reason = alike_so_far(first, second) if if_known >= profile.sure_from else reason
        if gesture.weights and min(w.qualities[0] for w in gesture.weights) < HOPPED:
            reason = HARD
        elif lean is not None and lean > LEAN_DEG:
            reason = leans(lean)
    if reason is None and lean is not None and lean > LEANS_FAR_DEG:
        reason = leans(lean)
    if reason is None and known is not None and _may_be_unweighed(known, p):
        reason = NEVER
    if not p:
        p = {n: 1 / len(profile.counts) for n in profile.counts}
    return Heard(
        source=source,
        start_s=gesture.start_s,
        end_s=gesture.end_s,
        verdict="sure" if reason is None else "unsure",
        probabilities=p,
        snr_db=gesture.snr_db,
        clipped=gesture.clipped,
        profile=profile.digest,
        reason=reason,
    )


def learned(day: Day, gesture: Gesture, said: Heard) -> Day:
    """What is known of the day after a gesture judged as `said`: unchanged where the gesture was faulty or fits no
    igloo of the set on any day."""
    if teaches(said):
        return day.with_empty(gesture.empty).learned(Weighing.of(gesture.weights))
    if said.why is Why.FOREIGN:
        weighing = Weighing.of(gesture.weights)
        if not _odd(Day.unknown(day.model), weighing):
            return day.with_empty(gesture.empty).or_moved(weighing)
    return day


def teaches(said: Heard) -> bool:
    """Was it an igloo of the set, weighed properly?"""
    return said.verdict == "sure" or said.why in (Why.WEIGH_ALIKE, Why.DAY_UNKNOWN)


def _odd(day: Day, weighing: Weighing) -> bool:
    """Does it fit no igloo of the set, whatever the day?"""
    return float(np.min(np.hypot(*day.surprises(weighing).T))) > ODD
