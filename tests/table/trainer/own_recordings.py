"""A folder of somebody's own recordings, as a trainer takes its lessons from it."""

from __future__ import annotations

import json
from pathlib import Path

import soundfile

from tests.rattle import RATE, rattle


def folder_of(counts: list[int], folder: Path) -> Path:
    """Recordings as contracts.md 3 has them; one file is lost, one was thrown out."""
    lines = [{"file": "lost.wav", "sensor": "microphone", "beads": counts[0]}]
    for count in counts:
        soundfile.write(folder / f"{count}.wav", rattle(count, 3), RATE, subtype="PCM_16")
        lines.append({"file": f"{count}.wav", "sensor": "microphone", "beads": count})
    lines.append({"file": f"{counts[0]}.wav", "sensor": "microphone", "beads": 13, "rejected": "dropped"})
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder
