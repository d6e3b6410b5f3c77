"""What happens to the wizard's takes on the way: damaged lists, sound that is lost, pauses, one take named twice."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.errors import RecordingsError
from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from calibration.recordings.recorder import TakeHeard, TakeRecorder
from calibration.recordings.throw_out import throw_out
from firmware_bridge.clock import VirtualClock
from firmware_bridge.host.durable import write_whole
from hw_mock.sound import Faults, MockCapture
from sensors.ear.errors import CaptureLost, NobodyShook, NoSuchInput
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.sources.in_g import check_in_g
from sensors.ear.sources.sound_file import open_sound
from table.cli import run as run_cli
from table.commands import calibrate_record, record_way
from table.commands.record_source import Noted
from table.commands.record_way import Shaken, Weighed, whole
from table.listening.mock_seat import gesture
from tests.calibration.recordings.wizard import RECORD, unhurried
from tests.rattle import RATE, rattle, shaken_sensor

Opened = Callable[[int], Any]
SHAKEN = Shaken(load_shipped("contact"), 2.0)
QUIET = 3e-5 * np.random.default_rng(0).standard_normal(6 * RATE).astype(np.float32)


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The wizard with these answers, `q` when they end; returns how many takes it kept."""

    def play(*answers: str, opened: Opened | None = None) -> int:
        given = iter(answers)
        monkeypatch.setattr(calibrate_record, "opener", lambda *words: opened or unhurried("mock", 2.0))
        return calibrate_record.record(
            tmp_path, "mock", SHAKEN, (3, 6), 1, "D", "anna", "s", 2.0, False, lambda _: next(given, "q")
        )

    return play


def lines(folder: Path) -> list[Recording]:
    return list(store.read(folder, lambda _: None))


@pytest.mark.parametrize("answers", [("", ""), ("s",)])
def test_a_take_whose_line_is_damaged_keeps_its_sound(
    tmp_path: Path, play: Callable[..., int], answers: tuple[str, ...]
) -> None:
    play("", "")
    (before,) = lines(tmp_path)
    sound = before.path.read_bytes()
    path = tmp_path / store.LIST
    path.write_text(path.read_text()[:40] + "\n")  # a power cut, or an editor
    play(*answers)
    (after,) = lines(tmp_path)
    assert before.path.read_bytes() == sound
    assert (after.beads, after.set) == (before.beads, before.set)  # asked for again
    assert after.file != before.file


