"""An accelerometer's file whose gravity says that it is not in g is refused; what says nothing is not."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from sensors.ear.errors import SoundError
from sensors.ear.sources.in_g import check_in_g
from sensors.ear.sources.sound_file import open_sound
from table.cli import run
from tests.rattle import Sound, shaken_sensor

RATE = 1600
Capture = pytest.CaptureFixture[str]


def written(path: Path, samples: Sound) -> Path:
    soundfile.write(path, samples, RATE, subtype="FLOAT")
    return path


@pytest.mark.parametrize("cut", [0.0, 0.6])
@pytest.mark.parametrize(
    ("times", "words"),
    [
        (9.81, r"has a gravity of [\d.]+, as of m/s², and an .* wanted in g – divide them by 9.81"),
        (1000.0, r"has a gravity of [\d.]+, as of milli-g, and an .* wanted in g – divide them by 1000"),
        (16384.0, r"has a gravity of [\d.]+, and an .* wanted in g – write it again, with 1 for gravity"),
    ],
)
def test_gravity_tells_another_unit(tmp_path: Path, cut: float, times: float, words: str) -> None:
    shaken = shaken_sensor(7, 1, seconds=3.0)[round(cut * RATE) :]  # with stillness before it, and without
    check_in_g(open_sound(written(tmp_path / "g.wav", shaken)))
    with pytest.raises(SoundError, match=rf"other\.wav {words}"):
        check_in_g(open_sound(written(tmp_path / "other.wav", np.float32(times) * shaken)))


def test_a_hard_hand_is_not_taken_for_gravity(tmp_path: Path) -> None:
    """The hardest hands of hw_mock: 11 g in the middle of all samples, cut off at 16 g an axis."""
    t = np.arange(3 * RATE) / RATE
    shaken = np.outer(20 * np.sin(2 * np.pi * 5.3 * t), [0.7, 0.6, 0.4])
    clipped = np.clip(shaken + np.array([0.1, 0.2, 0.97]), -16, 16).astype(np.float32)
    assert np.median(np.linalg.norm(clipped, axis=1)) > 9.81
    check_in_g(open_sound(written(tmp_path / "hard.wav", clipped)))


@pytest.mark.parametrize("times", [0.5, 2.0, 2.5])
def test_a_range_that_is_read_as_another_is_refused_where_there_is_rest(tmp_path: Path, times: float) -> None:
    shaken = np.float32(times) * shaken_sensor(7, 1, seconds=3.0)
    with pytest.raises(
        SoundError, match=r"has a gravity of [\d.]+ at rest, .* with 1 for gravity: the sensor's range"
    ):
        check_in_g(open_sound(written(tmp_path / "other.wav", shaken)))
    check_in_g(open_sound(written(tmp_path / "no-rest.wav", shaken[round(0.5 * RATE) : round(3.2 * RATE)])))


def test_a_dead_axis_is_named_and_not_the_range(tmp_path: Path) -> None:
    shaken = shaken_sensor(7, 1) * np.float32([1, 1, 0])
    with pytest.raises(SoundError, match=r"dead\.wav, axis z \(0\) gives one value .* – look at its wiring"):
        check_in_g(open_sound(written(tmp_path / "dead.wav", shaken)))


@pytest.mark.parametrize("dies_s", [0.9, 2.0])
def test_an_axis_that_dies_in_the_midst_of_a_shake_is_named(tmp_path: Path, dies_s: float) -> None:
    """A wire comes off: what the other axes feel from then on is a gentler shake, of other counts."""
    shaken = shaken_sensor(7, 1, seconds=3.0)
    died = round(dies_s * RATE)
    shaken[died:, 1] = shaken[died, 1]
    named = (
        rf"dies\.wav, axis y \(.*\) gives one value from {dies_s:.1f} s on, while the igloo moves – look at"
    )
    with pytest.raises(SoundError, match=named):
        check_in_g(open_sound(written(tmp_path / "dies.wav", shaken)))


def test_an_axis_is_not_dead_where_all_stand_still_or_steps_are_coarse(tmp_path: Path) -> None:
    """A logger that stopped holds all values; and a coarse chip gives one for as long as hardly anything moves."""
    shaken = shaken_sensor(7, 1, seconds=3.0)
    stopped = np.concatenate([shaken, np.tile(shaken[-1:], (2 * RATE, 1))])
    assert check_in_g(open_sound(written(tmp_path / "stopped.wav", stopped))) is None
    coarse = (np.round(shaken * 8) / 8).astype(np.float32)
    coarse[2 * RATE :, 1] = coarse[2 * RATE, 1]
    assert check_in_g(open_sound(written(tmp_path / "coarse.wav", coarse))) is not None


def test_coarse_steps_are_in_g_all_the_same(tmp_path: Path) -> None:
    """A set's own profile may count by them: they are told, and not refused."""
    fine = shaken_sensor(7, 1, seconds=3.0)
    assert check_in_g(open_sound(written(tmp_path / "fine.wav", fine))) is None
    coarse = (np.round(fine * 8) / 8).astype(np.float32)
    told = check_in_g(open_sound(written(tmp_path / "coarse.wav", coarse)))
    assert told is not None
    assert str(told).startswith(
        "this accelerometer's values go in steps of 0.12 g, too coarse to count by; set it"
    )


@pytest.mark.parametrize("times", [1.0, 9.81])
def test_without_gravity_nothing_is_known(tmp_path: Path, times: float) -> None:
    shaken = shaken_sensor(7, 1) - np.array([0.1, 0.2, 0.97], np.float32)
    check_in_g(open_sound(written(tmp_path / "high-passed.wav", np.float32(times) * shaken)))


def test_a_file_that_cannot_be_read_through_is_left_to_its_reader(tmp_path: Path) -> None:
    samples = 9.81 * shaken_sensor(7, 1)[RATE // 2 :][: RATE // 3]  # no half second, and no rest
    check_in_g(open_sound(written(tmp_path / "short.wav", samples.astype(np.float32))))
    lost = shaken_sensor(7, 1)
    lost[::10] = np.nan
    check_in_g(open_sound(written(tmp_path / "lost.wav", lost)))


def test_a_file_that_only_lies_is_told_its_unit(tmp_path: Path) -> None:
    lies = 9.81 * shaken_sensor(7, 1)[: RATE // 3]  # too short for strokes to undo each other
    with pytest.raises(SoundError, match=r"as of m/s².* – divide them by 9\.81"):
        check_in_g(open_sound(written(tmp_path / "lies.wav", lies.astype(np.float32))))


def test_listen_and_evaluate_refuse_it_and_go_on_with_the_rest(tmp_path: Path, capsys: Capture) -> None:
    written(tmp_path / "g.wav", shaken_sensor(7, 1))
    written(tmp_path / "si.wav", np.float32(9.81) * shaken_sensor(8, 1))
    assert run(["listen", str(tmp_path / "si.wav"), "--json"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "si.wav has a gravity of" in said.err
    lines = [{"file": f, "sensor": "accelerometer", "beads": n} for f, n in (("g.wav", 7), ("si.wav", 8))]
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    words = ["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", "accelerometer", "--json"]
    assert run(words) == 2
    said = capsys.readouterr()
    told = [json.loads(line) for line in said.out.splitlines()]
    assert [line.get("file") for line in told] == ["g.wav", None]
    assert told[-1]["summary"]["n"] == 1
    assert said.err.count("has a gravity of") == 1
