"""Takes whose samples are in part no numbers (NaN, infinite): bridged, nobody would find the holes in their files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.recordings import folder as store
from firmware_bridge.clock import VirtualClock
from hw_mock.sound import MockCapture
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.sources.sound_file import open_sound
from table.commands import calibrate_record
from table.commands.record_way import Shaken, Way, Weighed
from table.listening.mock_seat import gesture
from table.recording.asking import RECORD, Question
from tests.rattle import RATE, rattle, shaken_sensor

SHAKEN = Shaken(load_shipped("contact"), 2.0)
QUIET = 3e-5 * np.random.default_rng(0).standard_normal(6 * RATE).astype(np.float32)
SHAKE = np.concatenate([QUIET, rattle(6, 3), QUIET])[:, None]  # from 6.4 s on
IN_IT = round(6.9 * RATE)

Played = Callable[..., tuple[int, list[str | None], str]]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Played:
    """One take by the wizard: how many are kept, why those are not that it wrote, and what it said."""

    def play(sound: np.ndarray[Any, Any], way: Way = SHAKEN, rate: float = float(RATE)) -> Any:
        clock = VirtualClock()

        def opened(beads: int) -> MockCapture:
            return MockCapture(
                [sound.astype(np.float32)], clock, lambda s: clock.set(clock.now() + s), rate=rate,
                channels=sound.shape[1], endless=True,
            )  # fmt: skip

        monkeypatch.setattr(calibrate_record, "opener", lambda *words: opened)
        takes = iter([""])

        def ask(asked: Question) -> str:
            return next(takes, "q") if RECORD in asked.answers else ""

        kept = calibrate_record.record(tmp_path, "default", way, (3,), 1, "D", "anna", "s", 2.0, False, ask)
        why = (
            [line.rejected for line in store.read(tmp_path, lambda _: None)]
            if any(tmp_path.iterdir())
            else []
        )
        return kept, why, capsys.readouterr().err

    return play


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_take_with_a_noticeable_share_of_no_numbers_is_not_kept(play: Played, value: float) -> None:
    sound = SHAKE.copy()
    sound[IN_IT : IN_IT + RATE : 20] = value
    kept, (why,), said = play(sound)
    assert kept == 0
    assert why is not None
    assert why.endswith(
        "of its samples are no numbers (NaN or infinite), the first at 1.1 s: look at the sensor's cable and at what "
        "drives it, or choose another input (polartable devices)"
    )
    assert f"Not kept – {why}. This igloo comes again." in said


def test_a_run_of_them_that_would_hide_hits_costs_the_take_though_it_is_no_share(play: Played) -> None:
    sound = SHAKE.copy()
    sound[IN_IT : IN_IT + round(0.02 * RATE)] = np.nan
    kept, (why,), _ = play(sound)
    assert kept == 0
    assert why is not None
    assert why.startswith(
        "0.02 s of its samples in a row are no numbers (NaN or infinite), the first at 1.1 s"
    )


@pytest.mark.parametrize("at", [slice(IN_IT, IN_IT + 5 * RATE, 500), slice(0, 5 * RATE)])
def test_a_few_are_bridged_and_those_before_the_take_cost_nothing(
    play: Played, at: slice, tmp_path: Path
) -> None:
    sound = SHAKE.copy()
    sound[at] = np.nan
    kept, why, said = play(sound)
    assert (kept, why) == (1, [None])
    assert "no numbers" not in said
    (line,) = store.read(tmp_path, lambda _: None)
    assert len(list(open_sound(line.path).blocks())) > 1


def test_what_an_axis_lacks_is_said_and_not_that_it_is_dead(play: Played) -> None:
    sound = np.concatenate([shaken_sensor(6, 2, 2.4), np.tile([0.1, 0.2, 0.97], (3200, 1))])
    sound[:, 0] = np.nan
    _, (why,), _ = play(sound, Shaken(load_shipped("accelerometer"), 2.0), 1600.0)
    assert why is not None
    assert why.startswith("100% of its samples are no numbers (NaN or infinite), the first at 0.0 s")


def test_a_gesture_at_the_seat_that_lacks_some_is_not_kept(play: Played) -> None:
    samples, rate = gesture(2, 1, 0)
    assert play(samples[:, None], Weighed("microphone"), rate)[1] == [None]
    samples = samples.copy()
    samples[round(8 * rate) : round(8.05 * rate)] = np.nan
    assert "no numbers" in str(play(samples[:, None], Weighed("microphone"), rate)[1][-1])


def test_an_input_that_gives_nothing_but_no_numbers_is_not_called_silent(play: Played) -> None:
    kept, why, said = play(np.full((70 * RATE, 1), np.nan))
    assert (kept, why) == (0, [])
    lacks = (
        "100% of its samples are no numbers (NaN or infinite), the first at 0.0 s: look at the sensor's cable"
    )
    assert f"Nothing was heard for a minute: {lacks}" in said
