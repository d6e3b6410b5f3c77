"""One blow on the seat: the undisturbed part of its ring, whether a hand damped it, and what it weighs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sensors.gesture.ringdown import Fit
from sensors.gesture.taps import Ring
from sensors.gesture.touched import untouched
from sensors.gesture.weigh import STEEL, Empty, Pair, Weight, pair_of, weigh

HELD_QUALITY = 0.5  # of the empty seat's quality factor
HELD_SIZE = 0.3  # of the blow: an upright tone this large that decays early was damped, not missed


@dataclass(frozen=True, slots=True)
class Blow:
    """A ring that was heard whole, its fit, and the seat's tones in it. cut: too little of it is left after the source
    clipped; over: the source clipped at all; empty: it sounds like the empty seat; twice: the rest of the ring was
    touched again."""

    ring: Ring
    whole: Fit
    pair: Pair
    cut: bool
    over: bool
    empty: bool
    twice: bool = False


@dataclass(frozen=True, slots=True)
class Tap:
    """A blow that was not on the empty seat, by the undisturbed part of its ring. weight: None where it could not be
    told; drowned: what came after the clipping lacks one of the tones; held: a hand damped it, in setting down or by
    not letting go; twice: the seat was touched again while it rang; fresh: the empty seat was tapped shortly before."""

    ring: Ring
    pair: Pair
    weight: Weight | None
    cut: bool
    drowned: bool
    held: bool
    twice: bool
    fresh: bool


def undisturbed(blow: Blow, rate: float, sensor: str, empty_quality: float) -> Blow | None:
    """The undisturbed part of a blow: `blow` itself, a new blow made of a part of its ring, or None. empty_quality: the
    quality factor of the empty seat's upright tone; the ring of printed leaves is too short to tell."""
    if max(empty_quality, 0.0 if blow.pair.upright is None else blow.pair.upright.quality) <= STEEL:
        return blow
    free = untouched(blow.ring, blow.whole, rate, sensor, loaded=not blow.empty)
    if free is None:
        return None
    if free.ring is blow.ring:
        return blow
    return replace(blow, ring=free.ring, pair=pair_of(free.ring, rate), twice=free.touched)


def weighed(blow: Blow, rate: float, sensor: str, empty: Empty | None, empty_quality: float) -> Tap:
    """Weigh a blow against the `empty` seat (None: not tapped lately), whose upright tone has this quality factor."""
    weight = weigh(blow.pair, empty) if empty is not None and blow.pair.fair and not blow.cut else None
    fresh, drowned = empty is not None, blow.over and not blow.pair.fair
    held = fresh and not blow.cut and _braked(blow.pair, weight is not None, empty_quality)
    if empty is None or weight is None or held:
        return Tap(blow.ring, blow.pair, None, blow.cut, drowned, held, False, fresh)
    free = undisturbed(blow, rate, sensor, empty_quality)
    if free is None:
        return Tap(blow.ring, blow.pair, None, blow.cut, drowned, held, True, fresh)
    if free is not blow:
        weight = weigh(free.pair, empty) if free.pair.fair else None
    return Tap(free.ring, free.pair, weight, blow.cut, drowned, held, free.twice, fresh)


def rings_loaded(pair: Pair, empty: Empty, empty_quality: float) -> bool:
    """Do these tones weigh something that no hand holds?"""
    return pair.fair and weigh(pair, empty) is not None and not _braked(pair, True, empty_quality)


def _braked(pair: Pair, weighed: bool, empty_quality: float) -> bool:
    """Did the upright tone ring, and decay as under a hand?"""
    if pair.upright is None or pair.upright.quality >= HELD_QUALITY * empty_quality:
        return False
    return weighed or pair.upright.size > HELD_SIZE * pair.strike
