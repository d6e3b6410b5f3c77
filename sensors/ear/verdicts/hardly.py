"""What is taken for a shake by the benefit of the doubt alone, and does not go to and fro as a hand does either.

Typing, drumming fingers and rain on the table reach a sensor on the shell. Such a sound is unlike the igloos that a
profile was made for, but nothing has changed: nobody recalibrates because somebody typed. How much it is like a shake
does not tell it from the igloo whose sensor came loose and rings on. Its rhythm does: a hand has one pace, whatever
rings, and what rings fills the gaps between hits, while keys and knocks leave them empty.
"""

from __future__ import annotations

from sensors.ear.profiles.profile import Head
from sensors.ear.shakes.shake import Shake
from sensors.ear.verdicts.felt import felt_shaken
from sensors.ear.verdicts.no_shake import DOUBTFUL

# `Shake.paced` and `Shake.gaps`. Nearly all simulated shakes through a sensor that came loose have more of the
# first, typing, drumming and rain seldom as much; hardly any has less of the second, keys and knocks mostly have.
PACED = 0.27
EMPTY = -3.2


def hardly_a_shake(head: Head, shake: Shake, alike: float) -> bool:
    """Is it so little of a shake that it says nothing of the profile? `alike`: its log odds of being one."""
    if alike >= DOUBTFUL:
        return False
    if head.front.hand:
        return not felt_shaken(head, shake)
    return not head.on_shell or shake.paced < PACED or shake.gaps < EMPTY
