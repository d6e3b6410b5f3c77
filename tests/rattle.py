"""A rattle for tests of the machinery, not of accuracy: strokes of a hand, in each a burst of short bright clicks.

It knows no physics (the simulator of `hw_mock` does); more beads give more clicks a stroke, and that is all.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import soundfile

Sound = npt.NDArray[np.float32]
RATE = 44100


def rattle(
    beads: int,
    seed: int,
    seconds: float = 2.0,
    rate: int = RATE,
    loudness: float = 0.3,
    pace: float | None = None,
) -> Sound:
    """Float32[samples]: some five strokes a second (or `pace`), 3 · beads clicks in each; quiet before and after."""
    random = np.random.default_rng([beads, seed])
    out = 1e-4 * random.standard_normal(round((seconds + 1.2) * rate))
    click_length = round(0.004 * rate)
    decay = np.exp(-np.arange(click_length) / (0.0007 * rate))
    usual = 5.0 * np.exp(0.08 * random.standard_normal())
    for stroke in np.arange(0.4, 0.4 + seconds, 1 / (pace or usual)):
        for at in stroke + 0.02 * random.standard_normal(3 * beads):
            start = max(0, round(at * rate))
            click = random.standard_normal(click_length) * decay * np.exp(0.7 * random.standard_normal())
            piece = out[start : start + click_length]
            piece += click[: len(piece)]
    return (loudness * out / np.abs(out).max()).astype(np.float32)


def shaken_sensor(
    beads: int, seed: int, seconds: float = 2.0, rate: int = 1600, pace: float | None = None
) -> Sound:
    """Float32[samples, 3] in g: gravity, the hand's strokes at some 5 Hz (or `pace`), the same clicks as vibration."""
    random = np.random.default_rng([beads, seed, 3])
    t = np.arange(round((seconds + 1.2) * rate)) / rate
    moving = ((t > 0.4) & (t < 0.4 + seconds)).astype(float)
    out = 0.003 * random.standard_normal((len(t), 3)) + np.array([0.1, 0.2, 0.97])
    usual = 5.0 * np.exp(0.08 * random.standard_normal())
    pace = pace or usual
    out += np.outer(moving * 1.2 * np.sin(2 * np.pi * pace * t), [0.9, 0.1, 0.3])
    length = round(0.012 * rate)
    ring = np.exp(-np.arange(length) / (0.003 * rate))
    for stroke in np.arange(0.4, 0.4 + seconds, 0.5 / pace):
        for at in stroke + 0.02 * random.standard_normal(2 * beads):
            start = max(0, round(at * rate))
            piece = out[start : start + length]
            blow = (
                0.4
                * np.exp(0.7 * random.standard_normal())
                * random.standard_normal((length, 3))
                * ring[:, None]
            )
            piece += blow[: len(piece)]
    return out.astype(np.float32)


def write_sweeps(
    folder: Path,
    sessions: int = 3,
    counts: Sequence[int] = range(2, 14),
    sensor: str = "microphone",
    seconds: float = 1.6,
    place: str | None = None,
) -> list[dict[str, Any]]:
    """A folder in the recordings format: one set of all counts a session. Returns its lines.

    Where no `place` is said, whatever is fitted tries a microphone at the table and one on the shell: twice the work.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for session in range(sessions):
        for beads in counts:
            name = f"s{session}-{beads:02d}.wav"
            if sensor == "microphone":
                soundfile.write(folder / name, rattle(beads, 100 * session, seconds), RATE, subtype="PCM_16")
            else:
                soundfile.write(folder / name, shaken_sensor(beads, session, seconds), 1600, subtype="FLOAT")
            lines.append(
                {"file": name, "sensor": sensor, "beads": beads, "device": "D1", "player": f"P{session}",
                 "session": f"s{session}", "set": f"s{session}/1", "weather": "fog"}
                | ({} if place is None else {"place": place})
            )  # fmt: skip
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return lines
