"""`polartable listen` at a seat: which set, how many answers, and what is said where nothing was heard."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import read
from calibration.seat.fit import fit_taps
from calibration.seat.taps import listen
from sensors.ear.errors import ProfileError
from sensors.gesture import profile as profiles
from sensors.gesture.judge import UNKNOWN
from table.cli import run
from table.senses.tap_wire import seat_profile
from tests.sensors.gesture.seat_table import RATE, SMALL, TWINS, Table, twins

COUNTS = (3, 6, 9)


def right(beads: int, seed: int = 0) -> Table:
    return Table(seed + beads).quiet(0.4).tap().tap().placed(beads, beads, beads)


def put(path: Path, samples: np.ndarray) -> Path:
    soundfile.write(path, samples, round(RATE), subtype="FLOAT")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sets, and profiles: of D01, and of both."""
    folder = tmp_path_factory.mktemp("seats")
    with (folder / "recordings.jsonl").open("w") as index:
        for device in ("D01", "D02"):
            for n in COUNTS:
                file = f"{device}-{n}.wav"
                put(folder / file, right(n).quiet(0.3).take())
                line = {"file": file, "sensor": "accelerometer", "gesture": "seat-tap", "place": "seat",
                        "beads": n, "igloo": f"{device}-{n}", "device": device, "session": "s1"}  # fmt: skip
                index.write(json.dumps(line) + "\n")
    heard = list(listen(read(folder, pytest.fail), pytest.fail))
    profiles.save(fit_taps(heard), folder / "both.profile")
    profiles.save(fit_taps([t for t in heard if t.recording.device == "D01"]), folder / "one.profile")
    return folder


