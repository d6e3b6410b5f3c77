"""Detects a shake that sounds like fewer or more beads than any count that the profile tells apart.

Probabilities sum to one over a profile's own counts, whatever is shaken. So the further an igloo lies beyond them, the
surer a profile of few counts is of its last one. The models behind it know how sound depends on ln N, and can be asked
about every count of the game.
"""

from __future__ import annotations

from collections.abc import Sequence

from sensors.ear.profiles.profile import Head
from sensors.ear.shakes.shake import Shake
from sensors.ear.verdicts.probabilities import probabilities_of
from sensors.evidence import COUNTS
from sensors.why import Reason, Why

# Bound on the probability beyond the ends of the profile's counts. Chosen on 14 simulated sets; `benchmarks.few_counts`
# shows its effect on others.
LIKELIER_BEYOND = 0.5
CLEARLY_BEYOND = 0.8


def beyond(heads: Sequence[Head], shake: Shake) -> tuple[float, float]:
    """Probabilities of fewer and of more beads than any count of the profile, under a uniform prior over all counts of
    the game and of the profile. (0, 0) for a profile that covers all."""
    counts = heads[0].model.counts
    fewer = [n for n in COUNTS if n < min(counts)]
    more = [n for n in COUNTS if n > max(counts)]
    if not fewer and not more:
        return 0.0, 0.0
    p = probabilities_of(heads, shake, tuple(sorted({*counts, *fewer, *more})))
    return sum(p[n] for n in fewer), sum(p[n] for n in more)


def as_words(heads: Sequence[Head], shake: Shake, least: float) -> Reason | None:
    """The reason for doubt where counts beyond the profile's are likelier than `least`."""
    fewer, more = beyond(heads, shake)
    if fewer + more <= least:
        return None
    counts = heads[0].model.counts
    return sounds_like_more(max(counts)) if more > fewer else sounds_like_fewer(min(counts))


def sounds_like_more(last: int) -> Reason:
    """The reason for an igloo that seems to hold more than `last`, the largest known count."""
    return Reason(
        Why.MORE_THAN_KNOWN,
        f"it sounds like more beads than {last}, the most that the profile knows: if it holds more, record such "
        "igloos as well and fit again",
    )


def sounds_like_fewer(last: int) -> Reason:
    """The reason for an igloo that seems to hold fewer than `last`, the smallest known count."""
    return Reason(
        Why.FEWER_THAN_KNOWN,
        f"it sounds like fewer beads than {last}, the fewest that the profile knows: if it holds fewer, record such "
        "igloos as well and fit again",
    )
