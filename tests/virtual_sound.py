"""Sound cards that are not there: `hw_mock.pulse` in real time, and an ALSA file as fast as it is read."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hw_mock.pulse import VirtualSound

__all__ = ["FilePcm", "VirtualSound", "polartable"]


class FilePcm:
    """ALSA's `file` plugin over `null`: float32[samples] as an input device, bit by bit and as fast as it is read, the
    same on both channels of a stereo socket; it has as many as are asked for, and ears ask for two.

    There is no conversion on the way (`plug` loses blocks of an unpaced device), so programs must ask for float32.
    """

    def __init__(self, folder: Path, samples: npt.NDArray[np.float32]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        raw = folder / "samples.f32"
        np.column_stack([samples, samples]).astype("<f4").tofile(raw)
        (folder / ".asoundrc").write_text(
            "pcm.!default {\n"
            f"    type file\n    file /dev/null\n    infile {raw}\n    format raw\n"
            "    slave { pcm { type null } }\n}\n"
        )
        away = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "JACK_NO_START_SERVER": "1"}
        self.environment = {**os.environ, **away}  # from the sound server of who runs this, if there is one


def polartable(*words: str) -> list[str]:
    """The command line of this checkout, for a process of its own."""
    return [sys.executable, "-c", "from table.cli import main; main()", *words]
