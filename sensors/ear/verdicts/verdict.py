"""From one shake to what is said of it: sure, unsure with a reason and a mend, or no shake at all."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from sensors.ear.models.model import joined, of_one_view
from sensors.ear.profiles.profile import Head
from sensors.ear.shakes.shake import Shake
from sensors.ear.verdicts.beyond import CLEARLY_BEYOND, LIKELIER_BEYOND, as_words
from sensors.ear.verdicts.drift import familiar, oddness
from sensors.ear.verdicts.likeness import likeness
from sensors.ear.verdicts.mends import Mends, mends_of
from sensors.ear.verdicts.reasons import (
    DONE_TOO_GENTLY,
    DONE_TOO_HARD,
    GENTLE_AND_DROWNED,
    HANDLED,
    HARDLY_ALIKE,
    HUMS,
    KNOCK,
    MAKE_AGAIN,
    NO_RATTLE,
    NO_STROKES,
    RECALIBRATE,
    SEVERAL,
    SHAKE_AGAIN,
    SHORT_OR_KNOCK,
    TOO_FAST,
    TOO_GENTLE,
    TOO_HARD,
    TOO_SHORT,
    TOO_SLOW,
    UNLIKE,
    could_be,
)
from sensors.evidence import Doubt, Verdict
from sensors.why import Reason, Why, why_of

# Nearly all simulated shakes by sets and people that were not learned stay below, and real ones of a matchbox; coins
# poured out, typing and cutlery begin about here.
UNLIKE_FROM = 2.2
KNOCK_S = 0.25  # a shorter burst is a knock
SHORT_S = 0.8  # below: an answer, but never a sure one
DROWNED_DB = 6.0  # above its background: below, an answer is never a sure one
CLAIMED = 0.9  # from such odds on a desk takes a count without a look (table.desk.sure)
HARDLY_DB = 12.0  # below, what goes on like a hand and is taken for no shake may be one that is drowned
STROKES_FROM_S = 0.7  # a burst this long must have strokes in it
LEAST_STROKES = 2
LEAST_STROKES_A_SECOND = 0.8
LIKE_A_SHAKE = 0.7  # log odds, near the background
CLEARLY_HEARD = -1.0  # log odds that suffice far above it, of what goes on like a hand, or was asked for
# the same of a sensor on the shell: hardly anything else comes there, and engines differ more
CLEARLY_FELT = -2.0
# log odds that what is short, or hardly above its background, must reach; and whatever is to be sure
DOUBTFUL = 2.0
# what lasts so long, with so many strokes a second, goes on like a hand: it has the benefit of the doubt
DOUBT_FROM_S = 1.0
DOUBT_STROKES_A_SECOND = 2.5


@dataclass(frozen=True, slots=True)
class Opinion:
    """What is thought of one shake, before it is put in a line."""

    verdict: Verdict
    probabilities: dict[int, float]
    reason: Reason | None  # of `unsure` and `not-a-shake`, with what to do
    strength: float | None  # beside the middle of the profile's band, 1.0 = the middle
    oddness: float  # sensors.ear.verdicts.drift; 1 is as far as one shake alone may be
    doubt: Doubt = ""  # how far the odds are worth something beside it

    @property
    def why(self) -> Why:
        """What the reason is of."""
        return why_of(self.reason)

    @property
    def tells_of_the_profile(self) -> bool:
        """Was it heard well enough to say whether the sound has changed since the profile was made?"""
        return self.verdict != "not-a-shake" and not self.why.ill_heard


def probabilities_of(heads: Sequence[Head], shake: Shake) -> dict[int, float]:
    """Over the counts of the profile, whatever kind of sound it is; of all `heads` whose front end shows the shake."""
    shown = [(head, s) for head in heads if (s := shake.through(head.front)) is not None]
    told = [head.model.log_likelihood(s.pick(head.model.names)[None]) for head, s in shown]
    p = joined(told, [head.front.name for head, _ in shown])[0]
    return dict(zip(heads[0].model.counts, (float(v) for v in p), strict=True))


def by_one_view(heads: Sequence[Head], shake: Shake, probabilities: Mapping[int, float]) -> dict[int, float]:
    """The odds that `sure` goes by, of all `heads` whose front end shows the shake (`model.of_one_view`)."""
    fronts = [head.front for head in heads if shake.through(head.front) is not None]
    p = of_one_view(np.array([list(probabilities.values())]), fronts)[0]
    return dict(zip(probabilities, map(float, p), strict=True))


def strangeness(head: Head, shake: Shake) -> float:
    """How unlike all igloos that were learned, 1 is usual; 0 where nobody knows, and for a sensor on the shell."""
    model = head.model
    if model.populations is None or head.front.hand or head.on_shell:
        return 0.0
    z = model.scaling.apply(shake.pick(model.names)[None])
    return float(model.populations.strangeness(z, model.counts)[0])


def relative_strength(head: Head, strength: float) -> float:
    """Of a strength in the unit of ln (sensors.ear.shakes.features.strength), beside the middle of the band: 1.0."""
    return math.exp(min(5.0, strength - head.strength_middle))


def clearly(head: Head) -> float:
    """Log odds that suffice where it goes on like a hand, or was asked for."""
    return CLEARLY_FELT if head.on_shell else CLEARLY_HEARD


@dataclass(frozen=True, slots=True)
class _Burst:
    """What is judged, and how it came."""

    heads: Sequence[Head]  # that count together
    shake: Shake
    snr_db: float
    clipped: bool
    odd: float

    @property
    def head(self) -> Head:
        return self.heads[0]

    @property
    def mends(self) -> Mends:
        return mends_of(self.head.front.sensor, self.head.on_shell)

    @property
    def like_a_hand(self) -> bool:
        """Whether it goes on as only a hand does."""
        shake = self.shake
        return shake.seconds >= DOUBT_FROM_S and shake.strokes >= DOUBT_STROKES_A_SECOND * shake.seconds


Count = Callable[[Shake], dict[int, float]]


def judge(
    head: Head,
    shake: Shake | None,
    snr_db: float,
    clipped: bool,
    count: Count | None = None,
    heads: Sequence[Head] = (),
) -> Opinion:
    """Judge one shake with one head of a profile; None is a burst in which nothing could be measured.

    `count` tells the probabilities where more is known than the shake itself; default: `probabilities_of` the `heads`
    that count together, of which `head` is the first (none given: alone).
    """
    if shake is None or shake.seconds < KNOCK_S:
        return Opinion("not-a-shake", {}, KNOCK, None, math.inf)
    burst = _Burst(heads or (head,), shake, snr_db, clipped, oddness(head, shake))
    too_few = shake.strokes < max(LEAST_STROKES, LEAST_STROKES_A_SECOND * shake.seconds)
    if shake.seconds >= STROKES_FROM_S and too_few:
        return Opinion("not-a-shake", {}, NO_STROKES, None, burst.odd)
    alike = likeness(shake, head.on_shell, snr_db)
    if (no_beads := _no_beads(burst, alike)) is not None:
        return Opinion("not-a-shake", {}, no_beads, None, burst.odd)
    probabilities = (count or partial(probabilities_of, burst.heads))(shake)
    return _opinion(burst, probabilities, _trouble(burst), benefit=head.on_shell and alike < DOUBTFUL)


def judge_gesture(
    head: Head,
    gesture: Shake | None,
    snr_db: float,
    clipped: bool,
    count: Count | None = None,
    heads: Sequence[Head] = (),
) -> Opinion:
    """Judge, as `judge`, what was made when a gesture of another kind was asked for: its strokes and its length are not
    those of a shake."""
    if gesture is None or gesture.seconds < KNOCK_S:
        return Opinion("not-a-shake", {}, KNOCK, None, math.inf)
    burst = _Burst(heads or (head,), gesture, snr_db, clipped, oddness(head, gesture))
    probabilities = (count or partial(probabilities_of, burst.heads))(gesture)
    return _opinion(burst, probabilities, _trouble_of_gesture(burst), MAKE_AGAIN)


def _no_beads(burst: _Burst, alike: float) -> Reason | None:
    """Why it is taken for something else than beads in an igloo, by its log odds to be like them, `alike`."""
    head, shake, mends = burst.head, burst.shake, burst.mends
    if not head.front.hand and alike < DOUBTFUL and shake.seconds < SHORT_S:
        return mends.cut_off if burst.clipped else SHORT_OR_KNOCK
    if alike >= _least_alike(burst):
        return None
    if burst.clipped:  # as loud typing and coins are: no reason to count
        return mends.cut_off
    if burst.like_a_hand and head.on_shell and shake.humming:
        return HUMS
    if burst.like_a_hand and burst.snr_db < HARDLY_DB and not head.front.hand:
        return mends.hardly_heard
    return HANDLED if head.on_shell else NO_RATTLE


def _least_alike(burst: _Burst) -> float:
    """The log odds that it must reach to be taken for beads in an igloo."""
    if burst.snr_db < DROWNED_DB and not burst.head.front.hand:
        return DOUBTFUL
    if not burst.like_a_hand:
        return LIKE_A_SHAKE
    # what stands out clearly from its background and goes on like a hand is given more benefit of the doubt
    least = LIKE_A_SHAKE - 0.1 * (burst.snr_db - DROWNED_DB)
    return float(np.clip(least, clearly(burst.head), LIKE_A_SHAKE))


def _opinion(
    burst: _Burst,
    probabilities: dict[int, float],
    trouble: Reason | None,
    again: str = SHAKE_AGAIN,
    *,
    benefit: bool = False,
) -> Opinion:
    """Sure, unless the sensor or the hand gave trouble, or the odds leave doubt. `again`: what to do then. `benefit`:
    only that of the doubt makes it a shake, so nothing is sure of it, and what its odds claim so clearly is not
    believed."""
    head, heads, shake, odd, reason = burst.head, burst.heads, burst.shake, burst.odd, trouble
    doubt: Doubt = "sensor" if trouble else ""
    if trouble is None:
        odds = by_one_view(heads, shake, probabilities)
        likely, known = max(odds.values()) >= head.sure_from, familiar(head, odd)
        reason = as_words(heads, shake, LIKELIER_BEYOND if likely and known else CLEARLY_BEYOND)
        doubt = "strange" if reason or not known else "" if likely else "odds"
        if reason is None and benefit and max(probabilities.values()) >= min(CLAIMED, head.sure_from):
            reason, doubt = HARDLY_ALIKE, "strange"
        if reason is None and doubt:
            reason = could_be(odds, again)
    verdict: Verdict = "unsure" if reason else "sure"
    return Opinion(verdict, probabilities, reason, relative_strength(head, shake.strength), odd, doubt)


def _ill_heard(burst: _Burst) -> Reason | None:
    if burst.clipped:
        return burst.mends.overdriven
    return burst.mends.drowned if burst.snr_db < DROWNED_DB else None


def _trouble(burst: _Burst) -> Reason | None:
    """What kept the sensor from hearing a shake well, and what to do."""
    head, shake, hand = burst.head, burst.shake, burst.head.front.hand
    if (ill_heard := _ill_heard(burst)) is not None:
        gentle = hand and shake.strength < head.strength_low
        return GENTLE_AND_DROWNED if gentle and ill_heard.why is Why.DROWNED else ill_heard
    if shake.seconds < SHORT_S:
        return TOO_SHORT
    if shake.strength < head.strength_low:
        return TOO_GENTLE if hand else TOO_SLOW
    if shake.strength > head.strength_high:
        return TOO_HARD if hand else TOO_FAST
    if shake.several > 0 and not head.on_shell:
        return SEVERAL
    if strangeness(head, shake) > UNLIKE_FROM:
        return UNLIKE
    return RECALIBRATE if burst.odd > 1 else None


def _trouble_of_gesture(burst: _Burst) -> Reason | None:
    """The same of a gesture of another kind."""
    head, strength = burst.head, burst.shake.strength
    if (ill_heard := _ill_heard(burst)) is not None:
        return ill_heard
    if strength < head.strength_low:
        return DONE_TOO_GENTLY
    if strength > head.strength_high:
        return DONE_TOO_HARD
    return RECALIBRATE if burst.odd > 1 else None
