"""Buttons at the seats, on gpiozero's mock pins."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_bridge.clock import VirtualClock
from hw_mock.bench.buttons import HELD_S, SimulatedButtons
from hw_mock.buttons import MockButtons
from sensors.buttons import ButtonError, Buttons
from sensors.evidence import Pressed

PINS = {"red": 17, "blue": 27}


def test_a_bouncing_press_is_one_press_and_a_second_one_later_is_another() -> None:
    fingers, clock, heard = MockButtons(PINS), VirtualClock(), list[Pressed]()
    buttons = Buttons(PINS, clock, heard.append, fingers.factory)
    fingers.press("red", bounces=5)
    assert [p.seat for p in heard] == ["red"]
    clock.set(0.2)
    fingers.press("blue")
    fingers.press("red")
    assert [(p.t, p.seat) for p in heard] == [(0.0, "red"), (0.2, "blue"), (0.2, "red")]
    buttons.close()
    buttons.close()
    fingers.press("red")
    assert len(heard) == 3


def test_a_button_that_bounces_when_it_is_let_go_stays_one_press() -> None:
    """Fingers stay on a button for 0.1 to 0.4 s: the contact bounces at both ends, far apart from each other."""
    fingers, clock, heard = MockButtons(PINS), VirtualClock(), list[Pressed]()
    buttons = Buttons(PINS, clock, heard.append, fingers.factory)
    fingers.hold("red", True)
    clock.set(0.3)
    fingers.hold("red", False, bounces=0)
    for later in (0.305, 0.31):
        clock.set(later)
        fingers.hold("red", True, bounces=0)
        fingers.hold("red", False, bounces=0)
    assert [(p.t, p.seat) for p in heard] == [(0.0, "red")]
    clock.set(0.5)
    fingers.press("red")
    assert [p.t for p in heard] == [0.0, 0.5]
    buttons.close()


def test_a_button_that_is_held_down_stays_one_press() -> None:
    fingers, clock, heard = MockButtons(PINS), VirtualClock(), list[Pressed]()
    with_buttons = Buttons(PINS, clock, heard.append, fingers.factory)
    fingers.hold("blue", True)
    clock.set(30.0)
    fingers.hold("blue", False)
    assert len(heard) == 1
    with_buttons.close()


def test_each_press_of_the_plugins_finger_is_one_and_takes_its_time() -> None:
    clock, heard = VirtualClock(), list[Pressed]()
    fingers = SimulatedButtons(PINS, lambda seconds: clock.set(clock.now() + seconds))
    buttons = Buttons(PINS, clock, heard.append, fingers.factory)
    for bounces in (3, 0, 2):
        fingers.press("red", bounces)
    assert [p.seat for p in heard] == ["red"] * 3
    assert [after.t - before.t >= HELD_S for before, after in pairwise(heard)] == [True, True]
    assert clock.now() >= 3 * HELD_S
    buttons.close()


def test_two_buttons_on_one_pin_are_named_and_no_pin_stays_open() -> None:
    fingers = MockButtons({"red": 17})
    with pytest.raises(ButtonError, match="pin 17 of blue's button"):
        Buttons({"red": 17, "blue": 17}, VirtualClock(), lambda _: None, fingers.factory)
    Buttons({"blue": 17}, VirtualClock(), lambda _: None, fingers.factory).close()
