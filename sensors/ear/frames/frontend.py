"""Samples to energy envelopes: band-pass filters, squares, and means over frames of 0.5 to 1.3 ms.

Counting needs to know when hits come and how far the gaps between them are filled, not the waveform: a few bands of
energy at some 2 kHz hold all of that. Filters run at the source's own rate and frames are cut at fractions of a sample,
so a rate 2 % off its nominal value, or 44.1 instead of 48 kHz, needs no resampling. The state carries over from block
to block.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are first asked

from sensors.ear.errors import SoundError, a_sensor, check_rate
from sensors.ear.frames.frame_means import FrameMeans
from sensors.ear.frames.mixing import Mixer

Sensor = Literal["microphone", "accelerometer"]
Array = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Direction = tuple[float, float, float]  # a unit vector in a sensor's axes

LIMIT = 256.0  # far beyond full scale and any accelerometer at a table; readers clip to it
GRAVITY = 9.81  # m/s² in one g, as the networks and profiles were learned with
HAND_RATE = 100.0  # frames a second of the hand's own motion
# frames a second of what beads feel and of how they push back (sensors.ear.shakes.imagined)
FELT_RATE = 250.0
PUSHED = (110.0, 300.0)  # Hz: here the shell as a whole yields to its beads, and hardly rings yet
ROWS, COLUMNS = np.triu_indices(3)  # pairs of three axes: xx, xy, xz, yy, yz, zz
PRODUCTS = len(ROWS)
ASLEEP = 1e-25
T = TypeVar("T", np.float32, np.float64)
HAND_BAND = (0.7, 22.0)  # Hz: the arm moves within this band, beads and shell ring above it


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """The bands of a sensor and their frame rate. The last band is the wide one, in which strokes are found."""

    name: str
    sensor: Sensor
    least_rate: float  # Hz; slower sources cannot fill the bands
    bands: tuple[tuple[float, float], ...]  # Hz
    frame_rate: float  # Hz
    # The bands in which hits ring and a room echoes least. Onsets, modulation, autocorrelation and strokes are measured
    # there besides the wide band.
    short: tuple[int, ...]

    @property
    def hand(self) -> bool:
        """Does this sensor feel the hand's own motion?"""
        return self.sensor == "accelerometer"


_MICROPHONE = (
    (300.0, 1200.0),
    (1200.0, 2800.0),
    (2800.0, 5500.0),
    (5500.0, 9000.0),
    (9000.0, 14000.0),
    (2000.0, 16000.0),
)
FRONT_ENDS: tuple[FrontEnd, ...] = (  # the finest first
    FrontEnd("microphone-44100", "microphone", 31000.0, _MICROPHONE, 2205.0, (3, 4)),
    # Of a microphone on the shell: there is no room echo, and hits separate best where the shell rings shortest.
    FrontEnd(
        "contact-44100",
        "microphone",
        43000.0,
        ((5500.0, 9000.0), (9000.0, 14000.0), (14000.0, 20000.0), (9000.0, 18000.0)),
        2205.0,
        (1, 2),
    ),
    FrontEnd(
        "microphone-16000",
        "microphone",
        15500.0,
        (*_MICROPHONE[:2], (2800.0, 5000.0), (2000.0, 7200.0)),
        2205.0,
        (2,),
    ),
    FrontEnd(
        "accelerometer-3200",
        "accelerometer",
        3000.0,
        ((110.0, 300.0), (300.0, 700.0), (700.0, 1400.0), (110.0, 1400.0)),
        1600.0,
        (2,),
    ),
    FrontEnd(
        "accelerometer-1600",
        "accelerometer",
        1500.0,
        ((110.0, 300.0), (300.0, 700.0), (110.0, 700.0)),
        1500.0,
        (1,),
    ),
    FrontEnd(
        "accelerometer-800",
        "accelerometer",
        750.0,
        ((110.0, 200.0), (200.0, 350.0), (110.0, 350.0)),
        750.0,
        (1,),
    ),
)


# Front ends whose heads count together, each with its own network: on simulated sensors of three engines, both of a
# sensor on the shell together told more than either, and two of an accelerometer more than the finest head where it was
# filled.
COUNT_TOGETHER = ("accelerometer-1600", "accelerometer-800", "microphone-44100", "contact-44100")
ON_THE_SHELL = ("contact-44100",)  # front ends of microphones that are used only there


