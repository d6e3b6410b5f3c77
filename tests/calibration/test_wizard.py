"""The wizard that records sweeps: random order, retakes, and going on after a break, on a mock capture stream."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from calibration import recordings as store
from calibration.recordings import Recording
from firmware_bridge.clock import VirtualClock
from firmware_bridge.errors import UsageError
from hw_mock.sound import MockCapture
from sensors.ear.profile import load_shipped
from table.cli import run as run_cli
from table.commands import calibrate_record
from table.commands.record_screen import ask_person
from table.commands.record_source import OpenSource
from table.commands.record_way import Shaken
from tests.rattle import RATE, rattle

RECORD = ["calibrate", "igloos", "record"]
KEPT = ("", "")  # Enter: record, Enter: keep
INTERRUPT = "Ctrl-C"
ENDED = "Ctrl-D"
SHAKEN = Shaken(load_shipped("contact"), 2.0)


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


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Plays the wizard on a mock stream with these answers, `q` when they end; returns what it asked."""
    monkeypatch.setattr(calibrate_record, "opener", unhurried)

    def run(*answers: str, **words: Any) -> list[str]:
        given, asked = iter(answers), []

        def ask(question: str) -> str:
            asked.append(question)
            answer = next(given, "q")
            if answer in (INTERRUPT, ENDED):
                raise KeyboardInterrupt if answer == INTERRUPT else EOFError
            return answer

        words = {"device": "D", "player": "anna", "session": None, "counts": (3, 6), "sweeps": 1} | words
        calibrate_record.record(
            tmp_path / "mine", "mock", words.pop("way", SHAKEN), seconds=2.0, as_json=False, ask=ask, **words
        )
        return asked

    return run


def lines(tmp_path: Path) -> list[Recording]:
    return list(store.read(tmp_path / "mine", lambda error: pytest.fail(str(error))))


