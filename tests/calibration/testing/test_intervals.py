"""How far a figure may be off goes by what was left out: sessions of one set are no independent tries of another."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.recordings.folder import Recording, read
from calibration.report import pictures
from calibration.scores import Told, by_sessions, of_shares, summary, wilson
from calibration.takes.features import Row
from calibration.testing import left_out
from calibration.testing.curves import Point, by_length, by_number_of_shakes, point
from calibration.testing.evaluate import Tested as Answer
from sensors.ear.profiles.profile import load
from sensors.evidence import Heard
from table.cli import run
from tests.calibration.testing.told_takes import Take, several
from tests.rattle import write_sweeps

Capture = pytest.CaptureFixture[str]
EVALUATE = ["calibrate", "igloos", "evaluate"]
FIGURE = re.compile(r"\d\.\d\d exact \(\d\.\d\d–\d\.\d\d by [a-z ]+\), \d\.\d\d within one")


def sets_of(folder: Path, sessions: int, counts: range) -> Path:
    """Three sets of igloos by turns, and somebody else after every second of them."""
    lines = write_sweeps(folder, sessions, counts, seconds=1.0, place="table")
    for i, line in enumerate(lines):
        k = i // len(counts)
        line |= {"device": f"D{k % 3}", "player": f"P{k // 2}"}
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three sets of four igloos, two sessions each; three people, two sessions each."""
    return sets_of(tmp_path_factory.mktemp("three"), 6, range(2, 14, 3))


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three sets of six igloos, four sessions each: enough for a profile that is for others."""
    return sets_of(tmp_path_factory.mktemp("many"), 12, range(2, 8))


def evaluated(folder: Path, capsys: Capture, *options: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    assert run([*EVALUATE, str(folder), *options, "--json"]) == 0
    *lines, last = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    return lines, last["summary"]


@pytest.mark.parametrize(("unit", "several_of_it"), [("device", "sets of igloos"), ("player", "people")])
def test_whole_sets_and_people_that_are_left_out_are_what_an_interval_goes_by(
    unit: str, several_of_it: str, three: Path, tmp_path: Path, capsys: Capture
) -> None:
    """One of them is unlike the others: its igloos hold the opposite of what they sound like."""
    folder = tmp_path / "unlike"
    shutil.copytree(three, folder)
    written = [json.loads(text) for text in (folder / "recordings.jsonl").read_text().splitlines()]
    for line in written:
        line["beads"] = 13 - line["beads"] if line[unit].endswith("2") else line["beads"]
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in written))
    left = ["--start-from", "nothing", "--leave-out", unit]
    lines, figures = evaluated(folder, capsys, *left)
    listed = {r.file: r for r in read(folder, pytest.fail)}
    hits = np.array([line["best"] == line["true_beads"] for line in lines])
    units = [getattr(listed[line["file"]], unit) for line in lines]
    sessions = [listed[line["file"]].occasion for line in lines]
    low, high = figures["interval"]["exact"]
    for names in (units, sessions):  # what reaches further counts
        least, most = of_shares(names, hits)
        assert low <= least < most <= high
    assert [low, high] != of_shares(sessions, hits)
    assert (figures["interval_by"], figures[f"{unit}s"]) == (unit, len(set(units)))
    assert figures["sessions"] == 6
    assert run([*EVALUATE, str(folder), *left]) == 0
    assert f"–{high:.2f} by {several_of_it})" in capsys.readouterr().out


def test_sessions_of_one_set_say_nothing_of_another(three: Path, capsys: Capture) -> None:
    one = ["--start-from", "nothing", "--leave-out", "device", "--test-on", "s[03]"]  # both of D0
    _, figures = evaluated(three, capsys, *one)
    assert figures["interval"]["exact"] == [0.0, 1.0]
    assert (figures["sessions"], figures["devices"]) == (2, 1)
    assert run([*EVALUATE, str(three), *one]) == 0
    assert "exact (of one set of igloos, which says nothing of another)" in capsys.readouterr().out


def test_what_fit_says_of_a_profile_for_others_is_of_such_profiles(
    many: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody asked for it to be for others."""
    out, page = tmp_path / "mine.profile", tmp_path / "page.html"
    fit = ["calibrate", "igloos", "fit", str(many), "--out", str(out), "--start-from", "nothing"]
    assert run(fit) == 0
    fitted = capsys.readouterr()
    assert load(out).fitted_on.for_others is True
    assert "--leave-out device" in load(out).accuracy["note"]
    assert "for other sets of igloos than these 3" in fitted.err
    assert "for one of these, fit it alone with --only device=NAME" in fitted.err
    assert "with every set of igloos left out in turn" in fitted.out
    left = [*EVALUATE, str(many), "--start-from", "nothing", "--leave-out", "device"]
    assert run(left) == 0
    figure = FIGURE.findall(fitted.out)
    assert figure == FIGURE.findall(capsys.readouterr().out)[:1]
    assert "by sets of igloos" in figure[0]
    monkeypatch.setattr(left_out, "MOST_WORK", 0)
    assert run(fit) == 0
    fitted = capsys.readouterr()
    assert f"evaluate {many} --leave-out device --start-from nothing" in fitted.out
    alone = ["--out", str(tmp_path / "alone.profile"), "--only", "device=D0", "--json"]
    assert run([*fit, *alone]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["fitted_on"]["for_others"] is False
    assert not any("for other sets" in sentence for sentence in told["warnings"])
    report = ["calibrate", "igloos", "report", str(many), "--profile", str(out), "--out", str(page)]
    assert run(report) == 0
    text = page.read_text()
    assert len(re.findall(r"\d+–\d+ % by sets of igloos", text)) >= 2
    assert "Intervals come from how sets of igloos differ" in text
    assert "The bars are 95 % intervals by sets of igloos" in text
    assert "% by whole sessions" not in text
    assert "intervals by whole sessions" not in text


def test_an_interval_by_sets_holds_the_truth_of_sets() -> None:
    """Three sets of four sessions; sessions of one set agree, and sets are spread by .135, as in simulated folders."""
    random = np.random.default_rng(1)
    sets, sessions = np.repeat(np.arange(3), 48), np.repeat(np.arange(12), 12)
    held = {"by sets": 0, "by sessions": 0}
    for _ in range(200):
        hits = random.random(144) < np.clip(0.34 + 0.135 * random.standard_normal(3), 0.02, 0.98)[sets]
        told = [
            Told(7, 7 if hit else 8, 0.5, False, None, f"s{s}", left_out=("device", f"d{d}"))
            for hit, s, d in zip(hits, sessions, sets, strict=True)
        ]
        for name, of in (("by sets", told), ("by sessions", [replace(t, left_out=None) for t in told])):
            low, high = summary(of)["interval"]["exact"]
            held[name] += low <= 0.34 <= high
    assert held["by sets"] >= 184 > 170 > held["by sessions"]


def test_points_and_bars_go_by_what_was_left_out_too(monkeypatch: pytest.MonkeyPatch) -> None:
    hits, sessions, units = [1.0] * 20 + [0.0] * 10, ["a", "b", "c"] * 10, ["x"] * 10 + ["y"] * 20
    (low, high), by_units = point(hits, sessions).interval or (0, 0), by_sessions(units, hits)
    told = point(hits, sessions, units).interval
    assert told == (max(0.0, by_units[0]), min(1.0, by_units[1])) != (low, high)
    assert point(hits, sessions, ["x"] * 30).interval is None  # one set says nothing of another
    assert point(hits, ["a"] * 30, units).interval is None
    takes = [Take(f"{n}-{i}-{s}", n, n, session=s) for n in range(2, 8) for i in range(2) for s in "st"]
    assert by_number_of_shakes(several(*takes))[1].interval is not None
    for take in takes:
        take.left_out = ("device", "D")
    assert by_number_of_shakes(several(*takes))[1].interval is None
    again = [Take(f"./{n}-{i}-{s}", n, n, session=s) for n in range(2, 8) for i in range(2) for s in "st"]
    for take in again:
        take.left_out = ("device", "D")
    assert by_number_of_shakes(several(*takes, *again)) == by_number_of_shakes(several(*takes))
    narrow, wide = (
        point([1.0] * 40, ["a", "b"] * 20),
        point([1.0] * 40, ["a", "b"] * 20, None, [True, False] * 20),
    )
    assert narrow.interval == (wilson(1.0, 40)[0], 1.0)
    assert (wide.interval, wide.n) == ((wilson(1.0, 20)[0], 1.0), 40)  # twenty shakes, each heard by two
    by_two = [Take(f"{n}-{s}-{mic}", n, n, session=s) for n in range(2, 8) for s in "st" for mic in "xy"]
    for take in by_two:
        mic = take.row.recording.file[-1]
        take.row.recording = replace(take.row.recording, device=mic)
        take.again = mic == "y"
    assert by_number_of_shakes(several(*by_two))[1] == Point(1.0, 24, (wilson(1.0, 12)[0], 1.0))
    drawn: list[Any] = []
    monkeypatch.setattr(pictures, "_page", lambda figure, words: drawn.append(figure))
    of_two = [
        Told(7, 7, 0.9, False, None, s, left_out=("player", u)) for s, u in zip(sessions, units, strict=True)
    ]
    pictures.reliability(of_two)
    pictures.reliability([replace(t, left_out=("player", "x")) for t in of_two])
    bars = []
    for figure in drawn:
        (axes,) = figure.axes
        lines = (line.get_xdata() for line in axes.get_lines())
        bars.append(sum(len(x) == 2 and x[0] == x[1] for x in lines))
        said = axes.get_legend().get_texts()[-1].get_text()
        assert said == "answers (n of them)" + (", 95 % by people" if bars[-1] else "")
    assert bars == [1, 0]


def test_points_of_lengths_take_a_shake_that_two_microphones_heard_for_one() -> None:
    def heard(place: str, i: int) -> Answer:
        recording = Recording(
            Path(), f"{place}{i}", "microphone", 5, session=f"s{i % 2}", pair=f"{i}", more={"place": place}
        )
        p = {5: 0.9, 6: 0.1}
        said = Heard("x", 0.0, 2.0, "unsure", p, 30.0, False, "")
        return Answer(Row(recording, 44100.0, None, 30.0, False, -80.0), (5, 6), p, said)  # type: ignore[arg-type]

    alone, both = (
        [dict.fromkeys((1.0, 2.0), heard(place, i)) for i in range(8) for place in places]
        for places in (("table",), ("table", "shelf"))
    )
    once, twice = by_length(alone), by_length(both)
    assert [twice[s].interval for s in twice] == [once[s].interval for s in once]
