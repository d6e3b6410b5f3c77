"""A profile of the counting gesture: sets of igloos as weighed on their seats, in one JSON file that executes nothing.

One file may hold the sets of several makers by name (`device` of a recording). Its hash covers the whole body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from sensors.ear.frames.frontend import Sensor
from sensors.ear.profiles import profile_file
from sensors.ear.profiles.fitted_on import WeighedOn
from sensors.ear.profiles.profile_json import canonical, digest_of
from sensors.gesture.day import Day
from sensors.gesture.model import Noise, SetModel
from sensors.gesture.weigh import Empty

FORMAT = "polartable-gesture-profile"
VERSION = 2
OF_SIDEWAYS = (
    "tap_sideways",
    "rolling",
    "shear",
    "lean_sideways",
)  # of the noise, added after version 2


@dataclass(frozen=True, slots=True)
class KnownSet:
    """One set on its seat. quality: the usual quality factor of the loaded upright tone; empty: the empty seat's tones;
    level: gravity in the sensor's axes, or None; weighed_empty: the empty seat's tones on the reference day of all
    weighings, where part of the set was weighed more than once; empty_quality: the usual quality factor of the empty
    seat's upright tone, None in profiles fitted before it was kept."""

    model: SetModel
    quality: float
    empty: Empty
    level: tuple[float, float, float] | None
    weighed_empty: Empty | None = None
    empty_quality: float | None = None

    @property
    def day(self) -> Day:
        """A day of which nothing is known."""
        # igloos weighed more than once may have been weighed on several days, and `empty` is an average over these
        of_one_day = self.empty if all(times < 2 for times in self.model.weighed) else None
        return Day.unknown(self.model, self.weighed_empty or of_one_day)


@dataclass(frozen=True, slots=True)
class GestureProfile:
    """The result of `fit`. `sets` by device; `counts`: the possible answers; `sure_from`: least probability of
    `sure`."""

    sensor: Sensor
    counts: tuple[int, ...]
    sets: Mapping[str, KnownSet]
    sure_from: float
    fitted_on: WeighedOn
    accuracy: dict[str, Any]
    digest: str = ""

    def set_for(self, device: str | None) -> KnownSet | None:
        """The set called `device`; where no name is given and only one is known, that one."""
        if device in self.sets:
            return self.sets[device or ""]
        return next(iter(self.sets.values())) if device is None and len(self.sets) == 1 else None


def is_gesture_profile(path: Path) -> bool:
    """Does this file claim to be such a profile? Never raises: an unreadable file is none."""
    try:
        if not path.is_file():  # opening a pipe may wait for ever
            return False
        with path.open(encoding="utf-8") as file:
            return FORMAT in file.read(200)
    except (OSError, UnicodeDecodeError):
        return False


def save(profile: GestureProfile, path: Path) -> GestureProfile:
    """Write it whole or not at all; returns it with its digest. Raises ProfileError where it cannot be written."""
    text = profile_file.wrap(FORMAT, VERSION, _body(profile))
    profile_file.write(path, text)
    return parse(text, str(path))


def with_digest(profile: GestureProfile) -> GestureProfile:
    """The same with the digest that its file would have: for a profile that nobody saves but that lines refer to."""
    return replace(profile, digest=digest_of(canonical(_body(profile))))


def load(path: Path) -> GestureProfile:
    """Read a profile. Raises ProfileError, with one sentence, for anything but a whole profile of this kind."""
    return parse(profile_file.read(path), str(path))


def parse(text: str, where: str) -> GestureProfile:
    """A profile from its text; `where` names it in errors. Raises ProfileError."""
    return profile_file.unwrap(text, where, FORMAT, VERSION, _from_body)


def _body(profile: GestureProfile) -> dict[str, Any]:
    sets = {}
    for name, known in profile.sets.items():
        m = known.model
        sets[name] = {
            "counts": list(m.counts),
            "kappa": m.kappa,
            "bead": m.bead,
            "means": m.means.tolist(),
            "known": m.known.tolist(),
            "noise": {k: v for k, v in asdict(m.noise).items() if k not in OF_SIDEWAYS},
            "sideways": {k: v for k, v in asdict(m.noise).items() if k in OF_SIDEWAYS},
            "weighed": list(m.weighed),
            "quality": known.quality,
            "empty": [known.empty.sideways, known.empty.upright],
            "level": known.level,
        }
        if known.weighed_empty is not None:
            sets[name]["weighed_empty"] = [known.weighed_empty.sideways, known.weighed_empty.upright]
        if known.empty_quality is not None:
            sets[name]["empty_quality"] = known.empty_quality
    return {
        "sensor": profile.sensor,
        "counts": list(profile.counts),
        "sets": sets,
        "sure_from": profile.sure_from,
        "fitted_on": profile.fitted_on.to_json(),
        "accuracy": profile.accuracy,
    }


def _from_body(body: dict[str, Any], digest: str) -> GestureProfile:
    sets = {}
    for name, d in body["sets"].items():
        counts = tuple(int(n) for n in d["counts"])
        means, known = (np.asarray(d[k], np.float64) for k in ("means", "known"))
        if means.shape != (len(counts), 2) or known.shape != means.shape or not np.all(known > 0):
            raise ValueError("shapes")
        if not (np.all(np.isfinite(means)) and np.all(np.isfinite(known)) and float(d["bead"]) > 0):
            raise ValueError("numbers")
        noise = _noise(d["noise"], d.get("sideways"))
        level = (
            None if d["level"] is None else (float(d["level"][0]), float(d["level"][1]), float(d["level"][2]))
        )
        model = SetModel(
            counts,
            float(d["kappa"]),
            float(d["bead"]),
            means,
            known,
            noise,
            tuple(int(w) for w in d["weighed"]),
        )
        sets[str(name)] = KnownSet(
            model,
            float(d["quality"]),
            _empty(d["empty"]),
            level,
            _empty(d["weighed_empty"]) if "weighed_empty" in d else None,
            _quality(d["empty_quality"]) if "empty_quality" in d else None,
        )
    if body["sensor"] not in ("microphone", "accelerometer"):
        raise ValueError("sensor")
    return GestureProfile(
        body["sensor"],
        tuple(int(n) for n in body["counts"]),
        sets,
        float(body["sure_from"]),
        WeighedOn.read(body["fitted_on"]),
        dict(body["accuracy"]),
        digest,
    )


def _noise(loose: Mapping[str, Any], sideways: Mapping[str, Any] | None) -> Noise:
    """`sideways` is None for profiles fitted before s was known to scatter less than the loose mass."""
    n = {k: float(v) for k, v in loose.items()}
    if sideways is None:
        as_loose = n["tap_loose"], n["wander"], 0.0, n["lean"]
        return Noise(**n, **dict(zip(OF_SIDEWAYS, as_loose, strict=True)))
    return Noise(**n, **{k: float(sideways[k]) for k in OF_SIDEWAYS})


def _quality(value: Any) -> float:
    if not float(value) > 0:
        raise ValueError("quality")
    return float(value)


def _empty(tones: Sequence[Any]) -> Empty:
    return Empty(float(tones[0]), float(tones[1]))
