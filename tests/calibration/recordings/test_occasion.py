"""Which occasion it is where the clock was never set, stands behind, or is set in the middle of a sitting."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calibration.recordings.folder import Recording
from calibration.recordings.occasion import SITTING_S, Now, now, occasion, set_in_between
from table.cli import run as command
from table.commands import record_begin
from tests.calibration.recordings.wizard import KEPT, lines
from tests.rattle import write_sweeps

DAY_S = 24 * 3600.0
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp()
TODAY = "today"


def take(session: str, at: float, boot: str | None = None, up: float = 0.0, **named: str) -> Recording:
    named = {"device": "D", "player": "Anna"} | named
    taken = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    more = {} if boot is None else {"boot": boot, "up": up}
    return Recording(
        Path(), f"{session}-{up}.wav", "microphone", 3, session=session, taken=taken, more=more, **named
    )


def begun(have: list[Recording], at: Now) -> tuple[str, bool]:
    """The session, and whether something is said of it, with the way to name another."""
    session, said = occasion(have, lambda: TODAY, at)
    assert said is None or (said.endswith("--session NAME") and session in said)
    return session, said is not None


def test_as_a_rule_it_is_todays() -> None:
    assert begun([], Now(NOON)) == (TODAY, False)
    yesterday = take("y", NOON - DAY_S, "b", 10.0)
    assert begun([yesterday], Now(NOON)) == (TODAY, False)
    assert begun([yesterday], Now(NOON, "b", 10.0 + DAY_S)) == (TODAY, False)  # it was left on
    assert begun([yesterday], Now(NOON, "c", 60.0)) == (TODAY, False)


def test_a_clock_that_was_never_set_begins_no_day() -> None:
    assert begun([], Now(60.0)) == ("undated", True)
    assert begun([take("1970-01-01", 30.0)], Now(60.0)) == ("1970-01-01", True)
    assert begun([take("2026-11-20", NOON)], Now(60.0)) == ("2026-11-20", True)


def test_a_clock_that_stands_before_the_newest_take_begins_no_day() -> None:
    assert begun([take("2026-11-20", NOON)], Now(NOON - 30 * DAY_S)) == ("2026-11-20", True)
    assert begun([take("2026-11-20", NOON)], Now(NOON - 30)) == (TODAY, False)  # set by seconds


def test_it_is_named_by_which_take_a_clock_is_wrong_and_what_to_do() -> None:
    have = [replace(take("s", NOON + 3600), file="ahead.wav"), take("s", NOON - DAY_S)]
    _, said = occasion(have, lambda: TODAY, Now(NOON))
    assert said is not None
    assert "it is 2026-11-20 12:00 UTC, and ahead.wav is noted as taken at 2026-11-20 13:00 UTC" in said
    assert 'put its "taken" right in recordings.jsonl' in said
    set_right = [replace(have[0], taken="2026-11-20T11:00:00Z"), have[1]]
    assert begun(set_right, Now(NOON)) == (TODAY, False)


@pytest.mark.parametrize("set_by", [10 * DAY_S, -10 * DAY_S, NOON - 30.0])
def test_a_clock_that_is_set_in_a_sitting_begins_no_day(set_by: float) -> None:
    first = NOON if set_by < DAY_S * 1000 else 30.0
    have = [take("first", first, "b", 100.0)]
    assert begun(have, Now(first + 60 + set_by, "b", 160.0)) == ("first", True)
    have.append(take("first", first + 60 + set_by, "b", 160.0))
    assert begun(have, Now(first + 90 + set_by, "b", 190.0)) == ("first", True)  # and a third sweep
    if set_by > 0:
        assert begun(have, Now(NOON + 20 * DAY_S, "c", 100.0)) == (TODAY, False)
        later = 160.0 + SITTING_S
        assert begun(have, Now(first + 60 + set_by + SITTING_S, "b", later)) == (TODAY, False)


def test_the_morning_after_a_clock_was_set_in_the_evening_is_a_day_of_its_own() -> None:
    evening = [take("undated", 600.0, "b", 600.0), take("undated", NOON, "b", 900.0)]
    assert begun(evening, Now(NOON + 1200, "b", 2100.0)) == ("undated", True)
    night = 900.0 + SITTING_S
    assert begun(evening, Now(NOON + 10 * DAY_S, "b", night)) == (TODAY, False)  # whatever was set
    for hours in (9.0, 11.5):
        later = Now(NOON + hours * 3600, "b", 900.0 + hours * 3600)
        assert begun(evening, later) == (TODAY, False)
        was_set = Now(later.at + DAY_S, "b", later.up)
        assert begun(evening, was_set) == ("undated", True)  # since the last one
        morning = [*evening, take(TODAY, later.at, "b", later.up)]
        assert begun(morning, Now(later.at + 60, "b", later.up + 60)) == (TODAY, False)


def test_a_clock_that_is_set_within_the_day_is_nothing_to_speak_of() -> None:
    assert begun([take(TODAY, NOON + 3600, "b", 100.0)], Now(NOON, "b", 160.0)) == (TODAY, False)


def test_the_sitting_is_that_of_the_last_take_that_counts() -> None:
    first, then = take("first", NOON - DAY_S, "b", 100.0), take("then", NOON - DAY_S + 60, "b", 160.0)
    set_since = Now(NOON, "b", 220.0)
    assert begun([first, then], set_since) == ("then", True)
    assert begun([then, first], set_since) == ("then", True)
    assert begun([first, then, take("elsewhere", NOON - DAY_S)], set_since) == ("then", True)
    assert begun([first, replace(then, rejected="noise")], set_since) == ("first", True)
    assert begun([first, take("later", NOON - DAY_S, "b", 900.0)], set_since) == ("first", True)


def test_one_sitting_that_counts_as_two_is_told() -> None:
    wrong = [take("2026-11-10", NOON - 10 * DAY_S, "b", 100.0), take("2026-11-20", NOON, "b", 160.0)]
    said = set_in_between(wrong)
    assert said is not None
    assert "2026-11-10 and 2026-11-20" in said
    assert set_in_between([wrong[0], take("2026-11-10", NOON, "b", 160.0)]) is None
    assert set_in_between([wrong[0], take("2026-11-20", NOON, "c", 160.0)]) is None
    assert set_in_between([wrong[0], take("2026-11-20", NOON, "b", 100.0 + 10 * DAY_S)]) is None
    assert set_in_between([wrong[0], take("2026-11-20", NOON, "b", 160.0, device="E")]) is None
    assert set_in_between([wrong[0], take("2026-11-20", NOON, "b", 160.0, player="Ben")]) is None
    assert set_in_between([wrong[0], take("2026-11-20", NOON, "b", 160.0 + SITTING_S)]) is None  # hours apart
    assert (
        set_in_between([wrong[0], take("2026-11-20", NOON - 10 * DAY_S + 61, "b", 160.0)]) is None
    )  # by a second
    assert set_in_between([*reversed(wrong)]) == said
    nameless = replace(wrong[0], session=None)
    assert set_in_between([nameless, wrong[1]]) is None


@pytest.mark.parametrize(
    "odd",
    [
        {"boot": 1, "up": "x"},
        {"boot": "b", "up": 10**400},
        {"boot": "b", "up": float("inf")},
        {"boot": "b", "up": True},
    ],
)
def test_what_other_programs_write_is_theirs(odd: dict[str, object]) -> None:
    have = [replace(take(session, NOON), more=odd) for session in ("s", "t")]
    assert set_in_between(have) is None
    assert begun(have, Now(NOON + DAY_S, "b", 10.0)) == (TODAY, False)
    last = [replace(have[0], taken="9999-12-31T23:59:59-12:00")]
    assert begun(last, Now(NOON)) == ("s", True)


def test_evaluate_tells_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = write_sweeps(tmp_path, 3, (3, 5, 7, 9), place="table")
    sessions = sorted({line["session"] for line in listed})
    for i, line in enumerate(listed):
        which = sessions.index(line["session"])
        line |= {"taken": f"2026-11-{10 + which}T12:00:{i:02}Z", "boot": "bc"[which // 2], "up": 100.0 + i}
        line |= {"player": ("anna", "anna", "ben")[which]}
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in listed))
    for unit, told in (("session", True), ("player", False)):
        command(["calibrate", "igloos", "evaluate", str(tmp_path), "--leave-out", unit])
        assert ("the clock was set between takes of the sessions" in capsys.readouterr().err) is told


def test_this_machine_tells_its_boot() -> None:
    one, other = now(), now()
    assert one.boot == other.boot
    assert other.up >= one.up
    uptime = Path("/proc/uptime")
    if one.boot and uptime.exists():  # asleep, too, and whatever the process does
        assert one.up == pytest.approx(float(uptime.read_text().split()[0]), abs=10.0)
    assert set(one.keys()) == ({"boot", "up"} if one.boot else set())


def test_the_wizard_goes_on_with_one_sentence(
    tmp_path: Path,
    run: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(record_begin, "now", lambda: Now(60.0, "b", 60.0))
    run(*KEPT * 2)
    assert "its clock was never set" in capsys.readouterr().err
    # the network has come: by the list it was seconds ago
    first, *_ = lines(tmp_path)
    monkeypatch.setattr(record_begin, "now", lambda: Now(NOON * 2, first.more["boot"], first.more["up"] + 9))
    run(*KEPT * 2)
    assert "The clock was set since" in capsys.readouterr().err
    assert {r.session for r in lines(tmp_path)} == {"undated"}
    run(*KEPT * 2, session="named")
    assert "clock" not in capsys.readouterr().err


@pytest.mark.parametrize("session", ["../../evil", "..", "D01/s1", "x" * 300])
def test_a_session_of_another_program_that_is_no_folder_is_not_gone_on_with(
    session: str, tmp_path: Path, run: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_begin, "now", lambda: Now(60.0, "b", 60.0))
    theirs = {"sensor": "microphone", "beads": 3, "player": "anna", "device": "D", "place": "shell"}
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "recordings.jsonl").write_text(
        json.dumps(theirs | {"file": "a.wav", "session": session})
        + "\n"
        + json.dumps(theirs | {"file": "b.wav", "session": session, "set": f"D/{session}/1"})
        + "\n"
    )
    run(*KEPT * 2)
    kept = lines(tmp_path)[2:]
    assert {r.session for r in kept} == {"undated"}
    assert all(r.path.resolve().is_relative_to(tmp_path / "mine") and r.path.exists() for r in kept)


def test_a_take_s_time_is_written_to_the_second_in_utc() -> None:
    assert Now(0.0).taken() == "1970-01-01T00:00:00Z"
    assert Now(1_796_000_000.9).taken() == "2026-11-30T00:53:20Z"
