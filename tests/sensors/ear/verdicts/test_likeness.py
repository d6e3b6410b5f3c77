"""What is a shake of beads, however its igloo rings, and what else rattles at a table."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.signal import butter, lfilter, resample_poly

from benchmarks import not_a_shake
from benchmarks.not_a_shake import Sound, in_a_room
from benchmarks.worlds.other_noises import NOISES
from hw_mock.igloo import noises
from sensors.ear.frames.frontend import FRONT_ENDS, Envelopes, front_ends_for
from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.shakes.shake import shake_of
from sensors.ear.verdicts import likeness as module
from sensors.ear.verdicts.likeness import (
    CLEAR_DB,
    IN_NOISE,
    LEARNED,
    NOISY_DB,
    ON_SHELL,
    Regression,
    Vectors,
    learned_for,
    likeness,
    read,
)
from sensors.evidence import Heard

FRONT = FRONT_ENDS[0]
SHAKES = ((101, 0.45), (102, 1.0), (103, 1.5), (104, 1.0))
shaken = cache(not_a_shake.shaken)  # simulated once, heard in several ways


def odds(sound: Sound) -> float:
    shake = shake_of(FRONT, Envelopes(FRONT, 48000, 1).push(sound.astype(np.float32)[:, None]))
    return -12.0 if shake is None else likeness(shake, on_shell=False)


def test_true_shakes_are_like_shakes_whether_hard_or_gentle() -> None:
    got = [odds(sound) for seed, strength in SHAKES for sound in shaken(seed, strength)]
    assert sum(o > 0 for o in got) >= 7, got


@pytest.mark.parametrize("octave_down_hz", [3000.0, 1000.0])
def test_an_igloo_that_rings_low_is_one_too(octave_down_hz: float) -> None:
    """An earlier ear had learned that igloos sound bright, and took two shakes of three of another world for none."""
    b, a = butter(1, octave_down_hz, fs=48000)
    got = [odds(lfilter(b, a, sound)) for seed, strength in SHAKES for sound in shaken(seed, strength)]
    assert sum(o > 0 for o in got) >= 7, got


@pytest.mark.parametrize("rate", [48000, 16000])
@pytest.mark.parametrize("down_db", [15.0, 18.0])
def test_on_the_shell_a_shake_beside_a_steady_noise_is_one(rate: int, down_db: float) -> None:
    """An earlier ear took these for handling, and advised to shake harder."""
    random = np.random.default_rng(6)
    for seed in (108, 109, 111):
        sound = resample_poly(shaken(seed, 0.7)[1], rate, 48000)
        loud = np.quantile(
            [np.mean(piece**2) for piece in np.array_split(sound, 50 * len(sound) // rate)], 0.9
        )
        noise = noises.pink(random, len(sound) + 2 * rate) * np.sqrt(loud) * 10 ** (-down_db / 20)
        ear = Listener(load_shipped("contact"), rate, 1, "shake")
        block = (np.pad(sound, rate) + noise).astype(np.float32)[:, None]
        said = [one for one in (*ear.push(block), *ear.finish()) if isinstance(one, Heard)]
        assert any(one.verdict != "not-a-shake" for one in said), said


def test_between_noise_and_quiet_both_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = shaken(104, 1.0)[1].astype(np.float32)[:, None]
    shake = shake_of(FRONT, Envelopes(FRONT, 48000, 1).push(sound))
    assert shake is not None
    quiet = Regression((), np.zeros(0), np.zeros(0), np.zeros(0), 2.0)
    monkeypatch.setattr(
        module,
        "learned_for",
        lambda *_, in_noise=False: replace(quiet, intercept=-4.0) if in_noise else quiet,
    )
    between = (NOISY_DB + CLEAR_DB) / 2
    told = [likeness(shake, True, snr_db) for snr_db in (0.0, NOISY_DB, between, CLEAR_DB, 99.0)]
    assert told == pytest.approx([-4.0, -4.0, -1.0, 2.0, 2.0])
    assert likeness(shake, True) == 2.0
    monkeypatch.setattr(module, "learned_for", lambda *_, in_noise=False: None if in_noise else quiet)
    assert likeness(shake, False, 0.0) == 2.0  # in the room there is but one


@pytest.mark.parametrize("family", ["keys", "glasses", "cutlery", "typing", "coins", "claps", "dice"])
def test_clatter_is_told_from_beads(family: str) -> None:
    random = np.random.default_rng(5)
    got = [odds(in_a_room(NOISES[family](random, 2.5), random)) for _ in range(6)]
    assert sum(o < 0 for o in got) >= 5, got


def test_it_does_not_depend_on_how_loud_it_is() -> None:
    sound, _ = shaken(104, 1.0)
    assert odds(0.01 * sound) == pytest.approx(odds(sound), abs=0.3)


def test_what_ships_names_what_is_measured_and_nothing_of_absolute_size() -> None:
    shipped = {path.stem for path in LEARNED.glob("*.npz")}
    judging = {front for rate in (833, 1666, 3332) for front in front_ends_for("accelerometer", rate)[:1]}
    judging |= {front for rate in (16000, 48000) for front in front_ends_for("microphone", rate)[:1]}
    names = {front.name for front in judging}
    there = {name + ON_SHELL for name in names if name.startswith("microphone")}
    assert shipped == names | there | {name + IN_NOISE for name in there}
    for front in judging:
        rate, axes = round(1.1 * front.least_rate), 3 if front.hand else 1
        random = np.random.default_rng(1)
        rattle = (
            random.standard_normal((2 * rate, axes))
            * (np.arange(2 * rate) % (rate // 5) < rate // 20)[:, None]
        )
        shake = shake_of(front, Envelopes(front, rate, axes).push((0.1 * rattle).astype(np.float32)))
        assert shake is not None
        measured = {name for name in shake.names if not name.startswith("size.")}
        for on_shell in (True, False):
            learned = learned_for(front.name, on_shell)
            assert learned is not None
            asked = set(learned.names)
            assert asked <= measured if front.hand else asked == measured
            assert np.isfinite(likeness(shake, on_shell))
            if (noisy := learned_for(front.name, on_shell, in_noise=True)) is not None:
                assert set(noisy.names) == measured


def test_a_file_keeps_what_was_learned(tmp_path: Path) -> None:
    learned = Regression(("a", "b"), np.zeros(2), np.ones(2), np.array([1.0, -2.0]), 0.5)
    learned.write(tmp_path / "one.npz")
    again = read(tmp_path / "one.npz")
    assert again.names == learned.names
    assert again.log_odds(np.array([3.0, 99.0])) == pytest.approx(
        3.0 - 2 * 4.0 + 0.5
    )  # no farther than four spreads


def test_a_machine_keeps_its_vectors_and_has_nothing_to_say_of_what_is_like_none_of_them(
    tmp_path: Path,
) -> None:
    vectors, slopes = np.array([[1.0, 0.0], [-1.0, 0.5]]), np.array([0.5, -0.25])
    learned = Vectors(("a", "b"), np.zeros(2), np.ones(2), slopes, vectors, np.array([2.0, -3.0]), 1.0, 0.25)
    learned.write(tmp_path / "one.npz")
    again = read(tmp_path / "one.npz")
    assert again.names == learned.names
    assert again.log_odds(np.array([4.0, -4.0])) == pytest.approx(2.0 + 1.0 + 0.25, abs=1e-3)
    far = np.exp(-4.25)
    by_hand = [0.5 + 2 - 3 * far + 0.25, -0.625 + 2 * far - 3 + 0.25]
    assert again.log_odds(vectors) == pytest.approx(by_hand)
    assert learned.scaled(0.5, 1.0).log_odds(vectors) == pytest.approx([0.5 * one + 1.0 for one in by_hand])
