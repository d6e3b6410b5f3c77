"""Shakes that several sensors heard are left out whole, and lines that contradict each other are told."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import Recording
from calibration.recordings.folds import inner_folds
from calibration.recordings.one_shake import of_one_shake, perhaps_one_shake, united
from calibration.scores import summary
from calibration.takes.loudest import Loudest
from calibration.testing import evaluate
from calibration.testing.pairs import in_sittings
from table.cli import run
from tests.rattle import write_sweeps

Capture = pytest.CaptureFixture[str]
Line = dict[str, Any]


def heard(device: str, beads: int | None, place: str | None = None, **more: Any) -> Recording:
    file = f"{device}-{place}.wav"
    one = {"device": device, "session": "s1", "pair": "p", "more": {"place": place} if place else {}}
    return Recording(Path(), file, "microphone", beads, **(one | more))


EVENING, NEXT = "2026-11-20T18:00:00Z", "2026-11-21T18:00:00Z"
CLOCKS_APART, NEXT_SHAKE = "2026-11-20T18:00:40Z", "2026-11-20T18:02:00Z"


@pytest.mark.parametrize(
    ("lines", "sure", "perhaps"),
    [
        ([heard("A", 5, "left"), heard("A", 5, "right")], [[0, 1]], []),
        ([heard("A", 5, "left"), heard("B", 5, "right")], [[0, 1]], []),
        (
            [heard("A", 5, "left"), heard("B", 6, "right")],
            [],
            [],
        ),  # two shakes whose pairs are numbered alike
        ([heard("A", 5, "left"), heard("B", 5, "right", session="s2")], [], []),
        ([heard("A", 5, "left", player="bo"), heard("B", 5, "right", player="anna")], [], []),
        ([heard("A", 5, "left", player="bo"), heard("B", 5, "right")], [[0, 1]], []),
        ([heard("A", 5, "left"), heard("B", 5, "right", rejected="clipped")], [], []),
        ([heard("A", 5, "left", taken=EVENING), heard("B", 5, "right", taken=EVENING)], [[0, 1]], []),
        ([heard("A", 5, "left", taken=EVENING), heard("B", 5, "right", taken=NEXT)], [], []),
        ([heard("A", 5, "left", taken=EVENING), heard("B", 5, "right", taken=CLOCKS_APART)], [[0, 1]], []),
        ([heard("A", 5, "left", taken=EVENING), heard("B", 5, "right", taken=NEXT_SHAKE)], [], []),
        ([heard("A", 5, "left", taken="late"), heard("B", 5, "right", taken=NEXT)], [[0, 1]], []),
        ([heard("A", 5), heard("B", 5)], [], [[0, 1]]),  # two phones, or two numbers alike
        ([heard("A", 5, taken=EVENING), heard("B", 5, taken=NEXT)], [], []),
        ([heard("A", 5), heard("A", 5)], [], []),
        # one file that is listed twice
        ([heard("A", 5, "left"), heard("A", 5, "right"), heard("A", 5, "left")], [[0, 1, 2]], []),
        ([heard("A", 5, "left"), heard("A", 5, "left")], [], []),
        # a count that one line leaves open contradicts nothing, but pairs of two devices may be numbered alike
        ([heard("A", None, "left"), heard("A", 5, "right")], [[0, 1]], []),
        ([heard("A", None, "left"), heard("B", 5, "right")], [], []),
        ([heard("A", None, "left"), heard("A", 5, "right"), heard("A", 6, "shelf")], [], []),
        (  # each device has pairs of its own, numbered alike
            [heard(d, 5, place) for d in "AB" for place in ("left", "right")],
            [[0, 1], [2, 3]],
            [],
        ),
    ],
)
def test_one_shake_is_one_as_far_as_its_lines_agree(
    lines: list[Recording], sure: list[list[int]], perhaps: list[list[int]]
) -> None:
    assert of_one_shake(lines) == sure
    assert perhaps_one_shake(lines) == perhaps


def test_sessions_that_share_a_shake_are_one_and_lie_in_one_fold() -> None:
    lines = [heard("A", 5, "left"), heard("B", 5, "right"), heard("B", 6, "left", pair="q")]
    lines += [heard("C", 6, "right", pair="q"), heard("D", 7, "left", pair="r")]
    assert united(lines, [r.occasion for r in lines]) == [lines[0].occasion] * 4 + [lines[4].occasion]
    lines += [heard("E", 7, "left", pair="s")]
    folds, unit = inner_folds(lines, None)
    assert unit == "device"
    assert len(set(folds[:4])) == 1
    assert len(set(folds)) == 3


def test_takes_of_one_sitting_are_folded_in_the_order_of_the_list() -> None:
    of_a_set = {"pair": None, "set": "evening"}
    lines = [heard("A", beads, place, **of_a_set) for place, beads in zip("cab", (5, 3, 4), strict=True)]
    folds, unit = inner_folds(lines, None)
    assert unit == "takes of one session"
    assert folds.tolist() == [0, 1, 2]


def two_phones(folder: Path, device: str) -> Path:
    """Sweeps that a second phone recorded as well, whose device is called so."""
    write_sweeps(folder, counts=range(2, 6), place="table")
    lines = [json.loads(line) for line in (folder / "recordings.jsonl").read_text().splitlines()]
    for i, line in enumerate(lines):
        line |= {"pair": f"p{i}", "device": "A", "place": "left"}
    seconds: list[Line] = []
    for line in lines:
        other = folder / f"second-{Path(line['file']).name}"
        sound, rate = soundfile.read(folder / line["file"])
        noise = np.random.default_rng(len(seconds)).normal(0, 0.003, len(sound))
        soundfile.write(other, 0.5 * sound + noise, rate, subtype="PCM_16")  # it lies farther away
        seconds.append(line | {"file": other.name, "device": device, "place": "right"})
    (folder / "recordings.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines + seconds))
    return folder


def test_a_shake_is_left_out_with_all_that_was_heard_of_it(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = two_phones(tmp_path / "phones", "B")
    trained: list[set[str | None]] = []
    fit_from = evaluate.fit_from

    def noted(rows: Any, *more: Any, **options: Any) -> Any:
        trained.append({of_one[0].recording.pair for of_one in rows})
        return fit_from(rows, *more, **options)

    monkeypatch.setattr(evaluate, "fit_from", noted)
    run(["calibrate", "igloos", "evaluate", str(folder), "--leave-out", "session", "--json"])
    said = capsys.readouterr()
    *lines, last = (json.loads(line) for line in said.out.splitlines())
    assert last["summary"]["flattering"] is None
    assert last["summary"]["sessions"] == 3  # and not six: they say no more of other days than one phone's
    assert all(line["in_pair"] is not None for line in lines)
    assert [len(pairs) for pairs in trained] == [8] * 6  # of twelve shakes four are tested, by either phone
    assert "12 shakes (pair p0) are there under two devices (A and B)" in said.err


def test_a_second_phone_that_nothing_tells_apart_makes_figures_flatter(
    tmp_path: Path, capsys: Capture
) -> None:
    folder = two_phones(tmp_path / "phones", "B")
    rewrite(folder, {i: {"place": "table"} for i in range(24)})
    run(["calibrate", "igloos", "evaluate", str(folder), "--leave-out", "session", "--json"])
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])["summary"]
    assert (
        "100% of what is tested is of a pair whose other recording is under another session"
        in summary["flattering"]
    )


def test_sets_that_are_named_after_sensors_count_once_where_they_are_left_out() -> None:
    recordings = [heard("A", 5, "left"), heard("B", 5, "right"), heard("C", 5, session="s2", pair=None)]
    said: Any = SimpleNamespace(verdict="unsure")
    rows: list[Any] = [SimpleNamespace(recording=r) for r in recordings]
    tested = [
        evaluate.Tested(row, (5,), {5: 1.0}, said, left_out=("device", row.recording.device)) for row in rows
    ]
    figures = summary([t.told() for t in in_sittings(tested)])
    assert (figures["devices"], figures["sessions"]) == (2, 2)
    assert summary([t.told() for t in tested])["devices"] == 3


def rewrite(folder: Path, change: dict[int, Line]) -> Path:
    list_ = folder / "recordings.jsonl"
    lines = [json.loads(line) for line in list_.read_text().splitlines()]
    list_.write_text("".join(json.dumps(line | change.get(i, {})) + "\n" for i, line in enumerate(lines)))
    return folder


def test_pairs_that_contradict_themselves_are_told(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "odd"
    write_sweeps(folder, sessions=1, counts=range(2, 6))
    rewrite(folder, {0: {"pair": "p", "place": "shell", "beads": 2}, 1: {"pair": "p", "beads": 4}})
    rewrite(folder, {2: {"pair": "q"}, 3: {"pair": "q"}})  # nobody says where these were
    run(["calibrate", "igloos", "evaluate", str(folder), "--profile", "microphone"])
    said = capsys.readouterr().err
    assert "the recordings of one shake (pair p and others) are said to hold 2 or 4 beads" in said
    assert "1 pair (q) has two recordings of a microphone in one place" in said


def test_a_file_that_is_listed_twice_is_no_second_recording_of_its_pair(
    tmp_path: Path, capsys: Capture
) -> None:
    folder = tmp_path / "twice"
    write_sweeps(folder, sessions=1, counts=range(2, 6), place="table")
    rewrite(folder, {0: {"pair": "p", "place": "shell"}})
    lines = (folder / "recordings.jsonl").read_text()
    again = lines.splitlines()[0].replace('"file": "', '"file": "./')
    (folder / "recordings.jsonl").write_text(f"{lines}{again}\n")
    run(["calibrate", "igloos", "evaluate", str(folder), "--profile", "contact"])
    said = capsys.readouterr().err
    assert "more than once" in said or "twice" in said
    assert "two recordings" not in said


def test_each_sensor_alone_says_nothing_of_both(tmp_path: Path, capsys: Capture) -> None:
    folder = two_phones(tmp_path / "phones", "A")
    rewrite(folder, {i: {"place": "shell"} for i in range(12)})
    run(
        [
            "calibrate",
            "igloos",
            "evaluate",
            str(folder),
            "--profile",
            "microphone",
            "--profile",
            "contact",
            "--json",
        ]
    )
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])["summary"]
    assert "exact_in_pairs" in summary
    assert set(summary["of_each_sensor"]) == {"contact", "microphone"}
    assert not any("exact_in_pairs" in of_one for of_one in summary["of_each_sensor"].values())


def test_a_player_of_whom_other_sessions_train_is_not_left_out(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "players"
    write_sweeps(folder, sessions=3, counts=range(2, 6), place="table")
    rewrite(folder, {i: {"player": "anna" if i < 8 else "ben"} for i in range(12)})
    words = ["calibrate", "igloos", "evaluate", str(folder), "--leave-out", "player", "--test-on"]
    run([*words, "s1"])
    assert "with --test-on the other sessions of a player (anna) train the fit" in capsys.readouterr().err
    run([*words, "s2"])
    assert "train the fit" not in capsys.readouterr().err


@pytest.mark.parametrize("gain", [1.0, 0.5])
def test_copies_that_were_cut_and_turned_down_are_known(gain: float, tmp_path: Path, capsys: Capture) -> None:
    write_sweeps(tmp_path, sessions=2, counts=range(2, 6), place="table")
    list_ = tmp_path / "recordings.jsonl"
    copies = []
    for line in [json.loads(text) for text in list_.read_text().splitlines()]:
        sound, rate = soundfile.read(tmp_path / line["file"], dtype="float32")
        name = f"cut-{line['file']}"
        soundfile.write(tmp_path / name, gain * sound[rate // 8 : -rate // 8], rate, subtype="FLOAT")
        copies.append(
            line | {"file": name, "session": line["session"] + "-again", "set": line["set"] + "-again"}
        )
    list_.write_text(list_.read_text() + "".join(json.dumps(line) + "\n" for line in copies))
    run(["calibrate", "igloos", "evaluate", str(tmp_path), "--leave-out", "session", "--json"])
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])["summary"]
    assert "is there once more under another session" in summary["flattering"]


def test_what_is_around_the_loudest_sample_hangs_on_no_block() -> None:
    random = np.random.default_rng(2)
    sound = random.normal(0, 0.1, (5000, 1)).astype(np.float32)
    told = set()
    for size in (7, 50, 999, 5000):
        loudest = Loudest()
        for start in range(0, len(sound), size):
            loudest.push(sound[start : start + size])
        told.add(loudest.told)
    assert len(told) == 1
    other = Loudest()
    other.push(random.normal(0, 0.1, (5000, 1)).astype(np.float32))
    assert other.told not in told
    assert Loudest().told == ""


def test_the_reader_s_clock_has_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """A time without a zone is UTC, wherever the folder is read."""
    pair = [
        heard("phone", 5, "left", taken="2026-11-20T18:00:00Z"),
        heard("logger", 5, "right", taken="2026-11-20T18:00:00"),
    ]
    for zone in ("UTC", "Europe/Berlin", "Asia/Kolkata"):
        with monkeypatch.context() as there:
            there.setenv("TZ", zone)
            time.tzset()
            assert united(pair, ["a", "b"]) == ["a", "a"]
    time.tzset()
