"""Copies of which no sample is the same are known by how they rise and fall; two shakes of one hand are no copies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import soundfile
from scipy.signal import resample_poly

from calibration.recordings.folder import Recording
from calibration.takes.course import LENGTH, Course
from calibration.takes.features import rows
from calibration.traps.fingerprints import TOO_MANY
from calibration.traps.near_copies import near_copies
from calibration.traps.there_again import there_again
from firmware_bridge.errors import PolartableError
from sensors.ear.frames.frontend import Sensor
from tests.rattle import RATE, Sound, rattle, shaken_sensor

Heard = npt.NDArray[Any]
PCM = "PCM_16"
QUIETER = 10 ** (-6 / 20)
COPIES: dict[str, Callable[[Path, Heard], None]] = {
    "half as loud.wav": lambda to, x: soundfile.write(to, QUIETER * x, RATE, PCM),
    "a little softer.wav": lambda to, x: soundfile.write(to, 0.94 * x, RATE, PCM),
    "far softer.flac": lambda to, x: soundfile.write(to, 0.1 * x, RATE, PCM),
    "upside down.wav": lambda to, x: soundfile.write(to, -0.7 * x, RATE, PCM),
    "cut.wav": lambda to, x: soundfile.write(to, QUIETER * x[RATE // 2 :], RATE, PCM),
    "two channels.wav": lambda to, x: soundfile.write(to, np.stack([x, 0.7 * x], axis=1), RATE, PCM),
    "packed.ogg": lambda to, x: soundfile.write(to, x, RATE),
    "packed.mp3": lambda to, x: soundfile.write(to, x, RATE),
    "faster.wav": lambda to, x: soundfile.write(to, resample_poly(x, 160, 147), 48000, PCM),
    "slower.wav": lambda to, x: soundfile.write(to, resample_poly(x, 160, 441), 16000, PCM),
}


def recording(folder: Path, file: str, session: str, sensor: Sensor = "microphone") -> Recording:
    return Recording(folder, file, sensor, 4, device="D1", player="anna", session=session)


def course(
    sound: npt.ArrayLike, sensor: Sensor = "microphone", rate: float = RATE, block: int = 4096
) -> bytes:
    pushed = np.asarray(sound, dtype=np.float32)
    pushed = pushed[:, None] if pushed.ndim == 1 else pushed
    out = Course(sensor, rate, pushed.shape[1])
    for first in range(0, len(pushed), block):
        out.push(pushed[first : first + block])
    return out.told


@pytest.mark.parametrize(("alike", "copies"), [(0.985, {0: 1, 1: 0}), (0.955, {})])
def test_only_what_correlates_as_copies_do_is_one(alike: float, copies: dict[int, int]) -> None:
    """The most similar of two different shakes reach .95."""
    random = np.random.default_rng(1)
    one, other = random.standard_normal((2, LENGTH))
    other -= one * (one @ other) / (one @ one)
    mixed = alike * one + np.sqrt(1 - alike**2) * other * np.linalg.norm(one) / np.linalg.norm(other)
    courses = [np.clip(np.round(30 * x), -100, 100).astype(np.int8).tobytes() for x in (one, mixed)]
    lines = [recording(Path(), f"{i}.wav", f"s{i}") for i in range(2)]
    assert near_copies(lines, courses, ["s0", "s1"]) == copies


def same_hand(seed: int) -> Sound:
    return rattle(4, seed, pace=5.0)


def test_copies_of_any_make_are_there_once_more(tmp_path: Path) -> None:
    known = []
    for seed, (name, copy) in enumerate(COPIES.items()):
        sound = same_hand(seed)
        soundfile.write(tmp_path / f"{seed}.wav", sound, RATE, PCM)
        copy(tmp_path / name, sound.astype(np.float64))
        known += [recording(tmp_path, f"{seed}.wav", "monday"), recording(tmp_path, name, "tuesday")]
    told: list[PolartableError] = []
    heard = list(rows(known, told.append))
    assert not told
    for first, (name, _) in zip(range(0, len(heard), 2), COPIES.items(), strict=True):
        assert there_again(heard, "session", heard[first : first + 2]).share == 1.0, name
    assert there_again(heard[::-1], "session", heard).share == 1.0
    # the originals alone, of two sessions
    alone = heard[::2]
    for i, of_one in enumerate(alone):
        of_one[0] = replace(of_one[0], recording=replace(of_one[0].recording, session=f"s{i % 2}"))
    assert there_again(alone, "session", alone).share == 0.0


@pytest.mark.parametrize("sensor", ["microphone", "accelerometer"])
def test_copies_that_play_backwards_are_noticed(sensor: Sensor) -> None:
    """A filter's ringing follows a hit in either direction, so that not each is."""
    rate = RATE if sensor == "microphone" else 1600
    make = rattle if sensor == "microphone" else shaken_sensor
    sounds = [make(13, seed, pace=5.0) for seed in range(12)]
    courses = [course(x, sensor, rate) for sound in sounds for x in (sound, 0.7 * sound[::-1])]
    lines = [recording(Path(), f"{i}.wav", f"s{i % 2}", sensor) for i in range(len(courses))]
    copies = near_copies(lines, courses, [line.occasion for line in lines])
    assert len(copies) > TOO_MANY * len(courses)
    assert all(copy == take ^ 1 for take, copy in copies.items())


