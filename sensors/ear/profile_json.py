"""A profile as plain JSON and back: numbers, names and nothing that could be executed."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from sensors.ear.errors import ProfileError
from sensors.ear.frontend import FRONT_ENDS, Direction, Floats
from sensors.ear.heads import Head, Profile, Usual
from sensors.ear.model import LEAN, EarModel, Expert
from sensors.ear.net import GROUP, MOST_READ, net_for
from sensors.ear.population import (
    DEGREE,
    MOST_DIRECTIONS,
    MOST_HANDS,
    MOST_POPULATIONS,
    Population,
    Populations,
)
from sensors.ear.reading import Reading, readable
from sensors.ear.relative import Relative
from sensors.ear.ridge import Scaling

POPULATION_FIELDS = ("curve", "takes", "occasions", "devices", "shift")
HAND_FIELDS = ("shift", "devices")


def _numbers(values: Floats) -> list[float]:
    return [float(f"{v:.7g}") for v in values]


def _model_to_json(model: EarModel) -> dict[str, Any]:
    return {
        "names": list(model.names),
        "median": _numbers(model.scaling.median),
        "spread": _numbers(model.scaling.spread),
        "experts": _experts_to_json(model.experts),
        "shares": _numbers(model.shares),
        "offset": model.offset,
        "slope": model.slope,
        "sigma": model.sigma,
        "counts": list(model.counts),
        "populations": _populations_to_json(model.populations),
        "lean": model.lean,
        "reading": _reading_to_json(model.reading),
    }


def _reading_to_json(reading: Reading | None) -> dict[str, Any] | None:
    if reading is None:
        return None
    return {
        "columns": reading.columns.tolist(),
        "slopes": _numbers(reading.slopes.ravel()),
        "intercepts": _numbers(reading.intercepts),
        "weight": reading.weight,
    }


def _populations_to_json(populations: Populations | None) -> dict[str, Any] | None:
    if populations is None:
        return None
    return {
        "size": populations.directions.shape[1],
        "temper": populations.temper,
        "centre": _numbers(populations.centre),
        "directions": _numbers(populations.directions.ravel()),
        "members": [
            {"weight": member.weight}
            | {name: _numbers(getattr(member, name).ravel()) for name in POPULATION_FIELDS}
            | _hands_to_json(member.hands)
            for member in populations.members
        ],
    }


def _hands_to_json(hands: tuple[Population, ...]) -> dict[str, Any]:
    if not hands:
        return {}
    return {"hands": [{name: _numbers(getattr(h, name).ravel()) for name in HAND_FIELDS} for h in hands]}


def _experts_to_json(experts: tuple[Expert, ...]) -> list[dict[str, Any]]:
    return [
        {
            "group": e.group,
            "columns": e.columns.tolist(),
            "intercept": float(f"{e.intercept:.9g}"),
            "slopes": _numbers(e.slopes),
        }
        for e in experts
    ]


def _relative_to_json(relative: Relative | None) -> dict[str, Any] | None:
    if relative is None:
        return None
    return {
        "names": list(relative.names),
        "median": _numbers(relative.scaling.median),
        "spread": _numbers(relative.scaling.spread),
        "experts": _experts_to_json(relative.experts),
        "shares": _numbers(relative.shares),
        "sigma": relative.sigma,
    }


def body_of(profile: Profile) -> dict[str, Any]:
    return {
        "sensor": profile.sensor,
        "rate": profile.rate,
        "fixed": profile.fixed,
        "counts": list(profile.counts),
        "heads": [
            {
                "front": head.front.name,
                "net": _net_of(head),
                "model": _model_to_json(head.model),
                "relative": _relative_to_json(head.relative),
                "floor": None if head.floor is None else list(head.floor),
                "sure_from": head.sure_from,
                "strength": [head.strength_low, head.strength_middle, head.strength_high],
                "usual": {
                    "names": list(head.usual.names),
                    "median": _numbers(head.usual.scaling.median),
                    "spread": _numbers(head.usual.scaling.spread),
                    "limit": head.usual.limit,
                },
            }
            for head in profile.heads
        ],
        "fitted_on": profile.fitted_on,
        "accuracy": profile.accuracy,
    }


def _net_of(head: Head) -> str | None:
    """The network whose features this head needs; None where it needs none."""
    names = head.model.names + (head.relative.names if head.relative else ())
    net = net_for(head.front.name) if any(name.startswith(GROUP + ".") for name in names) else None
    return net.digest if net else None


def _floor(d: list[Any] | None) -> Direction | None:
    """None in profiles from before sweeps told of it. Raises ValueError for what is no unit vector."""
    if d is None:
        return None
    x, y, z = (float(v) for v in d)
    if not abs(math.hypot(x, y, z) - 1) < 1e-3:
        raise ValueError("floor")
    return x, y, z


def _check_net(front: str, wanted: str | None) -> None:
    net = net_for(front)
    if wanted is not None and (net is None or net.digest != wanted):
        raise ProfileError(
            f"the profile was fitted with another network for {front} than this version has",
            "fit it again on its recordings: `polartable calibrate igloos fit`",
        )


def digest_of(body: dict[str, Any]) -> str:
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def _array(values: Any, length: int) -> Floats:
    out = np.asarray(values, dtype=np.float64)
    if out.shape != (length,) or not np.all(np.isfinite(out)):
        raise ValueError("numbers")
    return out


def _columns(values: Any, size: int) -> npt.NDArray[np.intp]:
    columns = np.asarray(values, dtype=np.intp)
    if columns.ndim != 1 or (len(columns) and not (columns.min() >= 0 and columns.max() < size)):
        raise ValueError("columns")
    return columns


def _experts(entries: Any, size: int) -> tuple[Expert, ...]:
    experts = []
    for e in entries:
        columns = _columns(e["columns"], size)
        experts.append(
            Expert(str(e["group"]), columns, float(e["intercept"]), _array(e["slopes"], len(columns)))
        )
    if not experts:
        raise ValueError("experts")
    return tuple(experts)


def _relative(d: dict[str, Any] | None) -> Relative | None:
    if d is None:
        return None
    names = tuple(str(n) for n in d["names"])
    experts = _experts(d["experts"], len(names))
    scaling = Scaling(_array(d["median"], len(names)), _array(d["spread"], len(names)))
    return Relative(names, scaling, experts, _array(d["shares"], len(experts) + 1), _positive(d["sigma"]))


def _positive(value: Any) -> float:
    number = float(value)
    if not 0 < number < 100:
        raise ValueError("out of range")
    return number


def _model(d: dict[str, Any]) -> EarModel:
    names = tuple(str(n) for n in d["names"])
    experts = _experts(d["experts"], len(names))
    scaling = Scaling(_array(d["median"], len(names)), _array(d["spread"], len(names)))
    counts = tuple(int(c) for c in d["counts"])
    return EarModel(
        names,
        scaling,
        experts,
        _array(d["shares"], len(experts)),
        float(d["offset"]),
        _positive(d["slope"]),
        _positive(d["sigma"]),
        counts,
        _populations(d.get("populations"), len(names)),
        _share(d.get("lean", LEAN)),
        _reading(d.get("reading"), len(names), counts),
    )


def _reading(d: dict[str, Any] | None, features: int, counts: tuple[int, ...]) -> Reading | None:
    if d is None:
        return None
    if not readable(counts):
        raise ValueError("counts")
    columns = _columns(d["columns"], features)
    slopes = _array(d["slopes"], len(columns) * MOST_READ).reshape(len(columns), MOST_READ)
    return Reading(columns, slopes, _array(d["intercepts"], MOST_READ), _share(d["weight"]))


def _share(value: Any) -> float:
    number = float(value)
    if not 0 <= number <= 1:
        raise ValueError("out of range")
    return number


def _populations(d: dict[str, Any] | None, features: int) -> Populations | None:
    if d is None:
        return None
    size = int(d["size"])
    if not (0 < size <= MOST_DIRECTIONS and 0 < len(d["members"]) <= MOST_POPULATIONS):
        raise ValueError("size")
    return Populations(
        _array(d["centre"], features),
        _array(d["directions"], features * size).reshape(features, size),
        _positive(d["temper"]),
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
    fields = {name: _array(d[name], math.prod(shape)).reshape(shape) for name, shape in shapes.items()}
    for name in ("takes", "occasions", "devices"):  # rounded on the way
        fields[name] = _covariance(fields[name])
    weight = float(d["weight"])
    if not math.isfinite(weight):
        raise ValueError("weight")
    member = Population(**fields, weight=weight, hands=())
    hands = d.get("hands", [])  # older profiles have none
    if len(hands) > MOST_HANDS:
        raise ValueError("hands")
    known = (
        member.in_hand(
            _array(hand["shift"], 2 * size),
            _covariance(_array(hand["devices"], 4 * size * size).reshape(2 * size, 2 * size)),
        )
        for hand in hands
    )
    return replace(member, hands=tuple(known))


def _covariance(values: Floats) -> Floats:
    """Symmetric again, and never below zero. Raises ValueError for what is far from a covariance."""
    eigenvalues, vectors = np.linalg.eigh((values + values.T) / 2)
    if eigenvalues[0] < -0.01 * eigenvalues[-1]:
        raise ValueError("covariance")
    return np.asarray((vectors * np.maximum(eigenvalues, 1e-9)) @ vectors.T)


def profile_of(body: dict[str, Any], digest: str) -> Profile:
    fronts = {front.name: front for front in FRONT_ENDS}
    heads = []
    for h in body["heads"]:
        _check_net(h["front"], h.get("net"))
        low, middle, high = (float(v) for v in h["strength"])
        usual = h["usual"]
        names = tuple(str(n) for n in usual["names"])
        scaling = Scaling(_array(usual["median"], len(names)), _array(usual["spread"], len(names)))
        heads.append(
            Head(
                fronts[h["front"]],
                _model(h["model"]),
                float(h["sure_from"]),
                middle,
                low,
                high,
                Usual(names, scaling, float(usual["limit"])),
                _relative(h["relative"]),
                _floor(h.get("floor")),
            )
        )
    counts = tuple(int(c) for c in body["counts"])
    if not heads or body["sensor"] not in ("microphone", "accelerometer"):
        raise ValueError("heads")
    if len(set(counts)) != len(counts) or any(head.model.counts != counts for head in heads):
        raise ValueError("counts")
    scalings = [s for head in heads for s in (head.model.scaling, head.usual.scaling)]
    if not all(np.all(s.spread > 0) for s in scalings):
        raise ValueError("spread")
    return Profile(
        body["sensor"],
        float(body["rate"]),
        bool(body["fixed"]),
        counts,
        tuple(heads),
        dict(body["fitted_on"]),
        dict(body["accuracy"]),
        digest,
    )
