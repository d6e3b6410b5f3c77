"""What was shaken belongs to the igloo that was in hand meanwhile, however late its line comes."""

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
from sensors.ear.seats.listener import TOO_CROWDED
from sensors.ear.sources.capture import InputDevice
from sensors.ear.sources.igloo_capture import IglooCapture
from sensors.ear.sources.taken_at import ByArrival
from sensors.ear.verdicts.verdict import HUMS
from sensors.evidence import Heard
from table.config import Ear, Settings
from table.desk.ear_watch import EarWatch
from table.door.access import Access
from table.journal.store import Journal
from table.listening import live
from table.page.sentences import sentences
from table.room.table_room import TableRoom
from table.settings.seats import TABLE
from tests.table.senses.test_live_ear import Ears
from tests.table.shakes import CARDS, counted_in, heard

Moves = list[tuple[float, str]]


def shaken(seat: str, began: float, ended: float) -> Heard:
    """A shake between two times of the table's clock, by a source with another one."""
    return replace(heard(seat, {7: 0.97}), start_s=70.0, end_s=70.0 + ended - began, ended_at=ended)


def whose(
    watch: EarWatch, clock: VirtualClock, moves: Moves, said: Heard, line_at: float, seat: str = "red"
) -> str | None:
    """The igloo that it is held for when its line comes."""
    for at, move in moves:
        clock.set(at)
        assert watch.desk.play(move), move
    clock.set(line_at)
    return watch.shaken(seat, said)


A_THEN_B: Moves = [(100.5, "grab red A"), (102.2, "place red 7"), (103.2, "grab red B")]


@pytest.mark.parametrize("line_at", [103.2, 103.3, 104.0, 106.0, 112.0])
def test_a_line_goes_to_no_igloo_that_was_taken_after_the_shake(
    watch: EarWatch, clock: VirtualClock, line_at: float
) -> None:
    assert whose(watch, clock, A_THEN_B, shaken("red", 101.0, 102.0), line_at) == "A"
    assert set(watch.odds()) == {"A"}


@pytest.mark.parametrize(
    ("began", "ended", "letter"),
    [
        (101.0, 102.6, "A"),
        (100.2, 103.0, "A"),
        (101.9, 104.0, "B"),  # it was put down on the page before it was in fact
        (103.0, 105.0, "B"),  # … and taken after
        (102.4, 103.1, "A"),  # the page was told a little too early
        (102.4, 103.5, "B"),
    ],
)
def test_between_two_holds_a_shake_falls_to_the_one_that_has_most_of_it(
    watch: EarWatch, clock: VirtualClock, began: float, ended: float, letter: str
) -> None:
    assert whose(watch, clock, A_THEN_B, shaken("red", began, ended), 106.0) == letter


@pytest.mark.parametrize(
    ("moves", "began", "ended"),
    [
        ([(102.1, "grab red B")], 101.0, 102.0),  # taken after it
        ([(100.0, "grab red A"), (100.5, "place red 7"), (104.0, "grab red B")], 101.8, 103.0),  # long before
        ([], 101.0, 102.0),
        ([(100.0, "grab blue B")], 101.0, 102.0),
    ],
)
def test_what_nobody_had_in_hand_counts_for_none(
    watch: EarWatch, clock: VirtualClock, moves: Moves, began: float, ended: float
) -> None:
    assert whose(watch, clock, moves, shaken("red", began, ended), 106.0) is None
    assert watch.desk.said[-1].event == "stray-shake"
    assert watch.counting() == {}


@pytest.mark.parametrize(
    ("moves", "letter"),
    [
        ([(100.5, "grab red A"), (102.2, "place red 7"), (102.4, "grab blue B")], "A"),
        ([(100.5, "grab red A"), (101.8, "place red 7"), (101.8, "grab blue B")], "A"),
        ([(100.5, "grab red A"), (101.1, "place red 7"), (101.2, "grab blue B")], "B"),
        ([(100.5, "grab red A"), (101.5, "place red 7"), (101.5, "grab blue B")], None),  # whose was it?
        ([(100.5, "grab red A"), (101.4, "grab blue B"), (101.5, "place red 7")], None),
        ([(100.5, "grab red A"), (100.6, "grab blue B"), (102.2, "place blue 7")], None),
        (
            [(100.1, "grab blue B"), (100.3, "place blue 1"), (100.5, "grab red A"), (100.9, "place red 7")],
            "A",
        ),
        ([(102.1, "grab blue B")], None),
    ],
)
def test_one_microphone_hears_for_whoever_held_an_igloo_then(
    watch: EarWatch, clock: VirtualClock, moves: Moves, letter: str | None
) -> None:
    assert whose(watch, clock, moves, shaken(TABLE, 101.0, 102.0), 106.0, TABLE) == letter


