"""The table was off, the cubes were not left alone: with a saved calibration it compares them, and asks."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from firmware_bridge.clock import SystemClock, VirtualClock
from firmware_bridge.samples import LinkCount
from hw_mock.cubes import SimulatedTable
from hw_mock.cubes.turns import SLOTS
from rules.ice_cult.turns import LIES
from sensors.cubes import calibration, quats, turns
from sensors.cubes.calibration import CubeTeaching
from sensors.cubes.reader import CubeReader
from sensors.evidence import CubePose
from table.config import Settings
from table.desk.cube_watch import CubeWatch
from table.door.access import Access
from table.games import GAMES
from table.journal.store import Journal
from table.room.table_room import TableRoom
from table.senses.cube_wire import CubeWire
from table.senses.live import LiveCubes
from table.senses.saved_cubes import default_path
from table.senses.watchdog import Senses
from tests.table.games import new_ice_cult
from tests.table.waiting import until


def taught(ports: list[str]) -> list[CubeTeaching]:
    """Four real-looking cubes as Ice Cult is set up: each was taught with its own faces, each lies turned otherwise."""
    state, _ = GAMES["ice-cult"].new(("yellow", "red"), 0, {})
    cubes = GAMES["ice-cult"].view(state, None)["cubes"]
    out = []
    for number, (slot, port) in enumerate(zip(SLOTS, ports, strict=True), 1):
        lies = turns.QUATS[turns.turn_named(cubes[slot]["up"], cubes[slot]["north"])]
        out.append(CubeTeaching(cubes[slot]["cube"], slot, quats.conjugate(lies), port, number))
    return out


def table(folder: Path, clock: SystemClock, ports: list[str]) -> TableRoom:
    settings = Settings(cubes={"ports": tuple(ports), "protocol": "polar"})
    room = TableRoom(settings, clock, Journal(folder / "book.sqlite"), Access(clock, lan=False))
    room.start()
    return room


def moves(room: TableRoom) -> list[str]:
    return [step.move for step in room.desk.sitting.steps]


async def test_what_was_done_while_the_table_was_off_is_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr("table.desk.cube_watch.PATIENCE_S", 0.1)
    clock = SystemClock()
    async with SimulatedTable(clock, seed=11, links=tmp_path) as cubes:
        calibration.save(default_path(), taught(cubes.ports))
        room = table(tmp_path, clock, cubes.ports)
        watch = room.watch
        assert watch is not None
        await until(lambda: len(watch.poses) == 4, "all cubes are felt")
        assert watch.differences() == ()
        await cubes.hands.tilt("n", "S")
        await until(lambda: moves(room) == ["tilt n>S"], "the tilt is taken")
        await room.stop()  # a plug that was pulled ends it no better: the journal has what was acknowledged

        room = table(tmp_path, clock, cubes.ports)  # nobody touched them: nothing to ask
        watch = room.watch
        assert watch is not None
        await until(lambda: len(watch.poses) == 4, "all cubes are felt again")
        assert watch.differences() == ()
        await asyncio.sleep(0.3)  # three times its patience
        assert room.desk.question is None
        await room.stop()

        await cubes.hands.tilt("w", "E")
        room = table(tmp_path, clock, cubes.ports)

        def told() -> bool:  # how to put it back; where one cube is heard late, of the other one first
            asked = room.desk.question
            return asked is not None and "tilt the western pair to the west" in asked.text

        await until(told, "the difference is asked about")
        question = room.desk.question
        assert question is not None
        assert question.text.startswith("The cubes lie otherwise than the game stands.")
        assert question.choices[0].moves == ("tilt w>E",)
        assert room.desk.answer(question.key, 0)
        assert moves(room) == ["tilt n>S", "tilt w>E"]
        await cubes.hands.turn("NE", "cw")  # and it goes on: a turn that no arc allows, or one that is taken
        await until(
            lambda: len(moves(room)) == 3 or any(s.tone == "refused" for s in room.desk.said), "it follows on"
        )
        await room.stop()


async def test_without_a_calibration_tilts_are_felt_as_they_are_made_after_a_start_in_mid_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each cube's first rest was taken for that of the set-up: one that an arc had turned was felt to tilt sideways."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    clock = SystemClock()
    async with SimulatedTable(clock, seed=11, links=tmp_path) as cubes:
        room = table(tmp_path, clock, cubes.ports)
        watch = room.watch
        assert watch is not None
        await until(lambda: len(watch.poses) == 4 and watch.differences() == (), "all cubes are felt")
        await cubes.hands.tilt("n", "S")
        await until(lambda: moves(room) == ["tilt n>S"], "the tilt is taken")
        await cubes.hands.tilt("w", "E")
        await until(lambda: moves(room)[1:] == ["tilt w>E"], "the other tilt is taken")
        await room.stop()

        room = table(tmp_path, clock, cubes.ports)
        again = room.watch
        assert again is not None
        await until(lambda: len(again.poses) == 4 and again.differences() == (), "all cubes are felt again")
        await cubes.hands.turn("SE", "cw")  # by the arc on SE
        await until(lambda: len(moves(room)) == 3, "the turn is taken")
        await room.stop()

        room = table(tmp_path, clock, cubes.ports)
        last = room.watch
        assert last is not None
        await until(lambda: len(last.poses) == 4 and last.differences() == (), "all cubes are felt once more")
        while room.desk.sitting.game.phase(room.desk.sitting.state) == "move":
            legal = room.desk.sitting.game.moves(room.desk.sitting.state)
            assert room.desk.play(next(move for move in legal if not move.startswith("turn")))
        for number, (pair, side) in enumerate((("n", "S"), ("e", "W")), len(moves(room)) + 1):
            await cubes.hands.tilt(pair, side)
            await until(lambda n=number: len(moves(room)) == n, "the tilt is taken")
            assert moves(room)[-1] == f"tilt {pair}>{side}"
        await room.stop()


@pytest.mark.parametrize("calibrated", [True, False])
async def test_the_next_game_knows_the_cubes_that_the_last_one_knew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calibrated: bool
) -> None:
    """Nobody touches a cube between two games but to lay it anew: a watch that began with nothing knew no cube until
    it was moved, and none of the names that the set-up of the first game had given."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    clock = SystemClock()
    async with SimulatedTable(clock, seed=11, links=tmp_path) as cubes:
        if calibrated:
            calibration.save(default_path(), taught(cubes.ports))
        room = table(tmp_path, clock, cubes.ports)
        first = room.watch
        assert first is not None
        await until(lambda: len(first.poses) == 4 and first.differences() == (), "all cubes are felt")
        await cubes.hands.tilt("n", "S")
        await until(lambda: moves(room) == ["tilt n>S"], "the tilt is taken")
        room.new_game("igloo-pop", ("red", "blue"), {})
        room.new_game("ice-cult", ("yellow", "red"), {})
        await until(lambda: room.desk.question is not None, "it is told how to lay the cubes")
        question = room.desk.question
        assert question is not None
        assert "tilt the northern pair to the north" in question.text
        await cubes.hands.tilt("n", "N")
        await until(lambda: room.desk.question is None, "they lie as the game stands")
        await cubes.hands.tilt("w", "E")
        await until(lambda: moves(room) == ["tilt w>E"], "the next game is followed")
        await room.stop()


