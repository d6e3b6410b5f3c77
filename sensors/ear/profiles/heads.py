"""What the ear learned about one kind of sensor: a head for each front end, and the profile that holds them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from sensors.ear.errors import ProfileError, a_sensor
from sensors.ear.frames.frontend import COUNT_TOGETHER, FRONT_ENDS, Direction, FrontEnd, Sensor, fast_enough
from sensors.ear.models.model import EarModel
from sensors.ear.models.relative import Judge, Relative
from sensors.ear.models.ridge import Scaling
from sensors.ear.profiles.fitted_on import FittedOn


@dataclass(frozen=True, slots=True)
class Usual:
    """Median and spread of some features of shakes, to tell a shake from talk and from a drifted sensor."""

    names: tuple[str, ...]
    scaling: Scaling
    limit: float  # mean squared robust deviation beyond which a sound is not a shake of this kind


@dataclass(frozen=True, slots=True)
class Head:
    """One front end's model, the least probability of a `sure` verdict, and the range of strengths that it was fitted
    in."""

    front: FrontEnd
    model: EarModel
    sure_from: float
    strength_middle: float  # ln
    strength_low: float  # ln; below, counting got worse, or nothing was recorded
    strength_high: float
    usual: Usual
    relative: Relative | None = None  # for whole sets
    # the normal of the owner's igloos' floor, in the axes of the sensor as it is glued on
    floor: Direction | None = None
    # for a profile of one set: the most strangeness, by its populations, of a single shake
    strange_from: float | None = None

    @property
    def judges(self) -> tuple[Judge, ...]:
        """Those who compare the igloos of a set by this head: one, or none where there were too few sets to learn
        it."""
        return () if self.relative is None else (Judge(self.front, self.relative, self.model),)

    @property
    def on_shell(self) -> bool:
        """Whether it was made for a sensor on the shell."""
        return self.model.on_shell

    @property
    def band(self) -> tuple[float, float]:
        """The least and the largest strength that counts well, relative to the middle of the range (1.0)."""
        low, high = self.strength_low - self.strength_middle, self.strength_high - self.strength_middle
        return math.exp(low), math.exp(high)


@dataclass(frozen=True, slots=True)
class Profile:
    """A fitted ear. `accuracy` is plain data for people; `digest` is the hash of the body."""

    sensor: Sensor
    rate: float  # Hz, typical of the recordings
    fixed: bool  # the sensor sits on the shell: absolute size is a feature
    counts: tuple[int, ...]
    heads: tuple[Head, ...]  # the finest first
    fitted_on: FittedOn
    accuracy: dict[str, Any]
    digest: str = ""
    of_before: bool = False  # from a file of before profiles named the networks that they use

    def outdated(self, where: str) -> str | None:
        """The warning for a profile that is `of_before`; None for others. It can be used all the same."""
        if not self.of_before:
            return None
        return (
            f"{where} was fitted by an earlier version, whose ear looked at a sound in another way, so its counts may "
            "be worse than they were: fit it again on its recordings (polartable calibrate igloos fit)"
        )

    @property
    def gesture(self) -> str | None:
        """The guided gesture that this profile counts by (`sensors.ear.shakes.moves`); None: free shaking."""
        return self.fitted_on.gesture or None

    def head_for(self, sensor: Sensor, rate: float) -> Head:
        """The head that judges whether and how it was shaken: the first of `heads_for`."""
        return self.heads_for(sensor, rate)[0]

    def heads_for(self, sensor: Sensor, rate: float) -> tuple[Head, ...]:
        """The heads that count together for a source of this rate, the finest first. Some may share a front end, if
        their fits started from different profiles (`calibration.fitting.prior`).

        Raises ProfileError for another sensor or too slow a rate.
        """
        if sensor != self.sensor:
            raise ProfileError(
                f"the profile was made for {a_sensor(self.sensor)}, and this is {a_sensor(sensor)}",
                f"take a profile for {a_sensor(sensor)}, or fit one with `polartable calibrate igloos fit`",
            )
        filled = [head for head in self.heads if rate >= head.front.least_rate]
        if filled:
            together = [head for head in filled if head.front.name in COUNT_TOGETHER and not self.gesture]
            return tuple(together or (head for head in filled if head.front == filled[0].front))
        least = min(head.front.least_rate for head in self.heads)
        slowest = min(front.least_rate for front in FRONT_ENDS if front.sensor == sensor)
        raise ProfileError(
            f"the profile needs at least {least:g} Hz, and this source has {rate:g} Hz",
            f"record at {fast_enough(sensor, least)}"
            + (", or fit a profile on recordings of this rate" if rate >= slowest else ""),
        )
