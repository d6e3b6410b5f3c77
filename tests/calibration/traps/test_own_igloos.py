"""Where each person always had the same igloos, the hand gives the count away; sweeps and evenings are not accused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibration.recordings.folder import Recording
from calibration.traps.given_away import given_away
from calibration.traps.own_igloos import own_igloos
from table.cli import run
from tests.rattle import write_sweeps

COUNTS = range(2, 14)


def take(beads: int, player: str | None, session: int, **more: Any) -> Recording:
    file = f"{session}-{player}-{beads}-{more}"
    return Recording(Path(), file, "microphone", beads, player=player, session=f"s{session}", **more)


def evenings(people: int, nights: int = 4, anew: int | None = None) -> list[Recording]:
    """Each igloo once an evening, among so many people: each has the same ones, or they are dealt `anew`."""
    hands = [f"P{(n - 2) * people // len(COUNTS)}" for n in COUNTS]
    random = np.random.default_rng(anew)
    dealt = [
        hands if anew is None else [str(one) for one in random.permutation(hands)] for _ in range(nights)
    ]
    return [
        take(n, who, night) for night in range(nights) for n, who in zip(COUNTS, dealt[night], strict=True)
    ]


@pytest.mark.parametrize("people", [2, 3, 4, 6, 12])
def test_each_persons_own_igloos_are_a_trap(people: int) -> None:
    found = own_igloos(evenings(people))
    assert found is not None
    assert (
        f"48 of 48 takes are of igloos that one person shook each time and next to nobody else ({people} people"
        in (found.sentence())
    )
    assert "let everybody shake every igloo" in found.sentence()
    swept = [take(n, "guest", 9) for n in COUNTS]
    assert own_igloos([*evenings(people), *swept]) is not None  # one sweep mends little
    assert own_igloos([*evenings(people), *swept], swept) is None  # and is no such take itself


def test_two_evenings_of_the_same_igloos_are_enough() -> None:
    found = own_igloos(evenings(4, nights=2))
    assert found is not None
    assert (found.takes, found.of) == (24, 24)


def test_takes_that_do_not_count_make_a_trap_no_smaller() -> None:
    swept = [take(n, "guest", night) for night in range(3) for n in COUNTS]
    aside = [replace(r, beads=None) for r in swept] + [replace(r, rejected="noise") for r in swept]
    assert own_igloos([*evenings(4), *aside]) == own_igloos(evenings(4))


def test_igloos_that_are_dealt_anew_are_none() -> None:
    for seed in range(20):
        assert own_igloos(evenings(6, anew=seed)) is None
        assert own_igloos(evenings(3, anew=seed)) is None


@pytest.mark.parametrize(
    "recordings",
    [
        evenings(1),
        [take(n, f"P{p}", s) for p in range(4) for s in range(3) for n in COUNTS],
        # Bert missed some, once or always; or each missed others
        [take(n, p, s) for s in range(3) for p in ("anna", "bert") for n in COUNTS if p == "anna" or n < 8],
        [take(n, p, s) for s in range(3) for p, had in (("anna", COUNTS[:8]), ("bert", COUNTS[4:])) for n in had],
        [take(n, "anna", 0) for n in COUNTS] + [take(n, "bert", s) for s in range(1, 4) for n in (3, 8)],
        # one alone has her own, and takes them again and again: of the others everybody's are
        [take(n, "anna", s) for s in range(8) for n in COUNTS[:5]] + [take(n, "bert", 9) for n in COUNTS],
        [take(n, None, s) for s in range(4) for n in COUNTS],  # nobody named them
        [take(n, "anna" if n < 8 else None, s) for s in range(4) for n in COUNTS],  # or all but one
        evenings(6, 1) * 4,  # one evening: no session can be left out
        [take(n, f"P{n}", s) for s in range(3) for n in (2, 5, 8)],  # a handful of takes
        # … beside many of igloos that nobody counted
        [take(n, f"P{n}", s) for s in range(3) for n in (2, 5, 8)]
        + [replace(take(n, "anna", 9), beads=None) for n in COUNTS for _ in range(3)],
        # guests of one evening, who shook what was left for them, now and then twice
        [take(2 + (g + k) % 12, f"guest {g}", g, set=f"{t}") for g in range(20) for k in range(3) for t in range(2)],
    ],
)  # fmt: skip
def test_whoever_shakes_most_igloos_is_not_accused(recordings: list[Recording]) -> None:
    assert own_igloos(recordings) is None


def test_two_sensors_of_a_shake_are_no_second_evening() -> None:
    heard = [
        replace(r, pair=f"{r.file}/{k}", file=f"{r.file}/{k}/{place}", device=place, more={"place": place})
        for r in evenings(6, 1)
        for k in range(2)
        for place in ("shell", "seat")
    ]
    assert own_igloos(heard) is None


def test_it_is_said_where_something_is_left_out_that_is_no_player() -> None:
    shake: Any = SimpleNamespace(
        front=SimpleNamespace(hand=False), names=(), seconds=2.0, pick=lambda names: np.zeros(0)
    )
    heard: Any = [
        [
            SimpleNamespace(
                recording=r,
                rate=48000.0,
                lacks=None,
                shake=shake,
                snr_db=40.0,
                background_db=-60.0,
                quiet_db=None,
            )
        ]
        for r in evenings(6)
    ]
    (trap,) = given_away(heard, "device")
    assert (trap.what, trap.refuses) == ("the hand", True)
    assert "Let everybody shake every igloo" in trap.advice()
    assert [trap.what for trap in given_away(heard, "player")] == ["the name of the player"]
    assert given_away(heard, None) == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six evenings of four people, each with an igloo."""
    made = tmp_path_factory.mktemp("own")
    whose = {3: "anna", 6: "bert", 9: "cleo", 12: "dora"}
    lines = write_sweeps(made, sessions=6, counts=tuple(whose), seconds=0.6, place="table")
    told = [json.dumps(line | {"player": whose[line["beads"]]}) + "\n" for line in lines]
    (made / "recordings.jsonl").write_text("".join(told))
    return made


def test_evaluate_refuses_the_figure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left = ["--leave-out", "session", "--start-from", "nothing"]
    assert run(["calibrate", "igloos", "evaluate", str(folder), *left, "--json"]) == 0
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])["summary"]
    assert "nothing tells the hand from the count" in summary["flattering"]
    assert any(summary["flattering"] in one for one in summary["confounded"])
    assert summary["exact"] is not None
    assert run(["calibrate", "igloos", "evaluate", str(folder), *left]) == 0
    said = capsys.readouterr()
    assert "exact" not in said.out
    assert said.err.count("nothing tells the hand from the count") == 1
    assert "no figures: 24 of 24 takes are of igloos that one person shook" in said.err


def test_fit_and_the_page_refuse_it(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profile, page = tmp_path / "own.profile", tmp_path / "own.html"
    fit = ["calibrate", "igloos", "fit", str(folder), "--out", str(profile), "--start-from", "nothing"]
    assert run([*fit, "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["left_out"] is None
    assert line["why"].startswith("no accuracy is shown: 24 of 24 takes are of igloos that one person shook")
    assert not any("one person shook" in one for one in line["warnings"])
    report = ["calibrate", "igloos", "report", str(folder), "--profile", str(profile), "--out", str(page)]
    assert run(report) == 0
    told = page.read_text()
    assert told.count("nothing tells the hand from the count") == 1
    assert "No figures are shown: 24 of 24 takes" in told
    assert "Let everybody shake every igloo" in told
    assert "Record sweeps" not in told
    assert "one shake, exact" not in told
