"""Where sound inputs are listed and judged, those of a sound server have the rate that they are opened at."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, cast

import pytest

from sensors.ear.sources import capture
from table.commands import devices
from table.config import Settings
from table.doctor import sound
from tests.cards import Cards, stand_in


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> Cards:
    """One of a server that runs at 48 kHz, of which PortAudio says otherwise, and a card that does not."""
    cards = stand_in(monkeypatch)
    cards.devices = [("pulse", 32, 44100.0), ("USB (hw:1,0)", 1, 44100.0)]
    for module in (capture, devices):
        monkeypatch.setattr(module, "server_rate", lambda of_default: 48000.0)
    return cards


def test_devices_tells_the_rate_of_the_server(cards: Cards, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", cards)
    assert [one["why"].partition(":")[0] for one in devices._sound()] == [
        "a sound input with 32 channels at 48000 Hz",
        "a sound input with 1 channels at 44100 Hz",
    ]
    monkeypatch.setattr(devices, "server_rate", lambda of_default: None)
    assert "at 44100 Hz" in devices._sound()[0]["why"]


def test_the_doctor_holds_a_profile_against_the_rate_of_the_server(cards: Cards) -> None:
    asked: list[float] = []
    known = SimpleNamespace(
        head_for=lambda sensor, rate: asked.append(rate), sensor="microphone", rate=48000.0, counts=(2, 13)
    )
    settings = Settings(ear={"sources": {"red": "pulse", "blue": "USB"}})
    assert sound.fits({"microphone": cast(Any, known)}, settings).state == "good"
    assert asked == [48000.0, 44100.0]
    moment = sound._listen("pulse", cast(Any, SimpleNamespace(now=iter(range(99)).__next__)))
    assert moment.rate == 48000.0
