"""The wizard is stopped in mid-take and goes on: Ctrl-Z and `fg`, a laptop's lid. No plug and no hand is to blame."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.recordings import folder as store
from firmware_bridge.clock import VirtualClock
from hw_mock.sound import Faults, MockCapture
from sensors.ear.errors import CaptureLost
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.sources import capture
from table.commands import calibrate_record, record_source
from table.commands.record_source import Noted
from table.commands.record_way import Shaken, whole
from tests.cards import stand_in
from tests.rattle import RATE, rattle

SHAKEN = Shaken(load_shipped("contact"), 2.0)
WHY = "the recording was interrupted (the program was stopped, or the computer slept)"


class Stopped:
    """A source that plays a rattle, and is stopped for so long (s) after a second of it."""

    rate, channels = float(RATE), 1

    def __init__(
        self, beads: int, host: VirtualClock, stopped_s: float, lost: bool = True, ends: bool = False
    ) -> None:
        play = VirtualClock()
        spans = ((1.0, 1.4),) if lost else ()
        quiet = 3e-5 * np.random.default_rng(beads).standard_normal(RATE // 2).astype(np.float32)
        self._sound = MockCapture(
            [quiet, rattle(beads, 2, 2.4)], play, lambda s: play.set(play.now() + s),
            rate=self.rate, faults=Faults(lost=spans), endless=True,
        )  # fmt: skip
        self._host, self._stopped_s, self._ends = host, stopped_s, ends

    @property
    def overflows(self) -> int:
        return self._sound.overflows

    def blocks(self) -> Iterator[Any]:
        gone = 0
        for block in self._sound.blocks():
            self._host.set(self._host.now() + len(block) / self.rate)
            if gone < self.rate <= gone + len(block):
                self._host.set(self._host.now() + self._stopped_s)
                if self._ends:
                    raise CaptureLost("USB mic fell silent", "plug it in again")
            gone += len(block)
            yield block

    def __enter__(self) -> Stopped:
        return self

    def __exit__(self, *_: object) -> None:
        self._sound.close()


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> VirtualClock:
    clock = VirtualClock()
    monkeypatch.setattr(record_source, "host_s", clock.now)
    return clock


@pytest.mark.parametrize(
    ("stopped_s", "lost", "problem"),
    [
        (0.0, True, "sound was lost on the way: close other programs"),
        (30.0, True, WHY),
        (30.0, False, None),  # a sound server kept all of it
    ],
)
def test_a_take_in_which_it_was_stopped_says_so(
    host: VirtualClock, stopped_s: float, lost: bool, problem: str | None
) -> None:
    noted = Noted(Stopped(6, host, stopped_s, lost))
    take = whole(SHAKEN.one_take(noted), noted, "default")
    assert take is not None
    assert take.problem == problem


def play(folder: Path, monkeypatch: pytest.MonkeyPatch, opened: Callable[[int], Any], *answers: str) -> int:
    given = iter(answers)
    monkeypatch.setattr(calibrate_record, "opener", lambda *words: opened)
    return calibrate_record.record(
        folder, "USB", SHAKEN, (3, 6), 1, "D", "anna", "s", 2.0, False, lambda _: next(given, "q")
    )


def test_what_went_away_meanwhile_is_taken_again_and_no_plug_is_blamed(
    tmp_path: Path, host: VirtualClock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    takes = iter([True, False, False])

    def opened(beads: int) -> Stopped:
        ends = next(takes)
        return Stopped(beads, host, 30.0 if ends else 0.0, lost=False, ends=ends)

    assert play(tmp_path, monkeypatch, opened, "", "", "", "", "") == 2
    said = capsys.readouterr().err
    assert f"{WHY[0].upper()}{WHY[1:]}. This igloo comes again." in said
    assert "plug" not in said
    assert [line.rejected for line in store.read(tmp_path, lambda _: None)] == [None, None]


def test_a_plug_that_was_pulled_is_still_one(
    tmp_path: Path, host: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CaptureLost, match="fell silent"):
        play(tmp_path, monkeypatch, lambda beads: Stopped(beads, host, capture.STALLED_S, ends=True), "")


def test_a_device_is_given_time_after_the_program_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wait that was over while nobody ran tells nothing of the device."""
    stand_in(monkeypatch)
    monkeypatch.setattr(capture, "STALLED_S", 2.0)
    with capture.Capture(capture.find_input("USB")) as stream:
        given = iter([None, (0, 0.0, np.zeros((960, 1), np.float32))])

        def get(timeout: float) -> Any:
            if (block := next(given)) is None:
                raise queue.Empty
            return block

        monkeypatch.setattr(stream._queue, "get", get)
        assert len(next(iter(stream.blocks()))) == 960
