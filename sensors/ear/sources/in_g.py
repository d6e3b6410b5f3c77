"""Whether an accelerometer's sound file is in g, by its gravity: a file does not say its unit."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from sensors.ear.errors import SoundError
from sensors.ear.frames.frontend import GRAVITY, Array
from sensors.ear.sources import at_rest
from sensors.ear.sources.sound_file import BLOCK_S, SoundFile

# The median magnitude of a shaken igloo does not show its unit: hard hands reach 11 g. But strokes cancel within half a
# second, and gravity stays: in some 900 shakes of three engines, also cut to the shake, and clipped, it was 0.2 to 1.8.
# In m/s² it is hardly ever below 8, in milli-g it is hundreds. Where it was removed (a high-pass), nothing can be said.
HEAVIEST_G = 3.0  # g
WEIGHED_S = 60.0  # s from the beginning of a file
# a unit is assumed where gravity fits it within a half
UNITS = (("m/s²", GRAVITY), ("milli-g", 1000.0))


def check_in_g(file: SoundFile) -> at_rest.Fault | None:
    """Raises SoundError for an accelerometer's file that is not in g: one of integers, which are shares of an unknown
    full scale, or one whose gravity fits another unit. Also for one with an axis that is dead or dies, in any unit.
    Returns the fault of a file in g whose steps are too coarse to count by."""
    if not file.floats:
        raise SoundError(
            f"{file.path} holds whole numbers, and an accelerometer's are wanted in g",
            "write it as a WAV of floats, in g",
        )
    begun = _begun(file)
    if one_value := at_rest.dead(begun, file.rate) or at_rest.dies(begun, file.rate):
        raise SoundError(f"of {file.path}, {one_value}", f"{at_rest.LOOK_AT}, and record it again")
    wrong = at_rest.wrong_gravity(begun, file.rate)
    gravity = max(gravity_of(file), wrong or 0.0)
    if gravity > HEAVIEST_G:
        of = next(((unit, one) for unit, one in UNITS if one / 1.5 < gravity < 1.5 * one), None)
        raise SoundError(
            f"{file.path} has a gravity of {gravity:.1f}{f', as of {of[0]}' if of else ''}, and an accelerometer's "
            "samples are wanted in g",
            f"divide them by {of[1]:g}, and write it again" if of else "write it again, with 1 for gravity",
        )
    if wrong is not None:
        raise SoundError(
            f"{file.path} has a gravity of {wrong:.2g} at rest, and an accelerometer's samples are wanted in g",
            "write it again, with 1 for gravity: the sensor's range may be set otherwise than its numbers were read",
        )
    return at_rest.too_coarse(begun)


def gravity_of(file: SoundFile) -> float:
    """What remains when strokes have cancelled, in the file's own unit: the median over half seconds of the magnitude
    of their mean. 0 where there is no such half second, or the channels are not axes."""
    if file.channels != 3:
        return 0.0
    means: list[float] = []
    with suppress(SoundError):  # reading to the end will report it
        for block in file.blocks():
            if len(block) < round(BLOCK_S * file.rate) or len(means) * BLOCK_S >= WEIGHED_S:
                break
            means.append(float(np.linalg.norm(block.mean(axis=0, dtype=np.float64))))
    return float(np.median(means)) if means else 0.0


def _begun(file: SoundFile) -> Array:
    """float32[samples, 3] from its beginning; none where the channels are not axes."""
    begun: list[Array] = [np.zeros((0, 3), np.float32)]
    with suppress(SoundError):
        for block in file.blocks() if file.channels == 3 else ():
            begun.append(block)
            if sum(map(len, begun)) >= WEIGHED_S * file.rate:
                break
    return np.concatenate(begun)
