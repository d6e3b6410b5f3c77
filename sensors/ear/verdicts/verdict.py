"""From one shake to what is said of it: sure, unsure with a reason and a mend, or no shake at all."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sensors.ear.models.model import of_one_view, together
from sensors.ear.profiles.profile import Head, Profile
from sensors.ear.shakes.shake import Shake
from sensors.ear.verdicts.beyond import CLEAR, LIKELIER, as_words
from sensors.ear.verdicts.drift import Lately, familiar, oddness
from sensors.ear.verdicts.likeness import likeness
from sensors.ear.verdicts.mends import mends_of
from sensors.evidence import Doubt, Heard, Verdict
from sensors.why import Reason, Why, why_of

# Nearly all simulated shakes by sets and people that were not learned stay below, and real ones of a matchbox; coins
# poured out, typing and cutlery begin about here.
STRANGE = 2.2
LEAST_S = 0.25  # a shorter burst is a knock
SHORT_S = 0.8  # below: an answer, but never a sure one
DROWNED_DB = 6.0  # above its background: below, an answer is never a sure one
CLAIMED = 0.9  # from such odds on a desk takes a count without a look (table.desk.sure)
LEAST_NAMED = 0.02  # probability of a count that is named among what it could be
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

RECALIBRATE = Reason(
    Why.RECALIBRATE, "today's sound is not what the profile was made for: recalibrate, one sweep is enough"
)
STRANGE_LATELY = Reason(
    Why.STRANGE_LATELY,
    "lately it sounds otherwise than what the profile was made for: see that the sensor sits as it did then, and "
    "recalibrate if it stays so",
)
UNLIKE = Reason(
    Why.UNLIKE, "it rattles unlike any igloo that was learned: if it was one, record a sweep of it"
)
KNOCK = Reason(Why.KNOCK, "a knock or a click, too short for a shake")
KNOCKS = Reason(
    Why.KNOCKS, "single knocks: if that was a shake, shake harder, so that it goes on without a pause"
)
SHORT_OR_KNOCK = Reason(Why.SHORT_OR_KNOCK, "too short to be told from a knock: shake for two seconds")
NO_STROKES = Reason(Why.NO_STROKES, "no strokes in it: a knock, or something put down")
HANDLED = Reason(Why.HANDLED, "moved, but not shaken: if that was a shake, shake harder")
NO_RATTLE = Reason(Why.NO_RATTLE, "it does not sound like beads in an igloo")
HUMS = Reason(
    Why.HUMS, "it hums at the mains: earth or shield the sensor, or keep its cable from power supplies"
)
TOO_SHORT = Reason(Why.TOO_SHORT, "too short: shake for two seconds")
TOO_GENTLE = Reason(Why.TOO_GENTLE, "too gentle: shake a little harder")
TOO_SLOW = Reason(Why.TOO_SLOW, "too slow: shake a little faster")
TOO_HARD = Reason(Why.TOO_HARD, "too hard: shake a little more gently")
TOO_FAST = Reason(Why.TOO_FAST, "too fast: shake a little more slowly")
DONE_TOO_GENTLY = Reason(Why.TOO_GENTLE, "too gentle: do it a little harder")  # a gesture of another kind
DONE_TOO_HARD = Reason(Why.TOO_HARD, "too hard: do it a little more gently")
HARDLY_ALIKE = Reason(
    Why.HARDLY_ALIKE, "it hardly rattles like beads in an igloo: if it was one, shake it again"
)
SEVERAL = Reason(Why.SEVERAL, "it sounds like more than one igloo at once: shake one after another")


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
    p = together(told, [head.front.name for head, _ in shown])[0]
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


def judge(
    head: Head,
    shake: Shake | None,
    snr_db: float,
    clipped: bool,
    guided: bool = False,
    count: Callable[[Shake], dict[int, float]] | None = None,
    heads: Sequence[Head] = (),
) -> Opinion:
    """Judge one shake with one head of a profile; None is a burst in which nothing could be measured.

    `guided`: a gesture of another kind was asked for and made, so strokes and length are not those of a shake.
    `count` tells the probabilities where more is known than the shake itself; default: `probabilities_of` the `heads`
    that count together, of which `head` is the first (none given: alone).
    """
    heads = heads or (head,)
    count = count or partial(probabilities_of, heads)
    if shake is None or shake.seconds < LEAST_S:
        return Opinion("not-a-shake", {}, KNOCK, None, math.inf)
    odd = oddness(head, shake)
    if guided:
        probabilities = count(shake)
        trouble = _trouble(head, shake, odd, snr_db, clipped, guided)
        return _opinion(heads, shake, probabilities, odd, trouble, guided)
    too_few = shake.strokes < max(LEAST_STROKES, LEAST_STROKES_A_SECOND * shake.seconds)
    if shake.seconds >= STROKES_FROM_S and too_few:
        return Opinion("not-a-shake", {}, NO_STROKES, None, odd)
    # what stands out clearly from its background and goes on like a hand is given more benefit of the doubt
    least = LIKE_A_SHAKE
    like_a_hand = shake.seconds >= DOUBT_FROM_S and shake.strokes >= DOUBT_STROKES_A_SECOND * shake.seconds
    if like_a_hand:
        least = float(np.clip(LIKE_A_SHAKE - 0.1 * (snr_db - DROWNED_DB), clearly(head), LIKE_A_SHAKE))
    alike, mends = likeness(shake, head.on_shell, snr_db), mends_of(head.front.sensor, head.on_shell)
    if not head.front.hand and alike < DOUBTFUL:
        if shake.seconds < SHORT_S:
            return Opinion("not-a-shake", {}, mends.cut_off if clipped else SHORT_OR_KNOCK, None, odd)
        if snr_db < DROWNED_DB:
            least = DOUBTFUL
    if alike < least:
        what = HANDLED if head.on_shell else NO_RATTLE
        if clipped:  # as loud typing and coins are: no reason to count
            what = mends.cut_off
        elif like_a_hand and head.on_shell and shake.humming:
            what = HUMS
        elif like_a_hand and snr_db < HARDLY_DB and not head.front.hand:
            what = mends.hardly_heard
        return Opinion("not-a-shake", {}, what, None, odd)
    probabilities = count(shake)
    trouble = _trouble(head, shake, odd, snr_db, clipped)
    return _opinion(
        heads, shake, probabilities, odd, trouble, guided, benefit=head.on_shell and alike < DOUBTFUL
    )


def _opinion(
    heads: Sequence[Head],
    shake: Shake,
    probabilities: dict[int, float],
    odd: float,
    trouble: Reason | None,
    guided: bool,
    *,
    benefit: bool = False,
) -> Opinion:
    """Sure, unless the sensor or the hand gave trouble, or the odds leave doubt. `benefit`: only that of the doubt
    makes it a shake, so nothing is sure of it, and what its odds claim so clearly is not believed."""
    head, reason = heads[0], trouble
    doubt: Doubt = "sensor" if trouble else ""
    if trouble is None:
        odds = by_one_view(heads, shake, probabilities)
        likely, known = max(odds.values()) >= head.sure_from, familiar(head, odd)
        reason = as_words(heads, shake, LIKELIER if likely and known else CLEAR)
        doubt = "strange" if reason or not known else "" if likely else "odds"
        if reason is None and benefit and max(probabilities.values()) >= min(CLAIMED, head.sure_from):
            reason, doubt = HARDLY_ALIKE, "strange"
        if reason is None and doubt:
            reason = could_be(odds, guided)
    verdict: Verdict = "unsure" if reason else "sure"
    return Opinion(verdict, probabilities, reason, relative_strength(head, shake.strength), odd, doubt)


def _trouble(
    head: Head, shake: Shake, odd: float, snr_db: float, clipped: bool, guided: bool = False
) -> Reason | None:
    """What kept the sensor from hearing well, and what to do."""
    hand, mends = head.front.hand, mends_of(head.front.sensor, head.on_shell)
    if clipped:
        return mends.overdriven
    if snr_db < DROWNED_DB:
        return mends.drowned
    if shake.seconds < SHORT_S and not guided:
        return TOO_SHORT
    if shake.strength < head.strength_low:
        gentle, slow = (DONE_TOO_GENTLY,) * 2 if guided else (TOO_GENTLE, TOO_SLOW)
        return gentle if hand else slow
    if shake.strength > head.strength_high:
        hard, fast = (DONE_TOO_HARD,) * 2 if guided else (TOO_HARD, TOO_FAST)
        return hard if hand else fast
    if shake.several > 0 and not guided and not head.on_shell:
        return SEVERAL
    if not guided and strangeness(head, shake) > STRANGE:
        return UNLIKE
    return RECALIBRATE if odd > 1 else None


def could_be(probabilities: Mapping[int, float], guided: bool = False) -> Reason:
    """Why a count is not sure: the likeliest three that are likely at all, and to do the same again."""
    ranked = sorted(probabilities, key=lambda n: -probabilities[n])[:3]
    first, *others = [ranked[0], *(n for n in ranked[1:] if probabilities[n] >= LEAST_NAMED)]
    again = "make the same gesture again" if guided else "shake the same igloo again"
    if not others:
        return Reason(Why.COULD_BE, f"it could be {first}, and hardly another: {again}")
    likely = sorted([first, *others])
    options = ", ".join(str(n) for n in likely[:-1]) + f" or {likely[-1]}"
    return Reason(Why.COULD_BE, f"it could be {options}: {again}")


def heard(
    said: Opinion,
    source: str,
    profile: Profile,
    start_s: float,
    end_s: float,
    snr_db: float,
    clipped: bool,
) -> Heard:
    """The line of docs/contracts.md 4."""
    return Heard(
        source=source,
        start_s=start_s,
        end_s=end_s,
        verdict=said.verdict,
        probabilities=said.probabilities,
        snr_db=snr_db,
        clipped=clipped,
        profile=profile.digest,
        reason=said.reason,
        strength=said.strength,
        doubt=said.doubt,
        sensor=profile.sensor,
    )


def after(lately: Lately, said: Heard) -> Heard:
    """What is said of a shake that `lately` ends with. While the last ones are strange the next one will be too, and
    nobody is asked for it."""
    if lately.drifted:
        return replace(said, verdict="unsure", reason=RECALIBRATE, doubt="sensor")
    undecided = said.doubt == "strange" and said.why is Why.COULD_BE
    return replace(said, reason=STRANGE_LATELY) if undecided and lately.strange else said