class Reader:
    """Says what a test lets it say."""

    def __init__(self) -> None:
        self.bridge = SimpleNamespace(links=())
        self.follower = SimpleNamespace(
            reorient=lambda slot, quarters: None, seats={}, heard_at={}, trackers={}
        )
        self.says: list[CubePose] = []

    def poll(self) -> list[CubePose]:
        said, self.says = self.says, []
        return said

    def counts(self) -> list[LinkCount]:
        return []


def test_cubes_that_lie_anyhow_when_a_game_begins_are_not_taken_for_its_set_up() -> None:
    """They lay in the box while another game was played, and whoever registers them there names all of them wrongly."""
    reader, watches = Reader(), list[CubeWatch]()
    wire = CubeWire(
        cast(CubeReader, reader),
        False,
        lambda: watches[-1] if watches else None,
        LiveCubes(),
        Senses(lambda change: None),
        VirtualClock(),
    )

    def registered() -> bool:
        return "registered" in [said.event for said in desk.said]

    reader.says = [
        CubePose(1.0, cube, slot, *LIES[number], 1.0, 80.0)
        for cube, slot, number in zip("ABCD", SLOTS, (3, 9, 14, 21), strict=True)
    ]
    wire._pump()
    desk = new_ice_cult()
    watches.append(CubeWatch(desk))
    wire._pump()
    assert not registered()
    cubes = desk.view(None)["cubes"]
    for t, slot in enumerate(SLOTS, 2):
        assert not registered()
        reader.says = [CubePose(float(t), cubes[slot]["cube"], slot, "U", "N", 1.0, 80.0)]
        wire._pump()
    assert registered()
    assert watches[-1].differences() == ()
    desk = new_ice_cult(name="evening-2")  # from now on they are known
    watches.append(CubeWatch(desk))
    wire._pump()
    assert not registered()
    assert all(watches[-1].lies(slot) == (c["up"], c["north"]) for slot, c in cubes.items())
