"""Several files of one igloo or folder, one of them muted or cut short: the others are heard, and that one is named.
What is wrong with all of them is told once."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from sensors.ear.profiles import profile_file
from table.cli import run
from tests.knowing import weighing
from tests.rattle import RATE, shaken_sensor, write_sweeps
from tests.table.listening.two_shakes import TWICE, Capture, cut, told


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """An accelerometer's and a microphone's file that began together, with two shakes."""
    still = np.tile(np.array([0.1, 0.2, 0.97], np.float32), (1600, 1))
    felt, heard = tmp_path / "felt.wav", tmp_path / "heard.wav"
    shakes = [still, shaken_sensor(5, 1), still, shaken_sensor(7, 2), still]
    soundfile.write(felt, np.concatenate(shakes), 1600, subtype="FLOAT")
    soundfile.write(heard, np.concatenate(TWICE), RATE)
    return felt, heard


@pytest.mark.parametrize("turned", [False, True])
def test_where_one_sensor_is_muted_the_other_tells_alone(
    pair: tuple[Path, Path], capsys: Capture, turned: bool
) -> None:
    felt, heard = pair
    soundfile.write(heard, np.zeros(8 * RATE), RATE)
    code, lines, said = told(capsys, *map(str, (heard, felt) if turned else (felt, heard)))
    assert code == 2
    assert [line["source"] for line in lines] == ["felt.wav"] * 2
    assert (
        said == f"polartable: PT-201: {heard} is silent – check the plug and the gain, and record it again\n"
    )


def test_where_one_sensor_breaks_off_both_tell_what_they_heard(
    pair: tuple[Path, Path], capsys: Capture
) -> None:
    felt, heard = pair
    cut(heard, 0.5)
    code, lines, said = told(capsys, str(felt), str(heard))
    assert code == 2
    assert [line["source"] for line in lines] == ["felt.wav + heard.wav", "felt.wav"]
    assert said == f"polartable: PT-201: {heard} breaks off in the middle – copy or record it again\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three shakes, of 3, 5 and 7 beads."""
    write_sweeps(tmp_path / "shakes", 1, (3, 5, 7))
    return tmp_path / "shakes"


def listed(folder: Path, change: dict[str, object]) -> None:
    index = folder / "recordings.jsonl"
    lines = [json.loads(line) | change for line in index.read_text().splitlines()]
    index.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize("kind", ["nowhere", "damaged", "a folder"])
def test_a_profile_that_cannot_be_had_is_told_once_for_a_whole_folder(
    tmp_path: Path, folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    profile, reads = tmp_path / "mine.profile", list[Path]()
    if kind == "damaged":
        profile.write_text('{"format":"polartable-ear-profile","version":1,"digest":"0","body":{}}')
    elif kind == "a folder":
        profile.mkdir()
    read = profile_file.read
    monkeypatch.setattr(profile_file, "read", lambda path: (reads.append(path), read(path))[1])
    code, lines, said = told(capsys, str(folder), "--profile", str(profile))
    assert (code, lines, reads) == (2, [], [profile])
    assert said.startswith(
        f"polartable: PT-401: {profile} is" if kind != "nowhere" else "polartable: PT-401: "
    )
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("", "{} holds no recording that can be used – record a sweep"),
        (None, "every recording of {} was rejected – record some of them again"),
    ],
)
def test_a_folder_without_a_recording_is_not_told_to_come_nearer(
    folder: Path, capsys: Capture, lines: str | None, words: str
) -> None:
    if lines is None:
        listed(folder, {"rejected": "a cough"})
    else:
        (folder / "recordings.jsonl").write_text(lines)
    assert told(capsys, str(folder)) == (2, [], f"polartable: PT-101: {words.format(folder)}\n")


@pytest.mark.parametrize("rejected", [False, True])
@pytest.mark.parametrize(
    "words",
    [
        "listen {}",
        "listen {} --profile contact",
        "listen {} --same-igloo",
        "calibrate igloos evaluate {} --profile contact",
        "calibrate igloos evaluate {} --profile contact --only place=shell",
        "calibrate igloos fit {} --out {}/my.profile",
    ],
)
def test_whoever_has_a_word_to_mend_in_the_list_is_not_told_to_record(
    tmp_path: Path, capsys: Capture, words: str, rejected: bool
) -> None:
    line = '{"file": "a.wav", "sensor": "microphone", "beads": 4.5}\n'
    more = '{"file": "b.wav", "sensor": "microphone", "beads": 4, "rejected": "a cough"}\n'
    (tmp_path / "recordings.jsonl").write_text(line + more * rejected)
    assert run(words.replace("{}", str(tmp_path)).split()) == 2
    assert capsys.readouterr().err.splitlines() == [
        f'polartable: PT-211: {tmp_path}/recordings.jsonl, line 1, has 4.5 as "beads" – give a whole number from 0 to '
        "1000, or null where it is unknown",
        f"polartable: PT-101: no recording of {tmp_path} can be used – see the sentences above",
    ]


