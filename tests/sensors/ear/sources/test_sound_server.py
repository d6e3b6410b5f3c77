"""A sound server's own rate is asked for: what it resamples shows no more where it was cut off."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from sensors.ear.sources import capture
from sensors.ear.sources.sound_server import is_served, server_rate
from tests.cards import stand_in
from tests.parts import needs
from tests.virtual_sound import VirtualSound

CARD = "0\tcard.mono\tmodule-alsa-card.c\ts16le 1ch {}Hz\tSUSPENDED\n"
MONITOR = "1\ttab.monitor\tmodule-null-sink.c\ts16le 2ch {}Hz\tIDLE\n"


def answering(folder: Path, listed: str, status: int = 0) -> dict[str, str]:
    """A session whose server lists these sources."""
    program = folder / "pactl"
    program.write_text(f"#!{sys.executable}\nprint({listed!r}, end='')\nraise SystemExit({status})\n")
    program.chmod(0o755)
    return {"PATH": str(folder), "PULSE_SERVER": "unix:somewhere", "XDG_RUNTIME_DIR": str(folder)}


@pytest.mark.parametrize(
    ("listed", "rate"),
    [
        (CARD.format(48000), 48000.0),
        (CARD.format(44100), 44100.0),
        (MONITOR.format(48000), 48000.0),
        (CARD.format(44100) + MONITOR.format(48000), 44100.0),
        (CARD.format(44100) + CARD.format(48000), 48000.0),
        (CARD.format(16000), 16000.0),
        (CARD.format(8000) + CARD.format(16000) + MONITOR.format(48000), 16000.0),
        (CARD.format(16000) + CARD.format(44100), 44100.0),
        (CARD.format(96000), None),
        (CARD.format(16000) + CARD.format(96000), None),
        ("", None),
        ("no words of ours\n", None),
    ],
)
def test_the_rate_of_the_sources_is_told(tmp_path: Path, listed: str, rate: float | None) -> None:
    assert server_rate(answering(tmp_path, listed)) == rate


HEADSET = "2\tbluez.headset\tmodule-bluez.c\ts16le 1ch {}Hz\tRUNNING\n"


@pytest.mark.parametrize(
    ("of_default", "listed", "rate"),
    [
        ("bluez.headset", HEADSET.format(16000) + CARD.format(48000), 16000.0),
        ("bluez.headset", HEADSET.format(44100) + CARD.format(48000), 44100.0),
        ("card.mono", HEADSET.format(16000) + CARD.format(48000), 48000.0),
        ("bluez.headset", HEADSET.format(96000) + CARD.format(44100), 44100.0),  # a microphone needs no more
        ("tab.monitor", CARD.format(48000) + MONITOR.format(16000), 16000.0),
        ("gone", HEADSET.format(16000) + CARD.format(48000), 48000.0),
    ],
)
def test_of_what_the_system_hears_by_default_its_own_rate_is_told(
    tmp_path: Path, of_default: str, listed: str, rate: float
) -> None:
    """Beside a telephone's headset another microphone does not make it fast: above 8 kHz it has nothing."""
    environment = answering(tmp_path, f"Server Name: pulseaudio\nDefault Source: {of_default}\n{listed}")
    assert server_rate(environment, of_default=True) == rate


def test_a_source_that_the_session_names_is_asked_before_the_server_s(tmp_path: Path) -> None:
    listed = "Default Source: card.mono\n" + HEADSET.format(16000) + CARD.format(48000)
    environment = answering(tmp_path, listed) | {"PULSE_SOURCE": "bluez.headset"}
    assert server_rate(environment, of_default=True) == 16000.0
    assert server_rate(environment) == 48000.0  # a device of one's own may be any of them


def test_where_the_server_cannot_be_asked_pipewire_is_known_by_its_socket(tmp_path: Path) -> None:
    session = {"XDG_RUNTIME_DIR": str(tmp_path), "PATH": str(tmp_path)}
    assert server_rate(session) is None
    (tmp_path / "pipewire-0").touch()
    assert server_rate(session) == 48000.0
    assert server_rate(session | {"PULSE_SERVER": "unix:somewhere"}) == 48000.0  # no pactl is installed
    assert server_rate(answering(tmp_path, CARD.format(44100), status=1)) == 48000.0


def test_what_cannot_be_asked_or_read_is_no_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = answering(tmp_path, CARD.format(44100))
    (tmp_path / "pactl").write_text(
        f"#!{sys.executable}\nimport sys\n"
        "sys.stdout.buffer.write(b'0\\tH\\xf6rer\\tx.c\\ts16le 1ch 44100Hz\\tIDLE\\n')\n"
        "sys.stderr.buffer.write(b'\\xf6')\n"
    )
    assert server_rate(environment) == 44100.0  # a name that is no UTF-8

    def barred(self: Path, **_: object) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "exists", barred)  # another user's folder, which `su` leaves in the environment
    assert server_rate({"XDG_RUNTIME_DIR": str(tmp_path)}) is None


def test_only_a_server_s_device_is_opened_at_its_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = stand_in(monkeypatch)
    cards.devices = [("pulse", 32, 44100.0), ("mic of red", 32, 44100.0), ("USB (hw:1,0)", 1, 44100.0)]
    for told, rates in ((48000.0, [48000.0, 48000.0, 44100.0]), (None, [44100.0] * 3)):
        monkeypatch.setattr(capture, "server_rate", lambda of_default, told=told: told)
        opened = [capture.Capture(device) for device in capture.input_devices()]
        assert [one.rate for one in opened] == rates
        for one in opened:
            one.close()
    assert is_served("default", 2)
    assert not is_served("sysdefault", 2)
    assert not is_served("Many (hw:2,0)", 64)


OPENS = """
import json
from sensors.ear.sources.capture import Capture, find_input
with Capture(find_input("igloo_mic")) as opened:
    blocks = opened.blocks()
    print(json.dumps(opened.rate), flush=True)
    for _ in range(100):
        block = next(blocks)
        tops = block[:, 0][block[:, 0] > 0.5]
        if len(tops):
            print(json.dumps([float(tops.min()), float(tops.max())]), flush=True)
"""


@needs("portaudio", "pulseaudio")
@pytest.mark.parametrize("rate", [48000, 44100])
def test_what_was_cut_off_comes_flat_from_a_server_of_any_rate(tmp_path: Path, rate: int) -> None:
    square = np.where(np.arange(4 * rate) // 60 % 2, 0.9, -0.9).astype(np.float32)
    sound = tmp_path / "square.wav"
    soundfile.write(sound, square, rate, subtype="FLOAT")
    with VirtualSound(tmp_path, rate=rate) as card:
        opens = [sys.executable, "-c", OPENS]
        with subprocess.Popen(opens, env=card.environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert json.loads(process.stdout.readline()) == rate
            card.play(sound)
            tops = [json.loads(line) for line in process.stdout]
    flat = [high - low for low, high in tops if low > 0.8]
    assert min(flat) < 0.001
