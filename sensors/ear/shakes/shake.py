"""One shake as numbers: all that is kept of the sound, and all that is ever judged."""

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
from sensors.ear.shakes.overlap import hands
from sensors.ear.shakes.takes import cut

# prefix of the features of `imagined`, which is not imported just for its name
IMAGINED = "imagined."
_NAMES: dict[str, tuple[str, ...]] = {}  # feature names by front end: one tuple for all shakes


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
    paced: float = 1.0  # share of its rising and falling at one pace, as a hand has it
    gaps: float = 0.0  # how far its middle level is below what is loud in it, ln: the lower, the emptier
    felt: npt.NDArray[np.float16] | None = None  # as in Frames, so that beads can be thrown again
    floor: Direction | None = None  # normal of the igloo's floor as estimated from this shake
    known: Direction | None = None  # or as it was known before
    beside: tuple[Shake, ...] = ()  # the same through other front ends
    humming: tuple[int, ...] = ()  # bands in which the mains hum so loudly that they cover the shake

    @property
    def seconds(self) -> float:
        return self.end_s - self.start_s

    def through(self, front: FrontEnd) -> Shake | None:
        """The same shake as seen through this front end; None where it was not measured there."""
        return next((shake for shake in (self, *self.beside) if shake.front == front), None)

    def pick(self, names: tuple[str, ...]) -> Floats:
        """The values of `names`, float64[names]. Raises ProfileError for a name that this front end does not make."""
        if names is self.names or names == self.names:
            return self.values
        return self.values[_places(self.names, names)]

    def on(self, known: Direction | None) -> Shake:
        """The same shake, given the known orientation of the igloo's floor; None: unknown, the shake stays as it is."""
        if known is None or known == self.known or self.felt is None:
            return self
        again = _imagined_again(self.felt.tobytes(), known)
        values = self.values.copy()
        values[_places(self.names, tuple(again))] = list(again.values())
        return replace(self, values=values, known=known)


@lru_cache(maxsize=1024)  # every start and every front end of a fit needs the same; a take's key is some 8 kB
def _imagined_again(felt: bytes, known: Direction) -> dict[str, float]:
    from sensors.ear.shakes.imagined import imagined

    again, _ = imagined(
        np.frombuffer(felt, np.float16).reshape(-1, 6), known=known, thrown=_thrown_before(felt)
    )
    return again


# `imagined` adds its throws to the dictionary. Fits that leave out different sessions find nearly the same floor, so
# most throws are needed again.
@lru_cache(maxsize=1024)
def _thrown_before(felt: bytes) -> dict[tuple[Any, ...], Floats]:
    return {}


@lru_cache(maxsize=32)  # of each igloo at a table the latest
def _imagined_soon(felt: bytes, known: Direction | None) -> tuple[dict[str, float], Direction | None]:
    from sensors.ear.shakes.imagined import imagined

    return imagined(np.frombuffer(felt, np.float16).reshape(-1, 6), known=known, soon=True)


def with_beads(shake: Shake, *, quick: bool = False, soon: bool = False) -> Shake:
    """The same shake with beads imagined for it, as `shake_of` does where it is not told otherwise: of all that is
    measured this costs most. `soon`: somebody waits, so several processors may work, and what was foreseen is used."""
    if shake.felt is None:
        return shake
    from sensors.ear.shakes.imagined import imagined  # see get_ready

    if soon:
        thrown, floor = _imagined_soon(shake.felt.tobytes(), shake.known)
    else:
        thrown, floor = imagined(shake.felt, quick, shake.known)
    values = shake.values.copy()
    values[_places(shake.names, tuple(thrown))] = list(thrown.values())
    return replace(shake, values=values, floor=floor)


def load_filters() -> None:
    """Load the filters of every ear. This takes a second or more, which the start of a table without an ear does
    without."""
    import scipy.signal  # noqa: F401


def get_ready(sensor: Sensor) -> None:
    """Load and compile what shakes of this sensor need. The first time on a machine that takes seconds, so it must not
    happen during a shake.

    Loading the machine code takes 60 MB of memory, which a microphone does not need; so it is loaded only where needed.
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
    beads: bool = True,
) -> Shake | None:
    """Cut and measure a shake; None where `frames` hold nothing but silence or a click. `quick`: for a partial answer,
    which skips whether it is a shake at all and of one igloo, and imagines less. `known`: the orientation of the
    igloo's floor. `like`: the same shake through another front end, for which beads were imagined already. `after`: the
    energy that follows `frames`, to be searched for mains hum. `beads`: whether they are imagined
    at once (`with_beads`), where the hand is felt."""
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
        from sensors.ear.shakes.imagined import NOTHING_FELT  # see get_ready

        felt = take.felt.astype(np.float16)  # 3 kB a second: a fit keeps thousands of shakes
        features |= NOTHING_FELT
    names = _NAMES.setdefault(front.name, tuple(features))
    values = np.fromiter(features.values(), dtype=np.float64, count=len(features))
    judged = quick or like is not None  # these checks were made through the first front end, or are skipped
    at = front.frame_rate
    several, paced, gaps = (-1.0, 1.0, 0.0) if judged else hands(take)
    hums: tuple[int, ...] = ()
    if not judged and not front.hand:
        after = frames.energy[:0] if after is None else after
        hums = humming(frames.energy, take.first, take.end, after, at)
    shake = Shake(
        front=front,
        names=names,
        values=values,
        strength=strength(take),
        strokes=len(take.strokes),
        start_s=take.first / at,
        end_s=take.end / at,
        several=several,
        paced=paced,
        gaps=gaps,
        felt=felt,
        floor=floor,
        known=known,
        humming=hums,
    )
    return with_beads(shake, quick=quick) if beads and like is None else shake
