"""Detects sound that is band-limited far below its sample rate: by a headset, a telephone or a low MP3.

The best evidence about beads is missing then, and the sample rate does not show it. Air, rooms, shells and cheap
microphones attenuate treble gradually; a deliberate band limit is a cliff, with nothing behind it but rounding noise.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import numpy as np

from sensors.ear.errors import SoundError
from sensors.ear.frames.frontend import MICROPHONES_WANT, Array, Floats
from sensors.ear.sources.at_rest import Fault
from sensors.why import Reason, Why

STEP_HZ = 25.0
# The range of the search, from a telephone to a low MP3: at 24 kHz simulated shakes were counted as well as at 48.
ENDS = np.arange(3500.0, 11001.0, 250.0)  # Hz
# Hz from the band limit: a range that still has sound, and where nothing is left
BEFORE, BEHIND = (1500.0, 250.0), 1000.0
HIGHEST = 20000.0  # Hz; even full-band sound may have nothing above
# 400 real files of a matchbox fell by up to 18 dB, 192 simulated ones of rooms and shells by up to 16. Simulated ones
# that passed 16 kHz fell by 47 and more, 8 kHz by 30, a low MP3 by 37.
CLIFF_DB = 30.0
# The fall above a resonance is no band limit either: shells of another author's world, which rang at 5 to 8 kHz, fell
# by 30 dB, and were as quiet below. Behind a cliff it is quieter than nearly everywhere before it: by 20 dB and more
# for 16 and 8 kHz.
LOWEST, QUIETER_DB = 300.0, 20.0  # Hz
GONE_DB = 6.0  # below the level before the cliff: there the sound ends
LEAST = 1e-12  # of a density: far below rounding to 24 bits
WHY = "as after a headset, a telephone or a low MP3, and what is missing tells beads apart best"
LOOK_AT_S = 60.0  # s from the beginning of a file
CAPTURED_WHOLE = "record with the microphone itself at 44.1 or 48 kHz, and keep it as WAV or FLAC"


def no_treble(blocks: Iterable[Array], rate: float) -> Fault | None:
    """What is wrong with a microphone whose sound, in blocks of float32[samples, channels], is band-limited; None where
    it is not, where it cannot be told, or where its rate leaves no room."""
    end = None if rate < MICROPHONES_WANT else ends_at(_density(blocks, rate), rate)
    return None if end is None else recorded_narrow(end)


def recorded_narrow(end: float) -> Fault:
    """What is wrong with a recording that has no sound above `end` Hz."""
    reason = Reason(Why.NARROW, f"the sound has nothing above {in_khz(end)} kHz, {WHY}: {CAPTURED_WHOLE}")
    return narrow(end, CAPTURED_WHOLE, reason)


def narrow(end: float, mend: str, reason: Reason) -> Fault:
    """What is wrong with sound that has nothing above `end` Hz; `mend`: what to do about it; `reason`: both."""
    return Fault("narrow", f"the sound has nothing above {in_khz(end)} kHz, {WHY}", mend, reason)


def in_khz(end: float) -> str:
    """The band limit (Hz) in words."""
    return f"{end / 1000:.0f}"


def ends_at(density: Floats, rate: float) -> float | None:
    """The band limit of a spectrum, float64[frequencies, every `STEP_HZ`], in Hz; None where there is no cliff."""
    levels = 10 * np.log10(density + LEAST)
    frequencies = STEP_HZ * np.arange(len(levels))
    top = frequencies < min(HIGHEST, 0.45 * rate)
    deepest, ends = CLIFF_DB, None
    for end in ENDS:
        # a tone before the cliff is not the sound that ends there, and a leak behind it does not mean that the sound
        # goes on
        near = np.quantile(levels[(frequencies > end - BEFORE[0]) & (frequencies < end - BEFORE[1])], 0.25)
        far = np.quantile(levels[(frequencies > end + BEHIND) & top], 0.95)
        quietest = np.quantile(levels[(frequencies > LOWEST) & (frequencies < end - BEFORE[1])], 0.25)
        if near - far >= deepest and quietest - far >= QUIETER_DB:
            deepest, ends = near - far, (levels > near - GONE_DB) & (frequencies < end + BEHIND)
    return None if ends is None else float(frequencies[ends].max())


def power(samples: Array, piece: int) -> Floats:
    """The summed power spectrum, float64[frequencies], of pieces of `piece` samples of float32[samples, channels], over
    all channels. A remainder at the end is left out."""
    pieces = samples[: len(samples) // piece * piece].reshape(-1, piece, samples.shape[1])
    spectra = np.fft.rfft(pieces * np.hanning(piece)[:, None], axis=1)
    total: Floats = (np.abs(spectra) ** 2).sum(axis=(0, 2))
    return total


def _density(blocks: Iterable[Array], rate: float) -> Floats:
    """Power density of all channels together, float64[frequencies]; of a truncated file, as far as it goes."""
    size = round(rate / STEP_HZ)
    total, pieces = np.zeros(size // 2 + 1), 0
    with suppress(SoundError):  # reading to the end will report it
        for block in blocks:
            total += power(block, size)
            pieces += len(block) // size
    return total / max(1, pieces)
