"""Fitting a profile of the counting gesture: one labelled gesture of each igloo is enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sensors.ear.errors import FitError
from sensors.ear.frames.frontend import Sensor
from sensors.ear.profiles.fitted_on import WeighedOn
from sensors.gesture.apart import closest as closest_of
from sensors.gesture.apart import expected as expected_of
from sensors.gesture.gathered import Gesture
from sensors.gesture.model import Noise, Weighing, fit_set
from sensors.gesture.one_day import fullest, on_one_day
from sensors.gesture.profile import GestureProfile, KnownSet
from sensors.gesture.weigh import Empty

# More than 95 in 100 answers above it are right, with a margin: on the seats, igloos and people for which the model was
# made (simulated, seeds 501–504) .98 were, by accelerometer and disc, and .99 above .95.
SURE_FROM = 0.85
LEAST_IGLOOS = 3  # of a set: to fit the ratio of the seat's masses, one bead, and their errors
PRIOR_TAPS = 24  # weight of the simulated seats' noise, in taps
TRIMMED = 1.3  # by which trimming the largest tenth reduces a variance
RECORD_TAPS = "tap the empty seat, then three times set the igloo down, let go, tap, lift it"
RECORD = f"record every igloo once: {RECORD_TAPS}"


@dataclass(frozen=True, slots=True)
class Labelled:
    """One gesture whose count is known."""

    beads: int
    gesture: Gesture
    session: str = ""


def fit_gesture(
    labelled: Mapping[str, Sequence[Labelled]],
    sensor: Sensor,
    counts: tuple[int, ...],
) -> GestureProfile:
    """A profile of all named sets. Raises FitError where nothing could be weighed, or none of the counts asked for."""
    sets: dict[str, KnownSet] = {}
    taps, gestures = 0, 0
    for name, mine in labelled.items():
        usable = [g for g in mine if g.gesture.weights]
        if len({g.beads for g in usable}) < LEAST_IGLOOS:
            continue
        beads, sessions = [g.beads for g in usable], [g.session for g in usable]
        as_weighed = [Weighing.of(g.gesture.weights) for g in usable]
        weighings = on_one_day(as_weighed, beads, sessions, Noise())
        model = fit_set(weighings, beads, counts, Noise())
        noise = _noise(usable, model.kappa, model.bead)
        model = fit_set(on_one_day(as_weighed, beads, sessions, noise), beads, counts, noise)
        quality = float(np.median([w.qualities[1] for g in usable for w in g.gesture.weights]))
        empty_qualities = [q for g in usable if (q := g.gesture.empty_quality) is not None]
        of_empty = float(np.median(empty_qualities)) if empty_qualities else None
        several = len(set(sessions)) > 1 or len(set(beads)) < len(beads)
        most = fullest(beads, sessions)
        found = [(g.session, g.gesture.empty) for g in usable if g.gesture.empty is not None]
        of_day = [empty for session, empty in found if several and session == most]
        empty, of_that_day = _middle([e for _, e in found]), _middle(of_day) if of_day else None
        sets[name] = KnownSet(model, quality, empty, _level(usable), of_that_day, of_empty)
        gestures += len(usable)
        taps += sum(w.taps for w in weighings)
    if not sets:
        raise FitError("no set has three igloos that were weighed", RECORD)
    expected = [one for known in sets.values() if (one := expected_of(known.model)) is not None]
    if not expected:
        held = sorted({g.beads for name in sets for g in labelled[name] if g.gesture.weights})
        raise FitError(
            "no igloo that was weighed holds any of the counts that are asked for",
            f"weigh such ones, or ask for those that were weighed (--counts {','.join(map(str, held))})",
        )
    accuracy: dict[str, Any] = {
        "left_out_by": "nothing: how well the set's own weights stand apart, by their scatter and the days'",
        "n": gestures,
        "exact": round(float(np.mean(expected)), 4),
        "apart": {name: pair for name, known in sets.items() if (pair := worst_pair(known)) is not None},
    }
    fitted_on = WeighedOn(takes=gestures, taps=taps, devices=len(sets))
    return GestureProfile(sensor, counts, sets, SURE_FROM, fitted_on, accuracy)


def worst_pair(known: KnownSet) -> dict[str, Any] | None:
    """The two igloos that are hardest to tell apart, and their distance, in standard deviations of one gesture; None
    where fewer than two of the told igloos were weighed."""
    closest = closest_of(known.model)
    if closest is None:
        return None
    low, high, far = closest
    return {"counts": [low, high], "sigmas": round(far, 2)}


def _noise(usable: Sequence[Labelled], kappa: float, bead: float) -> Noise:
    """Scatter between placings on this seat, shrunk towards that of simulated seats."""
    start = Noise()
    up, loose, sideways = [], [], []
    for g in usable:
        t = np.array([w.upright for w in g.gesture.weights])
        b = t - kappa * np.array([w.sideways for w in g.gesture.weights])
        if len(t) > 1:
            scale = len(t) / (len(t) - 1)
            up += list(np.square(t - np.median(t)) * scale / start.upright(1, 1, float(np.median(t))) ** 2)
            loose += list(np.square(b - np.median(b)) * scale / start.loose(1, 1, bead) ** 2)
            s = t - b
            middle = float(np.median(s))
            sideways += list(np.square(s - middle) * scale / start.sideways(1, 1, bead, middle) ** 2)
    if not up:
        return start
    wider_up, wider_loose, wider_sideways = (_wider(x) for x in (up, loose, sideways))
    return replace(
        start,
        tap_upright=start.tap_upright * wider_up,
        nub=start.nub * wider_up,
        tap_loose=start.tap_loose * wider_loose,
        wander=start.wander * wider_loose,
        tap_sideways=start.tap_sideways * wider_sideways,
        rolling=start.rolling * wider_sideways,
        shear=start.shear * wider_sideways,
    )


def _wider(squares: Sequence[float]) -> float:
    """Ratio of the observed to the expected standard deviation, shrunk towards 1, from squares in units of the expected
    variance. Trimmed, so that one stray tap does not blur the others: the largest tenth counts as the one below it."""
    trimmed = np.minimum(squares, np.quantile(squares, 0.9))
    return float(np.sqrt((PRIOR_TAPS + np.sum(trimmed) * TRIMMED) / (PRIOR_TAPS + len(squares))))


def _middle(found: Sequence[Empty]) -> Empty:
    return Empty(float(np.median([e.sideways for e in found])), float(np.median([e.upright for e in found])))


def _level(usable: Sequence[Labelled]) -> tuple[float, float, float] | None:
    found = [
        g.gesture.gravity for g in usable if g.gesture.gravity is not None and len(g.gesture.gravity) == 3
    ]
    if not found:
        return None
    x, y, z = np.median(np.array(found), axis=0)
    return float(x), float(y), float(z)
