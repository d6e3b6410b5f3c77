"""Takes that are thrown out at the page: which igloo is asked for again, and that nothing of the list is lost."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from firmware_bridge.clock import SystemClock
from table.commands import calibrate_record
from table.commands.record_page_again import at_the_page
from table.recording.desk import RecordingDesk
from table.recording.takes import Takes
from tests.calibration.recordings.wizard import SHAKEN, lines, unhurried
from tests.table.recording.answers import answer, until

COUNTS = (3, 6)
TAKE = Recording(
    Path(), "D/s/1-03.wav", "microphone", beads=3, device="D", player="anna", session="s", set="D/s/1",
    taken="2026-11-24T10:00:00Z", more={"counts": [*COUNTS], "source": "mock", "simulated": True, "place": "shell"},
)  # fmt: skip
SIX = replace(TAKE, file="D/s/1-06.wav", beads=6)


@pytest.fixture(name="desk")
def desk_of_rattles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RecordingDesk]:
    monkeypatch.setattr(calibrate_record, "opener", unhurried)

    def record(player: str, desk: RecordingDesk) -> int:
        return calibrate_record.record(
            tmp_path / "mine", "mock", SHAKEN, COUNTS, 1, "D", player, None, 2.0, False, desk.ask, desk
        )

    desk = RecordingDesk(record, SystemClock(), "anna")
    yield desk
    desk.close()


@pytest.fixture(name="takes")
def takes_of(desk: RecordingDesk, tmp_path: Path) -> Takes:
    return Takes(tmp_path / "mine", desk, at_the_page(COUNTS, "D", None, SHAKEN))


def write(tmp_path: Path, *takes: Recording) -> None:
    """A list of these takes."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for take in takes:
        store.append(replace(take, folder=folder))


def keep_both(desk: RecordingDesk) -> None:
    desk.begin("anna")
    for deed in ("record", "keep", "record", "keep"):
        answer(desk, deed)  # type: ignore[arg-type]
    until(desk, lambda: desk.phase == "idle")


def test_begin_asks_for_its_igloo_again(desk: RecordingDesk, takes: Takes, tmp_path: Path) -> None:
    keep_both(desk)
    first = takes.read()[0]
    takes.throw_out(first.file)
    assert desk.said[-1] == (
        f"{first.file}: thrown out; “Begin” as anna asks for the igloo with {first.beads} beads again."
    )
    assert [take.rejected for take in takes.read()] == ["thrown out", None]
    assert first.path.exists()
    desk.begin("anna")
    until(desk, lambda: desk.question)
    assert desk.turn is not None
    assert (desk.turn.beads, desk.turn.number) == (first.beads, 2)
    answer(desk, "record")
    answer(desk, "keep")
    until(desk, lambda: desk.phase == "idle")
    assert [take.rejected for take in lines(tmp_path)] == ["thrown out", None, None]
    assert len({take.set for take in lines(tmp_path)}) == 1


def test_in_the_sweep_that_goes_on_the_next_igloo_is_asked_for_anew(
    desk: RecordingDesk, takes: Takes, tmp_path: Path
) -> None:
    desk.begin("anna")
    answer(desk, "record")
    answer(desk, "keep")
    until(desk, lambda: desk.question and desk.turn and desk.turn.number == 2)
    asked, (kept,) = desk.question, takes.read()
    takes.throw_out(kept.file)
    assert desk.said[-1].endswith(f"the igloo with {kept.beads} beads comes again in this sweep.")
    until(desk, lambda: desk.question and desk.question is not asked)
    assert desk.turn is not None
    assert (desk.turn.number, desk.turn.beads) == (1, 9 - (kept.beads or 0))
    for deed in ("record", "keep", "record", "keep"):
        answer(desk, deed)  # type: ignore[arg-type]
    until(desk, lambda: desk.phase == "idle")
    assert [(take.beads, take.rejected) for take in lines(tmp_path)][1:] == [
        (9 - (kept.beads or 0), None),
        (kept.beads, None),
    ]


def test_a_take_that_waits_to_be_kept_waits_on(desk: RecordingDesk, takes: Takes) -> None:
    desk.begin("anna")
    answer(desk, "record")
    answer(desk, "keep")
    answer(desk, "record")
    until(desk, lambda: desk.question and desk.question.answers[0].deed == "keep")
    asked, (kept,) = desk.question, takes.read()
    takes.throw_out(kept.file)
    assert desk.question is asked
    answer(desk, "keep")
    until(desk, lambda: desk.question and desk.question is not asked)
    assert desk.turn is not None
    assert (desk.turn.beads, desk.turn.number) == (kept.beads, 2)


def test_a_tap_at_the_moment_it_is_asked_anew_answers_nothing(desk: RecordingDesk) -> None:
    """The igloo that it was meant for may be another one."""
    desk.begin("anna")
    until(desk, lambda: desk.question)
    with desk.changed:
        first = desk.question
        assert first is not None
        assert first.turn is not None
        desk.ask_anew(first.turn.sweep)
        desk.answer(first, "stop")
    until(desk, lambda: desk.question and desk.question is not first)
    assert desk.phase == "asks"


