"""What `fit` leaves out is told, with the file and the mend: recordings on a seat of two damped tones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import read
from calibration.scores import summary
from calibration.seat.fit import evaluate_taps_left_out, fit_taps
from calibration.seat.in_order import evaluate_taps
from calibration.seat.taps import answer, is_tap, listen
from firmware_bridge.errors import PolartableError
from sensors.ear.errors import FitError
from sensors.gesture.changed import HEAVIER
from sensors.gesture.judge import NEVER, UNKNOWN
from table.cli import run
from tests.calibration.seat.weighed import Write, right
from tests.sensors.gesture.seat_table import EMPTY, HEAVY, RATE, SMALL, Table


def fit_of(folder: Path) -> tuple[list[int], list[str]]:
    """The counts that were weighed, and what was told."""
    told: list[PolartableError] = []
    profile = fit_taps(list(listen(read(folder, told.append), told.append)), None, told.append)
    return list(profile.fitted_on.beads or ()), [str(error) for error in told]


def test_nothing_is_told_where_all_is_well(written: Write) -> None:
    assert fit_of(written()) == ([3, 6, 9, 12], [])


def test_a_recording_in_which_nothing_was_weighed_is_told(written: Write) -> None:
    nothing = Table(1).quiet(0.4).tap().tap().quiet(4).take()
    held = Table(1).quiet(0.4).tap().tap().thud().tap(9, quality=14.0).tap(9, quality=14.0).quiet(0.3).take()
    beads, told = fit_of(written(igloo6=nothing, igloo9=held, counts=(2, 3, 6, 9, 12)))
    assert beads == [2, 3, 12]
    assert len(told) == 2
    assert "D01-06.wav is left out: the empty seat was not heard before – record it again: lift" in told[0]
    assert "D01-09.wav is left out: the seat could not ring – record it again: let go" in told[1]


def test_a_gesture_whose_taps_do_not_agree_does_not_enter_the_fit(written: Write) -> None:
    crooked = Table(1).quiet(0.4).tap().tap().placed(9, 10.5, 9.75).quiet(0.3).take()
    beads, told = fit_of(written(igloo9=crooked))
    assert beads == [3, 6, 12]
    assert len(told) == 1
    assert (
        "D01-09.wav is left out: the taps do not agree – record it again: set the igloo into the ring"
        in told[0]
    )


def test_an_empty_seat_that_was_not_empty_is_told(written: Write) -> None:
    loaded = Table(1, empty=(48.0, 103.0)).quiet(0.4).tap().tap().placed(9, 9, 9).quiet(0.3).take()
    beads, told = fit_of(written(igloo9=loaded))
    assert beads == [3, 6, 12]
    assert (
        "D01-09.wav is left out: its empty seat sings at 103 Hz, that of the set's other recordings at 117"
        in told[0]
    )


def test_a_set_of_too_few_igloos_is_told(written: Write) -> None:
    written()
    beads, told = fit_of(written(device="D02", counts=(4, 5)))
    assert beads == [3, 6, 9, 12]
    assert len(told) == 1
    assert "the set D02 is left out: 2 igloos of it could be used, and 3 are the least" in told[0]


def test_with_no_set_left_there_is_no_profile(written: Write) -> None:
    with pytest.raises(FitError, match="no set has three igloos"):
        fit_of(written(counts=(4, 5)))


def test_a_recording_that_was_cut_at_a_minute_is_told(written: Write) -> None:
    long = np.concatenate([right(9), Table(1).quiet(60).take()])
    beads, told = fit_of(written(igloo9=long))
    assert beads == [3, 6, 9, 12]
    assert "D01-09.wav: only the first 60 seconds are read, and it is longer" in told[0]


def test_an_accelerometer_of_one_axis_is_refused(written: Write) -> None:
    beads, told = fit_of(written(igloo9=right(9)[:, 2]))
    assert beads == [3, 6, 12]
    assert "D01-09.wav has 1 channel, and a seat's accelerometer has three axes" in told[0]


def test_the_command_says_it_and_remembers(written: Write, capsys: pytest.CaptureFixture[str]) -> None:
    folder = written(igloo9=Table(1).quiet(0.4).tap().tap().quiet(4).take())
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(folder / "seat.profile")]) == 2
    assert "D01-09.wav is left out" in capsys.readouterr().err
    assert (folder / "seat.profile").is_file()


def test_a_profile_knows_the_empty_seat_of_what_it_tests(written: Write) -> None:
    folder = written()
    profile = fit_taps(list(listen(read(folder, pytest.fail), pytest.fail)))
    other = Table(1, empty=(63.0, 125.0)).quiet(0.4).tap().tap().placed(9, 9, 9).quiet(0.3).take()
    soundfile.write(folder / "D01-09.wav", other, round(RATE), subtype="FLOAT")
    heard = list(listen(read(folder, pytest.fail), pytest.fail, profile=profile))
    reasons = {a.tapped.recording.file: a.heard.reason for a in evaluate_taps(profile, heard, pytest.fail)}
    assert reasons.pop("D01-09.wav") == (
        "this seat sings at 125 Hz, the profile's at 117: another seat, or very cold or warm; weigh the set anew"
    )
    assert set(reasons.values()) == {None}


def test_recordings_of_no_named_set_ask_a_profile_of_several_which(written: Write) -> None:
    written()
    folder = written(device="D02")
    heard = list(listen(read(folder, pytest.fail), pytest.fail))
    profile = fit_taps(heard)
    assert answer(profile, heard[0]).heard.verdict == "sure"
    nameless = replace(heard[0], recording=replace(heard[0].recording, device=None))
    assert "the profile holds D01 and D02" in (answer(profile, nameless).heard.reason or "")
    stranger = replace(heard[0], recording=replace(heard[0].recording, device="D03"))
    assert answer(profile, stranger).heard.reason == UNKNOWN


def small(beads: int, seed: int = 0, lighter: float = 0.0) -> np.ndarray:
    """An igloo of beads of 4 mm, its shell lighter by so many of them."""
    table = Table(seed + beads, SMALL, HEAVY - lighter * SMALL)
    return table.quiet(0.4).tap().tap().placed(beads, beads, beads).quiet(0.3).take()


@pytest.fixture
def unweighed(written: Write) -> Path:
    """A set of which nobody weighed 12 and 13, and another day's gestures: of igloos of 4, 8 and 11, by which that is
    known, and of its 12, which weighs nearly as its 11."""
    weighed = range(2, 12)
    index = written(counts=tuple(weighed), **{f"igloo{n}": small(n) for n in weighed}) / "recordings.jsonl"
    others = index.parent / "others"
    others.mkdir()
    lines = []
    today = [(n, small(n, 50, lighter=0.8 * (n == 12))) for n in (4, 8, 11, 12)]
    for n, samples in today:
        soundfile.write(others / f"{n}.wav", samples, round(RATE), subtype="FLOAT")
        line = json.loads(index.read_text().splitlines()[0]) | {
            "file": f"{n}.wav",
            "beads": n,
            "session": "s2",
        }
        lines.append(json.dumps(line | {"igloo": f"D01-{n}"}) + "\n")
    (others / "recordings.jsonl").write_text("".join(lines))
    return index.parent


def of_others(folder: Path, *fitted: str) -> None:
    """Fit, and say as JSON what that profile makes of the gestures since."""
    profile = str(folder / "seat.profile")
    assert run(["calibrate", "igloos", "fit", str(folder), *fitted, "--out", profile]) == 0
    assert (
        run(["calibrate", "igloos", "evaluate", str(folder / "others"), "--profile", profile, "--json"]) == 0
    )


def test_an_igloo_that_nobody_weighed_is_not_told_surely_as_another(
    unweighed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_others(unweighed)
    said = capsys.readouterr()
    assert (
        "nobody weighed an igloo of 12 or 13 beads of D01, so what may be one of these is never sure"
        in said.err
    )
    *_, eleven, twelve, summary = (json.loads(line) for line in said.out.splitlines()[2:])
    assert (eleven["best"], eleven["verdict"]) == (11, "sure")
    assert (twelve["best"], twelve["reason"]) == (12, NEVER)
    assert summary["summary"]["n"] == 4
    assert "outside" not in summary["summary"]


def test_it_is_said_how_often_a_profile_of_some_counts_was_sure_of_others(
    unweighed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # it weighs as its 11 does in all
    soundfile.write(unweighed / "others" / "12.wav", small(11, 60), round(RATE), subtype="FLOAT")
    of_others(unweighed, "--counts", "2-11")
    said = capsys.readouterr()
    assert "nobody weighed" not in said.err
    *_, twelve, summary = (json.loads(line) for line in said.out.splitlines()[2:])
    assert (twelve["best"], twelve["verdict"]) == (11, "sure")
    assert summary["summary"]["n"] == 3
    assert summary["summary"]["outside"] == {"n": 1, "sure": 1}
    others, profile = str(unweighed / "others"), ["--profile", str(unweighed / "seat.profile")]
    assert run(["calibrate", "igloos", "evaluate", others, *profile]) == 0
    words = "it was sure of 1 of 1 recording that holds none of its counts, and wrong"
    assert words in capsys.readouterr().out
    page = unweighed / "seat.html"
    assert run(["calibrate", "igloos", "report", others, *profile, "--out", str(page)]) == 0
    assert f"I{words[1:]}: weigh such igloos as well and fit again." in page.read_text()


def test_what_was_weighed_beyond_the_games_counts_is_told_too(written: Write) -> None:
    folder = written(counts=(3, 6, 15))
    profile = fit_taps(list(listen(read(folder, pytest.fail), pytest.fail)))
    assert profile.counts == (*range(2, 14), 15)
    assert {n for n, times in zip(profile.counts, profile.sets["D01"].model.weighed, strict=True) if times} == {
        3, 6, 15,
    }  # fmt: skip
    assert profile.accuracy["apart"]["D01"]["counts"] == [3, 6]  # a guess is nobody's to put a paper dot into


def test_a_recording_whose_ring_was_heavier_than_the_others_is_told(written: Write) -> None:
    dusty = EMPTY[0] * (1 - 3.1e-3), EMPTY[1] * (1 - 1.3e-3)  # 0.1 g on it
    odd = Table(1, empty=dusty).quiet(0.4).tap().tap().placed(9, 9, 9).quiet(0.3).take()
    beads, told = fit_of(written(igloo9=odd))
    assert beads == [3, 6, 12]
    assert f"D01-09.wav is left out: {HEAVIER.split(':')[0]} – record it again: clear both" in told[0]


def test_where_sets_are_left_out_intervals_go_by_sets(written: Write) -> None:
    written("D01")
    taps = list(listen(read(written("D02"), pytest.fail), pytest.fail))
    folds = list(evaluate_taps_left_out(taps, "device"))
    figures = summary([a.told() for fold in folds for a in fold if a.counted])
    assert (figures["interval_by"], figures["devices"]) == ("device", 2)


def test_a_gestures_name_is_compared_as_everywhere(written: Write) -> None:
    folder = written()
    index = folder / "recordings.jsonl"
    index.write_text(index.read_text().replace('"seat-tap"', '" Seat-Tap"'))
    assert [is_tap(recording) for recording in read(folder, pytest.fail)] == [True] * 4


def test_recordings_that_are_there_once_more_under_another_session_flatter(
    written: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written()
    index = folder / "recordings.jsonl"
    lines = index.read_text()
    copies = lines.replace('"session": "s1"', '"session": "s2"')
    for file in sorted(folder.glob("D01-*.wav")):
        (folder / file.name.replace("D01-", "again-")).write_bytes(file.read_bytes())
    evaluate = ["calibrate", "igloos", "evaluate", str(folder), "--leave-out", "session"]
    for named, told in (
        ("D01", "D01-03.wav, which is listed twice"),
        ("again", "D01-03.wav as again-03.wav"),
    ):
        index.write_text(lines + copies.replace('"file": "D01', f'"file": "{named}'))
        assert run(evaluate) == 0
        said = capsys.readouterr()
        assert f"100% of what is tested is there once more under another session ({told}, say)" in said.err
        assert "exact" not in said.out
        assert ("names 4 files" in said.err) == (named == "D01")
        assert run([*evaluate, "--json"]) == 0
        summary_line = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert "once more under another session" in summary_line["summary"]["flattering"]
    other = [Table(50 + n).quiet(0.4).tap().tap().placed(n, n, n).quiet(0.3).take() for n in (3, 6, 9, 12)]
    for n, samples in zip((3, 6, 9, 12), other, strict=True):
        soundfile.write(folder / f"again-{n:02d}.wav", samples, round(RATE), subtype="FLOAT")
    assert run([*evaluate, "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["summary"]["flattering"] is None


def test_a_set_that_is_spelled_in_two_ways_flatters(
    written: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written("D01")
    written("D02")
    index = folder / "recordings.jsonl"
    index.write_text(index.read_text().replace('"device": "D02"', '"device": "d01"'))
    assert run(["calibrate", "igloos", "evaluate", str(folder), "--leave-out", "device", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])["summary"]
    assert figures["flattering"].startswith("the device 'D01' is spelled in two ways (also 'd01')")
