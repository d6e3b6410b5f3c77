"""One simulated shake of another world as files and lines of docs/contracts.md 3, as `hw_mock` writes its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import soundfile as sf
from numpy.typing import NDArray
from scipy.io import wavfile

Array = NDArray[np.float64]
COUNTS = range(2, 14)
SOUND_RATE = 48000
HARD = 0.03  # m/s, of blows that are worth counting


def about(beads: int, player: int, pair: str, felt: Array, blows: Array) -> dict[str, Any]:
    """What every recording of a shake tells of it. felt: float64[n, 3], m/s²; blows: float64[m, 7] as engines tell
    them."""
    hard = blows[:, 3] > HARD
    return {
        "beads": beads,
        "player": f"P{player:02d}",
        "pair": pair,
        "simulated": True,
        "strength_g": float(np.sqrt(np.square(felt - felt.mean(0)).sum(1).mean()) / 9.81),
        "hits": [int((hard & (blows[:, 2] >= 0)).sum()), int((hard & (blows[:, 2] < 0)).sum())],
    }


def kept(
    folder: Path, device: int, session: int, told: Mapping[str, Any], rate: float, heard: Mapping[str, Array]
) -> Iterator[dict[str, Any]]:
    """The lines of one shake's recordings, which are written on the way; `rate` of the accelerometer, Hz."""
    for kind, samples in heard.items():
        name = f"D{device:02d}/s{session}/{told['beads']:02d}-{kind}.wav"
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        line: dict[str, Any] = {
            "file": name,
            "igloo": f"D{device}-{told['beads']}",
            "device": f"D{device:02d}",
            "session": f"D{device:02d}/{session}",
            "set": f"D{device}/{session}",
            **told,
        }
        if kind == "accelerometer":
            wavfile.write(path, round(rate), samples.astype(np.float32))
            yield line | {"sensor": "accelerometer"}
        else:
            sf.write(path, samples, SOUND_RATE, subtype="PCM_16")
            yield line | {"sensor": "microphone", "place": "shell" if kind == "contact" else "table"}
