"""Whether a sound is no shake of beads. This is asked before beads are imagined for it, and before it is counted: talk
and footsteps make many such sounds, and both cost far more than to see that it is none."""

from __future__ import annotations

import numpy as np

from sensors.ear.profiles.heads import Head
from sensors.ear.shakes.shake import Shake
from sensors.ear.verdicts.felt import felt_shaken, outlasts_handling
from sensors.ear.verdicts.likeness import likeness
from sensors.ear.verdicts.mends import mends_of
from sensors.ear.verdicts.reasons import (
    HANDLED,
    HARDLY_STRUCK,
    HUMS,
    KNOCK,
    NO_RATTLE,
    NO_STROKES,
    SHORT_OR_KNOCK,
)
from sensors.why import Reason

KNOCK_S = 0.25  # a shorter burst is a knock
SHORT_S = 0.8  # below this, an answer is never sure
DROWNED_DB = 6.0  # above its background; below this, an answer is never sure
# below this, a sound that goes on like a hand but is taken for no shake may be a drowned shake
HARDLY_DB = 12.0
STROKES_FROM_S = 0.7  # a burst this long must contain strokes
LEAST_STROKES = 2
LEAST_STROKES_A_SECOND = 0.8
LIKE_A_SHAKE = 0.7  # log odds needed near the background
CLEARLY_HEARD = -1.0  # log odds needed far above it, if it goes on like a hand or was asked for
# the same on the shell: hardly any other sounds reach a sensor there, and engines differ more
CLEARLY_FELT = -2.0
# log odds needed for a short or hardly audible shake, and for any sure answer
DOUBTFUL = 2.0
# a sound this long with so many strokes a second goes on like a hand, and gets the benefit of the doubt
DOUBT_FROM_S = 1.0
DOUBT_STROKES_A_SECOND = 2.5


def clearly(head: Head) -> float:
    """The log odds needed where it goes on like a hand, or was asked for."""
    return CLEARLY_FELT if head.on_shell else CLEARLY_HEARD


def no_shake(head: Head, shake: Shake, snr_db: float, clipped: bool) -> Reason | None:
    """The reason if it is taken for something other than beads in an igloo. Imagined beads say nothing about that."""
    if shake.seconds < KNOCK_S:
        return KNOCK
    too_few = shake.strokes < max(LEAST_STROKES, LEAST_STROKES_A_SECOND * shake.seconds)
    if shake.seconds >= STROKES_FROM_S and too_few and not felt_shaken(head, shake):
        return NO_STROKES
    mends, hand = mends_of(head.front.sensor, head.on_shell), head.front.hand
    alike = likeness(shake, head.on_shell, snr_db)
    if not hand and alike < DOUBTFUL and shake.seconds < SHORT_S:
        return mends.cut_off if clipped else SHORT_OR_KNOCK
    if alike >= _least_alike(head, shake, snr_db):
        return None
    if clipped:  # typing and coins may be as loud: do not count it
        return mends.cut_off
    if _like_a_hand(shake) and head.on_shell and shake.humming:
        return HUMS
    if _like_a_hand(shake) and snr_db < HARDLY_DB and not hand:
        return mends.hardly_heard
    if felt_shaken(head, shake):
        return HARDLY_STRUCK
    return HANDLED if head.on_shell else NO_RATTLE


def _like_a_hand(shake: Shake) -> bool:
    """Whether it goes on as only a hand does."""
    return shake.seconds >= DOUBT_FROM_S and shake.strokes >= DOUBT_STROKES_A_SECOND * shake.seconds


def _least_alike(head: Head, shake: Shake, snr_db: float) -> float:
    """The log odds that it needs to be taken for beads in an igloo."""
    if felt_shaken(head, shake):
        return clearly(head)
    if snr_db < DROWNED_DB and not head.front.hand:
        return DOUBTFUL
    if not _like_a_hand(shake) and not outlasts_handling(head, shake, snr_db):
        return LIKE_A_SHAKE
    # the further it is above its background, while it goes on like a hand, the more benefit of the doubt
    least = LIKE_A_SHAKE - 0.1 * (snr_db - DROWNED_DB)
    return float(np.clip(least, clearly(head), LIKE_A_SHAKE))
