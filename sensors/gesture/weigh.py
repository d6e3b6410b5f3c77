"""From rings to weights: which tones are the seat's, whether the seat was empty, and what it carries.

A spring's frequency is proportional to 1/√mass, so (empty/loaded)² − 1 is the load in units of the seat's own moved
mass. Clock, stiffness and strength of the tap cancel, and so does the person.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from sensors.gesture.ringdown import Fit, Tone, fitted, tones
from sensors.gesture.taps import Ring

# the range of tones of docs/gesture.md's seat, Hz; an empty one is at the top
SIDEWAYS, UPRIGHT = (27.0, 70.0), (70.0, 145.0)
QUALITY = (9.0, 400.0)
# times a twentieth of the level before the blow, which is what of that may fall into one tone
LEAST_SIZE = 3.0
FAINT = 0.06  # of the blow
SIDEWAYS_WAIT_S = 0.06  # s, until the beads that leaned on the walls have come off and roll
# quality factor of the upright tone; printed leaves have less: temperature moves them far, and they ring short
STEEL = 50.0
EMPTY_WITHIN = 0.03  # relative, to the known empty seat; the lightest igloo lowers the upright tone by 8 %


@dataclass(frozen=True, slots=True)
class Pair:
    """The seat's two tones in one ring; None where one could not be found."""

    start_s: float
    strike: float
    sideways: Tone | None
    upright: Tone | None

    @property
    def fair(self) -> bool:
        """Are both tones there, and neither drowned by the blow? A faint one has an error larger than igloos differ."""
        least = FAINT * self.strike
        return min((t.size if t is not None else 0.0) for t in (self.sideways, self.upright)) > least


@dataclass(frozen=True, slots=True)
class Empty:
    """The empty seat's two frequencies, Hz by the sensor's own clock."""

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
    """One tap's weight, in units of the empty seat's moved mass: upright S + B, sideways S + 2B/7."""

    start_s: float
    upright: float
    sideways: float
    sizes: tuple[float, float]  # amplitudes of the tones, sideways and upright, in the sensor's unit
    qualities: tuple[float, float]
    placing: int = 0  # how often the igloo had been set down again before
    against: Empty | None = None  # the empty seat that it was weighed against

    def anew(self, empty: Empty) -> Weight:
        """The same weight against another `empty` seat."""
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
    """The fit of a whole ring, from which its upright tone is read."""
    return fitted(ring.samples, rate, 2)


def pair_of(ring: Ring, rate: float, whole: Fit | None = None) -> Pair:
    """Find the seat's tones in a ring; `whole`: its fit, where that exists already."""
    # a ring of at least LEAST_RING_S leaves enough
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
    # amplitude · √duration: a lasting tone is the seat's, one that dies at once is the blow's
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
