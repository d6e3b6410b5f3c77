"""Two seats are named, and both channels are one microphone: a sound server gives a mono one that way."""

from __future__ import annotations

import numpy as np
import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.errors import SoundError
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.sources import capture
from table.listening.seat_each import hear_seats_live
from tests.cards import Cards
from tests.rattle import RATE, Sound

HISS = 1e-3 * np.random.default_rng(1).standard_normal((8 * RATE, 2)).astype(np.float32)
TWICE = np.stack([HISS[:, 0], HISS[:, 0]], axis=1)
MUTED_AT_FIRST = np.concatenate([np.zeros((6 * RATE, 2), np.float32), TWICE])


def hear(cards: Cards, monkeypatch: pytest.MonkeyPatch, sound: Sound) -> None:
    monkeypatch.setattr(capture, "QUEUED_S", 60.0)
    cards.devices, cards.played, clock = [("card", 2, float(RATE))], sound, VirtualClock()
    profile = load_shipped("microphone")
    list(
        hear_seats_live(
            "card", ("red", "blue"), profile, False, clock, 0.5, lambda s: clock.set(clock.now() + s)
        )
    )


@pytest.mark.parametrize("sound", [TWICE, MUTED_AT_FIRST])
def test_of_a_sound_card_it_is_refused(cards: Cards, monkeypatch: pytest.MonkeyPatch, sound: Sound) -> None:
    """Else each shake would be told at both seats, or at none of them."""
    with pytest.raises(SoundError, match="channels 1 and 2 of card are the same sound, as of one microphone"):
        hear(cards, monkeypatch, sound)


def test_two_microphones_are_heard(cards: Cards, monkeypatch: pytest.MonkeyPatch) -> None:
    hear(cards, monkeypatch, HISS)
