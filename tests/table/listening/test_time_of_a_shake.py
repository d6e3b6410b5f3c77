"""A line tells when its shake was by the table's clock, however late it comes and whatever it was heard with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.sources.capture import InputDevice
from sensors.ear.sources.igloo_capture import IglooCapture
from sensors.ear.sources.taken_at import ByArrival
from sensors.evidence import Heard
from table.listening import live
from tests.table.ears import Ears
from tests.table.shakes import counted_in, heard, shaken


class Told:
    """An ear that hears one shake, from 0.4 to 1.4 s, and says so when all are quiet; the verdict takes its time."""

    level_db = -60.0
    leaves_out_losses = False

    def __init__(self, seat: str, verdict: Callable[[], None]) -> None:
        self._seat, self._verdict, self._came_s = seat, verdict, 0.0

    def push(self, block: np.ndarray) -> Iterator[Heard]:
        before, self._came_s = self._came_s, self._came_s + len(block) / 1000.0
        if before < 1.9 <= self._came_s + 1e-9:
            self._verdict()
            yield replace(heard(self._seat, {7: 0.97}), start_s=0.4, end_s=1.4)

    def finish(self) -> Iterator[Heard]:
        return iter(())


@pytest.mark.parametrize("verdict_s", [0.06, 0.7])
def test_three_seats_that_end_together_keep_theirs_however_long_each_waits_for_the_others(
    clock: VirtualClock, monkeypatch: pytest.MonkeyPatch, verdict_s: float
) -> None:
    """One process weighs one shake after another; meanwhile people put theirs down and take the next ones."""
    from hw_mock.sound import MockCapture

    clock.set(50.0)
    seats = {"red": "A", "blue": "B", "yellow": "C"}
    watch = counted_in(clock, *seats)
    moves = [(50.2, f"grab {seat} {letter}") for seat, letter in seats.items()]
    moves += [(51.7, f"place {seat} {7 + n}") for n, seat in enumerate(seats)]
    moves += [(51.8 + 0.2 * n, f"grab {seat} {'DEF'[n]}") for n, seat in enumerate(seats)]

    def passes(seconds: float) -> None:
        until = clock.now() + seconds
        while moves and moves[0][0] <= until:
            at, move = moves.pop(0)
            clock.set(at)
            assert watch.desk.play(move), move
        clock.set(until)

    cards = {}
    for seat in seats:
        card = MockCapture([], clock, passes, rate=1000.0, endless=True)
        card.device = InputDevice(0, seat, 1, 1000.0)  # type: ignore[attr-defined]
        cards[seat] = card
    told: dict[str, Heard] = {}
    monkeypatch.setattr(live, "input_devices", list)
    for seat, card in cards.items():
        monkeypatch.setattr(live, "open_input", lambda found, microphones, card=card: card)
        for said in live.hear_live(
            seat, load_shipped("microphone"), False, clock, None, passes,
            stopped=lambda seat=seat: seat in told,  # type: ignore[misc]
            at_seat=lambda rate, channels, seat=seat: cast(Any, Told(seat, lambda: passes(verdict_s))),  # type: ignore[misc]
        ):  # fmt: skip
            if isinstance(said, Heard):
                told[seat] = said
                assert watch.shaken(seat, said) == seats[seat]
    assert clock.now() == pytest.approx(51.9 + 3 * verdict_s)
    assert [said.ended_at for said in told.values()] == pytest.approx([51.4] * 3)
    assert set(watch.counting()) == {"A", "B", "C"}


async def test_the_time_of_a_shake_travels_with_its_line_to_the_table() -> None:
    ears = Ears(red="mic")
    lines: list[tuple[str, Heard]] = []
    ears.wires["red"]._tell_heard = lambda seat, said: lines.append((seat, said))
    ears.clock.set(9.0)
    ears.wires["red"]._take(shaken("mic", 3.0, 5.0))
    await asyncio.sleep(0)
    assert [(seat, said.ended_at) for seat, said in lines] == [("red", 5.0)]


async def test_at_the_demo_s_seats_lines_tell_their_time_as_well() -> None:
    from table.demo.seat import Seat
    from tests.rattle import rattle

    clock = VirtualClock(20.0)
    seat = Seat("red", clock, 1, load_shipped("contact"))
    lines: list[Heard] = []

    async def listen() -> None:
        async for block in seat.capture.stream():
            lines.extend(said for said in seat.hear(block) if isinstance(said, Heard))

    task = asyncio.create_task(listen())
    await clock.advance(1.0)
    seat.play(rattle(7, 3))
    began = clock.now()
    await clock.advance(6.0)
    task.cancel()
    assert len(lines) == 1
    assert lines[0].ended_at is not None
    assert lines[0].ended_at == pytest.approx(20.0 + lines[0].end_s, abs=0.03)
    assert lines[0].ended_at > began


class Stalled(IglooCapture):
    """An igloo whose stream stands still until all of it comes at once; its packets say when it was felt."""

    rate, channels, overflows = 1000.0, 3, 0
    device, two_boards = InputDevice(17, "igloo", 3, 1000.0), False
    sensor = SimpleNamespace(look=tuple)  # type: ignore[assignment]

    def __init__(self, clock: VirtualClock, **_: object) -> None:
        self._clock, self._stamps = clock, list[tuple[int, float]]()

    def blocks(self) -> Iterator[np.ndarray]:
        began = self._clock.now()
        self._clock.set(began + 6.0)
        for given in range(20, 4000, 20):
            self._stamps.append((given, began + given / 1000.0))
            yield np.zeros((20, 3), np.float32)

    def stamps(self) -> list[tuple[int, float]]:
        stamps, self._stamps = self._stamps, []
        return [(given, self._clock.now() - at) for given, at in stamps]

    def holes(self) -> list[tuple[int, int]]:
        return []

    def close(self) -> None:
        pass


@pytest.mark.parametrize("felt", [True, False])
def test_a_stream_that_stood_still_tells_when_it_was_taken(
    clock: VirtualClock, monkeypatch: pytest.MonkeyPatch, felt: bool
) -> None:
    """Of a microphone's the promptest block says it: what a busy ear reads late came in time."""
    from hw_mock.sound import MockCapture

    clock.set(50.0)
    card = MockCapture([], clock, lambda s: clock.set(clock.now() + max(s, 3.0)), rate=1000.0, endless=True)
    card.device = InputDevice(0, "mic", 1, 1000.0)  # type: ignore[attr-defined]
    monkeypatch.setattr(live, "IglooCapture", Stalled)
    monkeypatch.setattr(live, "port_and_node", lambda source: (clock,))
    monkeypatch.setattr(live, "open_input", lambda found, microphones: card)
    monkeypatch.setattr(live, "input_devices", list)
    said = live.hear_live(
        "it", load_shipped("microphone"), False, clock, 20.0, lambda s: None, port=felt,
        at_seat=lambda rate, channels: cast(Any, Told("red", lambda: None)),
    )  # fmt: skip
    line = next(one for one in said if isinstance(one, Heard))
    assert line.ended_at == pytest.approx(51.4)
    assert clock.now() >= 53.0


def test_what_was_lost_in_a_stream_is_no_time_that_passed(
    clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hw_mock.sound import Faults, MockCapture

    card = MockCapture(
        [], clock, lambda s: clock.set(clock.now() + s), rate=1000.0, endless=True,
        faults=Faults(lost=((1.0, 2.5),)),
    )  # fmt: skip
    card.device = InputDevice(0, "mic", 1, 1000.0)  # type: ignore[attr-defined]
    monkeypatch.setattr(live, "open_input", lambda found, microphones: card)
    monkeypatch.setattr(live, "input_devices", list)
    monkeypatch.setattr(live, "ByArrival", Late)
    said = live.hear_live(
        "it", load_shipped("microphone"), False, clock, 20.0, lambda s: None, port=False,
        at_seat=lambda rate, channels: cast(Any, Told("red", lambda: None)),
    )  # fmt: skip
    line = next(one for one in said if isinstance(one, Heard))
    assert line.ended_at == pytest.approx(
        1.4 + 1.5
    )  # its second 1.4 came after the second and a half that was lost


class Late(ByArrival):
    """As if nothing came after the shake that could tell: what came before it has to."""

    def came(self, end_s: float, at: float) -> None:
        super().came(end_s, at if end_s < 1.41 else at + 5.0)
