"""What a tester typed at `listen`: sources that are none, so many seconds, one microphone written twice."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from hw_mock.ports import PtyPort
from sensors.ear.errors import SoundError
from sensors.ear.sources.in_g import check_in_g
from sensors.ear.sources.sound_file import open_sound
from sensors.ear.verdicts.reasons import could_be
from table.cli import run
from table.listening.files import sensor_of
from tests.rattle import RATE, rattle, shaken_sensor

Capture = pytest.CaptureFixture[str]
Line = dict[str, Any]


@pytest.fixture(scope="module")
def two_shakes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of three seconds each, a second and a half apart."""
    still = np.zeros(round(1.5 * RATE), np.float32)
    path = tmp_path_factory.mktemp("two") / "two.wav"
    soundfile.write(path, np.concatenate([still, rattle(5, 1), still, rattle(9, 2), still]), RATE)
    return path


def heard(words: list[str], capsys: Capture) -> tuple[int, list[Line], str]:
    status = run(["listen", *words, "--json"])
    said = capsys.readouterr()
    return status, [json.loads(line) for line in said.out.splitlines()], said.err


def test_a_file_too_slow_for_the_profile_is_refused_in_one_sentence(tmp_path: Path, capsys: Capture) -> None:
    slow, table = tmp_path / "slow.wav", tmp_path / "table.wav"
    soundfile.write(slow, rattle(5, 1)[:: RATE // 8000], 8000)
    soundfile.write(table, shaken_sensor(5, 1)[:, [0, 0, 1, 2]], 1600, subtype="FLOAT")  # a column too many
    for file, mend in ((slow, "record at 44.1 or 48 kHz"), (table, "write its three axes in g")):
        status, lines, err = heard([str(file)], capsys)
        assert (status, lines) == (2, [])
        assert err.count("polartable: ") == 1
        assert mend in err


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "the source has no name – name a device, a file, a folder, or mock"),
        ("-", "- is a pipe, and sound is not heard from one – record to a WAV file first"),
        ("/dev/stdin", "/dev/stdin is a pipe"),
        ("fifo", "fifo is a pipe"),
    ],
)
def test_what_is_no_source_is_told(
    source: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("fifo")
    status, lines, err = heard([source], capsys)
    assert (status, lines) == (2, [])
    assert words in err


def test_packets_are_lost_of_a_port_also_when_it_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """A lasting name leads nowhere once the cable is pulled."""
    port = PtyPort(tmp_path / "igloos")
    name = f"{tmp_path / 'igloos'}#18"

    def pulled(*_: object, **__: object) -> Iterator[Line]:
        port.unplug()
        (tmp_path / "igloos").unlink(missing_ok=True)
        yield {"event": "overflow", "source": name, "blocks": 2}
        yield {"event": "count", "source": name, "overflows": 2}

    monkeypatch.setattr("table.listening.igloo_nodes.hear_igloos", pulled)
    assert run(["listen", name]) == 0
    assert capsys.readouterr().out == f"{name}: 2 packets were lost so far\n{name}: 2 packets were lost\n"


def test_so_many_seconds_of_a_file_are_heard(two_shakes: Path, tmp_path: Path, capsys: Capture) -> None:
    _, whole, _ = heard([str(two_shakes)], capsys)
    status, begun, err = heard([str(two_shakes), "--seconds", "5"], capsys)
    assert (status, err) == (0, "")
    assert begun == whole[:1]
    folder = tmp_path / "listed"
    folder.mkdir()
    (folder / "two.wav").write_bytes(two_shakes.read_bytes())
    (folder / "recordings.jsonl").write_text('{"file":"two.wav","sensor":"microphone","beads":null}\n')
    _, listed, _ = heard([str(folder), "--seconds", "5"], capsys)
    assert [line["start_s"] for line in listed] == [line["start_s"] for line in begun]
    status, _, err = heard([str(two_shakes), str(two_shakes), "--seconds", "5"], capsys)
    assert status == 2
    assert "heard to their end – leave --seconds out" in err


@pytest.mark.parametrize("ever", ["inf", "1e308"])
def test_seconds_without_end_hear_a_file_to_its_end(two_shakes: Path, capsys: Capture, ever: str) -> None:
    """As they do a device."""
    _, whole, _ = heard([str(two_shakes)], capsys)
    assert heard([str(two_shakes), "--seconds", ever], capsys) == (0, whole, "")


def test_a_beginning_in_which_nobody_shakes_says_nothing_of_plug_and_gain(
    two_shakes: Path, tmp_path: Path, capsys: Capture
) -> None:
    """The shake comes later: what was not listened to is neither silent nor soft."""
    status, lines, err = heard([str(two_shakes), "--seconds", "1"], capsys)
    assert (status, lines) == (1, [])
    assert err == (
        f"polartable: nothing to count was heard in the first 1 s of {two_shakes}: hear more of it (--seconds), or "
        "record it again, shaken harder; a microphone wants to be nearer where the background is loud\n"
    )
    (tmp_path / "two.wav").write_bytes(two_shakes.read_bytes())
    (tmp_path / "recordings.jsonl").write_text('{"file":"two.wav","sensor":"microphone","beads":null}\n')
    status, lines, err = heard([str(tmp_path), "--seconds", "1"], capsys)
    assert (status, lines) == (1, [])
    assert f"in the first 1 s of {tmp_path}: hear more of it" in err
    both = np.zeros((4 * RATE, 2), np.float32)
    both[2 * RATE :, 0], both[: 2 * RATE, 1] = rattle(5, 1)[: 2 * RATE], rattle(9, 2)[: 2 * RATE]
    soundfile.write(tmp_path / "table.wav", both, RATE)
    status, lines, err = heard([str(tmp_path / "table.wav"), "--seats", "a,b", "--seconds", "1.5"], capsys)
    assert status == 0
    assert {line["seat"] for line in lines} == {"b"}
    assert "is silent" not in err
    soundfile.write(tmp_path / "mute.wav", np.zeros(2 * RATE), RATE)
    status, _, err = heard([str(tmp_path / "mute.wav"), "--seconds", "9"], capsys)
    assert status == 2
    assert "is silent – check the plug" in err


@pytest.mark.parametrize("subtype", ["FLOAT", "PCM_24"])
def test_a_file_of_many_bits_says_the_same_however_soft_it_was_written(
    two_shakes: Path, tmp_path: Path, capsys: Capture, subtype: str
) -> None:
    """Nobody's gain is known; what is softer than rounding to 16 bits is heard where nothing was rounded so."""
    sound, rate = soundfile.read(two_shakes)
    soundfile.write(tmp_path / "soft.wav", sound * 10 ** (-45 / 20), rate, subtype=subtype)
    (_, loud, _), (code, soft, _) = (
        heard([str(two_shakes)], capsys),
        heard([str(tmp_path / "soft.wav")], capsys),
    )
    assert code == 0
    assert len(soft) == len(loud) == 2
    for one, other in zip(soft, loud, strict=True):
        assert one["start_s"] == pytest.approx(other["start_s"], abs=0.02)
        assert one["probabilities"] == pytest.approx(other["probabilities"], abs=0.02)


def test_one_microphone_on_two_channels_is_not_two_seats(tmp_path: Path, capsys: Capture) -> None:
    sound = np.concatenate([np.zeros(RATE, np.float32), rattle(5, 1), np.zeros(RATE, np.float32)])
    twice = tmp_path / "twice.wav"
    soundfile.write(twice, np.column_stack([sound, 0 * sound, sound]), RATE)
    status, lines, err = heard([str(twice), "--seats", "red,blue,green"], capsys)
    assert (status, lines) == (2, [])
    assert f"channels 1 and 3 of {twice} are the same sound, as of one microphone" in err
    soundfile.write(twice, np.column_stack([sound, 0.01 * sound]), RATE)
    status, lines, _ = heard([str(twice), "--seats", "red,blue"], capsys)
    assert {line["seat"] for line in lines if line["verdict"] != "not-a-shake"} == {"red"}


@pytest.mark.parametrize(
    ("times", "right"), [(1.0, True), (0.5, False), (0.3, False), (0.05, True), (2.0, False)]
)
def test_gravity_at_rest_tells_a_range_that_was_set_otherwise(
    times: float, right: bool, tmp_path: Path
) -> None:
    """A twentieth may be what is left of a gravity that was taken off."""
    path = tmp_path / "acc.wav"
    lying = np.random.default_rng(1).normal(0, 0.004, (1600, 3)).astype(np.float32)
    soundfile.write(
        path,
        np.float32(times) * np.concatenate([lying + np.float32([0.1, 0.2, 0.97]), shaken_sensor(7, 1)]),
        1600,
        subtype="FLOAT",
    )
    if right:
        check_in_g(open_sound(path))
        return
    with pytest.raises(SoundError, match=r"has a gravity of [\d.]+ at rest"):
        check_in_g(open_sound(path))


def test_a_link_to_nothing_is_called_so(tmp_path: Path) -> None:
    for name, to in (("loop.wav", "loop.wav"), ("gone.wav", "nowhere.wav")):
        (tmp_path / name).symlink_to(tmp_path / to)
        with pytest.raises(SoundError, match=rf"{name} is a link to nothing"):
            open_sound(tmp_path / name)


def test_a_page_is_not_written_to_a_file_called_dash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["calibrate", "igloos", "report", str(tmp_path), "--profile", "microphone", "--out", "-"]
    assert run(words) == 2
    assert "standard output is no file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("odds", "words"),
    [
        ({2: 0.9979, 3: 0.0007, 4: 0.0014}, "it could be 2, and hardly another: shake the same igloo again"),
        ({5: 0.5, 7: 0.48, 6: 0.01}, "it could be 5 or 7: shake"),
        ({9: 0.3, 8: 0.5, 7: 0.2}, "it could be 7, 8 or 9: shake"),
    ],
)
def test_no_count_is_named_that_it_could_hardly_be(odds: dict[int, float], words: str) -> None:
    assert could_be(odds).startswith(words)