def test_nothing_is_thrown_out_while_it_listens(desk: RecordingDesk, takes: Takes) -> None:
    seen, draw = set[bool](), desk.draw
    desk.draw = lambda meter, band: (seen.add(takes.may_throw_out()), draw(meter, band))[1]  # type: ignore[method-assign]
    desk.begin("anna")
    until(desk, lambda: desk.question)
    assert takes.may_throw_out()
    answer(desk, "record")
    until(desk, lambda: desk.question and desk.question.answers[0].deed == "keep")
    assert seen == {False}


def test_two_phones_throw_it_out_once(desk: RecordingDesk, takes: Takes, tmp_path: Path) -> None:
    write(tmp_path, TAKE, SIX)
    both = [threading.Thread(target=takes.throw_out, args=(SIX.file,)) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert [take.rejected for take in lines(tmp_path)] == [None, "thrown out"]
    assert len(desk.said) == 1


def test_no_line_is_lost_that_another_run_writes_meanwhile(takes: Takes, tmp_path: Path) -> None:
    write(tmp_path, *(replace(TAKE, file=f"old-{n}.wav") for n in range(20)))

    def another_run() -> None:
        for n in range(20):
            with store.alone(tmp_path / "mine"):
                store.append(replace(TAKE, folder=tmp_path / "mine", file=f"new-{n}.wav"))

    run = threading.Thread(target=another_run)
    run.start()
    for n in range(20):
        takes.throw_out(f"old-{n}.wav")
    run.join()
    assert [(take.file, take.rejected) for take in takes.read()] == [
        *((f"old-{n}.wav", "thrown out") for n in range(20)),
        *((f"new-{n}.wav", None) for n in range(20)),
    ]


@pytest.mark.parametrize(
    ("change", "more", "told"),
    [
        ({"beads": 1}, {"counts": [1, 6]}, "=mock --profile=contact` asks for the igloo with 1 bead again."),
        ({"device": "E", "set": "E/s/1"}, {}, " --device=E --player=anna --session=s --counts=3,6 --source=mock "),
        ({"set": "mine"}, {}, "; it is of no sweep that can go on, so nothing asks for it again."),
        ({}, {"gesture": "knock"}, "--gesture=knock` asks for the igloo with 3 beads again."),
    ],
)  # fmt: skip
def test_what_the_page_does_not_ask_for_a_command_does(
    desk: RecordingDesk, takes: Takes, tmp_path: Path, change: dict[str, str], more: dict[str, object], told: str
) -> None:  # fmt: skip
    take, other = (replace(one, more=TAKE.more | more, **change) for one in (TAKE, SIX))
    write(tmp_path, take, replace(other, beads=6))
    takes.throw_out(take.file)
    assert told in desk.said[-1]


def test_a_session_that_was_begun_after_it_comes_first(
    desk: RecordingDesk, takes: Takes, tmp_path: Path
) -> None:
    write(tmp_path, TAKE, SIX, replace(TAKE, session="t", set="D/t/1", file="D/t/1-03.wav"))
    takes.throw_out(TAKE.file)
    assert desk.said[-1].endswith(
        "“Begin” as anna asks for the igloo with 3 beads again, once the sweep D/t/1 is complete."
    )
    desk.begin("anna")
    answer(desk, "record")
    answer(desk, "keep")
    until(desk, lambda: desk.phase == "idle")
    desk.begin("anna")
    until(desk, lambda: desk.question)
    assert desk.turn is not None
    assert (desk.turn.sweep, desk.turn.beads) == ("D/s/1", 3)


def test_why_it_could_not_be_thrown_out_is_told(
    desk: RecordingDesk, takes: Takes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, TAKE)
    takes.throw_out("gone.wav")
    assert "names no take 'gone.wav', so nothing was thrown out" in desk.said[-1]

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("calibration.recordings.throw_out.replacing", full)
    takes.throw_out(TAKE.file)
    assert "cannot be replaced (No space left on device)" in desk.said[-1]
    assert takes.read()[0].rejected is None


@pytest.mark.parametrize("change", [lambda path: path.unlink(), lambda path: path.write_text("{x")])
def test_a_list_that_others_change_is_read_again(
    takes: Takes, tmp_path: Path, change: Callable[[Path], object]
) -> None:
    assert takes.read() == []
    write(tmp_path, TAKE)
    assert [take.file for take in takes.read()] == [TAKE.file]
    path = tmp_path / "mine" / store.LIST
    path.write_text(json.dumps(json.loads(path.read_text()) | {"rejected": "odd"}) + "\n")
    assert [take.rejected for take in takes.read()] == ["odd"]
    change(path)
    assert takes.read() == []
