"""A gesture done rightly on a seat of two damped tones, and what writes a folder of such."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import soundfile

from tests.sensors.gesture.seat_table import RATE, Table

Write = Callable[..., Path]


def right(beads: int, seed: int = 0) -> np.ndarray:
    return Table(seed + beads).quiet(0.4).tap().tap().placed(beads, beads, beads).quiet(0.3).take()


def write_gestures(
    folder: Path, device: str = "D01", counts: tuple[int, ...] = (3, 6, 9, 12), **odd: np.ndarray
) -> Path:
    """Add gestures done rightly, but for what is handed in (`igloo3=…`), to a folder."""
    folder.mkdir(exist_ok=True)
    with (folder / "recordings.jsonl").open("a") as index:
        for n in counts:
            file = f"{device}-{n:02d}.wav"
            soundfile.write(folder / file, odd.get(f"igloo{n}", right(n)), round(RATE), subtype="FLOAT")
            line = {"file": file, "sensor": "accelerometer", "gesture": "seat-tap", "place": "seat",
                    "beads": n, "igloo": f"{device}-{n}", "device": device, "session": "s1"}  # fmt: skip
            index.write(json.dumps(line) + "\n")
    return folder