@pytest.mark.parametrize("rate", [8000, 26700])
def test_three_axes_in_g_are_an_accelerometers_at_any_rate(
    rate: int, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "fast.wav"
    soundfile.write(path, shaken_sensor(6, 1, 1.2, rate), rate, subtype="FLOAT")
    status, (felt,), err = heard([str(path)], capsys)
    assert (status, err) == (0, "")
    _, (named,), _ = heard([str(path), "--profile", "accelerometer"], capsys)
    assert felt == named


def test_three_microphones_in_one_file_of_floats_are_microphones(tmp_path: Path) -> None:
    path = tmp_path / "three.wav"
    sound = np.stack([rattle(6, seed, 0.5) for seed in (1, 2, 3)], axis=1)
    soundfile.write(path, sound + 0.02, RATE, subtype="FLOAT")  # cheap cards have an offset
    assert sensor_of(open_sound(path)) == "microphone"


@pytest.mark.parametrize("channels", [1, 4])
def test_what_is_slow_and_has_not_three_channels_may_be_an_accelerometers(
    channels: int, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "odd.wav"
    felt = shaken_sensor(6, 1, 0.5, 3200)
    axes = felt[:, :1] if channels == 1 else np.c_[np.arange(len(felt)) / 3200, felt]  # with the time as one
    soundfile.write(path, axes, 3200, subtype="FLOAT")
    status, _, err = heard([str(path)], capsys)
    assert status == 2
    assert "it was taken for a microphone's: if it is an accelerometer's, write its three axes in g" in err
