"""The models of a profile's head, for single shakes and for whole sets, as plain JSON and back."""

from __future__ import annotations

from typing import Any

from sensors.ear.models.model import LEAN, EarModel, Expert, Weights
from sensors.ear.models.reading import Reading, readable
from sensors.ear.models.relative import Relative
from sensors.ear.models.ridge import Scaling
from sensors.ear.profiles.json_numbers import array, finite, indices, positive, rounded, share
from sensors.ear.profiles.population_json import populations_from, populations_to_json
from sensors.ear.shakes.net import MOST_READ

MOST_BEADS = 1000  # in an igloo, as in recordings


def model_to_json(model: EarModel) -> dict[str, Any]:
    """As plain data for `model_from`, numbers to seven digits."""
    return {
        "names": list(model.names),
        "median": rounded(model.scaling.median),
        "spread": rounded(model.scaling.spread),
        "experts": _experts_to_json(model.experts),
        "shares": rounded(model.shares),
        "offset": model.offset,
        "slope": model.slope,
        "sigma": model.sigma,
        "counts": list(model.counts),
        "populations": populations_to_json(model.populations),
        "lean": model.lean,
        "reading": reading_to_json(model.reading),
        "for_strangers": None if model.for_strangers is None else list(model.for_strangers),
    }


def reading_to_json(reading: Reading | None) -> dict[str, Any] | None:
    """As plain data for `reading_from`."""
    if reading is None:
        return None
    return {
        "columns": reading.columns.tolist(),
        "slopes": rounded(reading.slopes.ravel()),
        "intercepts": rounded(reading.intercepts),
        "weight": reading.weight,
    }


def _experts_to_json(experts: tuple[Expert, ...]) -> list[dict[str, Any]]:
    return [
        {
            "group": e.group,
            "columns": e.columns.tolist(),
            "intercept": float(f"{e.intercept:.9g}"),
            "slopes": rounded(e.slopes),
        }
        for e in experts
    ]


def relative_to_json(relative: Relative | None) -> dict[str, Any] | None:
    """As plain data for `relative_from`."""
    if relative is None:
        return None
    return {
        "names": list(relative.names),
        "median": rounded(relative.scaling.median),
        "spread": rounded(relative.scaling.spread),
        "experts": _experts_to_json(relative.experts),
        "shares": rounded(relative.shares),
        "sigma": relative.sigma,
    }


def counts_from(values: Any) -> tuple[int, ...]:
    """Two or more counts, ascending, within 1 to MOST_BEADS. Raises ValueError otherwise."""
    counts = tuple(int(n) for n in values)
    if len(counts) < 2 or list(counts) != sorted(set(counts)) or counts[0] < 1 or counts[-1] > MOST_BEADS:
        raise ValueError("counts")
    return counts


def model_from(d: dict[str, Any]) -> EarModel:
    """The model that `model_to_json` wrote. Raises KeyError, TypeError or ValueError for anything else."""
    names = tuple(str(n) for n in d["names"])
    experts = _experts_from(d["experts"], len(names))
    scaling = Scaling(array(d["median"], len(names)), array(d["spread"], len(names)))
    counts = counts_from(d["counts"])
    return EarModel(
        names=names,
        scaling=scaling,
        experts=experts,
        shares=array(d["shares"], len(experts)),
        offset=finite(d["offset"]),
        slope=positive(d["slope"]),
        sigma=positive(d["sigma"]),
        counts=counts,
        populations=populations_from(d.get("populations"), len(names)),
        lean=share(d.get("lean", LEAN)),
        reading=reading_from(d.get("reading"), len(names), counts),
        for_strangers=_weights_from(d.get("for_strangers")),
    )


def _weights_from(d: Any) -> Weights | None:
    if d is None:
        return None
    populations, reading = d
    return Weights(share(populations), share(reading))


def reading_from(d: dict[str, Any] | None, features: int, counts: tuple[int, ...]) -> Reading | None:
    """The reading that `reading_to_json` wrote, for so many features. Raises KeyError, TypeError or ValueError for
    anything else."""
    if d is None:
        return None
    if not readable(counts):
        raise ValueError("counts")
    columns = indices(d["columns"], features)
    slopes = array(d["slopes"], len(columns) * MOST_READ).reshape(len(columns), MOST_READ)
    return Reading(columns, slopes, array(d["intercepts"], MOST_READ), share(d["weight"]))


def _experts_from(entries: Any, size: int) -> tuple[Expert, ...]:
    experts = []
    for e in entries:
        columns = indices(e["columns"], size)
        experts.append(
            Expert(str(e["group"]), columns, finite(e["intercept"]), array(e["slopes"], len(columns)))
        )
    if not experts:
        raise ValueError("experts")
    return tuple(experts)


def relative_from(d: dict[str, Any] | None) -> Relative | None:
    """The model that `relative_to_json` wrote. Raises KeyError, TypeError or ValueError for anything else."""
    if d is None:
        return None
    names = tuple(str(n) for n in d["names"])
    experts = _experts_from(d["experts"], len(names))
    scaling = Scaling(array(d["median"], len(names)), array(d["spread"], len(names)))
    return Relative(names, scaling, experts, array(d["shares"], len(experts) + 1), positive(d["sigma"]))
