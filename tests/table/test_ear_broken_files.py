"""Several files of one table, igloo or folder, one of them muted or cut short: the others are heard, and that one is
named. What is wrong with all of them is told once."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from sensors.ear import profile_file
from table.cli import run
from tests.rattle import RATE, rattle, shaken_sensor, write_sweeps

Capture = pytest.CaptureFixture[str]
QUIET = np.zeros(RATE, np.float32)
TWICE = [QUIET, rattle(5, 1), QUIET, rattle(7, 2), QUIET]
SECOND_S = 1 + len(rattle(5, 1)) / RATE + 1  # of what the second one is heard in


def cut(path: Path, share: float) -> None:
    """The header promises what the file has no more."""
    path.write_bytes(path.read_bytes()[: round(share * path.stat().st_size)])


def told(capsys: Capture, *words: str) -> tuple[int, list[dict[str, object]], str]:
    code = run(["listen", *words, "--json"])
    said = capsys.readouterr()
    return code, [json.loads(line) for line in said.out.splitlines()], said.err


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
def seats(tmp_path: Path) -> list[Path]:
    """Three seats' files: red shakes twice, the others hear it softly."""
    files = []
    for k, name in enumerate(("red", "blue", "green")):
        files.append(tmp_path / f"{name}.wav")
        noise = 1e-4 * np.random.default_rng(k).standard_normal(sum(map(len, TWICE)))
        soundfile.write(files[-1], (0.01 if k else 1.0) * np.concatenate(TWICE) + noise, RATE)
    return files


def of(seat: str, lines: list[dict[str, object]]) -> list[object]:
    return [line["start_s"] for line in lines if line["seat"] == seat and line["verdict"] != "not-a-shake"]


def test_a_seat_that_breaks_off_leaves_the_others_to_their_end(seats: list[Path], capsys: Capture) -> None:
    cut(seats[1], 0.3)
    code, lines, said = told(capsys, *map(str, seats), "--seats", "red,blue,green")
    assert code == 2
    assert of("red", lines) == [pytest.approx(1.4, abs=0.3), pytest.approx(SECOND_S + 0.4, abs=0.3)]
    assert said == f"polartable: PT-201: {seats[1]} breaks off in the middle – copy or record it again\n"


@pytest.mark.parametrize("one_file", [False, True])
def test_a_shake_that_was_under_way_where_it_breaks_off_is_told(
    tmp_path: Path, seats: list[Path], capsys: Capture, one_file: bool
) -> None:
    last = (SECOND_S + 1.6) / (sum(map(len, TWICE)) / RATE)
    if one_file:
        table = tmp_path / "table.wav"
        soundfile.write(table, np.stack([soundfile.read(path)[0] for path in seats], axis=1), RATE)
        seats = [table]
    for path in seats:
        cut(path, last)
    code, lines, said = told(capsys, *map(str, seats), "--seats", "red,blue,green")
    assert (code, len(of("red", lines))) == (2, 2)
    assert said.count("breaks off in the middle") == len(seats)


def test_a_seat_s_file_that_ends_before_the_last_shake_is_named(seats: list[Path], capsys: Capture) -> None:
    for path, end_s in zip(seats[1:], (SECOND_S, SECOND_S + 3.5), strict=True):
        sound, _ = soundfile.read(path)
        soundfile.write(
            path, sound[: round(end_s * RATE)], RATE
        )  # green's goes on for longer than anybody shakes
    code, lines, said = told(capsys, *map(str, seats), "--seats", "red,blue,green")
    assert (code, len(of("red", lines))) == (2, 2)
    assert said.count("\n") == 1
    assert f"blue.wav (seat blue) ends after {SECOND_S:.1f} s, and shakes were heard until" in said


