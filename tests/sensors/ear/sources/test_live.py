"""Live listening through a real PortAudio stream: a private PulseAudio in real time, and an unpaced ALSA file.

Nothing is patched: a process of its own runs the command, and hears what is played into a null sink.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from sensors.ear.profiles import profile as profiles
from tests.parts import needs
from tests.rattle import RATE, rattle
from tests.rattle_profile import rattle_profile
from tests.virtual_sound import FilePcm, VirtualSound, polartable


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    path = tmp_path / "rattle.profile"
    profiles.save(rattle_profile(), path)
    return path


def start(card: VirtualSound, profile: Path, *words: str) -> subprocess.Popen[str]:
    command = polartable("listen", "default", "--json", "--profile", str(profile), *words)
    return subprocess.Popen(
        command, env=card.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def next_line(process: subprocess.Popen[str], event: str) -> dict[str, Any]:
    assert process.stdout is not None
    for line in process.stdout:
        said: dict[str, Any] = json.loads(line)
        if said["event"] == event:
            return said
    raise AssertionError(f"no {event} line came")


@needs("portaudio", "pulseaudio")
def test_a_shake_that_is_played_is_heard_and_a_card_that_goes_away_comes_back(
    tmp_path: Path, profile: Path
) -> None:
    shake = tmp_path / "shake.wav"
    soundfile.write(
        shake, np.concatenate([rattle(7, 3), np.zeros(RATE // 2, np.float32)]), RATE, subtype="PCM_16"
    )
    card = VirtualSound(tmp_path)
    with card:
        process = start(card, profile, "--partial")
        try:
            assert next_line(process, "link")["state"] == "open"
            card.play(shake)
            assert next_line(process, "hearing")["source"] == "default"
            heard = next_line(process, "shake")
            assert heard["verdict"] in ("sure", "unsure")
            assert heard["end_s"] - heard["start_s"] == pytest.approx(2.0, abs=0.4)
            best = max(heard["probabilities"], key=heard["probabilities"].get)
            assert abs(int(best) - 7) <= 3
            card.unplug()
            assert next_line(process, "link")["state"] == "lost"
            card.start()
            assert next_line(process, "link")["state"] == "back"
            card.play(shake)
            assert next_line(process, "shake")["verdict"] in ("sure", "unsure")
            process.send_signal(signal.SIGINT)
            assert next_line(process, "count")["source"] == "default"  # its last words
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()
            process.communicate(timeout=20)


TWO_SEATS = """
from sensors.ear.sources.capture import Capture, find_input, look_again

with Capture(find_input("default")) as one, Capture(find_input("igloo_mic")) as other:
    print(look_again(), one._stream.active, other._stream.active)
print(look_again())
with Capture(find_input("default")) as again:
    print(again._stream.active)
"""


@needs("portaudio", "pulseaudio")
def test_looking_for_a_lost_card_does_not_deafen_the_other_seats(tmp_path: Path) -> None:
    with VirtualSound(tmp_path) as card:
        command = [sys.executable, "-c", TWO_SEATS]
        done = subprocess.run(command, env=card.environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["False", "True", "True", "True", "True"]


@needs("portaudio")
def test_an_unpaced_device_loses_nothing(tmp_path: Path, profile: Path) -> None:
    pieces = [rattle(beads, 5, rate=44100) for beads in (4, 11)]
    card = FilePcm(
        tmp_path / "card", np.concatenate([np.zeros(RATE, np.float32), *pieces, np.zeros(RATE, np.float32)])
    )
    command = polartable("listen", "default", "--json", "--profile", str(profile), "--seconds", "5")
    done = subprocess.run(command, env=card.environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    first, second = [line for line in said if line["event"] == "shake"][:2]
    assert (first["start_s"], second["start_s"]) == (pytest.approx(1.4, abs=0.2), pytest.approx(4.6, abs=0.2))
    assert said[-1] == {"event": "count", "source": "default", "overflows": 0}


@needs("portaudio")
def test_a_device_that_does_not_exist_is_named_with_those_that_do(tmp_path: Path, profile: Path) -> None:
    card = FilePcm(tmp_path / "card", np.zeros(RATE, np.float32))
    command = polartable("listen", "the moon", "--json", "--profile", str(profile))
    done = subprocess.run(command, env=card.environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    (sentence,) = [line for line in done.stderr.splitlines() if line.startswith("polartable:")]
    assert "there is no input device 'the moon' (there are: " in sentence
    assert "and no file or folder of that name" in sentence
    assert "default" in sentence