def test_a_minute_without_a_shake_at_a_port_is_a_pause_as_at_a_microphone(
    tmp_path: Path, play: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    """An igloo's stream is opened when it is shaken."""
    shaken, pauses = unhurried("mock", 2.0), iter([NobodyShook("nobody shook", "wake the igloo")])

    def opened(beads: int) -> Any:
        for pause in pauses:
            raise pause
        return shaken(beads)

    assert play("", "", "", opened=opened) == 1
    assert "Nothing was heard for a minute" in capsys.readouterr().err

    def away(beads: int) -> Any:
        raise CaptureLost("the port is away", "plug it in again")

    with pytest.raises(CaptureLost):
        play("", opened=away)
    told = capsys.readouterr().err
    assert f"The sensor was lost: 0 takes of this run kept in {tmp_path}" in told
    assert "the same command goes on from here" in told


def take_with(way: Shaken | Weighed, sound: np.ndarray, rate: float, lost: tuple[float, float]) -> TakeHeard:
    """A take of `sound`, whose source loses what lies between these times (seconds)."""
    clock = VirtualClock()
    stream = MockCapture(
        [sound.astype(np.float32)], clock, lambda s: clock.set(clock.now() + s), rate=rate,
        faults=Faults(lost=(lost,)), endless=True,
    )  # fmt: skip
    noted = Noted(stream)
    take = whole(way.one_take(noted), noted, "default")
    assert take is not None
    assert stream.overflows == 1
    return take


@pytest.mark.parametrize(("at_s", "lost"), [(0.0, False), (4.0, False), (6.0, True), (7.5, True)])
def test_only_what_was_lost_in_the_take_itself_throws_it_out(at_s: float, lost: bool) -> None:
    sound = np.concatenate(
        [QUIET, rattle(6, 3)]
    )  # shaken from 6.4 s on; the take begins half a second before
    take = take_with(SHAKEN, sound, float(RATE), (at_s, at_s + 0.015))
    assert take.problem == ("sound was lost on the way: close other programs" if lost else None)


@pytest.fixture(scope="module")
def tapped() -> tuple[np.ndarray, float]:
    return gesture(2, 1, 0)


@pytest.mark.parametrize(("at_s", "lost"), [(1.0, False), (12.0, True)])
def test_what_was_lost_before_the_empty_seat_was_tapped_costs_no_take(
    at_s: float, lost: bool, tapped: tuple[np.ndarray, float]
) -> None:
    samples, rate = tapped
    sound = np.concatenate([1e-4 * np.random.default_rng(0).standard_normal(round(8 * rate)), samples])
    take = take_with(Weighed("microphone"), sound, rate, (at_s, at_s + 0.015))
    assert take.problem == ("sound was lost on the way: close other programs" if lost else None)


def test_a_take_knows_where_in_its_source_it_began() -> None:
    sound = np.concatenate([QUIET, rattle(6, 3), QUIET])
    recorder = TakeRecorder(SHAKEN.profile.heads[0], RATE, 1, 2.0)
    for start in range(0, len(sound), 700):
        recorder.push(sound[start : start + 700, None])
    assert recorder.take is not None
    kept = recorder.take.samples[:, 0]
    assert np.array_equal(kept, sound[recorder.take.before : recorder.take.before + len(kept)])


@pytest.mark.parametrize("order", [("{0}/a.wav", "a.wav"), ("a.wav", "{0}/a.wav"), ("a.wav", "a.wav")])
def test_a_take_that_is_named_twice_is_thrown_out_once(
    tmp_path: Path, order: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / store.LIST
    path.write_text('{"file":"a.wav","sensor":"microphone","beads":3}\n')
    words = [word for name in order for word in ("--throw-out", name.format(tmp_path))]
    command = ["calibrate", "igloos", "record", str(tmp_path), *words]
    assert run_cli(command) == 0
    assert json.loads(path.read_text())["rejected"] == "thrown out"
    assert capsys.readouterr().err.count("a.wav: thrown out; ") == 1
    assert run_cli(command) == 2
    assert "is rejected already (thrown out)" in capsys.readouterr().err


def test_a_microphone_that_is_too_slow_is_told_once(
    play: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(record_way, "too_slow", lambda rates: "this recording is slow")
    play("", "r", "", "", "", "r", "", "r")
    assert capsys.readouterr().err.count("This recording is slow.") == 1


def test_an_accelerometer_that_fails_between_two_takes_costs_no_sweep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the take itself would be told: shaking otherwise mends nothing."""
    rate, clock = 1600.0, VirtualClock()
    fails = iter([1.0, 0.0, 0.0, 1.0])

    def opened(beads: int) -> Any:
        axes = np.array([next(fails), 1.0, 1.0], np.float32)
        pieces = [axes * shaken_sensor(beads, 2, 2.4), np.tile(axes * [0.1, 0.2, 0.97], (3200, 1))]
        return MockCapture(
            [piece.astype(np.float32) for piece in pieces], clock, lambda s: clock.set(clock.now() + s),
            rate=rate, channels=3,
        )  # fmt: skip

    monkeypatch.setattr(calibrate_record, "opener", lambda *words: opened)
    answers, asked = iter(["", "", "", "", "", ""]), []
    way = Shaken(load_shipped("accelerometer"), 2.0)
    assert calibrate_record.record(
        tmp_path, "port", way, (3, 6), 1, "D", "anna", "s", 2.0, False,
        lambda question: asked.append(str(question)) or next(answers, "q"),
    ) == 2  # fmt: skip
    said = capsys.readouterr().err
    why = "this accelerometer's axis x (0) gives one value throughout, while the igloo moves; look at its wiring"
    assert said.count(f"Not kept – {why}") == 2
    assert said.count("is complete") == 1
    first, *refused, last = lines(tmp_path)
    assert (first.rejected, last.rejected) == (None, None)
    assert all((r.rejected or "").startswith(why) for r in refused)
    for line in (first, last):
        check_in_g(open_sound(line.path))


def test_a_coarse_accelerometer_is_told_once_and_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A profile that is fitted on its own takes may count by it."""
    rate, clock = 1600.0, VirtualClock()

    def opened(beads: int) -> Any:
        pieces = [shaken_sensor(beads, 2, 2.4), np.tile([0.1, 0.2, 0.97], (3200, 1))]
        return MockCapture(
            [(np.round(piece * 8) / 8).astype(np.float32) for piece in pieces], clock,
            lambda s: clock.set(clock.now() + s), rate=rate, channels=3,
        )  # fmt: skip

    monkeypatch.setattr(calibrate_record, "opener", lambda *words: opened)
    way = Shaken(load_shipped("accelerometer"), 2.0)
    assert calibrate_record.record(
        tmp_path, "port", way, (3, 6), 1, "D", "anna", "s", 2.0, False, lambda question: ""
    ) == 2  # fmt: skip
    assert [r.rejected for r in lines(tmp_path)] == [None, None]
    assert capsys.readouterr().err.count("This accelerometer's values go in steps of 0.12 g") == 1


def test_the_mock_is_no_accelerometer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*RECORD, str(tmp_path / "new"), "--source", "mock", "--profile", "accelerometer"]
    assert run_cli(words) == 2  # before anybody was asked to shake
    assert "mock igloos and seats carry a contact microphone" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_sweep_that_is_whole_says_so_and_somebody_new_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(calibrate_record, "opener", unhurried)

    def sweep(player: str, *answers: str) -> str:
        given = iter(answers)
        calibrate_record.record(
            tmp_path,
            "mock",
            SHAKEN,
            (3, 6, 9, 12),
            1,
            "D",
            player,
            None,
            2.0,
            False,
            lambda asked: next(given, "q"),
        )
        return capsys.readouterr().err

    begun = sweep("anna", "", "", "", "", "")
    assert "somebody new" not in begun
    assert "complete" not in begun
    whole_one = sweep("anna", "", "")
    assert " is complete: 4 of 4." in whole_one
    assert f"polartable calibrate igloos fit {tmp_path} --out {tmp_path.name}.profile" in whole_one
    assert " by somebody new, Anna (known here: anna): " in sweep("Anna")
    assert "somebody new" not in sweep("anna")


def test_a_list_on_a_disk_only_to_be_read_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    (tmp_path / store.LIST).write_text('{"file":"a.wav","sensor":"microphone","beads":3}\n')
    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)  # so it does there, also where there is no such file
    with pytest.raises(RecordingsError, match="cannot be replaced"):
        throw_out(tmp_path, ["a.wav"])

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):  # what failed first, and not the clean-up after it
        write_whole(tmp_path / "settings.toml", b"new")


def test_a_wizard_that_cannot_begin_leaves_no_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise NoSuchInput("there is no input", "plug one in")

    monkeypatch.setattr(calibrate_record, "opener", gone)
    (tmp_path / "old").mkdir()
    for name in ("new", "old"):
        assert run_cli([*RECORD, str(tmp_path / name)]) == 2
    assert [p.name for p in tmp_path.iterdir()] == ["old"]  # which was there before
