"""A profile: everything the ear learned about one kind of sensor, in one JSON file that cannot execute anything.

A profile holds one head for each front end that it can serve (a slow accelerometer fills fewer bands than a fast one);
its hash covers the whole body, so a file that was cut short or edited by hand is refused.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from sensors.ear.errors import ProfileError
from sensors.ear.frontend import FRONT_ENDS, Floats, FrontEnd, Sensor
from sensors.ear.model import EarModel, Expert
from sensors.ear.relative import Relative
from sensors.ear.ridge import Scaling

FORMAT = "polartable-ear-profile"
VERSION = 1
LARGEST = 32 * 2**20  # bytes; a profile is some hundred kilobytes
SHIPPED: dict[str, str] = {
    "microphone": "microphone.profile",
    "accelerometer": "accelerometer.profile",
    "contact": "contact.profile",
}


@dataclass(frozen=True, slots=True)
class Usual:
    """What shakes are like: middle and spread of some features, to know a shake from talk and from a drifted sensor."""

    names: tuple[str, ...]
    scaling: Scaling
    limit: float  # mean squared robust deviation beyond which a sound is no shake of this kind


@dataclass(frozen=True, slots=True)
class Head:
    """One front end's model, the least probability of a `sure` verdict, and the band of strengths it was fitted in."""

    front: FrontEnd
    model: EarModel
    sure_from: float
    strength_middle: float  # ln
    strength_low: float  # ln; below it counting got worse, or nothing was recorded
    strength_high: float
    usual: Usual
    relative: Relative | None = None  # for whole sets


@dataclass(frozen=True, slots=True)
class Profile:
    """A fitted ear. `fitted_on` and `accuracy` are plain data for people; `digest` is the hash of the body."""

    sensor: Sensor
    rate: float  # Hz, typical of the recordings
    fixed: bool  # the sensor sits on the shell: absolute size counts too
    counts: tuple[int, ...]
    heads: tuple[Head, ...]  # the finest first
    fitted_on: dict[str, Any]
    accuracy: dict[str, Any]
    digest: str = ""

    def head_for(self, sensor: Sensor, rate: float) -> Head:
        """The finest head that a source fills. Raises ProfileError for another sensor or too slow a rate."""
        if sensor != self.sensor:
            raise ProfileError(
                f"the profile was made for a {self.sensor}, and this is a {sensor}",
                f"take a profile for a {sensor}, or fit one with `polartable calibrate igloos fit`",
            )
        for head in self.heads:
            if rate >= head.front.least_rate:
                return head
        least = min(head.front.least_rate for head in self.heads)
        raise ProfileError(
            f"the profile needs at least {least:g} Hz, and this source has {rate:g} Hz",
            "record faster, or fit a profile on recordings of this rate",
        )


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
    }


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


def _body(profile: Profile) -> dict[str, Any]:
    return {
        "sensor": profile.sensor,
        "rate": profile.rate,
        "fixed": profile.fixed,
        "counts": list(profile.counts),
        "heads": [
            {
                "front": head.front.name,
                "model": _model_to_json(head.model),
                "relative": _relative_to_json(head.relative),
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


def _digest(body: dict[str, Any]) -> str:
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def save(profile: Profile, path: Path) -> Profile:
    """Write the profile whole or not at all; returns it with its digest. Raises ProfileError where it cannot."""
    body = _body(profile)
    digest = _digest(body)
    text = json.dumps(
        {"format": FORMAT, "version": VERSION, "digest": digest, "body": body}, separators=(",", ":")
    )
    beside = path.with_name(path.name + ".part")
    try:
        beside.write_text(text + "\n", encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise ProfileError(f"{path} cannot be written ({error.strerror})", "choose another folder") from error
    return parse(text, str(path))


def load(path: Path) -> Profile:
    """Read a profile. Raises ProfileError, with one sentence, for whatever is not a whole profile of ours."""
    try:
        if path.stat().st_size > LARGEST:
            raise ProfileError(
                f"{path} is far too large for a profile", "name a file made by `calibrate igloos fit`"
            )
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ProfileError(
            f"{path} cannot be read ({error.strerror})", "check the name of the profile"
        ) from error
    except UnicodeDecodeError as error:
        raise ProfileError(f"{path} is no profile", "name a file made by `calibrate igloos fit`") from error
    return parse(text, str(path))


def load_shipped(kind: str) -> Profile:
    """The profile that came with the product: `microphone`, `accelerometer` or `contact`."""
    return parse(
        resources.files("sensors").joinpath("profiles", SHIPPED[kind]).read_text("utf-8"), SHIPPED[kind]
    )


def parse(text: str, where: str) -> Profile:
    """A profile from its text; `where` names it in errors. Raises ProfileError."""
    again = "fit it again with `polartable calibrate igloos fit`, or copy it anew"
    try:
        outer = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{where} is no profile, or only a part of one", again) from error
    if not isinstance(outer, dict) or outer.get("format") != FORMAT:
        raise ProfileError(
            f"{where} is no profile of Polartable", "name a file made by `calibrate igloos fit`"
        )
    if outer.get("version") != VERSION:
        raise ProfileError(f"{where} was written by another version ({outer.get('version')!r})", again)
    body = outer.get("body")
    try:
        if not isinstance(body, dict) or _digest(body) != outer.get("digest"):
            raise ProfileError(f"{where} is damaged: its contents do not match its hash", again)
        return _from_body(body, str(outer["digest"]))
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        if isinstance(error, ProfileError):
            raise
        raise ProfileError(f"{where} is damaged: {type(error).__name__} in its contents", again) from error


def _array(values: Any, length: int) -> Floats:
    out = np.asarray(values, dtype=np.float64)
    if out.shape != (length,) or not np.all(np.isfinite(out)):
        raise ValueError("numbers")
    return out


def _experts(entries: Any, size: int) -> tuple[Expert, ...]:
    experts = []
    for e in entries:
        columns = np.asarray(e["columns"], dtype=np.intp)
        if columns.ndim != 1 or (len(columns) and not (columns.min() >= 0 and columns.max() < size)):
            raise ValueError("columns")
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
    return EarModel(
        names,
        scaling,
        experts,
        _array(d["shares"], len(experts)),
        float(d["offset"]),
        _positive(d["slope"]),
        _positive(d["sigma"]),
        tuple(int(c) for c in d["counts"]),
    )


def _from_body(body: dict[str, Any], digest: str) -> Profile:
    fronts = {front.name: front for front in FRONT_ENDS}
    heads = []
    for h in body["heads"]:
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
            )
        )
    if not heads or body["sensor"] not in ("microphone", "accelerometer"):
        raise ValueError("heads")
    return Profile(
        body["sensor"],
        float(body["rate"]),
        bool(body["fixed"]),
        tuple(int(c) for c in body["counts"]),
        tuple(heads),
        dict(body["fitted_on"]),
        dict(body["accuracy"]),
        digest,
    )
