"""Files of other kinds than WAV and FLAC: what breaks off is told, and what cannot be read is told by us alone."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import soundfile

from sensors.ear.errors import SoundError
from sensors.ear.sources.extent import Extent, check_extent
from sensors.ear.sources.quiet import quiet
from sensors.ear.sources.sound_file import open_sound
from table.cli import run

RATE, ODD = 4000, 4001


def written(path: Path, container: str, kind: str) -> bytes:
    """A second of sound, and one sample more: an odd number of bytes where a sample has as many."""
    soundfile.write(path, np.full((ODD, 3), 0.1), RATE, format=container, subtype=kind)
    return path.read_bytes()


def read(path: Path) -> int:
    return sum(len(block) for block in open_sound(path).blocks())


@pytest.mark.parametrize("kind", ["PCM_16", "PCM_24", "FLOAT"])
@pytest.mark.parametrize("container", ["WAV", "AIFF", "AU", "W64", "RF64"])
def test_what_breaks_off_is_told_when_all_that_is_there_was_read(
    tmp_path: Path, container: str, kind: str
) -> None:
    path = tmp_path / "shake"
    whole = written(path, container, kind)
    assert read(path) == ODD
    path.write_bytes(whole + b"more")
    assert read(path) == ODD
    for left in (len(whole) - 36, len(whole) // 2):
        path.write_bytes(whole[:left])
        got: list[int] = []
        with pytest.raises(SoundError, match=r"^PT-201: .*shake breaks off in the middle – copy or record"):
            got.extend(len(block) for block in open_sound(path).blocks())
        assert 0.4 * ODD < sum(got) < ODD


@pytest.mark.parametrize("kind", ["PCM_16", "PCM_24", "FLOAT"])
@pytest.mark.parametrize("promised", [0, 960, 12000])
def test_a_wav_that_was_not_closed_is_told_and_not_called_short(
    tmp_path: Path, kind: str, promised: int
) -> None:
    path, noise = tmp_path / "shake", np.random.default_rng(1).normal(0, 0.1, (ODD, 3))
    soundfile.write(path, noise, RATE, format="WAV", subtype=kind)
    before, name, after = path.read_bytes().partition(b"data")
    path.write_bytes(before + name + promised.to_bytes(4, "little") + after[4:])
    with pytest.raises(
        SoundError, match=r"holds more sound than its header says: .* – write it anew with `sox"
    ):
        open_sound(path)


WORDS = (40000).to_bytes(4, "little") + bytes(range(250)) * 160


@pytest.mark.parametrize(
    "after",
    [b"LIST" + WORDS, b"\0id3 " + WORDS, b"ID3\4\0" + WORDS, bytes(40000), b"\xff" * 40000, WORDS[:300]],
    ids=["chunk", "padded", "tag", "zeros", "ones", "few"],
)
def test_what_stands_behind_the_sound_of_a_wav_and_is_none_is_no_matter(tmp_path: Path, after: bytes) -> None:
    path = tmp_path / "shake"
    soundfile.write(path, np.full(ODD, 0.1), RATE, format="WAV", subtype="PCM_U8")
    before, name, sound = path.read_bytes().partition(b"data")
    path.write_bytes(before + name + sound[: 4 + ODD] + after)
    assert read(path) == ODD


@pytest.mark.parametrize(
    ("container", "before", "length"),
    [
        ("AIFF", b"SSND", (0x7F000000 // 6 * 6 + 8).to_bytes(4, "big")),  # as SoX
        ("AU", b".snd\0\0\0\x18", b"\xff" * 4),
        ("W64", bytes.fromhex("a5d628db04c10000"), b"\xff" * 8),  # the end of its riff's name
    ],
)
def test_what_was_written_to_a_pipe_has_just_ended(
    tmp_path: Path, container: str, before: bytes, length: bytes
) -> None:
    path = tmp_path / "shake"
    whole = bytearray(written(path, container, "PCM_16"))
    at = whole.index(before) + len(before)
    whole[at : at + len(length)] = length
    path.write_bytes(whole[:-6000])
    assert read(path) == ODD - 1000


@pytest.mark.parametrize(
    ("name", "begins"), [("words.mp3", b""), ("noise", b"\xff\xfb\x90\x64"), ("short.mp3", b"ID3")]
)
def test_what_cannot_be_read_is_told_in_our_sentence_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, begins: bytes
) -> None:
    """mpg123 writes to the C library's standard error, past Python's."""
    path = tmp_path / name
    path.write_bytes(begins + b"no frame of an MP3\n" * 300)
    assert run(["listen", str(path)]) == 2
    assert capfd.readouterr().err == (
        f"polartable: PT-201: {path} is no sound that can be read – give a WAV or FLAC file\n"
    )
    os.write(2, b"heard")
    assert capfd.readouterr().err == "heard"


def test_an_mp3_that_can_be_read_is_opened_in_silence_too(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "half.mp3"
    soundfile.write(path, np.random.default_rng(1).normal(0, 0.1, 2 * 48000), 48000)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])  # of a length that its first frame does not name: mpg123 warns
    with pytest.raises(SoundError, match="breaks off in the middle"):
        read(path)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("container", "kind", "before"),
    [
        ("OGG", "VORBIS", b""),
        ("OGG", "OPUS", b""),
        ("MP3", None, b""),
        ("MP3", None, b"ID3\4\0\0\0\0\x20\1" + bytes(32 * 128 + 1)),
    ],
)
def test_what_is_packed_and_breaks_off_is_told(
    tmp_path: Path, container: str, kind: str | None, before: bytes
) -> None:
    path, seconds = tmp_path / "shake", 4
    sound = np.random.default_rng(1).normal(0, 0.1, seconds * 48000)
    soundfile.write(path, sound, 48000, format=container, subtype=kind)
    whole = before + path.read_bytes()
    path.write_bytes(whole)
    assert read(path) == len(sound)
    path.write_bytes(whole + b"TAG" + bytes(125))  # as players write at the end of an MP3
    assert read(path) == len(sound)
    for left in (0.4, 0.75, 0.95):
        path.write_bytes(whole[: round(left * len(whole))])
        got: list[int] = []
        with pytest.raises(SoundError, match=r"shake breaks off in the middle"):
            got.extend(len(block) for block in open_sound(path).blocks())
        assert (left - 0.3) * len(sound) < sum(got) < len(sound)


def test_what_was_never_ended_has_just_ended(tmp_path: Path) -> None:
    """A recorder that was killed between two pages of an Ogg, and an MP3 written to a pipe, which names no length."""
    path, noise = tmp_path / "shake", np.random.default_rng(1).normal(0, 0.1, 4 * 48000)
    soundfile.write(path, noise, 48000, format="OGG", subtype="VORBIS")
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b"OggS")])
    assert 48000 < read(path) < len(noise)
    soundfile.write(path, noise, 48000, format="MP3")
    whole = path.read_bytes().replace(b"Xing\0\0\0\x0f", bytes(8))
    path.write_bytes(whole[: len(whole) // 2])
    assert read(path) > 0


def test_others_are_silenced_only_where_mpg123_could_be_asked(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for container, heard in (("WAV", "a"), ("FLAC", "a"), ("MP3", "")):
        path = tmp_path / container
        soundfile.write(path, np.full(48000, 0.1), 48000, format=container)
        with quiet(path):
            os.write(2, b"a")
        assert capfd.readouterr().err == heard
    with pytest.raises(FileNotFoundError), quiet(tmp_path / "gone"):
        pass
    with pytest.raises(SoundError, match="no sound"), quiet(tmp_path / "MP3"):
        raise SoundError("no sound", "none")
    os.write(2, b"b")
    assert capfd.readouterr().err == "b"


def test_a_name_that_is_not_in_utf_8_is_told(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"bad\xff.wav")
    path.write_bytes(written(tmp_path / "shake", "WAV", "PCM_16"))
    with pytest.raises(
        SoundError, match=r"^PT-201: the name of .*bad\ufffd\.wav is not in UTF-8 – rename it"
    ):
        open_sound(path)


def test_what_is_no_number_is_told_of_a_part_as_well(tmp_path: Path) -> None:
    samples = np.full((2 * RATE, 1), 0.1, np.float32)
    samples[: RATE // 2 : 2] = np.nan
    soundfile.write(tmp_path / "mad.wav", samples, RATE, subtype="FLOAT")
    blocks = open_sound(tmp_path / "mad.wav").blocks(until_s=1.0)
    with pytest.raises(SoundError, match="25% of the samples"):
        assert sum(len(block) for block in blocks) == RATE


def test_values_of_no_sensor_are_told_though_something_was_heard() -> None:
    """Whole numbers of a converter, written as floats, are squared where we end."""
    loud = np.random.default_rng(0).normal(size=(RATE, 1)).astype(np.float32)
    for times, told in ((0.2, False), (20.0, False), (20000.0, True)):
        extent = Extent()
        extent.push(np.float32(times) * loud)
        if told:
            with pytest.raises(SoundError, match="far beyond full scale – write it again"):
                check_extent("x.wav", extent, heard=True)
        else:
            check_extent("x.wav", extent, heard=True)


def test_where_nothing_was_heard_in_what_is_very_soft_the_gain_is_named() -> None:
    extent = Extent()
    extent.push(np.full((RATE, 1), 1e-3, np.float32) * np.sin(np.arange(RATE))[:, None].astype(np.float32))
    check_extent("x.wav", extent, heard=True)
    with pytest.raises(SoundError, match=r"very soft \(-60 dB .* – turn the gain up"):
        check_extent("x.wav", extent, heard=False)


def test_a_block_of_nothing_tells_nothing_of_a_file() -> None:
    extent = Extent()
    extent.push(np.zeros((0, 1), np.float32))
    extent.push(np.float32([[0.0], [0.5], [-0.25]]))
    assert (extent.loudest, extent.moved, extent.samples) == (0.5, 0.5, 3)


@pytest.mark.parametrize("name", ["log.csv", "log.txt", "log.npz", "LOG.CSV"])
def test_whoever_gives_a_loggers_table_is_told_what_an_accelerometers_file_is(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text("t,x,y,z\n0.0000,0.01,0.02,1.00\n")
    with pytest.raises(SoundError) as raised:
        open_sound(path)
    assert raised.value.mend.startswith(
        "give a WAV or FLAC file; an accelerometer's: three channels of floats"
    )
