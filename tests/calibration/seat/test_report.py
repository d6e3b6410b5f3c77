"""The seat's page: fitted by its owner, reported on another's gestures. Simulated seat, real commands."""

from __future__ import annotations

import html
import json
import re
import shlex
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibration.recordings.folder import LIST, Recording
from calibration.seat.report import _since, advice
from calibration.seat.taps import fingerprint
from calibration.seat.weighed_by import sittings_of, weighed_by
from hw_mock.igloo.going_on_taps import write_all
from hw_mock.igloo.seat_recordings import SeatPlan
from sensors.gesture.judge import NEVER, NO_EMPTY
from sensors.gesture.model import Noise, SetModel
from sensors.gesture.profile import load, save
from sensors.gesture.weigh import Weight
from table.cli import run
from tests.calibration.seat.weighed import Write
from tests.knowing import weighing
from tests.sensors.gesture.seat_table import Table

IGLOOS = ["calibrate", "igloos"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The owner's gestures, and a guest's."""
    folder = tmp_path_factory.mktemp("taps")
    list(write_all(folder, SeatPlan(21, devices=1, sessions=2, counts=(2, 3, 5), sensors=("accelerometer",))))
    return folder


def test_the_page_of_a_seat_says_of_how_many_it_was_sure(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile, page = tmp_path / "seat.profile", tmp_path / "page.html"
    owners, others = ["--only", "session=s1"], ["--only", "session=s2"]
    only = ["--counts", "2,3,5"]
    assert run([*IGLOOS, "fit", str(folder), *owners, *only, "--out", str(profile)]) == 0
    assert "nobody weighed" not in capsys.readouterr().err
    assert run([*IGLOOS, "evaluate", str(folder), *others, "--profile", str(profile)]) == 0
    assert "sure of 1.00, right then 1.00 (3 of 3)" in capsys.readouterr().out
    assert run([*IGLOOS, "report", str(folder), *others, "--profile", str(profile), "--out", str(page)]) == 0
    text = page.read_text()
    assert "right then: 100 %, 3 of 3" in text
    assert "simulated recordings" in text
    assert text.count("<svg") + text.count("<img") >= 3
    rows = [json.loads(line) for line in (folder / LIST).read_text().splitlines()]
    nobodys = Path(shutil.copytree(folder, tmp_path / "nobodys"))
    rest = [json.dumps(row) for row in rows if row.pop("session") == "s2"]
    (nobodys / LIST).write_text("\n".join(rest))
    assert run([*IGLOOS, "report", str(nobodys), "--profile", str(profile), "--out", str(page)]) == 0
    capsys.readouterr()
    assert "3 gestures, which name no session" in page.read_text()
    assert "of nobody knows how many sessions" in page.read_text()
    guess = tmp_path / "guess.profile"  # which tells counts that nobody weighed
    assert run([*IGLOOS, "fit", str(folder), *owners, "--out", str(guess)]) == 0
    assert capsys.readouterr().err == (
        "polartable: nobody weighed an igloo of 4 or 6–13 beads of D01, so what may be one of these is "
        "never sure: weigh them as well and fit again, or say with --counts what your set holds, if it holds none "
        "such\n"
    )
    assert run([*IGLOOS, "evaluate", str(folder), *others, "--profile", str(guess), "--json"]) == 0
    *lines, _ = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    sure = [line for line in lines if line["verdict"] == "sure"]
    assert sure
    assert all(line["best"] == line["true_beads"] in (2, 3) for line in sure)
    assert {line["reason"] for line in lines if line["verdict"] != "sure"} == {NEVER}


def test_a_recording_in_which_nobody_tapped_stands_on_the_page_with_its_mend(written: Write) -> None:
    folder = written(igloo9=Table(1).quiet(4).take())
    profile, page = str(folder / "seat.profile"), folder / "page.html"
    assert run([*IGLOOS, "fit", str(folder), "--out", profile]) == 2  # it is left out, and that is told
    assert run([*IGLOOS, "report", str(folder), "--profile", profile, "--out", str(page)]) == 0
    (row,) = re.findall(r"<tr>.*?D01-09\.wav.*?</tr>", html.unescape(page.read_text()), re.DOTALL)
    assert NO_EMPTY in row
    assert "Nobody weighed an igloo of 2, 4, 5, 7–11 or 13 beads of D01" in html.unescape(page.read_text())


def test_the_page_of_a_seat_says_how_many_lines_and_gestures_it_is_not_of(written: Write) -> None:
    folder = written()
    profile, page = str(folder / "seat.profile"), folder / "page.html"
    assert run([*IGLOOS, "fit", str(folder), "--counts", "3,6,9,12", "--out", profile]) == 0
    lines = (folder / LIST).read_text().splitlines()
    (folder / LIST).write_text("\n".join(["no JSON", *lines]) + "\n")
    (folder / json.loads(lines[0])["file"]).unlink()
    assert run([*IGLOOS, "report", str(folder), "--profile", profile, "--out", str(page)]) == 2
    text = page.read_text()
    assert "1 line of recordings.jsonl could not be used, and is left out here" in text
    assert "1 gesture could not be heard or tested, and is left out here" in text


def test_a_page_without_figures_does_not_say_that_the_set_is_told_as_well_as_it_can_be(
    written: Write,
) -> None:
    folder = written()
    lines = [json.loads(line) for line in (folder / LIST).read_text().splitlines()]
    whose = [("s1", "anna"), ("s2", "bert"), ("s3", "anna"), ("s4", "bert")]
    listed = [line | {"session": session, "player": player} for session, player in whose for line in lines]
    (folder / LIST).write_text("\n".join(map(json.dumps, listed)))
    profile, page = str(folder / "seat.profile"), folder / "page.html"
    assert run([*IGLOOS, "fit", str(folder), "--counts", "3,6,9,12", "--out", profile]) == 0
    assert run([*IGLOOS, "report", str(folder), "--profile", profile, "--out", str(page)]) == 0
    assert "Weigh the set once more on another day" in page.read_text()
    assert "as well as it can be" not in page.read_text()


def gestures(*named: tuple[str | None, str | None], device: str | None = "D") -> list[Any]:
    """What was told, rightly, of a gesture of each of these sessions and players."""
    return [
        SimpleNamespace(
            counted=True,
            heard=SimpleNamespace(reason=None, verdict="sure"),
            on_the_way=(),
            counts=(2, 3),
            tapped=SimpleNamespace(
                recording=Recording(
                    Path(), "", "accelerometer", 2, device=device, session=session, player=player
                )
            ),
        )
        for session, player in named
    ]


def asked_for(
    by: list[tuple[str | None, str | None]] | None,
    *tested: tuple[str | None, str | None],
    weighed: str | None = "D",
    device: str | None = "D",
) -> str:
    """The advice where a set `weighed` was, by these (None: by an older version, which did not say by whom), and this
    one is tested."""
    fitted_on = weighing()
    if by is not None:
        own = [a.tapped.recording for a in gestures(*by, device=weighed)]
        fitted_on = weighing(weighed_by=weighed_by(own), sittings=sittings_of(own))
    apart, known = np.array([[0.3, 0.02], [0.4, 0.03]]), np.full((2, 2), 1e-6)
    model = SetModel((2, 3), 0.42, 0.01, apart, known, Noise(), (1, 1))
    sets = {weighed or "set": SimpleNamespace(model=model)}
    profile: Any = SimpleNamespace(sets=sets, counts=(2, 3), fitted_on=fitted_on)
    return " ".join(advice(gestures(*tested, device=device), profile, True))


def test_nobody_is_asked_for_another_person_or_day_that_is_being_tested() -> None:
    another, day = "Let somebody else count the set", "Weigh the set on another day"
    owner = [("s1", "anna")]
    assert asked_for(owner, ("s2", "bert")) == (
        "Count the set on more days: figures that rest on 1 session mean little."
    )
    assert another in asked_for(owner, ("s2", "anna"))
    assert day not in asked_for(owner, ("s2", "anna"))
    assert another in asked_for(owner, ("s1", "anna"))
    assert day in asked_for(owner, ("s1", "anna"))
    assert asked_for(owner, ("s2", "bert"), ("s3", "anna"), ("s4", "anna")).startswith("Nothing")
    assert asked_for(owner, ("s2", "anna"), ("s3", "anna"), ("s4", "bert")).startswith("Nothing")


def test_whoever_taps_another_set_is_no_other_person_for_that() -> None:
    another = "Let somebody else count the set"
    assert another in asked_for([("s1", "anna")], ("s2", "anna"), device="E")
    assert another in asked_for([("s1", "anna")], ("s2", "bert"), device="E")  # who may have weighed that one
    assert another not in asked_for([("s1", "anna")], ("s2", "anna"), ("s2", "bert"), device="E")
    assert another in asked_for([("s1", "anna")], ("s2", "anna"), weighed=None, device="set")
    assert another not in asked_for([("s1", "anna")], ("s2", "bert"), weighed=None, device="set")


def test_who_weighed_an_older_profile_or_one_that_names_nobody_is_not_guessed() -> None:
    for by in (None, [(None, None)]):
        said = asked_for(by, ("s2", "bert"))
        assert said == (
            "If the same person weighed the set, let somebody else count it: who taps should not matter, and this "
            "shows it. Count the set on more days: figures that rest on 1 session mean little."
        )
    assert asked_for([("s1", "anna")], (None, None)) == (
        'Say of which session and which player each gesture is: give "session" and "player" in recordings.jsonl.'
    )


def test_a_profile_keeps_who_weighed_it_and_names_nobody(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile, page = tmp_path / "seat.profile", tmp_path / "page.html"
    fit = [*IGLOOS, "fit", str(folder), "--only", "session=s1", "--counts", "2,3,5", "--out", str(profile)]
    assert run(fit) == 0
    assert "P01" not in profile.read_text()
    kept = load(profile).fitted_on
    assert [len(names or ()) for names in (kept.weighed_by, kept.sittings)] == [1, 1]
    report = [*IGLOOS, "report", str(folder), "--profile", str(profile), "--out", str(page), "--only"]
    assert run([*report, "session=s2"]) == 0
    assert "somebody else" not in page.read_text()
    assert "on another day" not in page.read_text()
    assert run([*report, "session=s1"]) == 0
    assert "Let somebody else count the set" in page.read_text()
    assert "Weigh the set on another day as well" in page.read_text()
    old = load(profile)
    silent = replace(old.fitted_on, weighed_by=None, sittings=None)
    save(replace(old, fitted_on=silent), profile)  # as profiles were that are older
    assert run([*report, "session=s2"]) == 0
    assert "If the same person weighed the set" in page.read_text()


def test_what_the_profile_was_fitted_on_is_no_gesture_since() -> None:
    def gesture(upright: float) -> Any:
        weights = [Weight(0.0, upright, upright / 2, (1.0, 1.0), (9.0, 9.0))]
        told = SimpleNamespace(
            gesture=SimpleNamespace(weights=weights), recording=Recording(Path(), "", "microphone")
        )
        return SimpleNamespace(tapped=told, gesture=told.gesture)

    fitted, since = gesture(0.3), gesture(0.5)
    model: Any = SimpleNamespace(counts=[], means=[], weighed=[], loose=lambda weighing: 0.0)
    one = SimpleNamespace(model=model)
    prints = "00000000" + (fingerprint(fitted.tapped) or "")
    profile: Any = SimpleNamespace(
        sets={"D": one}, set_for=lambda device: one, fitted_on=weighing(fingerprints=prints)
    )
    assert [upright for _, upright, _ in _since("D", [fitted, since], profile)] == [0.5]


@pytest.mark.parametrize(("sessions", "mend"), [(1, "record another session on another day"), (2, None)])
def test_a_page_without_figures_says_what_can_be_done_and_speaks_of_none(
    sessions: int, mend: str | None, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`report` has no --leave-out: the whole command that has it is named, where it has something to leave out."""
    both, profile, page = folder, tmp_path / "seat.profile", tmp_path / "page.html"
    folder = Path(shutil.copytree(both, tmp_path / "my taps"))
    lines = (folder / LIST).read_text().splitlines(keepends=True)
    (folder / LIST).write_text("".join(lines[: 3 * sessions]))
    assert run([*IGLOOS, "fit", str(folder), "--counts", "2,3,5", "--out", str(profile)]) == 0
    assert run([*IGLOOS, "report", str(folder), "--profile", str(profile), "--out", str(page)]) == 0
    text = html.unescape(page.read_text())
    named = re.search(r"No figures are shown: .*sessions, or (.*?)\.</p>", text)
    assert named is not None
    asked = f"leave whole sessions out: polartable calibrate igloos evaluate {shlex.quote(str(folder))}"
    assert named[1] == (mend or f"{asked} --leave-out session")
    if mend is None:
        assert run(shlex.split(named[1].partition(": ")[2])[1:]) == 0
        assert "gestures" in capsys.readouterr().out
    assert "each dot" not in text
    assert "the figures" not in text
