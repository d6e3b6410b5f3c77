"""A take with missing samples (NaN) in its shake: `evaluate` is as little sure of it as `listen`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import Recording
from calibration.takes.features import hear
from calibration.testing.evaluate import answer
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import Profile, load_shipped
from sensors.ear.sources.sound_file import open_sound
from sensors.ear.verdicts.lost_sound import NO_NUMBERS
from sensors.evidence import Heard
from tests.rattle import RATE, rattle


def sure_of_anything() -> Profile:
    profile = load_shipped("contact")
    return replace(profile, heads=tuple(replace(head, sure_from=0.05) for head in profile.heads))


def in_play(path: Path, profile: Profile) -> Heard:
    file = open_sound(path)
    ear = Listener(profile, file.rate, file.channels, path.name, fine=file.fine)
    said = [*(one for block in file.blocks(as_written=True) for one in ear.push(block)), *ear.finish()]
    (one,) = (one for one in said if isinstance(one, Heard))
    return one


@pytest.mark.parametrize(
    ("holes_s", "verdict"),
    [([], "sure"), ([0.1], "sure"), ([1.4], "unsure"), ([0.02, 0.45], "unsure"), ([0.1, 3.0], "sure")],
)
def test_a_take_with_a_hole_in_its_shake_is_not_sure(
    tmp_path: Path, holes_s: list[float], verdict: str
) -> None:
    sound, profile = np.concatenate([rattle(6, 3), np.zeros(RATE, np.float32)]), sure_of_anything()
    for at in holes_s:
        sound[round(at * RATE) :][: RATE // 1000] = np.nan
    soundfile.write(tmp_path / "x.wav", sound, RATE, subtype="FLOAT")
    recording = Recording(tmp_path, "x.wav", "microphone", 6)
    told = answer(profile, [hear(recording, head.front) for head in profile.heads_for("microphone", RATE)])
    play = in_play(tmp_path / "x.wav", profile)
    assert (told.heard.verdict, told.heard.reason) == (play.verdict, play.reason)
    assert told.heard.verdict == verdict
    assert told.heard.reason == (NO_NUMBERS if verdict == "unsure" else None)
