"""The populations of a profile as plain JSON and back (sensors.ear.models.populations)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from sensors.ear.frames.frontend import Floats
from sensors.ear.models.curve import DEGREE
from sensors.ear.models.population import MOST_HANDS, MOST_POPULATIONS, Population
from sensors.ear.models.populations import MOST_DIRECTIONS, Populations
from sensors.ear.profiles.json_numbers import array, finite, positive, rounded

POPULATION_FIELDS = ("curve", "takes", "occasions", "devices", "shift")
HAND_FIELDS = ("shift", "devices")


def populations_to_json(populations: Populations | None) -> dict[str, Any] | None:
    """As plain data for `populations_from`."""
    if populations is None:
        return None
    return {
        "size": populations.directions.shape[1],
        "temper": populations.temper,
        "centre": rounded(populations.centre),
        "directions": rounded(populations.directions.ravel()),
        "members": [
            {"weight": member.weight}
            | {name: rounded(getattr(member, name).ravel()) for name in POPULATION_FIELDS}
            | _hands_to_json(member.hands)
            for member in populations.members
        ],
    }


def _hands_to_json(hands: tuple[Population, ...]) -> dict[str, Any]:
    if not hands:
        return {}
    return {"hands": [{name: rounded(getattr(h, name).ravel()) for name in HAND_FIELDS} for h in hands]}


def populations_from(d: dict[str, Any] | None, features: int) -> Populations | None:
    """The populations that `populations_to_json` wrote, for so many features. Raises KeyError, TypeError or
    ValueError."""
    if d is None:
        return None
    size = int(d["size"])
    if not (0 < size <= MOST_DIRECTIONS and 0 < len(d["members"]) <= MOST_POPULATIONS):
        raise ValueError("size")
    return Populations(
        array(d["centre"], features),
        array(d["directions"], features * size).reshape(features, size),
        positive(d["temper"]),
        tuple(_population(member, size) for member in d["members"]),
    )


def _population(d: dict[str, Any], size: int) -> Population:
    shapes = {
        "curve": (DEGREE + 1, size),
        "takes": (size, size),
        "occasions": (2 * size, 2 * size),
        "devices": (2 * size, 2 * size),
        "shift": (2 * size,),
    }
    fields = {name: array(d[name], math.prod(shape)).reshape(shape) for name, shape in shapes.items()}
    for name in ("takes", "occasions", "devices"):  # they were rounded when written
        fields[name] = _covariance(fields[name])
    member = Population(**fields, weight=finite(d["weight"]), hands=())
    hands = d.get("hands", [])  # older profiles have none
    if len(hands) > MOST_HANDS:
        raise ValueError("hands")
    known = (
        member.in_hand(
            array(hand["shift"], 2 * size),
            _covariance(array(hand["devices"], 4 * size * size).reshape(2 * size, 2 * size)),
        )
        for hand in hands
    )
    return replace(member, hands=tuple(known))


def _covariance(values: Floats) -> Floats:
    """Restores symmetry and non-negative eigenvalues. Raises ValueError for a matrix far from a covariance."""
    if np.abs(values - values.T).max() > 0.01 * np.abs(values).max():
        raise ValueError("covariance")
    eigenvalues, vectors = np.linalg.eigh((values + values.T) / 2)
    if eigenvalues[0] < -0.01 * eigenvalues[-1]:
        raise ValueError("covariance")
    return np.asarray((vectors * np.maximum(eigenvalues, 1e-9)) @ vectors.T)
