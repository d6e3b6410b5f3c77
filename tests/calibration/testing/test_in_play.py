"""What would be refused as no shake is asked of the ear that listens, not of the cut that figures go by."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import Recording
from calibration.takes.features import rows
from calibration.testing import evaluate
from calibration.testing.evaluate import answer
from calibration.testing.gather import refusal, refused
from calibration.testing.in_play import told_in_play
from hw_mock.igloo.device import Device
from hw_mock.igloo.hand import Player
from hw_mock.igloo.shake import simulate
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.verdicts.reasons import HANDLED

RATE = 48000
EAR = load_shipped("contact")
ON_SHELL = {"place": "shell"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated shake, and one knock."""
    to = tmp_path_factory.mktemp("play")
    made = simulate(6, Device.draw(41), Player.draw(42).on(1), 3, 2.0, sensors=("contact",))
    assert made.contact is not None
    soundfile.write(to / "shake.wav", made.contact, RATE)
    knock = 1e-4 * np.random.default_rng(1).standard_normal(2 * RATE)
    n = np.arange(RATE // 20)
    knock[RATE : RATE + len(n)] += 0.5 * np.sin(n / 6) * np.exp(-n / (0.005 * RATE))
    soundfile.write(to / "knock.wav", knock, RATE)
    return to


def asked(folder: Path, name: str) -> evaluate.Tested:
    recording = Recording(folder, name, "microphone", 6, session="s", more=ON_SHELL)
    told: list[Exception] = []
    (of_one,) = rows([recording], told.append, [head.front for head in EAR.heads_for("microphone", RATE)])
    assert not told
    return answer(EAR, of_one)


def test_a_shake_is_told_in_play_and_a_knock_or_nothing_is_not(folder: Path) -> None:
    for name, told in (("shake.wav", True), ("knock.wav", False), ("gone.wav", False)):
        assert told_in_play(EAR, Recording(folder, name, "microphone", 6)) is told


def test_only_what_nobody_hears_in_play_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = evaluate.judge
    monkeypatch.setattr(  # as where a cut holds handling as well
        evaluate, "judge", lambda *asked: replace(judge(*asked), verdict="not-a-shake", reason=HANDLED)
    )
    heard, lost = asked(folder, "shake.wav"), asked(folder, "knock.wav")
    assert heard.heard.verdict == lost.heard.verdict == "not-a-shake"
    assert (heard.refused, lost.refused) == (False, True)
    assert refused([heard, lost]) == 1
    assert refusal([heard]) is None
    assert str(refusal([heard, lost])).startswith(
        "1 of 2 takes would be refused as no shake (moved, but not shaken: "
    )
