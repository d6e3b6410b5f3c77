"""Sound that ends far below what its file has room for went through a headset, a telephone or a low MP3; what is soft,
dull or of one tone did not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile
from scipy.signal import butter, sosfilt

from sensors.ear.sources.sound_file import open_sound
from sensors.ear.sources.treble import STEP_HZ, ends_at, no_treble
from tests.narrow import through
from tests.rattle import Sound, rattle

RATE = 48000


def told(folder: Path, sound: Sound, rate: int = RATE, subtype: str = "PCM_16") -> str | None:
    soundfile.write(folder / "a.wav", sound, rate, subtype=subtype)
    fault = no_treble(open_sound(folder / "a.wav").blocks(), rate)
    return None if fault is None else fault.cause


@pytest.mark.parametrize("codec", [8000, 16000])
@pytest.mark.parametrize("loudness", [0.3, 0.05])
def test_where_it_ends_is_told(codec: int, loudness: float, tmp_path: Path) -> None:
    cause = told(tmp_path, through(codec, rattle(7, 1, rate=RATE, loudness=loudness), RATE))
    assert cause is not None
    assert f"nothing above {codec / 2000:.0f} kHz" in cause


def test_one_channel_of_two_that_has_it_is_enough(tmp_path: Path) -> None:
    whole = rattle(7, 1, rate=RATE)
    narrow = through(16000, whole, RATE)
    assert told(tmp_path, np.column_stack([narrow, narrow]))
    assert told(tmp_path, np.column_stack([narrow, whole])) is None


def test_what_is_whole_soft_dull_hums_or_is_silent_is_not_blamed(tmp_path: Path) -> None:
    whole = rattle(7, 1, rate=RATE)
    dull = sosfilt(butter(2, 2500, fs=RATE, output="sos"), whole).astype(np.float32)
    random = np.random.default_rng(3)
    hum = 0.3 * np.sin(2 * np.pi * 3000 * np.arange(2 * RATE) / RATE) + 1e-4 * random.standard_normal(
        2 * RATE
    )
    soft = through(
        16000, rattle(7, 1, rate=RATE, loudness=2e-4), RATE
    )  # nothing of it is far above its rounding
    for sound in (whole, dull, hum.astype(np.float32), soft, np.zeros(RATE, np.float32)):
        assert told(tmp_path, sound) is None


@pytest.mark.parametrize("middle", [4000, 6000, 9000])
def test_a_shell_that_rings_high_is_not_blamed(middle: int, tmp_path: Path) -> None:
    """Between a resonance and the noise behind it there is a slope as steep, and the same noise lies below it."""
    random, span = np.random.default_rng(5), [0.8 * middle, 1.25 * middle]
    ring = sosfilt(butter(4, span, "band", fs=RATE, output="sos"), random.standard_normal(2 * RATE))
    sound = 0.2 * ring + 1e-3 * random.standard_normal(2 * RATE)
    assert told(tmp_path, sound.astype(np.float32)) is None


def test_a_file_without_room_for_it_is_another_matter(tmp_path: Path) -> None:
    """That its rate is low is told of the rate (`table.commands.igloo_oddities.too_slow`)."""
    assert told(tmp_path, rattle(7, 1, rate=16000), 16000) is None


def test_rates_beyond_48_khz_have_no_treble_to_ask_for_up_there(tmp_path: Path) -> None:
    assert told(tmp_path, through(48000, rattle(7, 1, rate=96000), 96000), 96000) is None
    assert told(tmp_path, through(16000, rattle(7, 1, rate=96000), 96000), 96000)


def test_above_a_resonance_sound_falls_as_deep_and_is_not_cut() -> None:
    """Below it is as quiet as above: behind a band limit it is quieter than nearly everywhere before it."""
    hz = STEP_HZ * np.arange(900)
    rings = np.where((hz > 5000) & (hz < 8000), -30.0, np.where(hz < 5000, -60.0, -65.0))
    assert ends_at(10 ** (rings / 10), 48000.0) is None
    limited = np.where(hz < 8000, -30.0, -65.0)
    assert ends_at(10 ** (limited / 10), 48000.0) == pytest.approx(8000, abs=100)
