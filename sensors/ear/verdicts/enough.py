"""How sure the ear is of a count: what `Head.sure_from` is compared with.

Of three dead beads, which strike together, populations and regressions say two, and are sure: they know how filled the
gaps between hits are. The network sees the hits themselves and doubts. In a simulated world by another hand, of which
nothing was learned, nearly all that was surely wrong was of this kind, and asking the network took most of it away.

The odds stay as they are: of the count alone, all together tell more. So does the threshold once a sweep is known. It
tells the others what the network cannot know: if asked then, the network took most sure answers away in MuJoCo and half
of them in Bullet, and what was left was no more often right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from sensors.ear.models.model import posterior
from sensors.ear.models.reading import UNCALIBRATED
from sensors.ear.profiles.profile import Head
from sensors.ear.shakes.shake import Shake

READ = 2 / 3  # the weight of what is read; chosen in that world


def enough(heads: Sequence[Head], shake: Shake, odds: Mapping[int, float]) -> float:
    """The probability of the likeliest count; where the hand is felt and nobody has calibrated the igloos, its weighted
    geometric mean with that of this count by the network alone. `odds`: by one view (`probabilities.by_one_view`)."""
    best = max(odds, key=lambda count: odds[count])
    read = [p for head in heads if (p := _read(head, shake, best)) is not None]
    if not read:
        return odds[best]
    logs = sum(map(math.log, read)) / len(read)
    return math.exp((1 - READ) * math.log(odds[best]) + READ * logs)


def _read(head: Head, shake: Shake, count: int) -> float | None:
    model, shown = head.model, shake.through(head.front)
    if not head.front.hand or shown is None or model.reading is None or model.reading.weight < UNCALIBRATED:
        return None
    told = posterior(model.reading.log_likelihood(shown.pick(model.names)[None], model.counts))[0]
    return max(float(told[model.counts.index(count)]), 1e-9)
