"""From rings to weights: which tone is the seat's, whether the seat was empty, and what it carries.

A spring's frequency goes as 1/√mass, so (empty/loaded)² − 1 is the load over the seat's own moved mass: no clock, no
stiffness, no strength of the tap is left in it, and none of the person.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from sensors.gesture.ringdown import Fit, Tone, fitted, tones
from sensors.gesture.taps import Ring

# what the seat of docs/gesture.md can sound like, Hz; an empty one stands at the top
SIDEWAYS, UPRIGHT = (27.0, 70.0), (70.0, 145.0)
QUALITY = (9.0, 400.0)
LEAST_SIZE = 3.0  # times a twentieth of the level before the blow: what of it may fall into one tone
FAINT = 0.06  # of the blow
SIDEWAYS_WAIT_S = 0.06  # until the walls have let go of the beads that leaned on them, and these roll
# quality of the upright tone; printed leaves have less: warmth moves them far, and they ring short
STEEL = 50.0
EMPTY_WITHIN = 0.03  # of the known empty seat, relative; the lightest igloo lowers the upright tone by 8 %


@dataclass(frozen=True, slots=True)
class Pair:
    """The seat's two tones in one ring; None where it could not be told."""

    start_s: float
    strike: float
    sideways: Tone | None
    upright: Tone | None

    @property
    def fair(self) -> bool:
        """Are both tones there, and neither drowned by the blow? A faint one is off by more than igloos differ."""
        least = FAINT * self.strike
        return min((t.size if t is not None else 0.0) for t in (self.sideways, self.upright)) > least


@dataclass(frozen=True, slots=True)
class Empty:
    """The empty seat's two frequencies, Hz as the sensor's own clock counts."""

    sideways: float
    upright: float

    def is_(self, pair: Pair) -> bool:
        """Is this the empty seat again?"""
        if pair.sideways is None or pair.upright is None:
            return False
        near = abs(pair.upright.hz / self.upright - 1) < EMPTY_WITHIN
        return near and abs(pair.sideways.hz / self.sideways - 1) < 2 * EMPTY_WITHIN


@dataclass(frozen=True, slots=True)
class Weight:
    """One tap's weighing, in units of what the empty seat moves: up and down S + B, sideways S + 2B/7."""

    start_s: float
    upright: float
    sideways: float
    sizes: tuple[float, float]  # of the tones, sideways and upright, in the sensor's unit
    qualities: tuple[float, float]
    placing: int = 0  # how often the igloo had been set down anew before
    against: Empty | None = None  # the empty seat that it was told by

    def anew(self, empty: Empty) -> Weight:
        """The same by another `empty` seat, as if that had been heard before."""
        if self.against is None:
            return self
        up, side = empty.upright / self.against.upright, empty.sideways / self.against.sideways
        return replace(
            self,
            upright=(1 + self.upright) * up**2 - 1,
            sideways=(1 + self.sideways) * side**2 - 1,
            against=empty,
        )


def whole_of(ring: Ring, rate: float) -> Fit:
    """All of a ring, as its upright tone is told by it."""
    return fitted(ring.samples, rate, 2)


def pair_of(ring: Ring, rate: float, whole: Fit | None = None) -> Pair:
    """Pick the seat's tones from a ring, of which the `whole` may be fitted already."""
    # of a ring at least LEAST_RING_S long enough is left
    rolling = ring.samples[round(SIDEWAYS_WAIT_S * rate) :]
    least = LEAST_SIZE * ring.before / 20
    sideways = strongest(tones(rolling, rate, 1), SIDEWAYS, least)
    whole = whole_of(ring, rate) if whole is None else whole
    return Pair(ring.start_s, ring.strike, sideways, strongest(whole.tones, UPRIGHT, least))


def strongest(found: Iterable[Tone], band: tuple[float, float], least: float) -> Tone | None:
    """The seat's tone in a band, if one is louder than `least`."""
    seats = [
        t
        for t in found
        if band[0] < t.hz < band[1] and QUALITY[0] < t.quality < QUALITY[1] and t.size > least
    ]
    # size · √time: a tone that lasts is the seat's, one that dies at once is the blow's
    return max(seats, key=lambda t: t.size / math.sqrt(t.decay), default=None)


def weigh(pair: Pair, empty: Empty, placing: int = 0) -> Weight | None:
    """What the seat carries; None where a tone is missing or the seat is empty."""
    if pair.sideways is None or pair.upright is None or empty.is_(pair):
        return None
    up, side = (empty.upright / pair.upright.hz) ** 2 - 1, (empty.sideways / pair.sideways.hz) ** 2 - 1
    if up <= 0 or side <= 0:
        return None
    return Weight(
        pair.start_s,
        up,
        side,
        (pair.sideways.size, pair.upright.size),
        (pair.sideways.quality, pair.upright.quality),
        placing,
        empty,
    )