@pytest.mark.parametrize("sensor", ["microphone", "accelerometer"])
def test_one_hand_at_one_pace_makes_no_copies(sensor: Sensor) -> None:
    """Forty shakes of one count: a new one a session, each of the same strokes."""
    if sensor == "microphone":
        courses = [course(same_hand(seed)) for seed in range(40)]
    else:
        courses = [course(shaken_sensor(4, seed, pace=5.0), sensor, 1600) for seed in range(40)]
    assert all(courses)
    known = [recording(Path(), f"{i}.wav", f"s{i}", sensor) for i in range(40)]
    assert near_copies(known, courses, [r.occasion for r in known]) == {}


def test_copies_of_what_a_sensor_feels_are_known_at_any_rate() -> None:
    felt = shaken_sensor(4, 1, rate=3200).astype(np.float64)
    still = felt[0]
    slower = resample_poly(felt - still, 1, 3, axis=0) + still
    courses = [
        course(felt, "accelerometer", 3200),
        course(np.round(slower / 0.004) * 0.004, "accelerometer", 3200 / 3),
        course(shaken_sensor(4, 2, rate=3200), "accelerometer", 3200),
    ]
    known = [recording(Path(), f"{i}.wav", f"s{i}", "accelerometer") for i in range(3)]
    assert near_copies(known, courses, ["a", "b", "c"]) == {0: 1, 1: 0}


def test_a_copy_is_one_in_another_unit_of_that_count_and_kind() -> None:
    sound = same_hand(1)
    courses = [course(sound), course(0.6 * sound)]
    first = recording(Path(), "a.wav", "monday")

    def copies(units: str = "ab", **other: Any) -> dict[int, int]:
        return near_copies([first, replace(first, file="b.wav", **other)], courses, list(units))

    assert copies() == {0: 1, 1: 0}
    assert copies(units="aa") == {}
    assert copies(beads=5) == {}
    assert copies(sensor="accelerometer") == {}
    assert copies(more={"gesture": "knock"}) == {}
    assert copies(more={"place": "shell"}) == {0: 1, 1: 0}  # of the first nobody knows
    first = replace(first, more={"place": "table"})
    assert copies(more={"place": "shell"}) == {}
    assert copies(more={"place": "table"}) == {0: 1, 1: 0}


def test_single_hits_which_all_fade_alike_are_nobodys_copies() -> None:
    random = np.random.default_rng(4)
    for hits in (1, 2):
        courses = []
        for _ in range(6):
            sound = 1e-5 * random.standard_normal(2 * RATE)
            for at in (RATE // 2, RATE)[:hits]:
                n = np.arange(RATE // 10)
                sound[at : at + len(n)] += np.sin(n / 3 + random.random()) * np.exp(-n / (0.01 * RATE))
            courses.append(course(sound))
        known = [recording(Path(), f"{i}.wav", f"s{i}") for i in range(6)]
        assert near_copies(known, courses, [r.occasion for r in known]) == {}


def test_silence_and_noise_are_nobodys_copies() -> None:
    random = np.random.default_rng(5)
    sounds = [np.zeros(RATE), np.zeros(RATE), *random.standard_normal((3, RATE)), [], np.zeros(10)]
    courses = [course(sound) for sound in sounds]
    assert courses[0] == courses[5] == courses[6] == b""
    known = [recording(Path(), f"{i}.wav", f"s{i}") for i in range(len(sounds))]
    assert near_copies(known, courses, [r.occasion for r in known]) == {}
    assert near_copies([], [], []) == {}


def test_neither_blocks_nor_order_nor_numbers_change_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    sounds = [same_hand(seed) for seed in range(8)]
    courses = [*map(course, sounds), *(course(0.5 * s[3000:], block=977) for s in sounds[:3])]
    known = [recording(Path(), f"{i}.wav", f"s{i}") for i in range(len(courses))]
    units = [r.occasion for r in known]
    expected = {0: 8, 1: 9, 2: 10, 8: 0, 9: 1, 10: 2}
    assert near_copies(known, courses, units) == expected
    backwards = near_copies(known[::-1], courses[::-1], units[::-1])
    last = len(courses) - 1
    assert {last - take: last - copy for take, copy in backwards.items()} == expected
    monkeypatch.setattr("calibration.traps.near_copies.CORRELATIONS_AT_ONCE", 1)
    assert near_copies(known, courses, units) == expected
