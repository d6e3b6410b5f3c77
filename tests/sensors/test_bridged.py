"""What is no number is as before it, however the blocks come."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sensors.bridged import Bridged
from sensors.ear.errors import SoundError
from sensors.ear.sources.in_g import check_in_g
from sensors.ear.sources.sound_file import open_sound

VALUES = st.sampled_from([0.0, 1.0, -2.5, float("nan"), float("inf"), float("-inf")])


@given(
    arrays(np.float32, st.tuples(st.integers(1, 30), st.integers(1, 3)), elements=VALUES),
    st.lists(st.integers(1, 30), max_size=4),
)
def test_every_value_is_the_latest_number_of_its_channel(
    samples: npt.NDArray[np.float32], cuts: list[int]
) -> None:
    before = samples.copy()
    bridged = Bridged()
    parts = [bridged.push(part) for part in np.split(samples, sorted(cuts))]
    out = np.concatenate(parts)
    assert np.isfinite(out).all()
    assert out.dtype == samples.dtype
    assert np.array_equal(samples, before, equal_nan=True)
    assert (bridged.lost, bridged.seen) == (int((~np.isfinite(samples)).sum()), samples.size)
    for values, mended in zip(samples.T, out.T, strict=True):
        latest: float | None = None
        for value, kept in zip(values, mended, strict=True):
            latest = value if np.isfinite(value) else latest
            assert latest is None or kept == latest


def test_before_the_first_number_it_is_taken_to_be_there_already() -> None:
    block = np.array([[np.nan, np.nan], [0.97, np.nan], [0.96, np.nan]])
    assert Bridged().push(block).tolist() == [[0.97, 0.0], [0.97, 0.0], [0.96, 0.0]]


@pytest.mark.parametrize(("every", "refused"), [(500, False), (20, True)])
def test_a_file_with_too_much_that_is_no_number_is_told(tmp_path: Path, every: int, refused: bool) -> None:
    samples = np.full((1600, 3), 0.5, np.float32)
    samples[::every] = np.nan
    soundfile.write(tmp_path / "a.wav", samples, 1600, subtype="FLOAT")
    blocks = open_sound(tmp_path / "a.wav").blocks()
    if refused:
        with pytest.raises(SoundError, match=r"^PT-\d+: 5% of the samples in .*a\.wav are no numbers"):
            list(blocks)
    else:
        assert (np.concatenate(list(blocks)) == 0.5).all()


def test_whole_numbers_are_no_g(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", np.zeros((1600, 3)), 1600, subtype="PCM_16")
    soundfile.write(tmp_path / "b.wav", np.zeros((1600, 3)), 1600, subtype="FLOAT")
    check_in_g(open_sound(tmp_path / "b.wav"))
    with pytest.raises(
        SoundError, match=r"a\.wav holds whole numbers, and an accelerometer's are wanted in g"
    ):
        check_in_g(open_sound(tmp_path / "a.wav"))


@pytest.mark.parametrize(
    ("promised", "told"),
    [(None, True), (0xFFFFFFFF, False), (0x7FFFFFFF, False), (0x7FFFF000 // 12 * 12, False)],
)
def test_a_wav_that_breaks_off_is_told_but_not_one_from_a_pipe(
    tmp_path: Path, promised: int | None, told: bool
) -> None:
    path = tmp_path / "a.wav"
    soundfile.write(path, np.full(4000, 0.1), 4000, subtype="PCM_16")
    whole = bytearray(path.read_bytes())
    if promised is not None:
        at = whole.index(b"data") + 4
        whole[at : at + 4] = promised.to_bytes(4, "little")
    path.write_bytes(whole[:-3000])
    blocks = open_sound(path).blocks()
    if told:
        with pytest.raises(SoundError, match="breaks off in the middle"):
            list(blocks)
    else:
        assert sum(len(block) for block in blocks) == 2500
