"""A table with real wires: cubes behind pseudo-terminals, read by the real bridge; a cable pulled in mid-turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.clock import SystemClock
from hw_mock.cubes import SimulatedTable
from table.config import Settings
from table.door.access import Access
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.table.waiting import until


def room_with(journal: Path, clock: SystemClock, ports: list[str]) -> TableRoom:
    settings = Settings(cubes={"ports": tuple(ports), "protocol": "polar"})
    return TableRoom(settings, clock, Journal(journal), Access(clock, lan=False))


async def test_cubes_are_followed_a_pulled_cable_pauses_and_the_game_goes_on(tmp_path: Path) -> None:
    clock = SystemClock()
    async with SimulatedTable(clock, seed=3, links=tmp_path) as cubes:
        room = room_with(tmp_path / "book.sqlite", clock, cubes.ports)
        room.start()
        try:
            assert room.watch is not None
            watch = room.watch
            await until(
                lambda: len(watch.poses) == 4 and watch.differences() == (), "all cubes lie as set up"
            )
            await cubes.hands.tilt("n", "S")
            await until(lambda: len(room.desk.sitting.steps) == 1, "the tilt is taken")
            assert room.desk.sitting.steps[0].move == "tilt n>S"
            assert room.desk.sitting.steps[0].by == "cubes"
            assert room.health()["healthy"]

            cubes.port("NE").unplug()
            await until(lambda: not room.health()["healthy"], "the page says that a cable is missing")
            assert len(room.asleep()) == 1
            assert "cube" in room.asleep()[0]
            await cubes.hands.tilt("w", "E")  # cubes on whole cables are still followed
            await until(lambda: len(room.desk.sitting.steps) == 2, "a tilt of other cubes is taken")

            cubes.port("NE").plug()
            await until(lambda: room.health()["healthy"], "it goes on by itself when the cable is back")
            said = [s.text for s in room.desk.said if s.event == "source"]
            assert any("it is back" in text for text in said)
        finally:
            await room.stop()


async def test_ports_that_are_not_there_leave_the_table_playable(tmp_path: Path) -> None:
    clock = SystemClock()
    room = room_with(tmp_path / "book.sqlite", clock, [str(tmp_path / "no-port")])
    room.start()
    try:
        await until(lambda: room.asleep() != [], "the missing port is said")
        assert "no-port" in room.asleep()[0]
        await room.act("ice-cult", None, "tilt n>S")
        assert [s.move for s in room.desk.sitting.steps] == ["tilt n>S"]
    finally:
        await room.stop()


async def test_a_table_that_is_started_again_plays_on_and_compares_the_cubes(tmp_path: Path) -> None:
    """The cubes lay as set up when the table went down after one tilt by hand: it asks, and does not guess."""
    clock = SystemClock()
    first = room_with(tmp_path / "book.sqlite", clock, [])
    await first.act("ice-cult", None, "tilt n>S")
    await first.stop()
    again = room_with(tmp_path / "book.sqlite", clock, [])
    assert [s.move for s in again.desk.sitting.steps] == ["tilt n>S"]
    assert again.desk.said[-1].event == "resumed"
    await again.stop()


async def test_one_silent_cube_of_four_on_a_dongle_is_named_and_the_others_are_followed(
    tmp_path: Path,
) -> None:
    clock = SystemClock()
    async with SimulatedTable(clock, seed=4, wiring="dongle", links=tmp_path) as cubes:
        room = room_with(tmp_path / "book.sqlite", clock, cubes.ports)
        room.start()
        try:
            watch = room.watch
            assert watch is not None
            await until(lambda: len(watch.poses) == 4, "all cubes are felt")
            assert room.health()["healthy"]
            cubes.wire("SE").set(drop=1.0)  # its battery is empty: the dongle goes on talking of the others
            await until(lambda: not room.health()["healthy"], "the silent cube is missed")
            assert len(room.asleep()) == 1
            assert "(SE)" in room.asleep()[0]
            assert "look at its battery" in room.asleep()[0]
            cubes.wire("SE").set(drop=0.0)
            await until(lambda: room.health()["healthy"], "it goes on by itself when the cube is back")
        finally:
            await room.stop()


async def test_a_battery_that_is_low_is_told_before_its_cube_falls_silent(tmp_path: Path) -> None:
    clock = SystemClock()
    async with SimulatedTable(clock, seed=4, wiring="dongle", links=tmp_path) as cubes:
        cubes.nodes["NE"].battery_mv = 3350.0
        room = room_with(tmp_path / "book.sqlite", clock, cubes.ports)
        room.start()
        try:
            low = "cube 2: its battery is low (3.35 V) – charge it"
            await until(lambda: any(low in s.text for s in room.desk.said), "the battery is told")
            assert room.health()["healthy"]  # the game goes on
        finally:
            await room.stop()


@pytest.mark.parametrize("mode", ["physical", "digital"])
def test_a_table_has_a_box_unless_the_settings_say_that_the_referee_shuffles(
    tmp_path: Path, mode: str
) -> None:
    file = tmp_path / "table.toml"
    options = 'options = { mode = "digital" }\n' if mode == "digital" else ""
    file.write_text(f'[game]\nname = "igloo-igloo"\nplayers = ["red", "blue"]\n{options}')
    clock = SystemClock()
    room = TableRoom(Settings.read(file), clock, Journal(None), Access(clock, lan=False))
    view = room.desk.view(None)
    assert view["options"]["mode"] == mode
    # in digital play the first fish are drawn by the referee, else they are asked for
    assert (view["phase"] == "draws") == (mode == "physical")
    assert (len(view["fish"]) == 4) == (mode == "digital")
