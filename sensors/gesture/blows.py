"""One blow on the seat by itself: what of its ring nobody disturbed, whether a hand braked it, and what it weighs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sensors.gesture.ringdown import Fit
from sensors.gesture.taps import Ring
from sensors.gesture.touched import untouched
from sensors.gesture.weigh import STEEL, Empty, Pair, Weight, pair_of, weigh

HELD_QUALITY = 0.5  # of the empty seat's
HELD_SIZE = 0.3  # of the blow: an upright tone so large that dies early was braked, not missed


@dataclass(frozen=True, slots=True)
class Blow:
    """A ring that was heard whole, its fit and the seat's tones in it. cut: too little of it came after the source was
    at the end of its range; over: it was there at all; empty: so sounds the empty seat; twice: the rest of it was
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
    """A blow that was not on the empty seat, of what nobody disturbed of it. weight: None where nothing could be told;
    drowned: what came after the end of the source's range has not both tones; held: a hand braked it, set down or not
    let go; twice: the seat was touched again while it rang; fresh: the empty seat was tapped not long before."""

    ring: Ring
    pair: Pair
    weight: Weight | None
    cut: bool
    drowned: bool
    held: bool
    twice: bool
    fresh: bool


def undisturbed(blow: Blow, rate: float, sensor: str, empty_quality: float) -> Blow | None:
    """What of a blow nobody disturbed: `blow` itself, another one of a part of its ring, or None. empty_quality: of the
    empty seat's upright tone; the ring of printed leaves is too short to tell."""
    if max(empty_quality, 0.0 if blow.pair.upright is None else blow.pair.upright.quality) <= STEEL:
        return blow
    free = untouched(blow.ring, blow.whole, rate, sensor, loaded=not blow.empty)
    if free is None:
        return None
    if free.ring is blow.ring:
        return blow
    return replace(blow, ring=free.ring, pair=pair_of(free.ring, rate), twice=free.touched)


def weighed(blow: Blow, rate: float, sensor: str, empty: Empty | None, empty_quality: float) -> Tap:
    """Weigh a blow against the `empty` seat, of that quality of its upright tone; None where none was tapped lately."""
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


def _braked(pair: Pair, weighed: bool, empty_quality: float) -> bool:
    """Did the upright tone ring, and die as under a hand?"""
    if pair.upright is None or pair.upright.quality >= HELD_QUALITY * empty_quality:
        return False
    return weighed or pair.upright.size > HELD_SIZE * pair.strike