def told(words: list[str], capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    assert run(["listen", *words, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(("last_at", "same_day"), [("18:40", True), ("23:40", False)])
def test_a_folders_gestures_are_of_one_day_as_where_it_is_tested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], last_at: str, same_day: bool
) -> None:
    """Beads of 4 mm: the first igloo is told with less certainty than it would be as a later one."""
    order = (7, 4, 9, 12, 7)
    with (tmp_path / "recordings.jsonl").open("w") as index:
        for k, n in enumerate(order):
            table = Table(60 + k, SMALL, TWINS).quiet(0.4).tap().tap().placed(n, n, n)
            put(tmp_path / f"{k}.wav", table.quiet(0.3).take())
            line = {"file": f"{k}.wav", "sensor": "accelerometer", "gesture": "seat-tap", "place": "seat",
                    "beads": n, "igloo": f"set-{n}", "session": "s2",
                    "taken": f"2026-11-20T{last_at if k == 4 else f'18:3{k}'}:00Z"}  # fmt: skip
            index.write(json.dumps(line) + "\n")
    profile = str(tmp_path / "seat.profile")
    profiles.save(twins(), Path(profile))
    said = told([str(tmp_path), "--profile", profile], capsys)
    assert run(["calibrate", "igloos", "evaluate", str(tmp_path), "--profile", profile, "--json"]) == 0
    *tested, _ = map(json.loads, capsys.readouterr().out.splitlines())
    assert [one["probabilities"] for one in said] == [one["probabilities"] for one in tested]
    alone = told([str(tmp_path / "4.wav"), "--profile", profile], capsys)
    as_first, last = (one["probabilities"]["7"] for one in (alone[0], said[-1]))  # type: ignore[index]
    assert (last == as_first) != same_day
    assert (last > as_first) == same_day


def test_recordings_of_another_set_than_the_profiles_are_never_sure(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for source in (folder, folder / "D02-6.wav"):
        said = told([str(source), "--profile", str(folder / "one.profile")], capsys)
        others = [one for one in said if "D02" in str(one["source"])]
        assert others
        assert {one["reason"] for one in others} == {UNKNOWN}
        assert all(one["verdict"] == "sure" for one in said if "D01" in str(one["source"]))


def test_a_profile_of_two_sets_asks_which_and_is_told(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone, both = put(tmp_path / "x.wav", right(6).quiet(0.3).take()), str(folder / "both.profile")
    for source in (str(alone), "default"):
        assert run(["listen", source, "--profile", both]) == 2
        said = capsys.readouterr().err
        assert "the profile holds D01 and D02, and nobody said which set this is" in said
        assert "--device D01" in said
    (heard,) = told([str(alone), "--profile", both, "--device", "D02"], capsys)
    assert (heard["verdict"], heard["beads"]) == ("sure", 6)
    assert {one["verdict"] for one in told([str(folder), "--profile", both], capsys)} == {"sure"}
    assert run(["listen", str(alone), "--profile", both, "--device", "D07"]) == 2
    assert "holds no set D07, but D01 and D02" in capsys.readouterr().err
    assert run(["listen", str(alone), "--device", "D01"]) == 2
    assert "--device names a set of a seat's profile" in capsys.readouterr().err


def test_the_table_s_seat_takes_a_profile_of_one_set(folder: Path) -> None:
    with pytest.raises(ProfileError, match="--only device=D01"):
        seat_profile(folder / "both.profile")


def test_of_a_file_each_gesture_is_said_once(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tapped_on = put(tmp_path / "x.wav", right(6).tap(6).tap(6).placed(9, 9, 9).tap(9).quiet(0.3).take())
    words = [str(tapped_on), "--profile", str(folder / "one.profile")]
    assert [one["beads"] for one in told(words, capsys)] == [6, 9]
    same = put(tmp_path / "y.wav", right(6).tap(6).placed(6, 6, 6).quiet(0.3).take())
    *_, together = told([str(same), "--profile", str(folder / "one.profile"), "--same-igloo"], capsys)
    assert (together["event"], together["shakes"], together["best"]) == ("igloo", 2, 6)
    assert run(["listen", str(same), "--profile", str(folder / "one.profile"), "--same-igloo"]) == 0
    assert "2 gestures together: 6 most likely" in capsys.readouterr().out


def test_where_nothing_was_heard_the_mend_is_a_seat_s(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet = put(tmp_path / "x.wav", Table(1).quiet(0.4).tap().tap().quiet(3).take())
    assert run(["listen", str(quiet), "--profile", str(folder / "one.profile")]) == 1
    said = capsys.readouterr().err
    assert "record it again: tap the empty seat, then three times set the igloo down" in said
    assert "background" not in said


def test_where_nothing_was_weighed_no_count_is_the_likeliest(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first of the counts was named, with the odds of any."""
    untapped = put(tmp_path / "x.wav", Table(1).quiet(0.4).placed(6, 6, 6).quiet(0.3).take())
    words = ["listen", str(untapped), "--profile", str(folder / "one.profile")]
    (line,) = told(words[1:], capsys)
    assert len(set(line["probabilities"].values())) == 1  # type: ignore[attr-defined]
    assert run(words) == 0
    said = capsys.readouterr().out
    assert "s: not sure – the empty seat was not heard before: lift the igloo off" in said
    assert "most likely" not in said


@pytest.mark.parametrize(("axes", "has"), [([2], "1 channel"), ([0, 2], "2 channels")])
@pytest.mark.parametrize("listed", [False, True])
def test_an_accelerometers_file_that_lacks_axes_is_told_as_that(
    folder: Path, tmp_path: Path, axes: list[int], has: str, listed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was called a microphone's."""
    file = put(tmp_path / "narrow.wav", right(6).quiet(0.3).take()[:, axes])
    if listed:
        line = {"file": file.name, "sensor": "accelerometer", "gesture": "seat-tap", "beads": 6}
        (tmp_path / "recordings.jsonl").write_text(json.dumps(line) + "\n")
    assert run(["listen", str(file), "--profile", str(folder / "one.profile")]) == 2
    assert (
        f"{file} has {has}, and a seat's accelerometer has three axes – record all three axes in g"
        in capsys.readouterr().err
    )


def test_a_microphones_file_is_told_as_that_at_an_accelerometers_seat(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "disc.wav"
    soundfile.write(file, np.zeros(44100), 44100)
    assert run(["listen", str(file), "--profile", str(folder / "one.profile")]) == 2
    assert (
        f"{file} is of a microphone, and the profile was made for an accelerometer" in capsys.readouterr().err
    )


def test_only_the_asked_seconds_of_gestures_are_heard(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile, file = str(folder / "one.profile"), str(folder / "D01-6.wav")
    (whole,) = told([file, "--profile", profile], capsys)
    assert told([file, "--profile", profile, "--seconds", "60"], capsys) == [whole]
    assert run(["listen", file, "--profile", profile, "--seconds", "0.3", "--json"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(
        f"polartable: nothing to count was heard in the first 0.3 s of {file}: hear more of it (--seconds), or record"
    )
    assert run(["listen", str(folder), "--profile", profile, "--seconds", "0.3", "--json"]) == 1
    assert "in the first 0.3 s of" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["listen", "{f}", "--profile", "{p}"],
        ["calibrate", "igloos", "fit", "{f}", "--out", "{t}/new.profile"],
        ["calibrate", "igloos", "evaluate", "{f}", "--profile", "{p}"],
        ["calibrate", "igloos", "report", "{f}", "--profile", "{p}", "--out", "{t}/page.html"],
    ],
)
def test_a_misspelt_key_of_gestures_is_told_as_of_shakes(
    words: list[str], folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in folder.glob("*.wav"):
        (tmp_path / file.name).symlink_to(file)
    lines = (folder / "recordings.jsonl").read_text().replace('"session"', '"sesion"')
    (tmp_path / "recordings.jsonl").write_text(lines)
    assert run([w.format(f=tmp_path, p=folder / "both.profile", t=tmp_path) for w in words]) == 0
    said = capsys.readouterr().err
    assert said.count('polartable: 6 of 6 recordings have the key "sesion", which says nothing here: ') == 1