def test_an_old_take_is_thrown_out_and_its_igloo_asked_for_again_in_the_same_sweep(
    tmp_path: Path, run: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    run(*KEPT * 4, sweeps=2)
    path = tmp_path / "mine" / store.LIST
    head, *rest = path.read_bytes().splitlines(keepends=True)
    foreign = b'\xef\xbb\xbf{"file": "caf\xc3\xa9.wav",  "sensor":"microphone","beads":3, "x":[1]}\r\n\n'
    path.write_bytes(foreign + b"no json \xff\n" + head + b"".join(rest))
    odd = json.loads(rest[0])
    assert run_cli([*RECORD, str(path.parent), "--throw-out", str(path.parent / odd["file"])]) == 0
    assert "--device=D --player=anna" in capsys.readouterr().err
    thrown = json.dumps(odd | {"rejected": "thrown out"}, ensure_ascii=False).encode() + b"\n"
    assert path.read_bytes() == foreign + b"no json \xff\n" + head + thrown + b"".join(rest[1:])
    path.write_bytes(head + thrown + b"".join(rest[1:]))
    assert f"igloo with {odd['beads']} beads" in run(*KEPT)[0]
    again = lines(tmp_path)[-1]
    assert (again.set, again.session, again.beads) == (odd["set"], odd["session"], odd["beads"])
    assert again.file != odd["file"]
    assert (path.parent / odd["file"]).exists()


@pytest.mark.parametrize(
    ("files", "words"), [(["gone.wav"], "names no take 'gone.wav'"), (["a.wav", "b.wav"], "too gentle")]
)
def test_only_takes_that_count_can_be_thrown_out_all_or_none(
    tmp_path: Path, files: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / store.LIST
    text = (
        '{"file":"a.wav","sensor":"microphone","beads":3}\n'
        '{"file":"b.wav","sensor":"microphone","beads":4,"rejected":"too gentle"}\n'
    )
    path.write_text(text)
    assert run_cli([*RECORD, str(tmp_path), *(word for f in files for word in ("--throw-out", f))]) == 2
    said = capsys.readouterr().err
    assert said.startswith("polartable: PT-101: ")
    assert words in said
    assert [p.name for p in tmp_path.iterdir()] == [store.LIST]
    assert path.read_text() == text


def test_nothing_is_promised_where_no_sweep_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = (
        '{{"file":"{0}.wav","sensor":"microphone","beads":3,'
        '"device":"D","player":"{0}","session":"s","set":"D/s/1"}}\n'
    )
    (tmp_path / store.LIST).write_text(line.format("anna") + line.format("bert"))
    assert run_cli([*RECORD, str(tmp_path), "--throw-out", "anna.wav", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["rejected"] == "thrown out"
    assert "nothing asks for it again" in said.err


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


@pytest.mark.parametrize("sweeps", [1, 2])
def test_q_after_the_last_igloo_says_that_the_sweep_is_complete(
    sweeps: int, tmp_path: Path, run: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    run(*KEPT, "", "q", sweeps=sweeps)
    assert [r.rejected for r in lines(tmp_path)] == [None, None]
    said = capsys.readouterr().err
    assert "is complete: 2 of 2." in said
    # the same command would begin another one
    assert ("the same command goes on" in said, "with --sweeps 1 goes on from here" in said) == (
        False,
        sweeps == 2,
    )
    assert ("2 counts, and a profile takes 3: record other igloos too" in said) == (sweeps == 1)
    assert "Fit what is there with" not in said


def test_a_sweep_that_a_profile_can_be_fitted_on_ends_with_how(
    tmp_path: Path, run: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    run(*KEPT * 3, counts=(2, 3, 4))
    said = capsys.readouterr().err
    assert f"polartable calibrate igloos fit {tmp_path}" in said
    assert "record other igloos too" not in said


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
    assert ask_person("?") == "r"
    with pytest.raises(EOFError):
        ask_person("?")


def test_a_sweep_is_one_persons(tmp_path: Path, run: Callable[..., list[str]]) -> None:
    run(*KEPT)
    run(*KEPT, player="bert")
    run(*KEPT * 2)
    had = lines(tmp_path)
    assert [r.player for r in had] == ["anna", "bert", "anna"]
    assert had[0].set == had[2].set != had[1].set
    assert {r.beads for r in had if r.player == "anna"} == {3, 6}
    assert len({r.occasion for r in had}) == 1  # they sat together, so they are left out together


def test_the_next_day_goes_on_with_the_half_sweep_unless_a_session_is_named(
    tmp_path: Path,
    run: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    days = iter(["2026-11-20", "2026-11-21"])
    monkeypatch.setattr(calibrate_record, "_today", lambda: next(days))
    run(*KEPT)
    run(*KEPT, session="fair")
    assert "unfinished" not in capsys.readouterr().err
    run("", "", sweeps=1, session="fair")  # finishes that one
    run(*KEPT * 2, sweeps=2)
    assert "Going on with anna's unfinished sweep D/2026-11-20/1: 1 igloo " in capsys.readouterr().err
    assert [(r.session, r.set) for r in lines(tmp_path)] == [
        ("2026-11-20", "D/2026-11-20/1"),
        *[("fair", "D/fair/1")] * 2,
        ("2026-11-20", "D/2026-11-20/1"),
        ("2026-11-21", "D/2026-11-21/1"),
    ]


def test_a_sweep_of_other_igloos_is_not_unfinished(tmp_path: Path, run: Callable[..., list[str]]) -> None:
    run(*KEPT * 2, counts=(3, 6))
    run(*KEPT, counts=(3, 6, 9))
    assert len({r.set for r in lines(tmp_path)}) == 2


@pytest.mark.parametrize(
    "name", ["../../evil", "/etc", "", ".", "..", "a/b", "a\\b", "a\0b", "a\nb", "\udcff", "x" * 99]
)
@pytest.mark.parametrize("option", ["device", "player", "session"])
def test_names_that_make_bad_paths_are_refused_before_anything_is_recorded(
    tmp_path: Path, run: Callable[..., list[str]], option: str, name: str
) -> None:
    with pytest.raises(UsageError, match=f"--{option} .* is no name for files"):
        run(**{option: name})
    assert not list(tmp_path.iterdir())


def test_names_of_people_are_names(tmp_path: Path, run: Callable[..., list[str]]) -> None:
    run(*KEPT, player="Zoë O'Neill Jr.", device="table 1", session="Kinderfest-2")
    assert lines(tmp_path)[0].path.exists()


def test_a_folder_that_cannot_be_one_is_told_in_a_sentence(
    tmp_path: Path, run: Callable[..., list[str]]
) -> None:
    (tmp_path / "mine").write_text("a file")
    with pytest.raises(UsageError, match="mine cannot take recordings \\(it is a file\\)"):
        run(*KEPT)
    (tmp_path / "mine").unlink()
    (tmp_path / "mine").symlink_to("/proc/foo")
    with pytest.raises(UsageError, match="cannot take recordings"):
        run(*KEPT)


def test_ctrl_c_says_what_is_kept_and_that_it_goes_on(
    tmp_path: Path, run: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(*KEPT, "", INTERRUPT)
    said = capsys.readouterr().err
    assert "1 take of this run kept" in said
    assert "the same command goes on from here" in said
    assert len(lines(tmp_path)) == 1


def test_who_stops_in_the_second_of_two_sweeps_is_told_that_one_is_left(
    tmp_path: Path, run: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    run(*KEPT * 2, "q", sweeps=2)
    assert "Stopped; the same command with --sweeps 1 goes on from here." in capsys.readouterr().err
    run(*KEPT * 2, "q", sweeps=1)
    assert len({line.set for line in lines(tmp_path)}) == 2


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


def unhurried(source: str, seconds: float, gesture: str | None = None) -> OpenSource:
    """A capture stream that plays rattles, without the real pace: time passes as fast as blocks are asked for."""
    clock = VirtualClock()
    turn = iter(range(100))

    def opened(beads: int) -> MockCapture:
        quiet = 3e-5 * np.random.default_rng(beads).standard_normal(RATE // 2).astype(np.float32)
        sound = [quiet, rattle(beads, next(turn), seconds)]
        return MockCapture(sound, clock, lambda s: clock.set(clock.now() + s), rate=float(RATE), endless=True)

    return opened
