"""Hum of the mains around a shake is told from noise, from fading hits and from what beads do; what it costs, and when
it is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from sensors.ear.frames.frontend import Envelopes
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.shakes.hum import humming
from sensors.ear.shakes.shake import Shake, shake_of
from sensors.ear.verdicts import no_shake, reasons, verdict
from sensors.ear.verdicts.likeness import learned_for, likeness
from tests.rattle import rattle

RATE = 48000
HEAD = load_shipped("contact").heads[0]
Sound = npt.NDArray[np.float32]


def hum(hz: float, samples: int, rms: float = 0.03) -> Sound:
    """Harmonics as of a rectifier, some of which lie in the lowest band."""
    t = np.arange(samples) / RATE
    of = sum(np.sin(2 * np.pi * hz * k * t + k) / k for k in (1, 2, 3, 5, 7))
    return np.asarray(rms * of / np.std(of), np.float32)


def shaken(beside: Sound | float = 0.0, beads: int = 5) -> Shake:
    sound = rattle(beads, 8, rate=RATE) + np.float32(beside)
    shake = shake_of(HEAD.front, Envelopes(HEAD.front, RATE, 1).push(sound.astype(np.float32)[:, None]))
    assert shake is not None
    return shake


SAMPLES = len(rattle(5, 8, rate=RATE))


@pytest.mark.parametrize("hz", [49.95, 50.0, 50.1, 59.98, 60.0])
def test_hum_in_the_quiet_around_a_shake_is_found(hz: float) -> None:
    assert 0 in shaken(hum(hz, SAMPLES)).humming


def test_what_is_no_hum_is_not_taken_for_it() -> None:
    """Noise as loud, soft hum, hum at no mains' pace, a band that fades, and one that holds nothing."""
    random = np.random.default_rng(1)
    noise = 0.03 * random.standard_normal(SAMPLES).astype(np.float32)
    assert shaken().humming == shaken(noise).humming == shaken(hum(50.0, SAMPLES, 1e-5)).humming == ()
    assert shaken(hum(54.0, SAMPLES)).humming == ()
    fading = np.exp(-np.arange(1400) / 300)[:, None] * np.array([1.0, 1.0], np.float32)
    assert humming(fading[:300], 0, 300, fading[300:], 2205.0) == ()
    assert humming(np.zeros((2000, 6), np.float32), 500, 1000, np.zeros((0, 6), np.float32), 2205.0) == ()


def test_a_band_that_hums_says_nothing_of_whether_it_is_a_shake_on_the_shell() -> None:
    clean, hums = shaken(), shaken(hum(50.0, SAMPLES))
    learned = learned_for(HEAD.front.name, True)
    assert learned is not None
    values = clean.values.copy()
    lowest = [i for i, name in enumerate(clean.names) if name.startswith("loc.") and name.endswith("_0")]
    values[lowest] += 5.0
    spoilt = replace(clean, values=values)
    assert likeness(spoilt, True) != likeness(clean, True)
    assert likeness(replace(spoilt, humming=(0,)), True) == likeness(replace(clean, humming=(0,)), True)
    assert likeness(replace(spoilt, humming=(0,)), False) == likeness(
        spoilt, False
    )  # in the room it is asked
    assert likeness(hums, True) > likeness(replace(hums, humming=()), True)


def test_what_goes_on_like_a_hand_where_it_hums_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(no_shake, "likeness", lambda *_: -9.0)
    hums = replace(shaken(), humming=(0,), start_s=0.4, end_s=2.4, strokes=9)
    for shake, said in (
        (hums, reasons.HUMS),
        (replace(hums, strokes=3), reasons.HANDLED),
        (replace(hums, humming=()), reasons.HANDLED),
    ):
        told = verdict.judge(HEAD, shake, 40.0, False)
        assert (told.verdict, told.reason) == ("not-a-shake", said)


FRAMES = 2205.0


def mains(seconds: float, loud: float = 1.0) -> npt.NDArray[np.float32]:
    """Energy of one band, and of the wide one, that goes with the mains: loud once a period."""
    t = np.arange(round(seconds * FRAMES)) / FRAMES
    one = loud * (0.2 + np.exp(-(((t * 50.0) % 1 - 0.5) ** 2) / 0.02))
    return np.column_stack([one, one]).astype(np.float32)


def strokes(seconds: float, seed: int = 1, loud: float = 1.0) -> npt.NDArray[np.float32]:
    random = np.random.default_rng(seed)
    return loud * random.exponential(1.0, (round(seconds * FRAMES), 2)).astype(np.float32)


NOTHING = np.zeros((0, 2), np.float32)


def heard_around(
    before: npt.NDArray[np.float32], ends: npt.NDArray[np.float32], after: npt.NDArray[np.float32] = NOTHING
) -> tuple[int, ...]:
    energy = np.concatenate([before, strokes(1.0), ends])
    return humming(energy, len(before), len(energy) - len(ends), after, FRAMES)


def test_hum_is_found_on_whichever_side_of_a_shake_there_was_quiet() -> None:
    half = mains(0.4)
    assert heard_around(half, NOTHING) == (0,)
    assert heard_around(NOTHING, half) == (0,)
    assert heard_around(NOTHING, NOTHING, half) == (0,)
    assert heard_around(NOTHING, half[:150], half[150:]) == (
        0,
    )  # the last frames of a shake are some of its quiet
    assert (
        heard_around(strokes(0.05), half) == heard_around(half, strokes(0.05)) == (0,)
    )  # the longer one tells
    assert heard_around(NOTHING, NOTHING) == ()


def test_hum_far_softer_than_the_shake_is_not_told() -> None:
    """It harms nothing."""
    assert heard_around(NOTHING, mains(0.4, loud=0.1)) == ()


def test_hits_that_fade_and_what_was_long_before_hide_no_hum() -> None:
    hits = strokes(0.02, loud=30.0)
    assert heard_around(NOTHING, np.concatenate([hits, mains(0.4)])) == (0,)
    assert heard_around(np.concatenate([mains(0.4), hits[:18]]), NOTHING) == (0,)
    assert heard_around(np.concatenate([strokes(2.0, loud=30.0), mains(0.6)]), NOTHING) == (0,)


def test_what_comes_and_goes_slowly_is_no_hum_and_in_a_moment_of_noise_nobody_knows() -> None:
    t = np.arange(1100) / FRAMES
    swell = (1 + 0.9 * np.sin(2 * np.pi * 2 * t)).astype(np.float32)
    assert heard_around(NOTHING, np.column_stack([swell, swell])) == ()
    assert not any(heard_around(NOTHING, strokes(0.03 + 0.0235, seed)) for seed in range(200))
