"""Lights and sounds on gpiozero's mock pins: a game that can be followed without a screen."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from firmware_bridge.clock import VirtualClock
from table.desk.said import Said
from table.room.lights import LIGHT, SOUND, LightError, Signals, open_buzzer, open_light
from tests.table.games import new_ice_cult


def states(pins: MockFactory, pin: int) -> list[bool]:
    return [bool(state.state) for state in pins.pin(pin).states]


async def test_a_legal_move_is_one_long_blink_and_one_tone(pins: MockFactory) -> None:
    clock = VirtualClock()
    signals = Signals(clock, open_light(5, pins), open_buzzer(6, pins))
    pins.pin(5).clear_states()
    signals.said(Said(0.0, "told", "tilted", "x"))
    await clock.advance(0.05)
    assert pins.pin(5).state
    assert pins.pin(6).frequency == pytest.approx(880.0)
    await clock.advance(2.0)
    assert states(pins, 5) == [False, True, False]
    signals.close()
    signals.close()


async def test_a_refusal_can_be_told_from_a_question_with_the_eyes_and_with_the_ears_alone(
    pins: MockFactory,
) -> None:
    clock, blinks = VirtualClock(), {}
    signals = Signals(clock, open_light(5, pins), None)
    for tone in ("told", "refused", "asks", "over", "fault"):
        pins.pin(5).clear_states()
        signals.said(Said(0.0, tone, "x", "x"))  # type: ignore[arg-type]
        await clock.advance(5.0)
        blinks[tone] = sum(states(pins, 5))
    assert blinks == {"told": 1, "refused": 3, "asks": 2, "over": 5, "fault": 12}
    heard = [SOUND[s] for s in SOUND if SOUND[s]]
    assert len(set(heard)) == len(heard) == 6  # no two signals sound alike


async def test_a_later_signal_replaces_the_one_that_plays(pins: MockFactory) -> None:
    clock = VirtualClock()
    signals = Signals(clock, open_light(5, pins), None)
    signals.play("fault")
    await clock.advance(0.1)
    signals.play("legal")
    await clock.advance(0.3)
    assert signals.now == "legal"
    assert pins.pin(5).state
    await clock.advance(1.0)
    assert not pins.pin(5).state
    signals.close()


async def test_what_is_said_to_one_seat_lights_nothing_for_the_others(pins: MockFactory) -> None:
    signals = Signals(VirtualClock(), open_light(5, pins), None)
    signals.said(Said(0.0, "refused", "x", "x", to=("red",)))
    assert signals.now == "idle"
    signals.close()


async def test_a_game_lights_up_as_the_desk_speaks(pins: MockFactory) -> None:
    desk, clock = new_ice_cult(), VirtualClock()
    signals, seen = Signals(clock, open_light(5, pins), None), list[str]()
    desk.listen(signals.said)
    for move in ("tilt n>S", "tilt n>N", "tilt n>S"):
        desk.play(move)
        seen.append(signals.now)
        await asyncio.sleep(0)
    assert seen == ["legal", "illegal", "legal"]
    signals.close()


def test_a_pin_that_is_taken_is_named(pins: MockFactory) -> None:
    light: Any = open_light(5, pins)
    with pytest.raises(LightError, match="pin 5 of the light"):
        open_light(5, pins)
    light.close()


def test_every_signal_has_a_pattern() -> None:
    assert LIGHT.keys() == SOUND.keys()
    assert all(len(pattern) % 2 == 0 for pattern in LIGHT.values())
