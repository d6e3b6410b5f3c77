"""The wizard that records, on a mock capture stream: what it asks, what answers do, and how it ends."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import soundfile

from calibration.recordings import folder as store
from firmware_bridge.clock import VirtualClock
from hw_mock.sound import MockCapture
from table.commands import calibrate_record
from table.commands.record_screen import ask_person
from table.recording.asking import KEEP, Question
from tests.calibration.recordings.wizard import ENDED, INTERRUPT, KEPT, SHAKEN, lines, unhurried


def test_the_wizard_on_a_mock_stream(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrate_record, "opener", unhurried)
    answers = iter(["", "", "", "r", "q"])  # keep the first; throw out the second; stop
    words: dict[str, Any] = {"device": "D", "player": "anna", "session": "s", "seconds": 2.0, "as_json": True}

    def wizard(answers: Any) -> int:
        return calibrate_record.record(
            tmp_path, "mock", SHAKEN, (3, 6), 1, ask=lambda question: next(answers), **words
        )

    assert wizard(answers) == 1
    recorded = list(store.read(tmp_path, lambda error: pytest.fail(str(error))))
    assert [r.rejected for r in recorded] == [None, "thrown out"]
    assert wizard(iter([""] * 10)) == 1  # the same command goes on with what is missing
    recorded = list(store.read(tmp_path, lambda error: pytest.fail(str(error))))
    assert {r.beads for r in recorded if r.rejected is None} == {3, 6}
    assert {r.set for r in recorded} == {"D/s/1"}
    for r in recorded:
        assert soundfile.info(r.path).duration > 1.5
        assert "strength" in r.more
        assert r.more["simulated"] is True  # a report on them must say so
    assert [json.loads(line)["beads"] for line in capsys.readouterr().out.splitlines()] == [
        r.beads for r in recorded
    ]


def test_an_unknown_answer_is_asked_again_and_q_keeps_and_stops(
    tmp_path: Path, run: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = run("x", "", "yes", "sq", "q")
    assert [a.partition("Enter: ")[2] for a in asked] == [
        *["record, s: skip for now, q: stop"] * 2,
        *["keep, r: throw out and retake, q: keep and stop"] * 3,
    ]
    assert [r.rejected for r in lines(tmp_path)] == [None]
    said = capsys.readouterr().err
    assert "'x' is no answer" in said
    assert f"Kept {lines(tmp_path)[0].file} and stopped" in said


def test_a_take_that_nobody_confirmed_is_there_and_does_not_count(
    tmp_path: Path, run: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    run(*KEPT, "", ENDED)
    first, second = lines(tmp_path)
    assert (first.rejected, second.rejected) == (None, "not confirmed")
    assert second.path.exists()
    said = capsys.readouterr().err
    assert (
        f"before anybody said whether {second.file} is to be kept: its sound is there, it does not count"
        in said
    )
    assert "its igloo comes again; the same command goes on from here" in said
    assert f"igloo with {second.beads} beads" in run(ENDED)[0]
    assert "Stopped, for the input ended; the same command goes on from here" in capsys.readouterr().err


def test_the_end_of_input_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(" R\n"))
    assert ask_person(Question("?", (KEEP,))) == "r"
    with pytest.raises(EOFError):
        ask_person(Question("?", (KEEP,)))


def test_ctrl_c_says_what_is_kept_and_that_it_goes_on(
    tmp_path: Path, run: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(*KEPT, "", INTERRUPT)
    said = capsys.readouterr().err
    assert "1 take of this run kept" in said
    assert "the same command goes on from here" in said
    assert len(lines(tmp_path)) == 1


def test_a_minute_without_a_shake_asks_for_the_same_igloo_again(
    tmp_path: Path,
    run: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock, shaken = VirtualClock(), unhurried("mock", 2.0)
    silent = MockCapture([], clock, lambda s: clock.set(clock.now() + s), rate=16000.0, endless=True)
    streams = iter([silent])
    monkeypatch.setattr(
        calibrate_record, "opener", lambda *_: lambda beads: next(streams, None) or shaken(beads)
    )
    first, second, *_ = run("", *KEPT)
    assert first == second
    assert clock.now() == pytest.approx(60.0, abs=1.0)
    assert "Nothing was heard for a minute" in capsys.readouterr().err
    assert [r.rejected for r in lines(tmp_path)] == [None]


def test_progress_and_length_are_said(run: Callable[..., list[str]]) -> None:
    asked = run(*KEPT * 2)
    assert asked[0].startswith("1 of 2, ")
    assert asked[2].startswith("2 of 2, ")
    assert "shake it for 2 seconds" in asked[0]
