"""What PortAudio and ALSA say on standard error by themselves is kept out of sight, and goes into our sentence where a
device cannot be opened."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sensors.ear.errors import CaptureLost
from sensors.ear.sources.capture import find_input, open_input
from sensors.ear.sources.system_words import kept_apart
from tests.cards import Cards, stand_in
from tests.parts import needs
from tests.virtual_sound import FilePcm

ALSA = "ALSA lib pcm_hw.c:1829:(_snd_pcm_hw_open) open '/dev/snd/pcmC7D0c' failed (-16): Device or resource busy\n"
PORTAUDIO = "Expression 'ret' failed in 'src/hostapi/alsa/pa_linux_alsa.c', line: 1736\n"
Capfd = pytest.CaptureFixture[str]


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> Cards:
    return stand_in(monkeypatch)


def talk(cards: Cards, monkeypatch: pytest.MonkeyPatch, *, fails: bool) -> None:
    """They talk while a stream is opened, and while it is closed."""
    opened = cards.InputStream

    def open_talking(**how: Any) -> Any:
        os.write(2, (ALSA + PORTAUDIO).encode())
        if fails:
            raise cards.PortAudioError("Error opening InputStream: Device unavailable [PaErrorCode -9985]")
        stream = opened(**how)
        stream.close = lambda ignore_errors: os.write(2, PORTAUDIO.encode())
        return stream

    monkeypatch.setattr(cards, "InputStream", open_talking)


def test_a_device_that_opens_says_nothing(
    cards: Cards, monkeypatch: pytest.MonkeyPatch, capfd: Capfd
) -> None:
    talk(cards, monkeypatch, fails=False)
    with open_input(lambda: find_input("USB mic")):
        pass
    assert capfd.readouterr().err == ""


def test_one_that_does_not_is_told_in_one_sentence_with_the_system_s_words(
    cards: Cards, monkeypatch: pytest.MonkeyPatch, capfd: Capfd
) -> None:
    talk(cards, monkeypatch, fails=True)
    with pytest.raises(CaptureLost) as lost:
        open_input(lambda: find_input("USB mic"))
    assert lost.value.cause == (
        "USB mic cannot be opened (Error opening InputStream: Device unavailable [PaErrorCode -9985]; "
        "open '/dev/snd/pcmC7D0c' failed (-16): Device or resource busy)"
    )
    assert capfd.readouterr().err == ""


def test_what_others_say_meanwhile_is_handed_on(capfd: Capfd) -> None:
    with kept_apart() as said:
        other = threading.Thread(target=lambda: print("somebody else", file=sys.stderr, flush=True))
        other.start()
        os.write(2, ALSA.encode())
        other.join()
        os.write(2, b"half a line")
    assert said == [ALSA.rstrip()]
    assert capfd.readouterr().err == "somebody else\nhalf a line"


def test_standard_error_is_back_after_whatever_is_raised(capfd: Capfd) -> None:
    def broken_off() -> None:
        with kept_apart():
            os.write(2, ALSA.encode())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    os.write(2, b"back\n")
    assert capfd.readouterr().err == "back\n"


def test_where_it_is_closed_a_device_is_opened_all_the_same() -> None:
    script = (
        "import os; os.close(2)\n"
        "from sensors.ear.sources.system_words import kept_apart\n"
        "with kept_apart(): print(7)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "7\n"


OPENED_TOO_LATE = """
import sys
from pathlib import Path
from sensors.ear.errors import CaptureLost
from sensors.ear.sources.capture import find_input, open_input
device = find_input("default")
Path(sys.argv[1]).unlink()
try:
    open_input(lambda: device)
except CaptureLost as lost:
    print(lost.cause)
"""


@needs("portaudio")
def test_a_device_of_alsa_that_does_not_open_says_why_and_nothing_else(tmp_path: Path) -> None:
    card, sound = FilePcm(tmp_path / "card", np.zeros(4800, np.float32)), tmp_path / "card" / "samples.f32"
    command = [sys.executable, "-c", OPENED_TOO_LATE, str(sound)]
    done = subprocess.run(command, env=card.environment, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout.startswith("default cannot be opened (Error opening InputStream: ")
    assert f"; open {str(sound)[:60]}" in done.stdout
