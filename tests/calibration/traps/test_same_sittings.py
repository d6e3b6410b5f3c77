"""Other takes of a sitting that gives its count away: known to a profile, to a start, or under another player."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import soundfile

from calibration.recordings.folder import Recording, read
from calibration.traps.same_sittings import MOST_SITTINGS, same_sittings, sitting, sittings, sittings_of_one
from sensors.ear.profiles.fitted_on import FittedOn
from sensors.ear.profiles.profile import load, load_shipped
from table.cli import run
from tests.knowing import knowing
from tests.rattle import RATE, rattle

Capture = pytest.CaptureFixture[str]
FLATTER = "so figures flatter"
BY_NAME = "session that holds one or two of the counts"


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One sitting a count, louder where more beads are; two people take turns in each."""
    folder = tmp_path_factory.mktemp("batches")
    lines: list[dict[str, Any]] = []
    for beads in (2, 5, 8, 11):
        for take in range(8):
            name = f"{'early' if take < 4 else 'late'}-{beads:02d}-{take:02d}.wav"
            sound = rattle(beads, 10 * take + beads, 1.2, loudness=0.02 * beads + 0.02)
            soundfile.write(folder / name, sound, RATE, subtype="FLOAT")
            lines.append(
                {"file": name, "sensor": "microphone", "beads": beads, "session": f"of {beads}"}
                | {"player": ("anna", "bela")[take % 2], "taken": "2026-11-20T18:00:00Z", "place": "table"}
            )
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


@pytest.fixture(scope="module")
def early(batches: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A profile fitted on the first half of every sitting."""
    out = tmp_path_factory.mktemp("early") / "early.profile"
    words = ["calibrate", "igloos", "fit", str(batches), "--only", "file=early-*", "--out", str(out)]
    assert run(words) == 0
    return out


def figures(words: list[str], capsys: Capture) -> tuple[str, str]:
    assert run(["calibrate", "igloos", "evaluate", *words]) == 0
    said = capsys.readouterr()
    return said.out, said.err


def test_later_takes_of_a_sitting_get_no_figure(batches: Path, early: Path, capsys: Capture) -> None:
    late = [str(batches), "--only", "file=late-*"]
    out, err = figures([*late, "--profile", str(early)], capsys)
    assert "exact" not in out
    assert "other takes of the sittings of these recordings: 100% are of its sittings" in err
    assert FLATTER in err
    out, _ = figures([*late, "--profile", str(early), "--json"], capsys)
    assert FLATTER in json.loads(out.splitlines()[-1])["summary"]["flattering"]
    assert "exact" in figures([*late, "--profile", "microphone"], capsys)[0]


def test_a_start_that_knows_the_sittings_flatters_too(batches: Path, early: Path, capsys: Capture) -> None:
    words = [str(batches), "--only", "file=late-*", "--leave-out", "session", "--start-from"]
    out, err = figures([*words, str(early)], capsys)
    assert "exact" not in out
    assert "the profile to start from knows what is left out" in err
    out, err = figures([*words, "microphone"], capsys)
    assert "the profile to start from" not in err
    assert "exact" not in out  # leaving out whole sittings of one igloo each is no test either
    assert f"no figures: 16 of 16 takes are of a {BY_NAME}" in err


def test_another_player_of_the_same_sitting_is_no_test(batches: Path, capsys: Capture) -> None:
    words = [str(batches), "--only", "file=early-*", "--start-from", "microphone", "--leave-out"]
    out, err = figures([*words, "player"], capsys)
    assert "exact" not in out
    assert "sittings in which another player was recorded as well" in err
    err = figures([*words, "session"], capsys)[1]
    assert "another player" not in err
    assert BY_NAME in err


def test_the_page_refuses_figures_too(batches: Path, early: Path, tmp_path: Path, capsys: Capture) -> None:
    page = tmp_path / "page.html"
    words = ["calibrate", "igloos", "report", str(batches), "--only", "file=late-*"]
    assert run([*words, "--profile", str(early), "--out", str(page)]) == 0
    told = page.read_text()
    assert f"No figures are shown: 16 of 16 takes are of a {BY_NAME}" in told
    assert told.count(BY_NAME) == 1
    assert "one shake, exact" not in told
    assert "A session of one igloo tells nothing of another." in told


def test_a_sitting_has_a_name_and_a_day(batches: Path, early: Path) -> None:
    one: Recording = next(iter(read(batches, print)))
    named = sitting(one)
    assert named in (load(early).fitted_on.sittings or ())
    assert sitting(replace(one, taken="2026-11-20T23:00:00Z")) == named
    others = [
        replace(one, taken="2026-11-21T18:00:00Z"),
        replace(one, device="D02"),
        replace(one, taken=None),
    ]
    assert len({named, *map(sitting, others)}) == 4
    assert sitting(replace(one, session=None)) is None


def test_two_takes_of_a_sitting_of_one_igloo_make_it_known() -> None:
    """However few they are, where loudness tells nothing yet; other igloos of the sitting are no other takes."""

    def rows(takes: int, first: int = 0, counts: range = range(2, 14), session: str = "of {}") -> list[Any]:
        made = [
            Recording(Path(), f"{n}-{first + i}", "microphone", n, session=session.format(n))
            for n in counts
            for i in range(takes)
        ]
        return [[SimpleNamespace(recording=recording)] for recording in made]

    def known(rows: list[Any]) -> FittedOn:
        return knowing(sittings_of_one=tuple(sittings_of_one(row for (row,) in rows)))

    assert len(known(rows(2)).sittings_of_one or ()) == 12
    assert "in which it knows one or two of the counts" in (same_sittings(known(rows(2)), rows(2, 5)) or "")
    assert same_sittings(known(rows(2)), rows(2, session="evening")) is None
    swept = known(rows(2, session="evening"))
    assert swept == knowing(sittings_of_one=())
    assert same_sittings(swept, rows(6, counts=range(4, 6), session="evening")) is None
    assert same_sittings(knowing(), rows(2)) is None


def test_what_is_grown_from_knows_its_sittings_and_a_world_knows_none() -> None:
    start = replace(load_shipped("microphone"), fitted_on=knowing(sittings=("00000000", "11111111")))
    assert sittings([], start) == ["00000000", "11111111"]
    many = replace(start, fitted_on=knowing(sittings=tuple(f"{i:08x}" for i in range(MOST_SITTINGS + 1))))
    assert sittings([], many) == []
    assert sittings([], load_shipped("microphone")) == []
