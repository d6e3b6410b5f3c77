"""What finds shakes among the levels of each kind of sensor."""

from __future__ import annotations

import pytest

from sensors.ear.frames.frontend import Sensor
from sensors.ear.shakes.finding import finder_for
from sensors.ear.shakes.moves import MOVE_SILENCE_S
from tests.sensors.ear.frames.strokes import levels


def kinds(sensor: Sensor, sequence: list[float], *, guided: bool = False) -> list[str]:
    finder = finder_for(sensor, lambda first, end: False, guided=guided)
    return [f.kind for level in sequence if (f := finder.push(level)) is not None]


@pytest.mark.parametrize(("sensor", "shakes"), [("accelerometer", 1), ("microphone", 2)])
def test_gentle_strokes_after_hard_ones_are_of_the_same_shake_on_the_shell(
    sensor: Sensor, shakes: int
) -> None:
    """Across a table they may be somebody else's."""
    hard, gentle = (0.6, -20, 6), (1.5, -41, 3)
    sequence = levels((1, -75, 0), hard, gentle, hard, (1, -75, 0))
    assert kinds(sensor, sequence) == ["begin", "end"] * shakes


@pytest.mark.parametrize("sensor", ["accelerometer", "microphone"])
def test_blows_of_a_gesture_may_be_further_apart_than_strokes(sensor: Sensor) -> None:
    blow, pause = (0.2, -20, 6), (MOVE_SILENCE_S - 0.3, -75, 0)
    sequence = levels((1, -75, 0), blow, pause, blow, (2, -75, 0))
    assert kinds(sensor, sequence, guided=True) == ["begin", "end"]
    assert kinds(sensor, sequence) == ["begin", "end"] * 2
