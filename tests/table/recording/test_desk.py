"""The desk between the recording wizard's thread and the pages: what each side sees of the other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from firmware_bridge.clock import SystemClock
from firmware_bridge.errors import UsageError
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.sources.igloo_capture import SHAKEN_S
from table.commands import calibrate_record
from table.commands.record_way import Shaken
from table.page.sentences import sentences
from table.page.texts import LANGUAGES, Texts
from table.recording.desk import RecordingDesk
from tests.calibration.recordings.wizard import SHAKEN, unhurried
from tests.dongle import held_dongle
from tests.table.recording.answers import answer, until


@pytest.fixture(name="desk")
def desk_of_rattles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RecordingDesk]:
    """The real wizard for igloos of 3 and 6 beads, on a mock stream without the real pace."""
    monkeypatch.setattr(calibrate_record, "opener", unhurried)

    def record(player: str, desk: RecordingDesk) -> int:
        return calibrate_record.record(
            tmp_path / "mine", "mock", SHAKEN, (3, 6), 1, "D", player, None, 2.0, False, desk.ask, desk
        )

    desk = RecordingDesk(record, SystemClock(), "anna")
    yield desk
    desk.close()
    assert desk.phase == "idle"


def lines(tmp_path: Path) -> list[Recording]:
    return list(store.read(tmp_path / "mine", lambda error: pytest.fail(str(error))))


def test_a_sweep_is_recorded_to_its_end_and_the_next_one_is_by_somebody_else(
    desk: RecordingDesk, tmp_path: Path
) -> None:
    desk.begin("anna")
    for deed in ("record", "keep", "record", "retake", "record", "keep"):
        answer(desk, deed)  # type: ignore[arg-type]
    until(desk, lambda: desk.phase == "idle")
    assert [line.rejected for line in lines(tmp_path)] == [None, "thrown out", None]
    assert desk.said[-1].startswith("That is 2 counts, and a profile takes 3")
    assert desk.turn is None
    desk.begin("ben")
    until(desk, lambda: desk.phase == "asks")
    assert desk.player == "ben"
    assert "by somebody new, ben (known here: anna)" in desk.said[-1]


def test_pages_are_shown_which_igloo_is_next_how_far_it_is_and_how_the_take_goes(desk: RecordingDesk) -> None:
    meters = set[str]()
    draw = desk.draw
    desk.draw = lambda meter, band: (meters.add(meter.advice), draw(meter, band))[1]  # type: ignore[method-assign]
    desk.begin("anna")
    until(desk, lambda: desk.question)
    assert desk.turn is not None
    assert (desk.turn.number, desk.turn.of, desk.turn.asks) == (1, 2, "shake it for 2 seconds")
    assert desk.turn.beads in (3, 6)
    answer(desk, "record")
    until(desk, lambda: desk.question and desk.question.answers[0].deed == "keep")
    assert {"wait", "go on"} < meters
    assert desk.meter is None  # it is of no take that is over
    assert desk.turn.number == 1


def test_only_the_open_question_is_answered(desk: RecordingDesk, tmp_path: Path) -> None:
    """Two people at two phones: the second one's tap came when the next question stood there."""
    desk.begin("anna")
    until(desk, lambda: desk.question)
    first = desk.question
    assert first is not None
    desk.answer(first, "record")
    desk.answer(first, "stop")
    until(desk, lambda: desk.question and desk.question is not first)
    desk.answer(first, "stop")
    answer(desk, "keep")
    until(desk, lambda: desk.question)
    assert [line.rejected for line in lines(tmp_path)] == [None]


def test_it_is_begun_once(desk: RecordingDesk) -> None:
    desk.begin("anna")
    until(desk, lambda: desk.question)
    desk.begin("ben")
    assert desk.player == "anna"
    assert desk.phase == "asks"


def test_stopped_at_the_question_it_goes_on_from_there(desk: RecordingDesk, tmp_path: Path) -> None:
    desk.begin("anna")
    answer(desk, "record")
    answer(desk, "keep")
    until(desk, lambda: desk.question)
    desk.stop()
    until(desk, lambda: desk.phase == "idle")
    assert desk.said[-1] == "Stopped; “Begin” goes on from here."
    assert not desk.cut_off
    desk.begin("anna")
    until(desk, lambda: desk.question)
    assert desk.turn is not None
    assert desk.turn.number == 2
    assert len(lines(tmp_path)) == 1


