"""Does today's sound fit what the profile was made for, whoever shakes?

People differ in how they shake, and that is no reason to calibrate anew: another igloo is, another microphone, a sensor
that has come loose. Where a profile stands on populations (sensors.ear.models.population) and was made for one set of
igloos, they tell how a stranger's shake of that very set should sound, and how far one may be from it. Other profiles
know no more than how their own takes spread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from sensors.ear.frames.frontend import Floats
from sensors.ear.models.model import EarModel
from sensors.ear.models.ridge import Scaling
from sensors.ear.profiles.heads import Head, Usual
from sensors.ear.shakes.shake import Shake

# One shake may be odd by chance; where the middle one of the last few is odder than half of what one alone may be, the
# sound has changed.
DRIFT_SHAKES = 5
DRIFTED = 0.5
# A sensor that has come half loose stays below that, and more shakes tell it all the same: strangers' hands hardly ever
# bring the middle one of so many there (the same benchmark).
STRANGE_SHAKES = 15
LEAST_STRANGE = 10
STRANGE_MEDIAN = 0.36
# So strange one shake of the set that a profile was made for may be (Populations.strangeness), on the shell and away
# from it. Looked up on simulated sets of three engines (benchmarks/drift.py): a stranger's hand hardly ever reaches
# half of it in the middle of five.
ODD_ON_SHELL = 5.0
ODD_IN_ROOM = 3.4
# the middle one of a sweep's own takes is seldom stranger, of igloos like those that were learned
LEARNED_ODDNESS = 0.8
# Beyond so much of that a count is not believed to be sure, whatever its probability: nearly all that were sure and
# right in those sets lie below, and of those that were wrong the most above.
SURE_BELOW = 0.28
# Takes of a small folder, of one hand, spread less than shakes to come: they are lent so many takes' worth of spread.
LEND = 24
LEAST_LIMIT = 6.0  # mean squared robust deviation


def oddness(head: Head, shake: Shake) -> float:
    """How far a shake is from what the profile expects of its igloos; 1 is as far as one alone may be."""
    model = head.model
    if head.strange_from is not None and model.populations is not None:
        z = model.scaling.apply(shake.pick(model.names)[None])
        return float(model.populations.strangeness(z, model.counts)[0]) / head.strange_from
    return float(_deviation(head.usual.scaling, shake.pick(head.usual.names)[None])[0]) / head.usual.limit


def familiar(head: Head, odd: float) -> bool:
    """Whether a shake is near enough to what is expected for its count to be sure."""
    return head.strange_from is None or odd < SURE_BELOW


def drifted(oddnesses: Sequence[float]) -> bool:
    """Have the last shakes, one after another, sounded unlike those the profile was made for?"""
    last = oddnesses[-DRIFT_SHAKES:]
    return len(last) == DRIFT_SHAKES and float(np.median(last)) > DRIFTED


class Lately:
    """The last shakes of one source that were heard well: a stream's, or those of a sitting's files in their order."""

    def __init__(self) -> None:
        self._odd: deque[float] = deque(maxlen=STRANGE_SHAKES)

    def __len__(self) -> int:
        return len(self._odd)

    def add(self, odd: float) -> None:
        """One more, as far from what the profile expects (`oddness`)."""
        self._odd.append(odd)

    @property
    def drifted(self) -> bool:
        return drifted(list(self._odd))

    @property
    def strange(self) -> bool:
        """Do they sound otherwise than they should, though not yet as if the profile were another's?"""
        return len(self._odd) >= LEAST_STRANGE and float(np.median(self._odd)) > STRANGE_MEDIAN


def strange_from(model: EarModel, values: Floats) -> float | None:
    """The limit of strangeness for the set of igloos that `values`, float64[takes, names], are of: their own takes may
    be unlike all that was learned, and are then no measure. None without populations."""
    if model.populations is None:
        return None
    strangers = model.populations.in_strangers_hands()
    own = strangers.strangeness(model.scaling.apply(values), model.counts)
    return (ODD_ON_SHELL if model.on_shell else ODD_IN_ROOM) * max(
        1.0, float(np.median(own)) / LEARNED_ODDNESS
    )


def usual_of(names: tuple[str, ...], values: Floats, start: Usual | None) -> Usual:
    """Middle and spread of float64[takes, names]; `start`: the same of what the profile starts from."""
    own, n = Scaling.of(values), len(values)
    square = own.spread**2 * (1 + LEND / n)
    if start is not None and start.names == names:
        square = (n * own.spread**2 + LEND * start.scaling.spread**2) / (n + LEND)
    scaling = Scaling(own.median, np.sqrt(square))
    deviation = _deviation(scaling, values)
    return Usual(names, scaling, max(LEAST_LIMIT, 1.5 * float(np.quantile(deviation, 0.995))))


def _deviation(scaling: Scaling, values: Floats) -> Floats:
    """Mean squared robust deviation of each row, 1 is usual."""
    z = np.clip((values - scaling.median) / scaling.spread, -6, 6)
    out: Floats = np.square(z).mean(axis=1)
    return out