# Hz. Below this rate beads are counted by bands up to 7.2 kHz alone, for which no network was learned: in simulated
# rooms half as many shakes were told exactly.
MICROPHONES_WANT = FRONT_ENDS[0].least_rate


def front_ends_for(
    sensor: Sensor, rate: float, guided: bool = False, on_shell: bool = False
) -> tuple[FrontEnd, ...]:
    """All front ends for a source of `rate` Hz, the finest first; `guided`: for a gesture instead of a shake;
    `on_shell`: for a microphone that sits there, as accelerometers do.

    Raises SoundError when the rate is too low to hear beads at all.
    """
    finest = front_end_for(sensor, rate)
    both = [f for f in FRONT_ENDS if f.name in COUNT_TOGETHER and f.sensor == sensor and rate >= f.least_rate]
    both = [f for f in both if on_shell or f.name not in ON_THE_SHELL]
    return (finest,) if guided or not both else tuple(both)


def front_end_for(sensor: Sensor, rate: float) -> FrontEnd:
    """The finest front end that a source of `rate` Hz can fill.

    Raises SoundError when the rate is too low to hear beads at all.
    """
    for front in FRONT_ENDS:
        if front.sensor == sensor and rate >= front.least_rate:
            return front
    least = min(f.least_rate for f in FRONT_ENDS if f.sensor == sensor)
    raise SoundError(
        f"{a_sensor(sensor)} at {rate:g} Hz is too slow to hear beads",
        f"record at {fast_enough(sensor, least)}",
    )


def fast_enough(sensor: Sensor, least: float) -> str:
    """The usual rates of such a sensor from `least` Hz up: no sound card offers a rate in between."""
    return "44.1 or 48 kHz" if sensor == "microphone" else f"{least:g} Hz or more"


@dataclass(frozen=True, slots=True)
class Frames:
    """A stretch: `energy` float32[frames, bands] (mean square), `hand` float32[frames at 100 Hz, 3] in g.

    For a sensor with three axes: `products` float32[frames, PRODUCTS], their mean products in the wide band; `felt`
    float32[frames at 250 Hz, 6] in g, the acceleration on each axis, with gravity, and the mean size of what pushes it.
    `hand` begins `ahead` of the energy by so many of its own frames: a stretch may begin between two of them.
    """

    energy: Array
    hand: Array
    products: Array | None = None
    felt: Array | None = None
    ahead: float = 0.0

    def moved(self, front: FrontEnd, first: int, end: int) -> tuple[Array, float]:
        """The hand's motion during frames first … end of the energy, and how far ahead of them it begins."""
        scale = HAND_RATE / front.frame_rate
        begin = self.ahead + first * scale
        whole = max(0, int(begin))
        return self.hand[whole : int(self.ahead + end * scale) + 1], begin - whole

    def cut(self, front: FrontEnd, first: int, end: int) -> Frames:
        """Frames first … end of the energy, with the hand's motion."""
        products = None if self.products is None else self.products[first:end]
        fine = FELT_RATE / front.frame_rate
        felt = None if self.felt is None else self.felt[int(first * fine) : int(end * fine) + 1]
        hand, ahead = self.moved(front, first, end)
        return Frames(self.energy[first:end], hand, products, felt, ahead)


def no_frames(front: FrontEnd) -> Frames:
    """An empty stretch of the right shapes."""
    products = np.zeros((0, PRODUCTS), np.float32) if front.hand else None
    felt = np.zeros((0, 6), np.float32) if front.hand else None
    return Frames(np.zeros((0, len(front.bands)), np.float32), np.zeros((0, 3), np.float32), products, felt)


def join_frames(front: FrontEnd, parts: list[Frames]) -> Frames:
    """Concatenates stretches."""
    if not parts:
        return no_frames(front)
    products = [p.products for p in parts if p.products is not None]
    felt = [p.felt for p in parts if p.felt is not None]
    return Frames(
        np.concatenate([p.energy for p in parts]),
        np.concatenate([p.hand for p in parts]),
        np.concatenate(products) if products else None,
        np.concatenate(felt) if felt else None,
        parts[0].ahead,
    )


