"""Igloos that were weighed on several days, once wrongly: no mean of both is fitted on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.seat.weighed_twice import Contradiction, contradictions
from sensors.gesture.model import Noise, Weighing, fit_set
from sensors.gesture.one_day import on_one_day
from sensors.gesture.profile import load
from table.cli import run
from tests.calibration.seat.weighed import Write, right
from tests.sensors.gesture.seat_table import RATE, SHELL, Table
from tests.sensors.gesture.weights import COUNTS, day_of, shells_of

Days = list[list[tuple[int, Weighing]]]
CRUMB = 0.01  # relative, upright and sideways: what is loose stays about what it is


def days(seed: int, feet: tuple[float, ...], gains: tuple[float, ...] = (0.0, 5e-4, -5e-4)) -> Days:
    shells = shells_of(seed)
    return [
        day_of(100 * seed + k, shells, gain, foot)
        for k, (gain, foot) in enumerate(zip(gains, feet, strict=False))
    ]


def odd(weighed: Days, day: int, beads: int, upright: float, sideways: float) -> Days:
    """The same, one igloo of one day weighed so much off, relative."""

    def off(w: Weighing) -> Weighing:
        return replace(w, upright=w.upright * (1 + upright), sideways=w.sideways * (1 + sideways))

    out = [list(one) for one in weighed]
    out[day] = [(n, off(w) if n == beads else w) for n, w in weighed[day]]
    return out


def found(weighed: Days) -> list[tuple[int, list[int], list[int], str]]:
    """The count, the days that are wrong, and those that are right, and how that is told."""
    flat = [(day, n, w) for day, one in enumerate(weighed) for n, w in one]
    weighings, beads = [w for *_, w in flat], [n for _, n, _ in flat]
    sessions = [f"s{day}" for day, *_ in flat]
    model = fit_set(on_one_day(weighings, beads, sessions, Noise()), beads, COUNTS, Noise())
    told: list[Contradiction] = contradictions(weighings, beads, sessions, model)
    return [(c.beads, [flat[i][0] for i in c.wrong], [flat[i][0] for i in c.right], c.how) for c in told]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("feet", [(0.0, 0.0), (0.0, 0.01), (0.0, 0.01, -0.02)])
def test_days_on_other_feet_contradict_nothing(seed: int, feet: tuple[float, ...]) -> None:
    assert found(days(seed, feet)) == []


def test_a_day_on_which_everything_weighs_otherwise_by_more_than_days_do_contradicts_nothing() -> None:
    assert found(days(1, (0.0, 0.0), (0.0, 0.01))) == []
    few = days(1, (0.0, 0.0), (0.0, 2e-3))
    assert found([few[0], [(n, w) for n, w in few[1] if n in (4, 9)]]) == []


@pytest.mark.parametrize("beads", [2, 8, 13])
def test_of_two_that_differ_neither_is_believed_where_nothing_tells_which_is_right(beads: int) -> None:
    assert found(odd(days(2, (0.0, 0.01)), 1, beads, CRUMB, CRUMB)) == [(beads, [0, 1], [], "nothing")]


@pytest.mark.parametrize("beads", [5, 8, 11])
@pytest.mark.parametrize("day", [0, 1])
def test_what_lies_far_off_the_line_is_left_out_alone(beads: int, day: int) -> None:
    assert found(odd(days(2, (0.0, 0.01)), day, beads, 0.02, 0.0)) == [(beads, [day], [1 - day], "line")]


@pytest.mark.parametrize("day", [0, 1, 2])
def test_a_third_tells_which_is_right(day: int) -> None:
    weighed = odd(days(3, (0.0, 0.01, -0.005)), day, 8, CRUMB, CRUMB)
    assert found(weighed) == [(8, [day], [k for k in range(3) if k != day], "others")]


def test_two_igloos_that_differ_are_both_told() -> None:
    weighed = odd(odd(days(3, (0.0, 0.0)), 0, 8, CRUMB, CRUMB), 1, 4, -CRUMB, -CRUMB)
    assert sorted(found(weighed)) == [(4, [0, 1], [], "nothing"), (8, [0, 1], [], "nothing")]


@pytest.fixture
def twice(written: Write) -> Path:
    """A set that was weighed on two days, its 9 once with half a gram of dirt in it."""
    counts = (3, 5, 7, 9, 12)
    folder = written(counts=counts)
    lines = (folder / "recordings.jsonl").read_text()
    for n in counts:
        dirty = Table(n, shell=SHELL + 5e-4).quiet(0.4).tap().tap().placed(n, n, n).quiet(0.3).take()
        samples = dirty if n == 9 else right(n, 50)
        soundfile.write(folder / f"again-{n:02d}.wav", samples, round(RATE), subtype="FLOAT")
    again = lines.replace('"session": "s1"', '"session": "s2"').replace('"file": "D01-', '"file": "again-')
    (folder / "recordings.jsonl").write_text(lines + again)
    return folder


def fit_of(folder: Path) -> list[str]:
    return ["calibrate", "igloos", "fit", str(folder), "--out", str(folder / "seat.profile")]


def test_a_weighing_that_contradicts_another_is_named_and_neither_is_fitted_on(
    twice: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = twice / "seat.profile"
    assert run(fit_of(twice)) == 2
    told = capsys.readouterr().err
    assert f"{twice}/D01-09.wav and {twice}/again-09.wav are left out: these weighings of 9 beads lie" in told
    assert "nothing tells which is right – weigh that igloo once more: a third tells" in told
    assert told.count("left out") == 1
    assert load(profile).fitted_on.beads == (3, 5, 7, 12)
    soundfile.write(twice / "third.wav", right(9, 70), round(RATE), subtype="FLOAT")
    line = json.loads((twice / "recordings.jsonl").read_text().splitlines()[3])
    assert line["beads"] == 9
    with (twice / "recordings.jsonl").open("a") as index:
        index.write(json.dumps(line | {"file": "third.wav", "session": "s3"}) + "\n")
    assert run(fit_of(twice)) == 2
    told = capsys.readouterr().err
    assert f"{twice}/again-09.wav is left out: 2 others of its 9 beads agree, and it weighs" in told
    assert "standard deviations otherwise – record it again" in told
    assert load(profile).fitted_on.beads == (3, 5, 7, 9, 12)
    assert load(profile).fitted_on.takes == 10


def test_two_igloos_of_one_count_are_said_to_be_so(twice: Path, capsys: pytest.CaptureFixture[str]) -> None:
    index = twice / "recordings.jsonl"
    *lines, last = index.read_text().splitlines()
    named = [line.replace('"D01-9"', '"B"') if "again-09" in line else line for line in (*lines, last)]
    index.write_text("\n".join(named) + "\n")
    assert run(fit_of(twice)) == 2
    told = capsys.readouterr().err
    assert 'igloos of two sets, say of which each is ("device" in recordings.jsonl)' in told


def test_what_agrees_is_fitted_on_as_ever(twice: Path, capsys: pytest.CaptureFixture[str]) -> None:
    soundfile.write(twice / "again-09.wav", right(9, 50), round(RATE), subtype="FLOAT")
    assert run([*fit_of(twice), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["fitted_on"]["takes"] == 10
    assert np.all(np.array(load(twice / "seat.profile").sets["D01"].model.weighed)[[1, 3, 5, 7, 10]] == 2)
