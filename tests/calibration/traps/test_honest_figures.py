"""What `fit`, `evaluate` and `report` say of a folder never flatters, and says what it is worth."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import soundfile

from calibration.scores import Told, of_shares, summary
from calibration.traps.fingerprints import MOST_PRINTS, fingerprint, fingerprints
from calibration.words import of_those_sure
from hw_mock.igloo import noises
from sensors.ear.profiles.profile import load, load_shipped
from table.cli import run
from table.commands.igloo_words import in_words
from tests.knowing import knowing
from tests.rattle import RATE, rattle, write_sweeps

Capture = pytest.CaptureFixture[str]


def told(capsys: Capture) -> tuple[str, str]:
    said = capsys.readouterr()
    return said.out, said.err


def last(text: str) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(text.splitlines()[-1])
    return line


def test_fit_prints_the_figure_that_evaluate_prints(few: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "mine.profile"
    assert run(["calibrate", "igloos", "fit", str(few), "--out", str(out)]) == 0
    fitted, _ = told(capsys)
    assert "fitted on 12 takes of 3 sessions by 3 people, counts 2, 5, 8 or 11" in fitted
    assert run(["calibrate", "igloos", "evaluate", str(few), "--leave-out", "session"]) == 0
    honest, _ = told(capsys)
    figure = re.compile(r"\d\.\d\d exact \(\d\.\d\d–\d\.\d\d by whole sessions\), \d\.\d\d within one")
    assert figure.findall(fitted) == figure.findall(honest)[:1] != []
    kept = load(out).accuracy
    assert "kind to itself" in kept["note"]
    assert all("kind to itself" in head["note"] for head in kept["heads"])


def test_fit_on_one_session_prints_no_figure_and_says_why(
    one_sitting: tuple[Path, Path], tmp_path: Path, capsys: Capture
) -> None:
    folder, _ = one_sitting
    words = ["calibrate", "igloos", "fit", str(folder), "--out", str(tmp_path / "x.profile")]
    assert run(words) == 0
    out, _ = told(capsys)
    assert "exact" not in out
    assert "12 takes of 1 session by 1 person" in out
    assert "takes of one sitting betray one another; record another session on another day" in out
    assert f"evaluate {folder} --leave-out session" in out
    assert run([*words, "--json"]) == 0
    line = last(told(capsys)[0])
    assert line["left_out"] is None
    assert "one session" in line["why"]
    assert run([*words, "--counts", "2-12"]) == 0  # the figure is of the same fit
    assert f"evaluate {folder} --leave-out session --counts 2-12" in told(capsys)[0]


def test_fit_warns_of_a_folder_in_which_the_sitting_gives_the_count_away(
    tmp_path: Path, capsys: Capture
) -> None:
    lines = []
    for beads in (2, 5, 8, 11):
        for take in range(6):
            name = f"{beads:02d}-{take}.wav"
            sound = rattle(beads, 10 * take + beads, 1.6, loudness=0.02 * beads + 0.02)
            soundfile.write(tmp_path / name, sound, RATE, subtype="FLOAT")
            line = {"file": name, "sensor": "microphone", "place": "table", "beads": beads}
            lines.append(line | {"session": f"of {beads}"})
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run(["calibrate", "igloos", "fit", str(tmp_path), "--out", str(tmp_path / "x.profile")]) == 0
    assert "the sitting gives the count away" in told(capsys)[1]


def test_takes_that_the_ear_would_refuse_are_told(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "talk"
    lines = write_sweeps(folder, sessions=1, counts=range(2, 8), place="table")
    for k, line in enumerate(lines[:4]):
        sound, rate = soundfile.read(folder / line["file"])
        talk = noises.voice(np.random.default_rng(k), round(48000 / rate * len(sound)))
        there = np.arange(len(sound)) * 48000 / rate
        heard = np.std(sound) * np.interp(there, np.arange(len(talk)), talk)
        soundfile.write(folder / line["file"], heard, rate)
    words = ["calibrate", "igloos", "evaluate", str(folder), "--profile", "microphone"]
    assert run([*words, "--json"]) == 0
    out, err = told(capsys)
    *takes, summary = (json.loads(line) for line in out.splitlines())
    refused = sum(take["verdict"] == "not-a-shake" for take in takes)
    assert refused >= 4
    assert summary["summary"]["refused"] == refused
    assert f"{refused} of 6 takes would be refused as no shake" in err
    assert run(words) == 0
    assert f"{refused} of 6 takes would be refused as no shake" in told(capsys)[0]
    page = tmp_path / "page.html"
    assert run(["calibrate", "igloos", "report", *words[3:], "--out", str(page)]) == 0
    assert all(
        re.match(r"[A-Z0-9].*\.$", w) for w in re.findall(r'<p class="warn">(.*?)</p>', page.read_text())
    )
    assert f"{refused} of 6 takes would be refused as no shake" in page.read_text()


def test_a_start_that_knows_but_a_sample_is_not_said_to_be_known() -> None:
    row: Any = SimpleNamespace(shake=SimpleNamespace(values=np.array([1.0, 2.0])))
    prints = [f"{n:08x}" for n in range(MOST_PRINTS)]
    start = load_shipped("microphone")
    sample = replace(start, fitted_on=knowing(fingerprints="".join(prints)))
    assert fingerprints([row], sample) == fingerprint(row)
    all_ = replace(start, fitted_on=knowing(fingerprints="".join(prints[1:])))
    assert fingerprints([row], all_) == "".join(prints[1:]) + fingerprint(row)


def test_sessions_that_happen_to_agree_know_no_more_than_their_takes() -> None:
    sessions = [f"s{i % 4}" for i in range(48)]
    hits = np.arange(48) // 4 < 4  # four of twelve in each
    low, high = of_shares(sessions, hits)
    assert low < 0.25 < 0.42 < high
    assert of_shares(["s0"] * 48, hits) == [0.0, 1.0]


def test_two_sensors_of_a_shake_are_no_two_shakes() -> None:
    sessions, hits = [f"s{i % 4}" for i in range(48)], np.arange(48) // 4 < 4
    twice = of_shares(sessions * 2, np.tile(hits, 2), [False] * 48 + [True] * 48)
    assert twice == of_shares(sessions, hits)
    told = [
        Told(7, 7 if hit else 8, 0.5, False, None, name, 7) for name, hit in zip(sessions, hits, strict=True)
    ]
    both = summary([*told, *(replace(t, in_pair=None, again=True) for t in told)])
    assert both["n"] == 96
    assert both["different_shakes"] == 48
    assert both["interval"]["exact"] == twice == summary(told)["interval"]["exact"]
    assert next(in_words(both)) == "96 recordings of 48 shakes in 4 sessions"


@pytest.mark.parametrize(("sessions", "takes"), [(2, 50), (4, 25), (4, 100), (8, 25)])
def test_an_interval_of_95_percent_holds_the_truth_as_often(sessions: int, takes: int) -> None:
    assert held([takes] * sessions) >= 184  # of 200; resampling sessions held it 143 to 183 times


@pytest.mark.parametrize("takes", [(72, 12, 12, 12), (120, 12, 12), (500, 12, 12), (500, *[12] * 10)])
def test_one_large_session_is_no_certainty(takes: tuple[int, ...]) -> None:
    assert held(takes) >= 177  # of 200; Cochran's ratio estimator held it 73 to 176 times


def held(takes: Sequence[int]) -> int:
    """Of 200 times: simulated sessions, of which one is easier than another, of a truth of .4, spread by .1."""
    random = np.random.default_rng(1)
    names = [f"s{i}" for i in np.repeat(np.arange(len(takes)), takes)]
    inside = 0
    for _ in range(200):
        ease = np.repeat(random.beta(9.2, 13.8, len(takes)), takes)
        low, high = of_shares(names, random.random(len(names)) < ease)
        inside += low <= 0.4 <= high
    return inside


def test_how_many_were_sure_stands_beside_how_many_of_them_were_right() -> None:
    assert of_those_sure({"n": 48, "sure_share": 0.0208, "sure_right": 1.0}) == "1 of 1"
    assert of_those_sure({"n": 96, "sure_share": 0.25, "sure_right": 0.9583}) == "23 of 24"
    assert of_those_sure({"n": 96, "sure_share": 0.0, "sure_right": None}) == ""


def test_a_file_that_is_listed_twice_is_told(few: Path, tmp_path: Path, capsys: Capture) -> None:
    shutil.copytree(few, tmp_path / "twice")
    list_ = tmp_path / "twice" / "recordings.jsonl"
    list_.write_text(list_.read_text() * 2)
    words = ["calibrate", "igloos", "evaluate", str(tmp_path / "twice"), "--profile", "microphone"]
    assert run(words) == 0
    assert "names 12 files (s0-02.wav and others) more than once" in told(capsys)[1]
    words = ["calibrate", "igloos", "fit", str(tmp_path / "twice"), "--out", str(tmp_path / "twice.profile")]
    assert run(words) == 0
    out, said = told(capsys)
    assert "each time counts as another take" in said
    assert "fitted on 24 takes of " in out


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--counts", "2-5"], "the profile tells 2–13 apart, and --counts asks for 2–5"),
        (["--counts", "abc"], "'abc' is no range of counts"),
        (["--start-from", "nothing"], "--start-from is of a fit"),
    ],
)
def test_a_profile_as_it_is_takes_no_options_of_a_fit(
    few: Path, capsys: Capture, options: list[str], why: str
) -> None:
    assert run(["calibrate", "igloos", "evaluate", str(few), "--profile", "microphone", *options]) == 2
    assert why in told(capsys)[1]


@pytest.mark.parametrize("command", [["fit"], ["report", "--profile", "microphone"]])
def test_where_nothing_can_be_written_no_work_is_begun(
    few: Path, tmp_path: Path, capsys: Capture, command: list[str]
) -> None:
    folder = tmp_path / "list" / "gone"  # nothing of it is read either
    for out, why in ((tmp_path / "nowhere" / "x", "there is no folder"), (tmp_path, "it is a folder")):
        assert run(["calibrate", "igloos", command[0], str(folder), *command[1:], "--out", str(out)]) == 2
        assert why in told(capsys)[1]


def test_ctrl_c_says_what_is_left(
    few: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_off(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    out = tmp_path / "x.profile"
    for name, left, words in (
        (
            "calibrate_igloos.leave_units_out",
            f"{out} is written, and how well it counts is not told",
            ["fit", "--out", str(out)],
        ),
        ("igloo_fit.fit_from", "nothing was written", ["fit", "--out", str(out)]),
        ("calibrate_igloos.by_turns", "nothing was written", ["evaluate", "--leave-out", "session"]),
    ):
        monkeypatch.setattr(f"table.commands.{name}", broken_off)
        assert run(["calibrate", "igloos", words[0], str(few), *words[1:]]) == 130
        assert told(capsys)[1] == f"polartable: broken off by Ctrl-C; {left}\n"


def test_counts_that_nobody_recorded_are_told_before_any_fit(
    few: Path, tmp_path: Path, capsys: Capture
) -> None:
    for command in (["evaluate", "--leave-out", "session"], ["fit", "--out", str(tmp_path / "x.profile")]):
        words = ["calibrate", "igloos", command[0], str(few), *command[1:], "--counts"]
        assert run([*words, "20-25"]) == 2
        said = told(capsys)[1]
        assert "20–25 beads are asked for, and no take holds so many" in said
        assert "--counts 2,5,8,11" in said
        assert run([*words, "5-9"]) == 2
        assert "of these only takes of 5 or 8 are there" in told(capsys)[1]


def test_one_take_of_another_gesture_is_told_and_the_others_are_tested(
    few: Path, tmp_path: Path, capsys: Capture
) -> None:
    shutil.copytree(few, tmp_path / "slip")
    list_ = tmp_path / "slip" / "recordings.jsonl"
    lines = [json.loads(line) for line in list_.read_text().splitlines()]
    lines[5] |= {"gesture": 5, "taken": 1670866069.0}
    list_.write_text("".join(json.dumps(line) + "\n" for line in lines))
    words = ["calibrate", "igloos", "evaluate", str(tmp_path / "slip"), "--leave-out", "session", "--json"]
    assert run(words) == 2
    out, err = told(capsys)
    assert last(out)["summary"]["n"] == 11
    assert last(out)["summary"]["unheard"] == 1
    assert f"{lines[5]['file']}: this is a 5, and the others are not" in err
    assert '1 of 12 recordings has a "taken" that cannot be read as a time (1670866069)' in err
