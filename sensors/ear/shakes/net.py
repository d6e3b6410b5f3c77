"""A small convolutional network over a whole shake: it sees what summaries of the envelopes miss, hit after hit.

Its input is the band envelopes of a cut take, which all features are made of (sensors.ear.shakes.takes), so it is
independent of gain. On an accelerometer it also sees the wide band along the shake's three axes
(sensors.ear.shakes.axes), and the hand's own motion joins halfway. Three convolutions, two residual ones, mean and
spread over time, one dense layer. The 64 outputs of that layer are used as features, and a last layer reads a count off
them directly (sensors.ear.models.reading). There is one network for each front end, learned from simulated shakes by
`benchmarks/learning/make_nets.py`, with the normalisation folded into the weights; here it runs on NumPy alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from sensors.ear.frames.frontend import HAND_RATE, Array, Floats, FrontEnd

NETS = Path(__file__).resolve().parent / "nets"
GROUP = "net"
MOST_READ = 16  # the last layer reads 1 … this many beads
LAYERS = ("1", "2", "3", "4", "5", "dense", "out")
DILATION = {"5": 3}
HAND_COLUMNS = 7
# s. The networks that ship were trained with the hand this much late: its frames of 10 ms were truncated to whole ones,
# once before training and once more for every look. Beside hits of milliseconds that is much.
HAND_LATE_S = 0.008


@dataclass(frozen=True, slots=True)
class Steps:
    """The strides of the first two convolutions, in frames."""

    first: int
    second: int

    @property
    def whole(self) -> int:
        return self.first * self.second


def steps_of(front: FrontEnd) -> Steps:
    """About 400 points a second after the first convolution, and about 90 after the second."""
    if front.frame_rate > 2000:
        return Steps(5, 5)
    return Steps(4, 4) if front.frame_rate > 1000 else Steps(2, 4)


def columns_of(front: FrontEnd) -> int:
    """The number of envelopes in the input (`takes.Take.seen`): each band, and the wide one along three axes."""
    return len(front.bands) + (3 if front.hand else 0)


@dataclass(frozen=True, slots=True)
class Net:
    """Weights float32[width, in, out] of convolutions 1–5, float32[in, out] of the dense and the last layer."""

    weights: dict[str, Array]
    biases: dict[str, Array]
    digest: str

    @staticmethod
    def of(numbers: dict[str, npt.NDArray[np.float16]]) -> Net:
        """From the arrays of a file in `nets`, named `w` or `b` + layer. Raises KeyError where one is missing."""
        return Net(
            {layer: numbers[f"w{layer}"].astype(np.float32) for layer in LAYERS},
            {layer: numbers[f"b{layer}"].astype(np.float32) for layer in LAYERS},
            digest_of(numbers),
        )

    def embedding(
        self,
        front: FrontEnd,
        log: Array | Floats,
        hand: Array,
        ahead: float = 0.0,
        beside: Array | Floats | None = None,
    ) -> Array:
        """Float32[64] of one take's ln energy [frames, columns] and hand motion [frames at 100 Hz, 3], which begins
        `ahead` of it by so many frames of its own; zeros where the take is too short. `beside`: ln of what neighbours
        add, like `log`, for a network of company."""
        steps = steps_of(front)
        points = len(log) // steps.whole
        if points == 0:
            return np.zeros(self.weights["dense"].shape[1], np.float32)
        x = envelopes(log[: points * steps.whole].astype(np.float32))
        if beside is not None:
            x = np.concatenate([x, beside[: len(x)].astype(np.float32) / 2], axis=1)
        fine = self._layer("1", x, steps.first)
        x = self._layer("2", fine, steps.second)
        if front.hand:
            x = np.concatenate([x, hand_columns(front, hand, points, ahead)], axis=1)
        x = self._layer("3", x)
        x = x + self._layer("4", x)
        x = x + self._layer("5", x)
        spread = np.sqrt(np.square(x - x.mean(axis=0)).mean(axis=0) + np.float32(1e-4))
        pooled = np.concatenate([x.mean(axis=0), spread, fine.mean(axis=0)])
        out: Array = np.maximum(pooled @ self.weights["dense"] + self.biases["dense"], 0)
        return out

    def _layer(self, name: str, x: Array, step: int = 1) -> Array:
        """Convolution with zero padding, float32[frames, in] to float32[frames / step, out], then ReLU."""
        weights, apart = self.weights[name], DILATION.get(name, 1)
        width, into, out = weights.shape
        beyond = width // 2 * apart
        padded = np.zeros((len(x) + 2 * beyond, into), np.float32)
        padded[beyond : beyond + len(x)] = x
        if apart == 1:  # each window is contiguous in memory and copied at once
            flat = sliding_window_view(padded.reshape(-1), width * into)[:: step * into]
        else:
            windows = sliding_window_view(padded, (width - 1) * apart + 1, axis=0)[::step, :, ::apart]
            flat = windows.transpose(0, 2, 1).reshape(-1, width * into)
        made: Array = np.maximum(
            np.ascontiguousarray(flat) @ weights.reshape(width * into, out) + self.biases[name], 0
        )
        return made


def envelopes(log: Array) -> Array:
    """Input of the first convolution, float32[frames, 2 · columns], from ln energy in units of each column's mean."""
    return np.concatenate([log / 2, np.exp(log / 2) - np.float32(0.7)], axis=1)


def hand_columns(front: FrontEnd, hand: Array, points: int, ahead: float) -> Array:
    """The hand's motion, float32[frames at 100 Hz, 3] in g, as float32[points, 7] that do not depend on how the sensor
    is glued on: the motion along its two principal axes and its size there, the total size and its logarithm, and the
    jerk. It begins `ahead` of the first point by so many of its frames."""
    if len(hand) < 8:
        hand = np.zeros((8, 3), np.float32)
    _, axes = np.linalg.eigh(np.cov(hand.T) + 1e-9 * np.eye(3))
    along = hand @ axes[:, :0:-1]
    # an axis has no front: orient it towards the longer tail
    along = along * np.where((along**3).sum(axis=0) < 0, -1, 1)
    size = np.sqrt(np.square(hand).sum(axis=1))
    jerk = 10 * np.sqrt(np.square(np.diff(hand, axis=0, prepend=hand[:1])).sum(axis=1))
    columns = (
        along[:, 0],
        np.abs(along[:, 0]),
        along[:, 1],
        np.abs(along[:, 1]),
        size,
        np.log(size + 0.05),
        jerk,
    )
    middles = (np.arange(points) + 0.5) * steps_of(front).whole / front.frame_rate
    at = (middles - HAND_LATE_S) * HAND_RATE - 0.5 + ahead
    out = np.stack([np.interp(at, np.arange(len(hand)), column) for column in columns], axis=1)
    return out.astype(np.float32)


def digest_of(weights: dict[str, npt.NDArray[np.float16]]) -> str:
    """The network's name in profiles: a hash over names, shapes and numbers."""
    told = hashlib.sha256()
    for name in sorted(weights):
        told.update(f"{name}{weights[name].shape}".encode())
        told.update(np.ascontiguousarray(weights[name], dtype="<f2").tobytes())
    return told.hexdigest()[:16]


@lru_cache(maxsize=8)
def net_for(front: str) -> Net | None:
    """The network that ships for the front end of this name; None where there is none."""
    path = NETS / f"{front}.npz"
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as kept:
        numbers = {name: kept[name] for name in kept.files}
    return Net.of(numbers)
