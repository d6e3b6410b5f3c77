"""A seat's accelerometer of two damped tones, tapped second by second: exact, and made in no time."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from sensors.evidence import Heard, Hearing
from sensors.gesture.collect import collect
from sensors.gesture.counter import Counter
from sensors.gesture.day import Day
from sensors.gesture.fitting import Labelled, fit_gesture
from sensors.gesture.gathered import Gesture, fullest
from sensors.gesture.judge import judge
from sensors.gesture.model import Weighing
from sensors.gesture.profile import GestureProfile
from sensors.why import Reason

RATE = 833.0
EMPTY = 58.0, 117.0
PLATFORM, SEAT, SHELL, BEAD = 0.016, 0.038, 0.013, 2.5e-4
SMALL = 8.4e-5  # of 4 mm: with a shell of 18 g neighbours differ by 0.4 %
HEAVY = 0.018
TWINS = 0.026  # a shell so heavy that feet may make of it what a small bead makes
COUNTS = tuple(range(2, 14))


class Table:
    """A seat's accelerometer, second by second."""

    def __init__(
        self,
        seed: int = 0,
        bead: float = BEAD,
        shell: float = SHELL,
        empty: tuple[float, float] = EMPTY,
        crumb: float = 0.0,
        firmer: float = 0.0,
    ) -> None:
        """crumb: kg more on the ring than when the set was weighed; firmer: the empty seat's sideways tone is higher by
        so much, relative, because its feet are firmer, and each sideways load is less by fifteen times as much."""
        self.random = np.random.default_rng(seed)
        self.parts: list[np.ndarray] = []
        self.bead, self.shell = bead, shell
        self.platform, self.seat, self.firmer = PLATFORM + crumb, SEAT + crumb, firmer
        self.empty = (
            empty[0] * (PLATFORM / self.platform) ** 0.5 * (1 + firmer),
            empty[1] * (SEAT / self.seat) ** 0.5,
        )
        self.gravity = np.array([0.0, 0.0, 1.0])

    def quiet(self, seconds: float) -> Table:
        self.parts.append(0.002 * self.random.normal(size=(round(seconds * RATE), 3)) + self.gravity)
        return self

    def tap(
        self,
        beads: float | None = None,
        size: float = 0.3,
        quality: float = 90.0,
        seconds: float = 0.9,
        rolling: float | None = None,
        again: tuple[float, float] | None = None,
    ) -> Table:
        """A tap on the empty seat (None), or with an igloo of so many beads on it; `rolling`: the sideways tone's
        quality, where beads brake it; `again`: the pencil bounces so many seconds later, that much weaker."""
        side, up = self.empty
        if beads is not None:
            rolling_load = (self.shell + 2 / 7 * beads * self.bead) / self.platform
            side /= (1 + rolling_load * (1 - 15 * self.firmer)) ** 0.5
            up /= (1 + (self.shell + beads * self.bead) / self.seat) ** 0.5
        self.quiet(seconds)
        t = np.arange(len(self.parts[-1])) / RATE
        for axis, hz, q in ((0, side, rolling or quality), (2, up, quality)):
            phase = self.random.uniform(0, 6.28)
            for late, part in ((0.0, 1.0), *((again,) if again else ())):
                u = np.maximum(t - late, 0.0)
                rings = np.exp(-np.pi * hz / q * u) * np.sin(2 * np.pi * hz * u + phase)
                self.parts[-1][:, axis] += np.where(t >= late, part * size * rings, 0.0)
        return self

    def thud(self) -> Table:
        """An igloo is set down, with the hand still on it."""
        return self.tap(5, 0.2, quality=14.0, seconds=0.5)

    def placed(self, *beads: float) -> Table:
        """Igloos, one after the other: each set down, let go and tapped once."""
        for n in beads:
            self.quiet(0.2).thud().tap(n)
        return self

    def take(self) -> np.ndarray:
        out: np.ndarray = np.concatenate(self.parts)
        self.parts = []
        return out


@cache
def weighed(n: int, bead: float, shell: float) -> Labelled:
    """An igloo of `n` beads, set down and tapped three times."""
    (gesture,) = collect(
        "accelerometer", RATE, Table(n, bead, shell).quiet(0.4).tap().tap().placed(n, n, n).take()
    )
    assert gesture.placings == 3
    return Labelled(n, gesture)


@cache
def fitted(bead: float = BEAD, shell: float = SHELL, counts: tuple[int, ...] = COUNTS) -> GestureProfile:
    """A profile of one set, `set`, of which each igloo of `counts` was weighed once."""
    labelled = [weighed(n, bead, shell) for n in counts]
    return fit_gesture({"set": labelled}, "accelerometer", COUNTS)


@cache
def twins() -> GestureProfile:
    """A set of beads of 4 mm whose 7 and 8 weigh the same, and only what is loose tells them apart."""
    labelled = [weighed(n, SMALL, TWINS - SMALL * (n == 8)) for n in COUNTS]
    return fit_gesture({"set": labelled}, "accelerometer", COUNTS)


@cache
def twins_of_some_day() -> GestureProfile:
    """The same of a profile that does not say where the empty seat sang on the day that its loads are of: so nothing
    but igloos tells of another day."""
    known = twins().sets["set"]
    of_two_days = replace(known.model, weighed=(2,) * len(known.model.counts))
    return replace(twins(), sets={"set": replace(known, model=of_two_days)})


def between_twins(seed: int = 5) -> Table:
    """A table on which `placed(7.5)` weighs as both of the twins, and half a bead from either in what is loose."""
    return Table(seed, SMALL, TWINS - SMALL / 2)


def known_day() -> Day:
    """What is known of a day, one as that of weighing, after four other igloos of the `twins`."""
    day = Day.unknown(twins().sets["set"].model)
    for n in (3, 5, 10, 12):
        day = day.learned(Weighing.of(weighed(n, SMALL, TWINS).gesture.weights))
    return day


def on_a_known_day() -> Counter:
    """A listener for the `twins`, on that day."""
    counter = Counter(twins(), RATE, 3)
    counter._day = counter._before = known_day()
    return counter


def played(counter: Counter, samples: np.ndarray, block: int = 40) -> list[Heard | Hearing]:
    """All that is said of `samples`, which need not be the last ones."""
    out: list[Heard | Hearing] = []
    for i in range(0, len(samples), block):
        out += counter.push(samples[i : i + block])
    return out


def verdicts(said: list[Heard | Hearing]) -> list[Heard]:
    return [one for one in said if isinstance(one, Heard)]


def begun(**differs: object) -> Table:
    return Table(5, **differs).quiet(0.3).tap().tap()  # type: ignore[arg-type]


def gesture_of(samples: np.ndarray) -> Gesture:
    found = fullest(collect("accelerometer", RATE, samples))
    assert found is not None
    return found


def reason_of(table: Table, profile: GestureProfile, day: Day | None = None) -> Reason | None:
    said = judge(gesture_of(table.take()), profile, "seat", None, day)
    assert (said.reason is None) == (said.verdict == "sure")
    return said.reason
