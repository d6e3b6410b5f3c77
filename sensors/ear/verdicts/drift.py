"""Does today's sound still fit what the profile was made for, whoever shakes?

People shake differently, and that is no reason to recalibrate; another igloo is, another microphone, or a sensor that
has come loose. Where a profile rests on populations (sensors.ear.models.populations) and was made for one set of
igloos, they predict how a stranger's shake of that very set should sound, and how far one may deviate. Other profiles
only know the spread of their own takes.
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

# One shake may be odd by chance. Where the median of the last few is odder than half of what a single one may be, the
# sound has changed.
DRIFT_SHAKES = 5
DRIFTED = 0.5
# A half-loose sensor stays below that, but more shakes reveal it: strangers' hands hardly ever bring the median of so
# many there (the same benchmark).
STRANGE_SHAKES = 15
LEAST_STRANGE = 10
STRANGE_MEDIAN = 0.36
# The largest strangeness (Populations.strangeness) of one shake of the profile's own set, on the shell and off it.
# Tuned on simulated sets of three engines (benchmarks/drift.py): the median of five shakes by a stranger's hand hardly
# ever reaches half of it.
ODD_ON_SHELL = 5.0
ODD_IN_ROOM = 3.4
# for igloos like those that were learned, the median of a sweep's own takes seldom exceeds this
LEARNED_ODDNESS = 0.8
# Beyond this share of that limit no count is sure, whatever its probability. In those sets nearly all sure and right
# answers were below it, and most of the wrong ones above.
SURE_BELOW = 0.28
# Takes of a small folder, of one hand, spread less than future shakes: their variance is enlarged by a prior of so many
# takes.
LEND = 24
LEAST_LIMIT = 6.0  # mean squared robust deviation


def oddness(head: Head, shake: Shake) -> float:
    """Distance of a shake from what the profile expects of its igloos; 1 is the most that a single one may have."""
    model = head.model
    if head.strange_from is not None and model.populations is not None:
        return float(model.strangeness(shake.pick(model.names)[None])[0]) / head.strange_from
    return float(_deviation(head.usual.scaling, shake.pick(head.usual.names)[None])[0]) / head.usual.limit


def familiar(head: Head, odd: float) -> bool:
    """Whether a shake is close enough to what is expected for its count to be sure."""
    return head.strange_from is None or odd < SURE_BELOW


def drifted(oddnesses: Sequence[float]) -> bool:
    """Have the last shakes, one after another, sounded unlike those that the profile was made for?"""
    last = oddnesses[-DRIFT_SHAKES:]
    return len(last) == DRIFT_SHAKES and float(np.median(last)) > DRIFTED


class Lately:
    """The last shakes of one source that were heard well: of a stream, or of a sitting's files in their order."""

    def __init__(self) -> None:
        self._odd: deque[float] = deque(maxlen=STRANGE_SHAKES)

    def __len__(self) -> int:
        return len(self._odd)

    def add(self, odd: float) -> None:
        """Add one more shake, by its distance from what the profile expects (`oddness`)."""
        self._odd.append(odd)

    @property
    def drifted(self) -> bool:
        return drifted(list(self._odd))

    @property
    def strange(self) -> bool:
        """Do they sound different from what is expected, though not yet as if the profile were for another set?"""
        return len(self._odd) >= LEAST_STRANGE and float(np.median(self._odd)) > STRANGE_MEDIAN


def strange_from(model: EarModel, values: Floats) -> float | None:
    """The limit of strangeness for the set of igloos in `values`, float64[takes, names]. Where their own takes are
    unlike all that was learned, the limit grows with them. None without populations."""
    if model.populations is None:
        return None
    strangers = model.populations.in_strangers_hands()
    own = strangers.strangeness(model.scaling.apply(values), model.counts)
    return (ODD_ON_SHELL if model.on_shell else ODD_IN_ROOM) * max(
        1.0, float(np.median(own)) / LEARNED_ODDNESS
    )


def usual_of(names: tuple[str, ...], values: Floats, start: Usual | None) -> Usual:
    """Median and spread of float64[takes, names]; `start`: those of the profile that the fit starts from."""
    own, n = Scaling.of(values), len(values)
    square = own.spread**2 * (1 + LEND / n)
    if start is not None and start.names == names:
        square = (n * own.spread**2 + LEND * start.scaling.spread**2) / (n + LEND)
    scaling = Scaling(own.median, np.sqrt(square))
    deviation = _deviation(scaling, values)
    return Usual(names, scaling, max(LEAST_LIMIT, 1.5 * float(np.quantile(deviation, 0.995))))


def _deviation(scaling: Scaling, values: Floats) -> Floats:
    """Mean squared robust deviation of each row; 1 is usual."""
    z = np.clip((values - scaling.median) / scaling.spread, -6, 6)
    out: Floats = np.square(z).mean(axis=1)
    return out