def test_files_that_did_not_begin_at_one_moment_are_held_against_each_other(
    tmp_path: Path, capsys: Capture
) -> None:
    three = [*TWICE[:-1], *TWICE[2:]]
    late = np.zeros(round(0.02 * RATE), np.float32)
    files = []
    for name, sound in (("red", [*three, late]), ("blue", [late, *(0.4 * one for one in three)])):
        files.append(str(tmp_path / f"{name}.wav"))
        heard = np.concatenate(sound)
        soundfile.write(
            files[-1], heard + 1e-4 * np.random.default_rng(len(name)).standard_normal(len(heard)), RATE
        )
    code, lines, said = told(capsys, *files, "--seats", "red,blue")
    assert (code, said, len(of("red", lines))) == (0, "", 3)
    assert of("blue", lines) == []


@pytest.mark.parametrize("subtype", ["PCM_16", "PCM_24"])
def test_one_file_for_two_seats_is_refused(seats: list[Path], capsys: Capture, subtype: str) -> None:
    soundfile.write(seats[1], soundfile.read(seats[0])[0], RATE, subtype=subtype)
    code, lines, said = told(capsys, *map(str, seats), "--seats", "red,blue,green")
    assert (code, lines) == (2, [])
    assert f"{seats[0]} and {seats[1]} are the same sound, as of one microphone" in said


@pytest.mark.parametrize("channels", ["a file a seat", "two channels a seat", "one file"])
def test_a_seat_s_shake_with_samples_missing_is_told(
    tmp_path: Path, seats: list[Path], capsys: Capture, channels: str
) -> None:
    sounds = [np.concatenate([soundfile.read(path)[0], np.tile(QUIET, 20)]) for path in seats]
    for at_s in np.arange(1.5, 4.0, 0.1):
        sounds[0][round(at_s * RATE) : round((at_s + 0.01) * RATE)] = np.nan
    if channels == "one file":
        seats = [tmp_path / "table.wav"]
        soundfile.write(seats[0], np.stack(sounds, axis=1), RATE, subtype="FLOAT")
    else:
        wide = 2 if channels.startswith("two") else 1
        for path, sound in zip(seats, sounds, strict=True):
            soundfile.write(path, np.stack([sound] * wide, axis=1), RATE, subtype="FLOAT")
    code, lines, said = told(capsys, *map(str, seats), "--seats", "red,blue,green")
    red = [line for line in lines if line["seat"] == "red"]
    assert (code, said, len(red)) == (0, "", 2)
    assert str(red[0].get("reason", "")).startswith("samples are missing (NaN)")
    assert "NaN" not in str(red[1].get("reason", ""))


@pytest.mark.parametrize("one_file", [False, True])
def test_each_seat_that_is_silent_is_named(
    tmp_path: Path, seats: list[Path], capsys: Capture, one_file: bool
) -> None:
    for path in seats[1:]:
        soundfile.write(path, np.zeros(sum(map(len, TWICE))), RATE)
    if one_file:
        table = tmp_path / "table.wav"
        soundfile.write(table, np.stack([soundfile.read(path)[0] for path in seats], axis=1), RATE)
        seats = [table]
    code, lines, said = told(capsys, *map(str, seats), "--seats", "red,blue,green")
    assert (code, len(of("red", lines))) == (2, 2)
    wheres = (
        ["channel 2 of table.wav (seat blue)", "channel 3 of table.wav (seat green)"]
        if one_file
        else ["blue.wav (seat blue)", "green.wav (seat green)"]
    )
    assert [
        line.partition("PT-201: ")[2].partition(" is silent – ")[0] for line in said.splitlines()
    ] == wheres


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


def test_a_seats_profile_finds_no_gesture_among_shakes(tmp_path: Path, folder: Path, capsys: Capture) -> None:
    from sensors.gesture import profile as gestures

    profile = tmp_path / "seat.profile"
    gestures.save(gestures.GestureProfile("accelerometer", (2, 5), {}, 1.0, {}, {}), profile)
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


@pytest.mark.parametrize("names", ["red", "red,", "red,red", "r\x1b[31m,blue"])
def test_what_names_no_seats_is_said_and_shown_harmlessly(
    names: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, said = told(capsys, "a.wav", "b.wav", "--seats", names)
    assert code == 2
    assert "seat" in said
    assert "\x1b" not in said
