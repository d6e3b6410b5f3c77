"""What tells a shake from handling where its beads have no rhythm: the hand that is felt, and how long it lasts.

The rhythm in which an igloo is heard is that of its beads. Few beads that slide or swirl strike once in several
strokes, however hard they are shaken; but a sensor that feels the hand knows better.
"""

from __future__ import annotations

import math

from sensors.ear.profiles.profile import Head
from sensors.ear.shakes.shake import Shake
from sensors.ear.verdicts.likeness import CLEAR_DB

FROM_S = 1.0  # a push across the table is as hard now and then, but shorter
# The pitch of the hand's motion with its overtones: lifting, turning and carrying are slower, what the table does to an
# igloo is faster.
SLOWEST_HZ, FASTEST_HZ = 2.0, 8.0
LONG_S = 3.4  # no burst of simulated handling that was looked at lasted as long, and few nearly (a judgement)


def felt_shaken(head: Head, shake: Shake) -> bool:
    """Whether the hand goes to and fro as long, as hard and as fast as in a shake by which the profile counts.

    No simulated handling does (`hw_mock.igloo.handling`).
    """
    if not head.front.hand or shake.seconds < FROM_S or shake.strength < head.strength_low:
        return False
    return SLOWEST_HZ <= math.exp(float(shake.pick(("hand.pitch",))[0])) <= FASTEST_HZ


def outlasts_handling(head: Head, shake: Shake, snr_db: float) -> bool:
    """Whether a microphone on the shell hears it far above its background for longer than an igloo is handled."""
    return head.on_shell and not head.front.hand and shake.seconds >= LONG_S and snr_db >= CLEAR_DB
