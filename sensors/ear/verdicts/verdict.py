"""The verdict on one shake: sure, unsure with a reason and a remedy, or no shake at all."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from sensors.ear.profiles.profile import Head
from sensors.ear.shakes.shake import Shake
from sensors.ear.verdicts.beyond import CLEARLY_BEYOND, LIKELIER_BEYOND, as_words
from sensors.ear.verdicts.drift import familiar, oddness
from sensors.ear.verdicts.enough import enough
from sensors.ear.verdicts.hardly import hardly_a_shake
from sensors.ear.verdicts.likeness import likeness
from sensors.ear.verdicts.mends import Mends, mends_of
from sensors.ear.verdicts.no_shake import DOUBTFUL, DROWNED_DB, KNOCK_S, SHORT_S, no_shake
from sensors.ear.verdicts.probabilities import by_one_view, probabilities_of
from sensors.ear.verdicts.reasons import (
    DONE_TOO_GENTLY,
    DONE_TOO_HARD,
    GENTLE_AND_DROWNED,
    HARDLY_ALIKE,
    KNOCK,
    MAKE_AGAIN,
    RECALIBRATE,
    SEVERAL,
    SHAKE_AGAIN,
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

# Strangeness from which a sound is unlike all that was learned. Nearly all simulated shakes of unlearned sets and
# people stay below, and so do real ones of a matchbox; poured-out coins, typing and cutlery begin about here.
UNLIKE_FROM = 2.2
CLAIMED = 0.9  # from this probability on the desk accepts a count without a look (table.desk.sure)


@dataclass(frozen=True, slots=True)
class Opinion:
    """The judgement of one shake, before it becomes a line."""

    verdict: Verdict
    probabilities: dict[int, float]
    reason: Reason | None  # for `unsure` and `not-a-shake`, with what to do
    strength: float | None  # relative to the middle of the profile's range, 1.0 = the middle
    oddness: float  # sensors.ear.verdicts.drift; 1 is the most that one shake alone may have
    doubt: Doubt = ""  # how far the probabilities can be used beside it
    hardly: bool = False  # sensors.ear.verdicts.hardly

    @property
    def why(self) -> Why:
        """The `Why` of its reason."""
        return why_of(self.reason)

    @property
    def tells_of_the_profile(self) -> bool:
        """Was it heard well enough to show whether the sound has changed since the profile was made?"""
        return self.verdict != "not-a-shake" and not self.hardly and not self.why.ill_heard


def strangeness(head: Head, shake: Shake) -> float:
    """How unlike all learned igloos it is, 1 is usual; 0 without populations, and for a sensor on the shell."""
    if head.model.populations is None or head.front.hand or head.on_shell:
        return 0.0
    return float(head.model.strangeness(shake.pick(head.model.names)[None])[0])


def relative_strength(head: Head, strength: float) -> float:
    """Strength relative to the middle of the range (1.0), from ln (sensors.ear.shakes.features.strength)."""
    return math.exp(min(5.0, strength - head.strength_middle))


@dataclass(frozen=True, slots=True)
class _Burst:
    """A burst that is judged, and how it was heard."""

    heads: Sequence[Head]  # their opinions are joined
    shake: Shake
    snr_db: float
    clipped: bool
    odd: float
    hardly: bool = False  # it tells nothing of the profile

    @property
    def head(self) -> Head:
        return self.heads[0]

    @property
    def mends(self) -> Mends:
        return mends_of(self.head.front.sensor, self.head.on_shell)


Count = Callable[[Shake], dict[int, float]]


def judge(
    head: Head,
    shake: Shake | None,
    snr_db: float,
    clipped: bool,
    count: Count | None = None,
    heads: Sequence[Head] = (),
) -> Opinion:
    """Judge one shake with one head of a profile; None stands for a burst in which nothing could be measured.

    `count` gives the probabilities where more is known than the shake itself. Default: `probabilities_of` the `heads`
    that count together, of which `head` is the first (none given: `head` alone).
    """
    refused = KNOCK if shake is None else no_shake(head, shake, snr_db, clipped)
    if shake is None or refused is not None:
        return Opinion("not-a-shake", {}, refused, None, math.inf)
    alike = likeness(shake, head.on_shell, snr_db)
    hardly = hardly_a_shake(head, shake, alike)
    burst = _Burst(heads or (head,), shake, snr_db, clipped, oddness(head, shake), hardly)
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
    """Judge, as `judge`, a gesture of another kind that was asked for: strokes and length need not be those of a
    shake."""
    if gesture is None or gesture.seconds < KNOCK_S:
        return Opinion("not-a-shake", {}, KNOCK, None, math.inf)
    burst = _Burst(heads or (head,), gesture, snr_db, clipped, oddness(head, gesture))
    probabilities = (count or partial(probabilities_of, burst.heads))(gesture)
    return _opinion(burst, probabilities, _trouble_of_gesture(burst), MAKE_AGAIN)


def _opinion(
    burst: _Burst,
    probabilities: dict[int, float],
    trouble: Reason | None,
    again: str = SHAKE_AGAIN,
    *,
    benefit: bool = False,
) -> Opinion:
    """Sure, unless sensor or hand gave trouble or the probabilities leave doubt. `again`: what to do then. `benefit`:
    it is a shake only by the benefit of the doubt, so it is never sure, and a very high probability is not trusted."""
    head, heads, shake, odd, reason = burst.head, burst.heads, burst.shake, burst.odd, trouble
    doubt: Doubt = "sensor" if trouble else ""
    if trouble is None:
        odds = by_one_view(heads, shake, probabilities)
        likely, known = enough(heads, shake, odds) >= head.sure_from, familiar(head, odd)
        reason = as_words(heads, shake, LIKELIER_BEYOND if likely and known else CLEARLY_BEYOND)
        doubt = "strange" if reason or not known else "" if likely else "odds"
        claimed = benefit and max(probabilities.values()) >= min(CLAIMED, head.sure_from)
        if reason is None and (claimed or (burst.hardly and odd > 1)):
            reason, doubt = HARDLY_ALIKE, "strange"
        if reason is None and doubt:
            reason = could_be(odds, again)
    verdict: Verdict = "unsure" if reason else "sure"
    strength = relative_strength(head, shake.strength)
    return Opinion(verdict, probabilities, reason, strength, odd, doubt, burst.hardly)


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
    return RECALIBRATE if burst.odd > 1 and not burst.hardly else None


def _trouble_of_gesture(burst: _Burst) -> Reason | None:
    """The same for a gesture of another kind."""
    head, strength = burst.head, burst.shake.strength
    if (ill_heard := _ill_heard(burst)) is not None:
        return ill_heard
    if strength < head.strength_low:
        return DONE_TOO_GENTLY
    if strength > head.strength_high:
        return DONE_TOO_HARD
    return RECALIBRATE if burst.odd > 1 else None