def test_a_seats_profile_finds_no_gesture_among_shakes(tmp_path: Path, folder: Path, capsys: Capture) -> None:
    from sensors.gesture import profile as gestures

    profile = tmp_path / "seat.profile"
    gestures.save(gestures.GestureProfile("accelerometer", (2, 5), {}, 1.0, weighing(), {}), profile)
    code, lines, said = told(capsys, str(folder), "--profile", str(profile))
    assert (code, lines) == (2, [])
    assert f"PT-101: {folder} holds no counting gesture (seat-tap) of an accelerometer – " in said


NEARER = "again, shaken harder; a microphone wants to be nearer where the background is loud\n"


@pytest.mark.parametrize(
    ("faint", "words", "code"),
    [
        (("03",), "s0-03.wav of {}: record it ", 0),
        (("03", "07"), "2 recordings, s0-03.wav the first, of {}: record them ", 0),
        (("03", "05", "07"), "{}: record it ", 1),
    ],
)
def test_files_of_a_folder_in_which_nothing_is_heard_are_told_in_one_sentence(
    folder: Path, capsys: Capture, faint: tuple[str, ...], words: str, code: int
) -> None:
    hiss = 1e-3 * np.random.default_rng(1).standard_normal(3 * RATE)
    for beads in faint:
        soundfile.write(folder / f"s0-{beads}.wav", hiss, RATE)
    said = told(capsys, str(folder))
    assert (said[0], len(said[1])) == (code, 3 - len(faint))
    assert said[2] == f"polartable: nothing to count was heard in {words.format(folder)}{NEARER}"


@pytest.mark.parametrize(
    ("line", "options", "nearer", "firmly"),
    [
        ({"sensor": "microphone", "place": "table"}, [], True, False),
        ({"sensor": "microphone", "place": "shell"}, [], False, True),
        ({"sensor": "microphone"}, ["--profile", "contact"], False, True),
        ({"sensor": "accelerometer"}, [], False, True),
    ],
)
@pytest.mark.parametrize("alone", [True, False])
def test_what_is_on_the_shell_comes_no_nearer(
    line: dict[str, str],
    options: list[str],
    nearer: bool,
    firmly: bool,
    alone: bool,
    tmp_path: Path,
    capsys: Capture,
) -> None:
    random = np.random.default_rng(1)
    if line["sensor"] == "microphone":
        soundfile.write(tmp_path / "a.wav", 1e-3 * random.standard_normal(3 * RATE), RATE)
    else:
        soundfile.write(tmp_path / "a.wav", random.normal((0, 0, 1), 3e-3, (4800, 3)), 1600, "FLOAT")
    (tmp_path / "recordings.jsonl").write_text(json.dumps({"file": "a.wav", "beads": 5} | line) + "\n")
    code, lines, said = told(capsys, str(tmp_path / "a.wav" if alone else tmp_path), *options)
    assert (code, lines) == (1, [])
    assert "nothing to count was heard in " in said
    assert ("a microphone wants to be nearer" in said) == nearer
    assert ("see that the sensor is stuck firmly to the shell" in said) == firmly


@pytest.mark.parametrize(
    ("of", "words"),
    [
        ("huge", "has values of up to 3e+37, far beyond full scale, and nothing was heard in it"),
        ("beyond", "has values of up to 6e+38, far beyond full scale, and nothing was heard in it"),
        ("constant", "holds one value throughout, and no shake"),
    ],
)
def test_values_of_no_sensor_are_told_as_such(tmp_path: Path, capsys: Capture, of: str, words: str) -> None:
    path = tmp_path / "shake.wav"
    samples = {
        "huge": np.concatenate(TWICE) * 1e38,
        "beyond": np.where(np.concatenate(TWICE) > 0, 3e38, -3e38),  # apart as far as no float32 is
        "constant": np.full(3 * RATE, 0.3),
    }[of]
    soundfile.write(path, samples.astype(np.float32), RATE, subtype="FLOAT")
    code, lines, said = told(capsys, str(path))
    assert (code, lines) == (2, [])
    assert said.startswith(f"polartable: PT-201: {path} {words} – ")
    assert said.count("\n") == 1


def test_one_spike_is_no_matter_where_shakes_are_heard(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "shake.wav"
    samples = np.concatenate(TWICE)
    samples[100] = 1e30
    soundfile.write(path, samples, RATE, subtype="FLOAT")
    code, lines, said = told(capsys, str(path))
    assert (code, len(lines), said) == (0, 2, "")
