"""One shake, cut out and cleaned: trimmed to its loud part, the stationary noise floor subtracted, strokes found."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy  # its parts are loaded when they are first asked

from sensors.ear.frames.frontend import FELT_RATE, Array, Floats, Frames, FrontEnd
from sensors.ear.shakes.axes import energy_along
from sensors.ear.shakes.by_hand import while_shaken
from sensors.ear.shakes.quantiles import quantiles

TRIM_BLOCK_S = 0.010
TRIM_PART = 0.1  # of the loud blocks' level (the 90 % quantile)
TRIM_FLOOR = 2.0  # times the quiet blocks' level (the 5 % quantile)
# Background noise, a phone's gain control and late reverberation fill the gaps between hits with something nearly
# constant; the gaps carry the count. A little more than the energy of the quietest frames is subtracted.
FLOOR_QUANTILE = 0.05
FLOOR_TIMES = 3.0
# Then this much is added again, so that logarithms do not look below the decay of the hits: for an accelerometer a part
# of the mean, for a microphone of the loudest frames (20 dB), so that noisy and quiet sittings are heard equally deep.
FLOOR_LEFT = 0.07
DEPTH = 0.01
# s. On a shell, networks and profiles were learned from takes with this much quiet before them: files began with a step
# of gravity, which was taken for the beginning of the shake. It no longer is, but without the quiet fewer shakes are
# counted exactly.
LEAD_S = 0.33
LEAST_ALONG = 1e-4  # part of the energy along one axis; below is only the sensor's noise, or the axis is dead


@dataclass(frozen=True, slots=True)
class Take:
    """A trimmed shake. Arrays are over frames of `rate` Hz; bands as in the front end, the last is the wide one."""

    front: FrontEnd
    energy: Floats  # [frames, bands], floor taken off, in units of each band's mean
    log: Floats  # its natural logarithm
    raw: Floats  # [frames, bands], mean squares as captured
    strokes: npt.NDArray[np.intp]  # frame numbers of the strokes' middles
    stroke_energy: Floats  # wide band smoothed over a stroke
    hand: Array  # [frames at 100 Hz, 3], g; empty for a microphone
    ahead: float  # `hand` begins this much before the rest, in its own frames (less than one)
    first: int  # the first loud frame
    end: int  # one past the last
    along: Floats  # [frames, 3], like `log`, the wide band along the shake's axes; [frames, 0]: a microphone
    felt: Array  # [frames at 250 Hz, 6], as in `Frames`; [0, 6]: a microphone

    @property
    def rate(self) -> float:
        return self.front.frame_rate

    @property
    def seen(self) -> Floats:
        """The network's input, [frames, bands or bands + 3]: `log`, and `along` beside it."""
        return np.concatenate([self.log, self.along], axis=1)

    @property
    def seconds(self) -> float:
        return len(self.energy) / self.rate


def in_blocks(wide: Array | Floats, rate: float) -> tuple[Array | Floats, int]:
    """Means of `wide` [frames], at `rate` frames a second, over whole blocks of `TRIM_BLOCK_S` [blocks], and the frames
    of a block."""
    n = max(1, round(TRIM_BLOCK_S * rate))
    return wide[: len(wide) // n * n].reshape(-1, n).mean(axis=1), n


def trim(wide: Array | Floats, rate: float) -> tuple[int, int]:
    """First and one-past-last frame of the loud part of `wide` [frames], energy of the wide band at `rate` frames a
    second; (0, 0) where nothing was heard at all."""
    blocks, n = in_blocks(wide, rate)
    if not len(blocks) or blocks.max() <= 0:
        return 0, 0
    high, low = float(np.quantile(blocks, 0.9)), float(np.quantile(blocks, 0.05))
    # where the background exceeds a tenth of the shake, frames hardly above it are background
    loud = np.flatnonzero(blocks > max(TRIM_PART * high, min(TRIM_FLOOR * low, 0.5 * high)))
    return (int(loud[0]) * n, (int(loud[-1]) + 1) * n) if len(loud) else (0, 0)


def loud_part(front: FrontEnd, frames: Frames) -> tuple[int, int]:
    """First and one-past-last frame of the shake in `frames`; no frame where nothing was heard."""
    first, end = trim(frames.energy[:, -1], front.frame_rate)
    return while_shaken(front, frames, first, end) if front.hand else (first, end)


def cut(front: FrontEnd, frames: Frames, least_s: float = 0.15) -> Take | None:
    """The shake in `frames`; None where there is less than `least_s` of it or nothing but silence."""
    first, end = loud_part(front, frames)
    if end - first < least_s * front.frame_rate:
        return None
    take = between(front, frames, max(0, first - round(lead_s(front) * front.frame_rate)), end)
    return None if take is None else replace(take, first=first)


def lead_s(front: FrontEnd) -> float:
    """How much of what came before the shake is included, where there is as much."""
    return LEAD_S if front.hand else 0.0


def between(front: FrontEnd, frames: Frames, first: int, end: int) -> Take | None:
    """The take of these frames, without trimming; None where it is nothing but silence."""
    raw = frames.energy[first:end].astype(np.float64)
    energy = _cleaned(raw, front.hand)
    if energy is None:
        return None
    along = np.zeros((len(energy), 0))
    if frames.products is not None:
        along = np.log(_along(energy[:, -1:], frames.products[first:end]))
    wide = energy[:, -1]
    smooth = scipy.ndimage.uniform_filter1d(wide, max(2, round(0.05 * front.frame_rate)))
    loud = float(np.quantile(smooth, 0.95))
    strokes, _ = scipy.signal.find_peaks(
        smooth, height=0.1 * loud, prominence=0.15 * loud, distance=max(1, round(0.06 * front.frame_rate))
    )
    hand, ahead = frames.moved(front, first, end)
    fine = FELT_RATE / front.frame_rate
    felt = (
        np.zeros((0, 6), np.float32)
        if frames.felt is None
        else frames.felt[int(first * fine) : int(end * fine)]
    )
    return Take(
        front=front,
        energy=energy,
        log=np.log(energy),
        raw=raw,
        strokes=strokes,
        stroke_energy=smooth,
        hand=hand,
        ahead=ahead,
        first=first,
        end=end,
        along=along,
        felt=felt,
    )


def _along(wide: Floats, products: Array) -> Floats:
    """Energy [frames, 3] along the shake's axes, like `wide` [frames, 1], which replaces axes with hardly any
    energy."""
    each = energy_along(products)
    mean = each.mean(axis=0)
    out = np.repeat(wide, 3, axis=1)
    for axis in np.flatnonzero(mean > LEAST_ALONG * mean.sum()):
        cleaned = _cleaned(each[:, [axis]], shell=True)
        if cleaned is not None:
            out[:, axis] = cleaned[:, 0]
    return out


def _cleaned(raw: Floats, shell: bool) -> Floats | None:
    """Energy [frames, columns] minus the noise floor, in units of each column's mean; None where a column is empty.
    `shell`: the sensor sits on the shell."""
    quiet, loudest = quantiles(raw, (FLOOR_QUANTILE, 0.99))
    floor = FLOOR_TIMES * quiet
    energy = np.maximum(raw - floor, 0.0)
    mean = energy.mean(axis=0)
    if not np.all(np.isfinite(mean)) or np.any(mean <= 0):
        return None
    left = FLOOR_LEFT * mean
    if not shell:  # where hardly a frame holds any energy, only the mean is left to go by
        left = np.maximum(DEPTH * (loudest - floor), DEPTH * mean)
    cleaned: Floats = (energy + left) / (mean + left)
    return cleaned
