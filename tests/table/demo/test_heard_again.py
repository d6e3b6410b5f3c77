"""Igloo Pop in the demo, played from a page: what a person hears is the igloo in the own hand, and no other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any

import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Heard, Hearing
from table.demo.stage import Stage
from table.journal.store import Journal
from table.page.chairs import Chairs
from table.page.ear_panel import sentence
from table.page.panel_igloo_pop import IglooPopPanel
from table.page.texts import Texts
from table.trainer.rattles import SENSOR
from tests.table.shakes import CARDS, heard

ENGLISH = Texts("en")


class Round:
    """A round that was counted in. Red is played from a page; the simulated people wait for what the test does."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.stage = Stage(self.clock, Journal(None), 1, load_shipped(SENSOR), beside=False)
        self.pop = self.stage.new_pop()
        self.stage.cult = self.stage.new_cult()
        self.desk = self.pop.desk
        for slot, cards in enumerate(CARDS, 1):
            assert self.desk.play(f"deal {slot} {cards}")
        self.pop.mix()
        self.desk.play("count")
        self._tasks = [asyncio.ensure_future(self.pop.listen())]
        chairs = Chairs(self.stage, None, None, "", "this browser")
        chairs.sit("igloo-pop", "red")
        self.page = IglooPopPanel(self.stage, "igloo-pop", ENGLISH, chairs)

    def begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        self._tasks.append(asyncio.create_task(work))
        return self._tasks[-1]

    def tap(self, move: str) -> asyncio.Task[Any]:
        """Red does that at the page."""
        return self.begin(self.stage.act("igloo-pop", "red", move))

    async def passed(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.02)):
            await self.clock.advance(0.02)

    def offered(self) -> list[str]:
        """What the page offers red beside cards and igloos, in words."""
        return [offer.words for offer in self.page.offers(self.page.legal())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.pop.close()
        self.stage.cult.close()


@pytest.fixture
async def table() -> AsyncIterator[Round]:
    table = Round()
    yield table
    await table.close()


async def test_what_is_heard_again_is_the_igloo_in_the_hand(table: Round) -> None:
    again = ENGLISH["hand.listen"]
    table.tap("grab red A")
    await table.passed(6.0)
    assert again in table.offered()
    first = table.stage.rattle("red")
    await table.tap("return red")
    table.tap("grab red L")
    await table.passed(0.02)
    await table.passed(6.0)
    second = table.stage.rattle("red")
    assert second is not None
    assert second != first
    await table.tap("return red")
    assert table.desk.play("grab red A", "red")
    assert table.stage.rattle("red") == first


async def test_an_igloo_that_was_not_shaken_yet_cannot_be_heard_again(table: Round) -> None:
    again = ENGLISH["hand.listen"]
    table.tap("grab red A")
    await table.passed(6.0)
    await table.tap("return red")
    assert table.desk.play("grab red L", "red")
    assert table.stage.rattle("red") is None
    assert again not in table.offered()
    # nor is it, in the next round, that of an igloo which then had its letter
    await table.tap("return red")
    table.pop.mix()
    assert table.desk.play("grab red A", "red")
    assert again not in table.offered()


async def test_the_page_draws_anew_once_there_is_something_to_be_heard_again(table: Round) -> None:
    assert table.desk.play("grab red A", "red")
    assert ENGLISH["hand.listen"] not in table.offered()
    table.begin(table.pop.shake("red", "A"))
    drawn, offered = table.desk.version, list[str]()
    for _ in range(60):
        await table.passed(0.1)
        if table.desk.version != drawn:  # what the page draws
            drawn, offered = table.desk.version, table.offered()
    assert ENGLISH["hand.listen"] in offered


def of(table: Round, beads: int) -> str:
    """The igloo of so many beads in this round; with few of them one is not always heard."""
    return next(letter for letter, count in table.pop.beads.items() if count == beads)


async def blue_shakes(table: Round) -> str:
    """Another seat's igloo is being heard; which one."""
    letter = of(table, 8)
    assert table.desk.play(f"grab blue {letter}", "blue")
    table.begin(table.pop.shake("blue", letter))
    await table.passed(0.5)
    assert table.stage.ear.shaking
    return letter


async def test_an_igloo_that_is_put_onto_a_card_before_its_turn_is_not_shaken_there(table: Round) -> None:
    blues, told, shown = await blue_shakes(table), list[str](), set[str | None]()
    table.desk.listen(lambda said: told.append(said.event))
    table.tap(f"grab red {of(table, 9)}")
    await table.passed(0.1)
    await table.tap("place red 4")
    for _ in range(100):
        await table.passed(0.1)
        shown.add(table.stage.ear.letter)
    assert shown == {blues}
    assert "stray-shake" not in told
    assert table.pop.watch.counting().keys() == {blues}


async def test_a_shake_ends_where_the_igloo_is_put_down(table: Round) -> None:
    told = list[str]()
    table.desk.listen(lambda said: told.append(said.event))
    table.tap(f"grab red {of(table, 9)}")
    await table.passed(0.8)
    level = table.stage.ear.level_db
    assert level is not None
    await table.tap("place red 4")
    await table.passed(0.2)
    still = table.stage.ear.level_db
    assert still is not None
    assert still < level - 10.0  # it stands on its card
    await table.passed(5.0)
    assert "stray-shake" not in told


async def test_one_that_was_put_back_and_taken_again_is_shaken_once(table: Round) -> None:
    await blue_shakes(table)
    letter = of(table, 9)
    table.tap(f"grab red {letter}")
    await table.tap("return red")
    table.tap(f"grab red {letter}")
    await table.passed(15.0)
    assert len(table.pop.watch.counting()[letter]) == 1
    assert not table.stage.ear.shaking


async def test_the_page_asks_to_wait_until_the_igloo_was_heard(table: Round) -> None:
    await blue_shakes(table)
    table.tap(f"grab red {of(table, 9)}")
    drawn, words = table.desk.version, list[str]()
    for _ in range(150):
        await table.passed(0.1)
        if table.desk.version != drawn:  # what the page draws
            drawn = table.desk.version
            words.append(table.offered()[0])
    told = [ENGLISH[f"hand.{hint}_hint"] for hint in ("wait", "hear", "place")]
    assert list(dict.fromkeys(words)) == told


SO_FAR = Hearing("red", 0.0, 1.0, {3: 0.33, 4: 0.3, 5: 0.37}, -40.0, 1.0)


def red_is_heard(table: Round, *said: Heard | Hearing) -> Callable[[], str]:
    """Red shakes, and its ear says this, one thing a block, the last one for ever. Returns what the page says of it."""
    left = list(said)

    def hear(block: object) -> Iterator[Heard | Hearing]:
        if table.stage.ear.seat == "red":
            yield left.pop(0) if len(left) > 1 else left[0]

    table.pop._seats["red"].hear = hear  # type: ignore[method-assign, assignment]
    assert table.desk.play("grab red A", "red")
    return lambda: sentence(table.stage.ear.probabilities, table.stage.ear.verdict, ENGLISH)


async def test_so_far_does_not_outlive_a_shake_without_a_verdict(table: Round) -> None:
    words = red_is_heard(table, SO_FAR)
    table.begin(table.pop.shake("red", "A"))
    await table.passed(1.0)
    assert words().startswith("So far 5?")
    await table.passed(5.0)
    assert not table.stage.ear.shaking
    assert words() == ENGLISH["ear.no_shake"]


async def test_nor_one_that_was_broken_off(table: Round) -> None:
    words = red_is_heard(table, SO_FAR)
    shake = table.begin(table.pop.shake("red", "A"))
    await table.passed(1.0)
    shake.cancel()
    await table.passed(1.0)
    assert not table.stage.ear.shaking
    assert words() == ENGLISH["ear.no_shake"]


async def test_what_is_said_so_far_does_not_replace_the_verdict(table: Round) -> None:
    words = red_is_heard(table, SO_FAR, heard("red", {7: 0.99}, "sure"), SO_FAR)
    table.begin(table.pop.shake("red", "A"))
    await table.passed(5.0)
    assert table.stage.ear.verdict == "sure"
    assert "7: 99%" in words()


async def test_a_knock_takes_what_was_said_so_far_with_it(table: Round) -> None:
    words = red_is_heard(table, SO_FAR, heard("red", {}, "not-a-shake"))
    table.begin(table.pop.shake("red", "A"))
    await table.passed(1.0)
    assert table.stage.ear.shaking
    assert words() == ENGLISH["ear.waiting"]