@pytest.mark.parametrize(
    ("moves", "ended", "says"),
    [
        # red puts it down and blue takes the next one at once: the half second that ends a shake was never quiet
        (
            [(100.5, "grab red A"), (103.5, "place red 7"), (103.5, "grab blue B")],
            106.0,
            "one after the other",
        ),
        (
            [(100.5, "grab red A"), (104.6, "place red 7"), (105.0, "grab blue B")],
            106.0,
            "one after the other",
        ),
        (
            [(100.5, "grab red A"), (105.0, "place red 7"), (105.4, "grab blue B")],
            106.0,
            None,
        ),  # hardly moved
        ([(100.5, "grab red A"), (103.5, "grab blue B"), (103.6, "place red 7")], 106.0, "at once"),
        ([(100.5, "grab red A"), (103.5, "grab blue B"), (106.1, "place red 7")], 106.0, "at once"),
    ],
)
def test_what_two_igloos_share_counts_for_nobody_and_that_is_said_as_it_was(
    watch: EarWatch, clock: VirtualClock, moves: Moves, ended: float, says: str | None
) -> None:
    letter = whose(watch, clock, moves, shaken(TABLE, 101.0, ended), 108.0, TABLE)
    told = [said.text for said in watch.desk.said if said.event == "in-turn"]
    if says is None:
        assert (letter, told) == ("A", [])
        return
    assert letter is None
    assert watch.counting() == {}
    assert [f"blue and red held igloos {says}" in text for text in told] == [True]
    for language in ("de", "fr", "it"):
        assert sentences(language).known(told[0])


def one_after_the_other(second: float) -> Moves:
    return [(100.5, "grab red A"), (second, "place red 7"), (second, "grab red B")]


@pytest.mark.parametrize("reason", [None, TOO_CROWDED])
@pytest.mark.parametrize("seat", [TABLE, "red"])
@pytest.mark.parametrize(("second", "lost"), [(103.5, True), (105.7, False)])
def test_two_igloos_of_one_person_share_nothing_either(
    watch: EarWatch, clock: VirtualClock, second: float, lost: bool, seat: str, reason: str | None
) -> None:
    """Nor at his own microphone, where a shake does not end while neighbours shake on."""
    said = replace(shaken(seat, 101.0, 106.0), reason=reason)
    letter = whose(watch, clock, one_after_the_other(second), said, 108.0, seat)
    told = [said.text for said in watch.desk.said if said.event == "in-turn"]
    assert letter == (None if lost else "A")
    assert set(watch.counting()) == (set() if lost or reason else {"A"})
    known = "Two igloos of red were shaken wi" if lost else "Igloo A was not told from its ne"
    assert [text[:32] for text in told] == ([known] if lost or reason else [])
    for language in ("de", "fr", "it"):
        assert all(sentences(language).known(text) for text in told)


def test_what_an_igloo_felt_itself_is_of_no_other(watch: EarWatch, clock: VirtualClock) -> None:
    felt = EarWatch(watch.desk, own=("red",), felt=("red",))
    assert whose(felt, clock, one_after_the_other(104.0), shaken("red", 101.0, 106.0), 108.0) == "A"
    assert set(felt.counting()) == {"A"}
    # nor is it said to be lost where the microphone of all heard both in one
    assert felt.shaken(TABLE, shaken(TABLE, 101.0, 106.0)) is None
    assert not [said for said in watch.desk.said if said.event == "in-turn"]
    assert len(felt.counting()["A"]) == 1


def test_why_it_was_no_shake_is_said_of_two_igloos_as_well(watch: EarWatch, clock: VirtualClock) -> None:
    no_shake = replace(shaken("red", 101.0, 106.0), verdict="not-a-shake", probabilities={}, reason=HUMS)
    assert whose(watch, clock, one_after_the_other(104.0), no_shake, 108.0) == "A"
    assert [said.event for said in watch.desk.said][-1] == "hums"


@pytest.mark.parametrize(("device", "letter"), [("/dev/ttyACM0", "A"), ("USB Audio", None)])
async def test_a_table_knows_by_its_settings_which_igloos_feel_themselves(
    device: str, letter: str | None
) -> None:
    clock = VirtualClock(90.0)
    settings = Settings(ear=Ear(sources={"red": device}))
    table = TableRoom(settings, clock, Journal(None), Access(clock, lan=False))
    table.new_game("igloo-pop", ["red", "blue"], {})
    for move in (*(f"deal {slot} {card}" for slot, card in enumerate(CARDS, 1)), "count"):
        assert table.desk.play(move)
    assert table.pop is not None
    line = shaken("red", 101.0, 106.0)
    assert whose(table.pop.ears, clock, one_after_the_other(104.0), line, 108.0) == letter


class Told:
    """An ear that hears one shake, from 0.4 to 1.4 s, and says so when all are quiet; the verdict takes its time."""

    level_db = -60.0

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

    def __init__(self, clock: VirtualClock) -> None:
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
