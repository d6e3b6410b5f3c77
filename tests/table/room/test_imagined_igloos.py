"""Igloo Pop without igloos (`mode = "digital"`) at a table with microphones: nothing that they hear belongs to it."""

from __future__ import annotations

import asyncio

import pytest

from firmware_bridge.clock import VirtualClock
from sensors.evidence import Pressed
from table.config import Settings
from table.door.access import Access
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.table.shakes import heard


@pytest.fixture
def table(clock: VirtualClock) -> TableRoom:
    """The referee has dealt, the round is counted in, red holds an igloo and has a microphone."""
    settings = Settings(
        game={"name": "igloo-pop", "players": ["red", "blue"], "options": {"mode": "digital"}},
        ear={"sources": {"red": "USB Audio"}},
    )
    table = TableRoom(settings, clock, Journal(None), Access(clock, lan=False))
    assert table.desk.play("count")
    assert table.desk.play("grab red A", "red")
    return table


async def checked(table: TableRoom) -> list[str]:
    """Red places it on a card and the shaking ends; all that is said of it."""
    before = len(table.desk.said)
    for move in ("place red 3", "pass red", "pass blue"):
        assert table.desk.play(move)
    await asyncio.sleep(0.01)
    return [said.event for said in table.desk.said[before:]]


async def test_nobody_is_asked_to_look_underneath(table: TableRoom) -> None:
    assert await checked(table) == ["placed", "passed", "passed", "shaking-ended"]
    assert table.desk.question is None
    assert table.desk.play("resolve")
    await asyncio.sleep(0.01)
    assert table.desk.question is None
    assert table.desk.view(None)["round"] == 2


async def test_what_a_microphone_hears_is_the_count_of_none_of_them(
    table: TableRoom, clock: VirtualClock
) -> None:
    await clock.advance(5.0)
    table._heard("red", heard("red", {5: 0.999}, "sure"))
    assert await checked(table) == ["placed", "passed", "passed", "shaking-ended"]
    assert table.desk.question is None
    assert table.desk.play("resolve")
    assert "ear-report" not in {said.event for said in table.desk.said}


async def test_nothing_is_said_of_noises(table: TableRoom, clock: VirtualClock) -> None:
    await clock.advance(5.0)
    before = list(table.desk.said)
    table._heard("blue", heard("blue", {5: 0.9}))
    table._heard("red", heard("red", {}, "not-a-shake"))
    assert table.desk.said == before
    assert table.ear.round not in (
        None,
        table.desk.view(None)["round"],
    )  # nor does the page tell what is amiss with it


async def test_buttons_pass_and_have_the_cards_checked(table: TableRoom) -> None:
    assert table.pop is not None
    assert table.desk.play("return red")
    for seat in ("red", "blue"):
        assert table.pop.ears.pressed(Pressed(1.0, seat))
    assert table.desk.view(None)["phase"] == "resolving"
    assert table.pop.ears.pressed(Pressed(2.0, "red"))
    assert table.desk.view(None)["round"] == 2


async def test_a_giant_passes_for_he_has_heard_nothing(table: TableRoom, clock: VirtualClock) -> None:
    table.seat_giant("blue", "sharp")
    await clock.advance(5.0)
    table._heard("red", heard("red", {5: 0.999}, "sure"))
    assert table.desk.play("return red")
    assert table.desk.play("pass red")
    assert table.pop is not None
    for t in (0.0, 60.0):
        table.pop.ice_giants.tick(t)
    assert table.desk.sitting.steps[-1].move == "pass blue"
