"""Pins that cannot be opened, and lights that fall dark in the middle of a game: said in a sentence, and played on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware_bridge.clock import VirtualClock
from hw_mock.buttons import MockButtons
from sensors.buttons import ButtonError, Buttons
from table.config import Lights, Settings
from table.desk.said import Said
from table.door.access import Access
from table.journal.store import Journal
from table.room.lights import LightError, Signals, open_buzzer, open_light
from table.room.table_room import TableRoom
from tests.parts import ROOT


class Busy(Exception):
    """As lgpio's own error, which is no OSError and which gpiozero hands on."""


def hold(pin_class: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program holds the pin that is opened next."""
    claim = pin_class._set_function

    def busy(*_: Any) -> NoReturn:
        monkeypatch.setattr(pin_class, "_set_function", claim)
        raise Busy("'GPIO busy'")

    monkeypatch.setattr(pin_class, "_set_function", busy)


def gone(*_: Any) -> NoReturn:
    raise OSError(5, "Input/output error")


# pins that cannot be opened


def test_a_light_whose_pin_another_program_holds_is_named(
    pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold(MockPWMPin, monkeypatch)
    with pytest.raises(LightError, match=r"pin 5 of the light cannot be opened .*GPIO busy"):
        open_light(5, pins)
    hold(MockPWMPin, monkeypatch)
    with pytest.raises(LightError, match=r"pin 6 of the buzzer cannot be opened .*GPIO busy"):
        open_buzzer(6, pins)


def test_a_machine_without_pins_is_told_so_in_one_sentence() -> None:
    """As a laptop is: gpiozero tries one library after the other, and warns of each."""
    opened = (
        "Buttons({'red': 17}, VirtualClock(), print)",
        "open_light(5)",
        "open_buzzer(6)",
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GPIOZERO_")}
    for section, call in zip(("buttons", "lights", "lights"), opened, strict=True):
        source = f"""
from firmware_bridge.clock import VirtualClock
from sensors.buttons import Buttons
from table.room.lights import open_buzzer, open_light
try:
    {call}
except Exception as error:
    print(error)
"""
        done = subprocess.run(
            (sys.executable, "-c", source),
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""
        assert "cannot be opened (no library can drive this machine's pins) – " in done.stdout
        assert "pipx inject polartable lgpio" in done.stdout
        assert f"take [{section}] out of the settings" in done.stdout


def test_a_button_whose_pin_another_program_holds_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    fingers = MockButtons({"red": 17})
    hold(fingers.factory.pin_class, monkeypatch)
    with pytest.raises(ButtonError, match=r"pin 17 of red's button cannot be opened .*GPIO busy"):
        Buttons(fingers.pins, VirtualClock(), lambda _: None, fingers.factory)


def test_a_pin_that_can_make_no_tones_is_told_as_such() -> None:
    """gpiozero's error for it has no words, and empty brackets tell nobody anything."""
    with pytest.raises(LightError, match=r"pin 6 of the buzzer cannot be opened \(it can make no tones\)"):
        open_buzzer(6, MockFactory())


# parts that fail while a game is played


async def test_a_light_that_fails_is_said_once_and_the_buzzer_plays_on(
    pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, told = VirtualClock(), list[str]()
    signals = Signals(clock, open_light(5, pins), open_buzzer(6, pins), lambda error: told.append(str(error)))
    signals.play("over")
    await clock.advance(0.05)
    monkeypatch.setattr(pins.pin(5), "_set_state", gone)
    await clock.advance(5.0)  # in the middle of a pattern, where nobody waits for it
    assert len(told) == 1
    assert told[0].startswith("PT-321: the light fails (Input/output error)")
    signals.play("legal")
    await clock.advance(0.05)
    assert pins.pin(6).frequency == pytest.approx(880.0)
    assert len(told) == 1
    signals.close()
    signals.close()


async def test_a_part_that_fails_when_all_is_closed_keeps_no_pin_open(
    pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    signals = Signals(VirtualClock(), open_light(5, pins), open_buzzer(6, pins))
    signals.play("legal")
    monkeypatch.setattr(pins.pin(5), "_set_state", gone)
    signals.close()
    open_buzzer(6, pins).close()


@pytest.fixture
def room(
    tmp_path: Path, clock: VirtualClock, pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> TableRoom:
    monkeypatch.setattr("table.room.without_screen.open_light", lambda pin: open_light(pin, pins))
    monkeypatch.setattr("table.room.without_screen.open_buzzer", lambda pin: open_buzzer(pin, pins))
    settings = Settings(lights=Lights(light=5, buzzer=6))
    return TableRoom(settings, clock, Journal(tmp_path / "book.sqlite"), Access(clock, lan=False))


async def test_a_light_that_fails_takes_no_move_with_it(
    room: TableRoom, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.start()
    heard: list[Said] = []
    room.listen(heard.append)
    room.desk.play("tilt n>S")
    await clock.advance(0.01)
    monkeypatch.setattr(MockPWMPin, "_set_state", gone)
    for move, legal in (("tilt w>E", True), ("tilt w>E", False)):
        before = len(heard)
        assert room.desk.play(move) is legal
        assert len(heard) > before
        await clock.advance(0.01)
    faults = [said.text for said in heard if said.event == "lights"]
    assert len(faults) == 2  # the light and the buzzer, once each
    assert all(text.startswith("PT-321") for text in faults)
    await room.stop()
    assert room.journal.fault is None


async def test_a_listener_with_a_defect_silences_none_of_the_others(
    room: TableRoom, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[Said] = []
    room.listen(gone)
    room.listen(heard.append)
    assert room.desk.play("tilt n>S")
    assert [said.event for said in heard] == ["tilted"]
    assert "Input/output error" in caplog.text
    await room.stop()


async def test_whatever_cannot_be_closed_keeps_the_journal_open_for_nobody(
    room: TableRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[bool] = []
    monkeypatch.setattr(room.journal, "close", lambda: closed.append(True))
    room._close.append(gone)
    await room.stop()
    assert closed == [True]
