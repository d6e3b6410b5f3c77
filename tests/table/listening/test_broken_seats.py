"""A file or channel a seat, some of them muted, unplugged, cut short or doubled: the others are heard, and those are
named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles.profile import load_shipped
from table.listening import seat_each
from tests.parts import proof
from tests.rattle import RATE, rattle
from tests.table.listening.two_shakes import QUIET, SECOND_S, TWICE, Capture, cut, told
from tests.table.shakes import heard


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


def parted(said: str) -> tuple[str, list[str]]:
    """What else is said, and the seats of which it is said that no shake was heard there."""
    lines, words = said.splitlines(keepends=True), "polartable: no shake was heard at seat "
    return "".join(line for line in lines if not line.startswith(words)), [
        line.removeprefix(words).split()[0] for line in lines if line.startswith(words)
    ]


def test_a_seat_that_breaks_off_leaves_the_others_to_their_end(seats: list[Path], capsys: Capture) -> None:
    cut(seats[1], 0.3)
    code, lines, said = told(capsys, *map(str, seats), "--seats", "red,blue,green")
    assert code == 2
    assert of("red", lines) == [pytest.approx(1.4, abs=0.3), pytest.approx(SECOND_S + 0.4, abs=0.3)]
    broken = f"polartable: PT-201: {seats[1]} breaks off in the middle – copy or record it again\n"
    assert parted(said) == (broken, ["green"])


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
    ended, unshaken = parted(said)
    assert (ended.count("\n"), unshaken) == (1, ["green"])
    assert f"blue.wav (seat blue) ends after {SECOND_S:.1f} s, and shakes were heard until" in ended


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
    assert (code, parted(said), len(of("red", lines))) == (0, ("", ["blue"]), 3)
    assert of("blue", lines) == []


def test_files_too_slow_to_count_by_are_named(seats: list[Path], capsys: Capture) -> None:
    for file in seats:
        sound, _ = soundfile.read(file)
        soundfile.write(file, sound, 8000)
    code, lines, said = told(capsys, *map(str, seats), "--seats", "red,blue,green")
    assert (code, lines) == (2, [])
    assert said.startswith(f"polartable: PT-401: {', '.join(map(str, seats))}: the profile needs at least ")
    code, lines, said = told(capsys, str(seats[0]))
    assert said.startswith(f"polartable: PT-401: {seats[0]}: the profile needs at least ")


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
    assert (code, parted(said), len(red)) == (0, ("", ["blue", "green"]), 2)
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


@pytest.mark.parametrize("names", ["red", "red,", "red,red", "r\x1b[31m,blue"])
def test_what_names_no_seats_is_said_and_shown_harmlessly(
    names: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, said = told(capsys, "a.wav", "b.wav", "--seats", names)
    assert code == 2
    assert "seat" in said
    assert "\x1b" not in said


UNHEARD = [("hums", True), ("is far too soft", False), ("hears", True)]
UNHEARD += [(microphone, not one_file) for microphone, one_file in UNHEARD]


@pytest.mark.parametrize(("microphone", "one_file"), UNHEARD[: proof(3, 6)])
def test_a_seat_where_no_shake_was_heard_while_others_had_some_is_named(
    tmp_path: Path, capsys: Capture, microphone: str, one_file: bool
) -> None:
    """As one whose cable came off; whether anybody shook there nobody knows, so it is no error."""
    quiet, first, _, second, _ = TWICE
    third = rattle(9, 3)
    sound = np.zeros((3, sum(map(len, (*TWICE, third, quiet)))))
    at = len(quiet)
    for k, shake in enumerate((first, second, third)):
        for seat in range(3):
            sound[seat, at : at + len(shake)] = (1.0 if seat == k else 0.1) * shake
        at += len(shake) + len(quiet)
    sound += 1e-4 * np.random.default_rng(7).standard_normal(sound.shape)
    t = np.arange(sound.shape[1]) / RATE
    if microphone == "hums":
        sound[2] = sum(0.2 / n * np.sin(2 * np.pi * 50 * n * t) for n in (1, 3, 5, 7, 11))
        sound[2] += 1e-4 * np.random.default_rng(8).standard_normal(len(t))
    elif microphone == "is far too soft":
        sound[2] *= 10 ** (-48 / 20)
    files = [tmp_path / f"{name}.wav" for name in ("table", "red", "blue", "green")]
    soundfile.write(files[0], sound.T, RATE)
    for path, one in zip(files[1:], sound, strict=True):
        soundfile.write(path, one, RATE)
    where = "channel 3 of table.wav" if one_file else "green.wav"
    code, lines, said = told(
        capsys, *map(str, files[:1] if one_file else files[1:]), "--seats", "red,blue,green"
    )
    assert code == 0
    assert of("red", lines)
    assert of("blue", lines)
    if microphone == "hears":
        assert of("green", lines)
        assert said == ""
        return
    assert of("green", lines) == []
    assert said == (
        f"polartable: no shake was heard at seat green ({where}), and other seats had some: if anybody shook there, it "
        "was lost or told as a neighbour's; check that microphone's plug and gain, and whether it hums\n"
    )


def test_where_nobody_shook_no_seat_is_named(tmp_path: Path, capsys: Capture) -> None:
    hiss = 1e-4 * np.random.default_rng(1).standard_normal((3 * RATE, 2))
    soundfile.write(tmp_path / "table.wav", hiss, RATE)
    _, lines, said = told(capsys, str(tmp_path / "table.wav"), "--seats", "red,blue")
    assert (lines, "at seat" in said) == ([], False)


def test_of_a_sound_card_it_is_told_at_the_end_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    shake = replace(heard("card", {5: 0.9}), seat="red")
    lines = [shake, replace(shake, seat="blue", verdict="not-a-shake", probabilities={})]
    monkeypatch.setattr(seat_each, "hear_live", lambda *args, **named: iter(lines))
    told: list[str] = []
    profile, seats = load_shipped("microphone"), ("red", "blue")
    live = seat_each.hear_seats_live(
        "card", seats, profile, False, VirtualClock(), 1.0, lambda s: None, tell=told.append
    )
    assert list(live) == lines
    assert [why.partition(", and")[0] for why in told] == [
        "no shake was heard at seat blue (channel 2 of card)"
    ]
