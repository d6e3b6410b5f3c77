"""A profile as plain JSON and back: numbers and names, nothing that could be executed."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

import numpy as np

from sensors.ear.errors import ProfileError
from sensors.ear.frames.frontend import FRONT_ENDS, Direction
from sensors.ear.models.ridge import Scaling
from sensors.ear.profiles.fitted_on import FittedOn
from sensors.ear.profiles.heads import Head, Profile, Usual
from sensors.ear.profiles.json_numbers import LARGEST, array, finite, positive, rounded
from sensors.ear.profiles.model_json import model_from, model_to_json, relative_from, relative_to_json
from sensors.ear.shakes.net import GROUP, net_for

STRONGEST = 100.0  # ln; no strength is further from 0, and its exponential would overflow


def body_of(profile: Profile) -> dict[str, Any]:
    """All of a profile except its hash, as plain data for `profile_of`."""
    return {
        "sensor": profile.sensor,
        "rate": profile.rate,
        "fixed": profile.fixed,
        "counts": list(profile.counts),
        "heads": [
            {
                "front": head.front.name,
                "net": _net_of(head),
                "model": model_to_json(head.model),
                "relative": relative_to_json(head.relative),
                "floor": None if head.floor is None else list(head.floor),
                "sure_from": head.sure_from,
                "strength": [head.strength_low, head.strength_middle, head.strength_high],
                "usual": {
                    "names": list(head.usual.names),
                    "median": rounded(head.usual.scaling.median),
                    "spread": rounded(head.usual.scaling.spread),
                    "limit": head.usual.limit,
                },
                "strange_from": head.strange_from,
            }
            for head in profile.heads
        ],
        "fitted_on": profile.fitted_on.to_json(),
        "accuracy": profile.accuracy,
    }


def _net_of(head: Head) -> str | None:
    """The network whose features this head needs; None where it needs none."""
    names = head.model.names + (head.relative.names if head.relative else ())
    net = net_for(head.front.name) if any(name.startswith(GROUP + ".") for name in names) else None
    return net.digest if net else None


def _floor(d: list[Any] | None) -> Direction | None:
    """None in profiles of before sweeps determined it. Raises ValueError for anything but a unit vector."""
    if d is None:
        return None
    x, y, z = (float(v) for v in d)
    if not abs(math.hypot(x, y, z) - 1) < 1e-3:
        raise ValueError("floor")
    return x, y, z


def _strengths(values: list[Any]) -> tuple[float, float, float]:
    """Low, middle and high. Raises ValueError where they are not in that order or too large."""
    low, middle, high = (finite(v) for v in values)
    if not -STRONGEST < low <= middle <= high < STRONGEST:
        raise ValueError("strength")
    return low, middle, high


def _usual(d: dict[str, Any]) -> Usual:
    """Raises ValueError where no feature is named: there would be no mean."""
    names = tuple(str(n) for n in d["names"])
    if not names:
        raise ValueError("usual")
    scaling = Scaling(array(d["median"], len(names)), array(d["spread"], len(names)))
    return Usual(names, scaling, positive(d["limit"]))


def _strange_from(value: Any) -> float | None:
    """It grows with how unlike all that was learned the takes are (sensors.ear.verdicts.drift), hundreds or more."""
    return None if value is None else positive(value, LARGEST)


def _check_net(front: str, wanted: str | None) -> None:
    net = net_for(front)
    if wanted is not None and (net is None or net.digest != wanted):
        raise ProfileError(
            f"it was fitted with another network for {front} than this version has",
            "fit it again on its recordings: `polartable calibrate igloos fit`",
        )


def canonical(body: dict[str, Any]) -> str:
    """The canonical text of a body, from which its digest is computed. Raises ValueError for values that are not
    numbers."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest_of(text: str) -> str:
    """The digest of a body's canonical text."""
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def profile_of(body: dict[str, Any], digest: str) -> Profile:
    """The profile that `body_of` wrote. Raises KeyError, TypeError or ValueError for anything else, and ProfileError
    for a network that is missing here, or a faulty memory of its takes."""
    fronts = {front.name: front for front in FRONT_ENDS}
    heads = []
    for h in body["heads"]:
        front = fronts[h["front"]]  # a known name, checked before it becomes part of a file name
        _check_net(front.name, h.get("net"))
        low, middle, high = _strengths(h["strength"])
        heads.append(
            Head(
                front=front,
                model=model_from(h["model"]),
                sure_from=positive(h["sure_from"]),
                strength_middle=middle,
                strength_low=low,
                strength_high=high,
                usual=_usual(h["usual"]),
                relative=relative_from(h["relative"]),
                floor=_floor(h.get("floor")),
                strange_from=_strange_from(h.get("strange_from")),
            )
        )
    known = FittedOn.read(body["fitted_on"])
    counts = tuple(int(c) for c in body["counts"])
    if not heads or any(head.front.sensor != body["sensor"] for head in heads):
        raise ValueError("heads")
    if any(head.model.counts != counts for head in heads):  # model_from has checked theirs
        raise ValueError("counts")
    scalings = [s for head in heads for s in (head.model.scaling, head.usual.scaling)]
    scalings += [head.relative.scaling for head in heads if head.relative]
    if not all(np.all(s.spread > 0) for s in scalings):
        raise ValueError("spread")
    return Profile(
        sensor=body["sensor"],
        rate=finite(body["rate"]),
        fixed=bool(body["fixed"]),
        counts=counts,
        heads=tuple(heads),
        fitted_on=known,
        accuracy=dict(body["accuracy"]),
        digest=digest,
        # null means no network; a missing key means that the file is older than networks, and the sound is now heard
        # differently
        of_before=any("net" not in h and net_for(h["front"]) is not None for h in body["heads"]),
    )
