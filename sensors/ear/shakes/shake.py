"""One shake as numbers: what is left of the sound when it has been heard, and all that is ever judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sensors.ear.errors import ProfileError
from sensors.ear.frames.frontend import Array, Direction, Floats, Frames, FrontEnd, Sensor
from sensors.ear.shakes.features import features_of, strength
from sensors.ear.shakes.hum import humming
from sensors.ear.shakes.overlap import several
from sensors.ear.shakes.takes import cut

# what `imagined` calls its features; it is not loaded for the name's sake
IMAGINED = "imagined."
_NAMES: dict[str, tuple[str, ...]] = {}  # of the features of a front end: one object for all shakes


@lru_cache(maxsize=64)
def _places(made: tuple[str, ...], names: tuple[str, ...]) -> npt.NDArray[np.intp]:
    index = {name: i for i, name in enumerate(made)}
    unknown = [name for name in names if name not in index]
    if unknown:
        raise ProfileError(
            f"the profile knows features that nobody measures here ({unknown[0]}, of {len(unknown)})",
            "fit it again with `polartable calibrate igloos fit`",
        )
    return np.array([index[name] for name in names], dtype=np.intp)


@dataclass(frozen=True, slots=True)
class Shake:
    """Features of a trimmed shake; times in seconds since the start of the frames it was cut from."""

    front: FrontEnd
    names: tuple[str, ...]
    values: Floats  # [features]
    strength: float  # ln, see sensors.ear.shakes.features.strength
    strokes: int
    start_s: float
    end_s: float
    several: float = -1.0  # log odds that more than one igloo is in it; above 0: say so
    felt: npt.NDArray[np.float16] | None = None  # as in Frames, for beads to be thrown again
    floor: Direction | None = None  # the igloo's, as it was found
    known: Direction | None = None  # … or as it was known before
    beside: tuple[Shake, ...] = ()  # the same through other front ends
    humming: tuple[int, ...] = ()  # bands in which the mains hum so loud that they cover it

    @property
    def seconds(self) -> float:
        return self.end_s - self.start_s

    def through(self, front: FrontEnd) -> Shake | None:
        """The same shake as this front end shows it; None where nobody looked."""
        return next((shake for shake in (self, *self.beside) if shake.front == front), None)

    def pick(self, names: tuple[str, ...]) -> Floats:
        """The values of `names`, float64[names]. Raises ProfileError for a name this front end does not make."""
        if names is self.names or names == self.names:
            return self.values
        return self.values[_places(self.names, names)]

    def on(self, known: Direction | None) -> Shake:
        """The same shake of an igloo of which it is known how its floor lies; None: nobody knows, it stays as it is."""
        if known is None or known == self.known or self.felt is None:
            return self
        again = _imagined_again(self.felt.tobytes(), known)
        values = self.values.copy()
        values[_places(self.names, tuple(again))] = list(again.values())
        return replace(self, values=values, known=known)


@lru_cache(maxsize=1024)  # every start and front end of a fit asks the same; a take's key is some 8 kB
def _imagined_again(felt: bytes, known: Direction) -> dict[str, float]:
    from sensors.ear.shakes.imagined import imagined

    again, _ = imagined(
        np.frombuffer(felt, np.float16).reshape(-1, 6), known=known, thrown=_thrown_before(felt)
    )
    return again


# `imagined` adds to the dictionary what it throws. Fits that leave out different sessions take the floor to lie nearly
# alike, so most of that is asked for again.
@lru_cache(maxsize=1024)
def _thrown_before(felt: bytes) -> dict[tuple[Any, ...], Floats]:
    return {}


def load_filters() -> None:
    """Load what every ear filters with: a second of starting, or several, that a table without an ear does without."""
    import scipy.signal  # noqa: F401


def get_ready(sensor: Sensor) -> None:
    """Load and compile what shakes of this sensor need, seconds the first time on a machine: not while one is heard.

    What loads machine code is 60 MB of memory that a microphone does without, so nothing loads it before it is needed.
    """
    load_filters()
    if sensor == "accelerometer":
        from sensors.ear.shakes.imagined import ready

        ready()


def shake_of(
    front: FrontEnd,
    frames: Frames,
    *,
    quick: bool = False,
    known: Direction | None = None,
    like: Shake | None = None,
    after: Array | None = None,
) -> Shake | None:
    """Cut and measure; None where nothing but silence or a click is in the frames. `quick`: for a partial answer, which
    asks not whether it is a shake at all, or of one igloo, and imagines less. `known`: how the igloo's floor lies.
    `like`: the same shake through another front end, for which beads were imagined already. `after`: energy of what
    was heard after `frames`, in which it is asked whether the mains hum."""
    take = cut(front, frames)
    if take is None:
        return None
    features = features_of(take)
    felt, floor = None, None
    if like is not None:
        told = zip(like.names, like.values.tolist(), strict=True)
        features |= {name: value for name, value in told if name.startswith(IMAGINED)}
        felt, floor, known = like.felt, like.floor, like.known
    elif front.hand:
        from sensors.ear.shakes.imagined import imagined  # see get_ready

        felt = take.felt.astype(np.float16)  # 3 kB a second: a fit keeps thousands of shakes
        thrown, floor = imagined(felt, quick, known)
        features |= thrown
    names = _NAMES.setdefault(front.name, tuple(features))
    values = np.fromiter(features.values(), dtype=np.float64, count=len(features))
    judged = quick or like is not None  # that is asked but once
    at = front.frame_rate
    hums: tuple[int, ...] = ()
    if not judged and not front.hand:
        after = frames.energy[:0] if after is None else after
        hums = humming(frames.energy, take.first, take.end, after, at)
    return Shake(
        front=front,
        names=names,
        values=values,
        strength=strength(take),
        strokes=len(take.strokes),
        start_s=take.first / at,
        end_s=take.end / at,
        several=-1.0 if judged else several(take),
        felt=felt,
        floor=floor,
        known=known,
        humming=hums,
    )
