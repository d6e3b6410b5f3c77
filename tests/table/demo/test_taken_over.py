"""Somebody sits down in the demo while the seat's simulated player is in the middle of a turn: the rest is theirs."""

from __future__ import annotations

import asyncio

import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles.profile import load_shipped
from table.demo.ice_cult import IceCultTable
from table.demo.igloo_pop import IglooPopTable
from table.desk.desk import Desk
from table.games import GAMES
from table.journal.store import Journal
from table.senses.live import LiveCubes, LiveEar
from table.trainer.rattles import Rattles


def desk_of(game: str, clock: VirtualClock, players: list[str]) -> Desk:
    options = {"mode": "physical"}
    return Desk.new(
        Journal(None), GAMES, clock, name="one", game=game, players=players, seed=1, options=options
    )


async def passed(clock: VirtualClock, seconds: float, *running: asyncio.Future[None]) -> None:
    for _ in range(round(seconds / 0.02)):
        await clock.advance(0.02)
        assert not any(task.done() for task in running)


async def test_a_turn_of_ice_cult_is_not_finished_for_them() -> None:
    clock = VirtualClock()
    desk = desk_of("ice-cult", clock, ["yellow", "red"])
    table = IceCultTable(desk, clock, 1, LiveCubes())
    table.open()

    def tilted() -> bool:
        return len(desk.sitting.steps) > 0

    tasks = [asyncio.ensure_future(one) for one in (table.pump(), table.run(lambda seat: tilted()))]
    try:
        for _ in range(60):
            await passed(clock, 0.5, *tasks)
            if tilted():
                break
        assert len(desk.sitting.steps) == 1
        await passed(clock, 8.0, *tasks)
        assert len(desk.sitting.steps) == 1
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        table.close()


async def test_nor_is_an_igloo_put_on_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, shaken = VirtualClock(), list[str]()
    desk = desk_of("igloo-pop", clock, ["red", "blue"])
    table = IglooPopTable(desk, clock, 1, LiveEar(), Rattles(1, beside=False), load_shipped("microphone"))

    async def shake(seat: str, letter: str) -> None:
        shaken.append(seat)

    monkeypatch.setattr(table, "shake", shake)
    task = asyncio.ensure_future(table.run(1, lambda seat: seat in shaken))
    try:
        await passed(clock, 30.0, task)
        assert set(shaken) == {"red", "blue"}
        hands = [igloo["by"] for igloo in desk.view(None)["igloos"].values() if igloo["at"] == "hand"]
        assert sorted(hands) == ["blue", "red"]  # what they had in hand they have still
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        table.close()
