"""The lamp's tests. `pytest` moves simulated cubes; `pytest --hw cubes=/dev/ttyACM0 mic=USB` asks you to move yours."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from lamp import Lamp

HERE = Path(__file__).parent


def shown(lamp, wanted, seconds=15.0):
    """Look until the lamp shows it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if {slot: lamp.look().get(slot) for slot in wanted} == wanted:
            return True
    return False


@pytest.mark.hw_cubes(temper="hasty", seed=3)
def test_the_lamp_follows_a_tilt(hw_cubes):
    with Lamp(hw_cubes.ports) as lamp:
        assert shown(lamp, {"NW": "white", "NE": "white", "SE": "white", "SW": "white"})
        hw_cubes.tilt("n", "S")
        assert shown(lamp, {"NW": "blue", "NE": "blue", "SE": "white"})
        hw_cubes.look_through("SE")  # put back as it was
        assert not shown(lamp, {"SE": "red"}, seconds=0.5)


def test_a_pulled_cable_is_forgiven(hw_cubes):
    with Lamp(hw_cubes.ports) as lamp:
        assert shown(lamp, {"NW": "white", "NE": "white"})
        hw_cubes.unplug("NW")
        hw_cubes.plug("NW")
        assert shown(lamp, {"NW": "white"})
        hw_cubes.tilt("w", "E")
        assert shown(lamp, {"NW": "yellow", "SW": "yellow"}, seconds=20.0)


def test_a_bad_wire_changes_nothing(hw_cubes):
    if not hw_cubes.simulated:
        pytest.skip("nobody spoils a good cable")
    hw_cubes.faults(drop=0.05, flip=0.02)
    with Lamp(hw_cubes.ports) as lamp:
        assert shown(lamp, {"NW": "white", "SE": "white"})
        hw_cubes.turn("SE", "cw")
        assert set(lamp.look().values()) == {"white"}


def test_a_shake_is_loud(hw_igloo):
    hw_igloo.prepare(7)
    ear = subprocess.Popen(
        [sys.executable, str(HERE / "loudness.py"), hw_igloo.microphone, "4"],
        env=hw_igloo.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert ear.stdout.readline() == "listening\n"
    hw_igloo.shake(7)
    assert float(ear.communicate(timeout=30)[0]) > 0.05


def test_a_button_turns_the_lamp_off(hw_buttons):
    from gpiozero import Button

    buttons = hw_buttons({"lamp": 17})
    pressed = []
    button = Button(17, pin_factory=buttons.factory)
    button.when_pressed = lambda: pressed.append(True)
    buttons.press("lamp")
    assert pressed
    button.close()


def test_an_hour_of_the_lamp_in_no_time(hw_clock):
    """What only waits for a clock is tested on one that jumps."""
    hw_clock.set(3600)
    assert hw_clock.now() == 3600
