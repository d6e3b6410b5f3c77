"""Takes and what was told of them, as much as curves and intervals look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from calibration.recordings.folder import Recording
from calibration.testing.evaluate import Tested as Answer
from sensors.evidence import Heard


class Take:
    """As much of a `calibration.testing.evaluate.Tested` as curves look at."""

    counted = True
    sitting: str | None = None
    left_out: Any = None
    again = False

    def __init__(self, file: str, beads: int, best: int, player: str = "anna", session: str = "s") -> None:
        recording = Recording(
            Path(), file, "microphone", beads, f"of {beads}", "D", player, session, None, None, None, None, {}
        )
        self.row: Any = type("Row", (), {"recording": recording})()
        self.best, self.probabilities = best, {best: 0.9, best + 1: 0.1}
        self.heard = Heard(file, 0.0, 2.0, "unsure", self.probabilities, 30.0, False, "")


def several(*takes: Take) -> list[Answer]:
    return cast(list[Answer], list(takes))
