"""A FLAC that was written to a pipe does not say how long it is: it is heard to its last sample all the same."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import Recording
from calibration.takes.features import LONGEST_TAKE_S, hear
from sensors.ear.errors import SoundError
from sensors.ear.frames.frontend import front_ends_for
from sensors.ear.sources.sound_file import open_sound
from sensors.ear.sources.without_length import length_of
from table.cli import run
from tests.rattle import RATE, Sound, rattle

MORE = 27  # bytes that libFLAC writes behind the sound where it cannot go back: lengths, and a checksum
KINDS = [("PCM_16", 1), ("PCM_24", 2), ("PCM_S8", 1)]


def noise(samples: int, channels: int = 1) -> Sound:
    return np.random.default_rng(samples).normal(0, 0.1, (samples, channels)).astype(np.float32)


def piped(path: Path, samples: Sound, kind: str = "PCM_16") -> bytes:
    """As an encoder leaves it that could not go back."""
    out, into = os.pipe()
    with os.fdopen(out, "rb") as pipe:
        got: list[bytes] = []
        reader = threading.Thread(target=lambda: got.append(pipe.read()))
        reader.start()
        channels = 1 if samples.ndim == 1 else samples.shape[1]
        with soundfile.SoundFile(into, "w", RATE, channels, kind, format="FLAC", closefd=True) as file:
            file.write(samples)
        reader.join()
    whole = got[0][:-MORE]
    assert len(got[0]) > MORE
    path.write_bytes(whole)
    return whole


def read(path: Path) -> Sound:
    return np.concatenate(list(open_sound(path).blocks()))


@pytest.mark.parametrize(("kind", "channels"), KINDS)
@pytest.mark.parametrize("samples", [RATE // 2, 4096 * 12, 4096 * 12 + 1, 3 * RATE + 777, 4096 * 200 + 5])
def test_it_is_heard_like_one_with_a_length(tmp_path: Path, samples: int, kind: str, channels: int) -> None:
    sound = noise(samples, channels)
    piped(tmp_path / "piped.flac", sound, kind=kind)
    soundfile.write(tmp_path / "whole.flac", sound, RATE, kind)
    assert soundfile.info(tmp_path / "piped.flac").frames > 2**60
    assert open_sound(tmp_path / "piped.flac").seconds == samples / RATE
    np.testing.assert_array_equal(read(tmp_path / "piped.flac"), read(tmp_path / "whole.flac"))
    assert length_of(tmp_path / "whole.flac") is None


@pytest.mark.parametrize("left", [0.2, 0.5, 0.9, -1, -3])
def test_what_is_cut_short_is_told(tmp_path: Path, left: float) -> None:
    whole = piped(tmp_path / "shake.flac", noise(3 * RATE))
    keep = round(left * len(whole)) if left > 0 else len(whole) + int(left)
    (tmp_path / "shake.flac").write_bytes(whole[:keep])
    with pytest.raises(SoundError, match=r"shake\.flac breaks off in the middle – copy or record it again"):
        read(tmp_path / "shake.flac")


@pytest.mark.parametrize("where", [0.02, 0.5, 0.99])
def test_what_is_damaged_is_told(tmp_path: Path, where: float) -> None:
    whole = bytearray(piped(tmp_path / "shake.flac", noise(3 * RATE)))
    whole[round(where * len(whole))] ^= 0x55
    (tmp_path / "shake.flac").write_bytes(whole)
    with pytest.raises(SoundError, match=r"breaks off in the middle"):
        read(tmp_path / "shake.flac")


def test_a_header_without_any_sound_is_told(tmp_path: Path) -> None:
    whole = piped(tmp_path / "shake.flac", noise(RATE))
    for keep in (26, 43, whole.index(b"\xff\xf8") + 3):
        (tmp_path / "shake.flac").write_bytes(whole[:keep])
        with pytest.raises(SoundError, match=r"breaks off in the middle|no sound that can be read"):
            read(tmp_path / "shake.flac")


def test_what_stands_behind_its_end_is_no_matter(tmp_path: Path) -> None:
    """As libFLAC's, or in a copy that filled the last of its blocks."""
    whole = piped(tmp_path / "shake.flac", noise(RATE))
    for more in (bytes(3 * 2**16), MORE * b"\xff", b"\xff\xf8\xc9\x08"):
        (tmp_path / "shake.flac").write_bytes(whole + more)
        assert open_sound(tmp_path / "shake.flac").seconds == 1.0
        assert len(read(tmp_path / "shake.flac")) == RATE


def test_it_is_counted_and_only_what_is_long_is_called_long(tmp_path: Path) -> None:
    sound = rattle(7, 1)
    piped(tmp_path / "shake.flac", sound)
    assert run(["listen", str(tmp_path / "shake.flac"), "--json"]) == 0
    recording = Recording(tmp_path, "shake.flac", "microphone", 7)
    front = front_ends_for("microphone", RATE)[0]
    assert not hear(recording, front).longer
    piped(tmp_path / "shake.flac", np.concatenate([sound, np.zeros(int(LONGEST_TAKE_S * RATE), np.float32)]))
    assert hear(recording, front).longer
