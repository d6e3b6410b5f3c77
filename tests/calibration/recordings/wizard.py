"""What tests of the recording wizard share: a stream of rattles without the real pace, answers, what was listed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from firmware_bridge.clock import VirtualClock
from hw_mock.sound import MockCapture
from sensors.ear.profiles.profile import load_shipped
from table.commands.record_source import OpenSource
from table.commands.record_way import Shaken
from tests.rattle import RATE, rattle

RECORD = ["calibrate", "igloos", "record"]
KEPT = ("", "")  # Enter: record, Enter: keep
INTERRUPT = "Ctrl-C"
ENDED = "Ctrl-D"
SHAKEN = Shaken(load_shipped("contact"), 2.0)


def lines(tmp_path: Path) -> list[Recording]:
    return list(store.read(tmp_path / "mine", lambda error: pytest.fail(str(error))))


def unhurried(source: str, seconds: float, *_: object) -> OpenSource:
    """A capture stream that plays rattles, without the real pace: time passes as fast as blocks are asked for."""
    clock = VirtualClock()
    turn = iter(range(100))

    def opened(beads: int) -> MockCapture:
        quiet = 3e-5 * np.random.default_rng(beads).standard_normal(RATE // 2).astype(np.float32)
        sound = [quiet, rattle(beads, next(turn), seconds)]
        return MockCapture(sound, clock, lambda s: clock.set(clock.now() + s), rate=float(RATE), endless=True)

    return opened