def test_a_take_that_nobody_confirmed_before_the_stop_is_there_and_does_not_count(
    desk: RecordingDesk, tmp_path: Path
) -> None:
    desk.begin("anna")
    answer(desk, "record")
    until(desk, lambda: desk.question and desk.question.answers[0].deed == "keep")
    desk.stop()
    until(desk, lambda: desk.phase == "idle")
    (line,) = lines(tmp_path)
    assert line.rejected == "not confirmed"
    assert line.path.exists()
    assert desk.said[-1].startswith(f"It ended before anybody said whether {line.file} is to be kept")


def test_stopped_while_it_listens_the_take_under_way_is_not_kept(desk: RecordingDesk, tmp_path: Path) -> None:
    draw = desk.draw

    def stopped(meter: object, band: object) -> None:
        draw(meter, band)  # type: ignore[arg-type]
        desk.stop()

    desk.draw = stopped  # type: ignore[method-assign]
    desk.begin("anna")
    answer(desk, "record")
    until(desk, lambda: desk.phase == "idle")
    assert list((tmp_path / "mine").iterdir()) == []
    assert desk.said[-1].startswith("Stopped: 0 takes of this run kept in ")
    assert desk.said[-1].endswith("the one under way is not; “Begin” goes on from here.")
    assert desk.cut_off  # which whoever ends the page is told in the terminal


def test_stopped_while_a_port_waits_for_a_shake_it_waits_no_longer(tmp_path: Path) -> None:
    way = Shaken(load_shipped("accelerometer"), 2.0)
    with held_dongle(tmp_path) as dongle:
        desk = RecordingDesk(
            lambda player, desk: calibrate_record.record(
                tmp_path / "mine", dongle.name, way, (3,), 1, "D", player, None, 2.0, False, desk.ask, desk
            ),
            SystemClock(),
        )
        desk.begin("anna")
        answer(desk, "record")
        desk.stop()
        begun = time.monotonic()
        until(desk, lambda: desk.phase == "idle")
    assert time.monotonic() - begun < SHAKEN_S / 5
    assert desk.said[-1].startswith("Stopped: 0 takes of this run kept in ")


def test_a_name_that_names_no_files_is_refused_where_it_was_given(
    desk: RecordingDesk, tmp_path: Path
) -> None:
    desk.begin("a/b")
    until(desk, lambda: desk.phase == "idle")
    assert "“Who shakes”: 'a/b' is no name for files" in desk.said[-1]
    assert "--player" not in desk.said[-1]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (UsageError("the folder is a file", "name another one"), "the folder is a file – name another one"),
        (ValueError("too odd"), "The wizard broke off (ValueError: too odd); what was kept is kept."),
    ],
)
def test_what_goes_wrong_is_told_at_the_page_and_it_can_be_begun_anew(error: Exception, told: str) -> None:
    def record(player: str, desk: RecordingDesk) -> None:
        raise error

    desk = RecordingDesk(record, SystemClock())
    for times in (1, 2):
        desk.begin("anna")
        until(desk, lambda: desk.phase == "idle")
        assert [told in one for one in desk.said] == [True] * times


def test_what_comes_next_is_what_a_phone_can_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was a command for a shell, above the button that does the same."""
    monkeypatch.setattr(calibrate_record, "opener", unhurried)

    def record(player: str, desk: RecordingDesk) -> int:
        return calibrate_record.record(
            tmp_path / "mine", "mock", SHAKEN, (2, 3, 5, 6), 1, "D", player, None, 2.0, False, desk.ask, desk
        )

    desk = RecordingDesk(record, SystemClock(), "anna")
    desk.begin("anna")
    for _ in range(4):
        answer(desk, "record")
        answer(desk, "keep")
    until(desk, lambda: desk.phase == "idle")
    button = Texts("en")["record.fit"]
    assert desk.said[-1].startswith(
        f"“{button}” makes a profile of what is there; a sweep by another person is "
    )
    for language in LANGUAGES:
        assert Texts(language)["record.fit"] in sentences(language)(desk.said[-1])
