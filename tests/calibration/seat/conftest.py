"""Folders of gestures on a seat of two damped tones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.calibration.seat.weighed import Write, right
from tests.sensors.gesture.seat_table import RATE


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Writes a folder of one set, D01, with igloos 3, 6, 9 and 12 done rightly but for what is handed in."""

    def write(device: str = "D01", counts: tuple[int, ...] = (3, 6, 9, 12), **odd: np.ndarray) -> Path:
        with (tmp_path / "recordings.jsonl").open("a") as index:
            for n in counts:
                file = f"{device}-{n:02d}.wav"
                samples = odd.get(f"igloo{n}", right(n))
                soundfile.write(tmp_path / file, samples, round(RATE), subtype="FLOAT")
                line = {"file": file, "sensor": "accelerometer", "gesture": "seat-tap", "place": "seat",
                        "beads": n, "igloo": f"{device}-{n}", "device": device, "session": "s1"}  # fmt: skip
                index.write(json.dumps(line) + "\n")
        return tmp_path

    return write