def _awake(state: npt.NDArray[T]) -> npt.NDArray[T]:
    """A filter's state without denormal numbers: after true silence they slow processors down."""
    state[np.abs(state) < ASLEEP] = 0
    return state


@lru_cache(maxsize=16)  # the files of a folder have one rate, and each is heard through two front ends
def _band_passes(front: FrontEnd, rate: float) -> tuple[tuple[Floats, Floats], ...]:
    """Numerator and denominator of each band-pass. Fourth order in double precision: second-order sections would gain
    nothing, and this costs half as much."""
    return tuple(
        scipy.signal.butter(2, [lo, min(hi, 0.47 * rate)], "bandpass", fs=rate) for lo, hi in front.bands
    )


class Envelopes:
    """The running front end of one source of `rate` Hz with `channels` channels; a microphone's are mixed to one."""

    def __init__(self, front: FrontEnd, rate: float, channels: int) -> None:
        check_rate(rate)
        if rate < front.least_rate:
            raise SoundError(
                f"{rate:g} Hz is below the {front.least_rate:g} Hz that {front.name} needs",
                "record faster, or take a profile made for this rate",
            )
        if front.sensor == "accelerometer" and channels != 3:
            raise SoundError(
                f"an accelerometer's recording has three channels, this one has {channels}",
                "record all three axes in g",
            )
        self.front = front
        self.rate = rate
        self._mixer = Mixer()
        columns = channels if front.sensor == "accelerometer" else 1
        self._filters = _band_passes(front, rate)
        self._states = np.zeros((len(self._filters), columns, 4))
        self._means = FrameMeans(rate / front.frame_rate, len(front.bands) + (PRODUCTS if front.hand else 0))
        if front.hand:
            self._hand_sections = scipy.signal.butter(2, HAND_BAND, "bandpass", fs=rate, output="sos")
            self._hand_state = np.zeros((len(self._hand_sections), columns, 2))
            self._hand_means = FrameMeans(rate / HAND_RATE, columns)
            self._push_sections = scipy.signal.butter(2, PUSHED, "bandpass", fs=rate, output="sos")
            self._push_state = np.zeros((len(self._push_sections), columns, 2))
            self._felt_means = FrameMeans(rate / FELT_RATE, 2 * columns)
        self._rest: Array | None = None

    def push(self, block: Array) -> Frames:
        """The frames that `block`, float32[samples, channels], completes."""
        if not len(block):
            return no_frames(self.front)
        # subtract the first sample, so that an offset (gravity, or a sound card's) is no step
        self._rest = block[:1].copy() if self._rest is None else self._rest
        still = block - self._rest
        x = still if self.front.hand else self._mixer.push(still)[:, None]
        exact = np.ascontiguousarray(x.T, np.float64)  # each column's samples are contiguous
        bands = len(self._filters)
        squares = self._means.rows_for(len(x))
        for band, (b, a) in enumerate(self._filters):
            y, self._states[band] = scipy.signal.lfilter(b, a, exact, zi=self._states[band])
            if len(y) == 1:
                np.square(y[0], out=squares[band, 1:-1])
            else:
                np.square(y).sum(axis=0, out=squares[band, 1:-1])
        _awake(self._states)
        if self.front.hand:  # y now holds the last band, the wide one
            np.multiply(y[ROWS], y[COLUMNS], out=squares[bands:, 1:-1])
        first = self._means.made
        frames = self._means.push(squares)
        energy, products = np.maximum(frames[:, :bands], 0.0), frames[:, bands:]
        if not self.front.hand:
            return Frames(energy, np.zeros((0, 3), np.float32))
        ahead = first * HAND_RATE / self.front.frame_rate - self._hand_means.made
        moved, felt = self._hand_means.rows_for(len(x)), self._felt_means.rows_for(len(x))
        moved[:, 1:-1], self._hand_state = scipy.signal.sosfilt(
            self._hand_sections, exact, zi=self._hand_state
        )
        pushed, self._push_state = scipy.signal.sosfilt(self._push_sections, exact, zi=self._push_state)
        for slow in (self._hand_state, self._push_state):
            _awake(slow)
        felt[:, 1:-1] = np.concatenate([block.T, np.abs(pushed)])
        return Frames(energy, self._hand_means.push(moved), products, self._felt_means.push(felt), ahead)
