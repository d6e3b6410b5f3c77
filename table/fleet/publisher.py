"""A table tells a broker what happens at it: from the outbox of its journal, in order, until the broker has it.

The way of one event: entry and event in one transaction → sent with QoS 1 → acknowledged → the outbox moves on. Every
connection begins where the last acknowledgement stood, so nothing is lost, and what is sent twice has the same id.
A hub that misses events asks (`…/again`), and the table goes back to where it asks from.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from pydantic import ValidationError

from firmware_bridge.clock import Clock
from table.fleet import discovery
from table.fleet.broker import Address, Connection, Message, Will, connect
from table.fleet.errors import FleetError, NameTaken
from table.fleet.messages import Again, Event, Online, State, topic
from table.journal.outbox import Outbox, Outgoing

FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0  # between two attempts
CLAIM_S = 2.0  # how long whoever has our name may take to say so
AGAIN_S = 2.0  # no more often than this is a hub's wish to hear everything once more granted

Standing = Callable[[], Mapping[str, Any]]  # what `State` has beside the journal's own numbers
Tell = Callable[[FleetError | None], None]  # called once when the broker goes, and with None when it is back


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table stands in the fleet."""

    broker: Address
    table: str
    title: str
    prefix: str = "polartable"
    discovery: str = "homeassistant"  # Home Assistant's prefix; empty: it is not told


class Publisher:
    """One table's voice. `wake` after everything that may be worth telling; `run` until cancelled."""

    def __init__(self, place: Place, outbox: Outbox, standing: Standing, tell: Tell, clock: Clock) -> None:
        self.place, self.outbox = place, outbox
        self._standing, self._tell, self._clock = standing, tell, clock
        self._awake = asyncio.Event()
        self._fault: FleetError | None = None
        self._next = outbox.reached + 1
        self._granted = -AGAIN_S
        self._rival: str | None = None  # the journal of another table that has our name
        self._told: bytes | None = None
        self._asked = False  # somebody wants to know whether we are there

    def wake(self) -> None:
        self._awake.set()

    async def run(self) -> None:
        wait = FIRST_WAIT_S
        while True:
            try:
                await self._session()
                wait = FIRST_WAIT_S
            except FleetError as error:
                if type(error) is not type(self._fault):
                    self._fault = error
                    self._tell(error)
                    wait = FIRST_WAIT_S
            except sqlite3.Error as error:
                self._fault = FleetError(
                    f"the outbox in the journal cannot be used ({error})", "make room on the disk"
                )
                self._tell(self._fault)
            await self._clock.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT_S)

    async def _session(self) -> None:
        place, book = self.place, self.outbox.book
        self._rival, self._told = None, None
        gone = Online(table=place.table, book=book, online=False)
        # while another table has our name, only a look whether it is still there: our will must not speak for it
        looking = isinstance(self._fault, NameTaken)
        will = None if looking else Will(self._topic("online"), self._pack(gone))
        async with connect(place.broker, f"polartable-{book[:16]}", self._hear, self.wake, will) as link:
            await link.subscribe(self._topic("online"), self._topic("again"))
            await self._claim(link)
            if looking:
                self._fault = FleetError("the name is free again", "it is taken now")
                return
            self._next = self.outbox.reached + 1
            if place.discovery:
                found = discovery.config(place.prefix, place.table, place.title, _version())
                where = discovery.config_topic(place.discovery, place.table)
                await link.publish(where, json.dumps(found).encode(), retain=True)
            if self._fault is not None:
                self._fault = None
                self._tell(None)
            while link.lost is None:
                self._awake.clear()
                if not await self._send_some(link):
                    await self._send_state(link)
                    await self._awake.wait()
                if self._rival is not None:
                    await self._dispute()
                if self._asked:
                    self._asked = False
                    await self._say_online(link)
            raise link.lost

    async def _claim(self, link: Connection) -> None:
        """Take the table's name. Raises `NameTaken` where its owner answers."""
        if self._rival is not None:  # the retained message came with the subscription
            await link.publish(self._topic("again"), self._pack_again(self._rival))
            rival, self._rival = self._rival, None
            await self._clock.sleep(CLAIM_S)
            if self._rival == rival:
                raise self._taken()
        if not isinstance(self._fault, NameTaken):
            await self._say_online(link)

    async def _say_online(self, link: Connection) -> None:
        online = Online(table=self.place.table, book=self.outbox.book, online=True)
        await link.publish(self._topic("online"), self._pack(online), retain=True)

    async def _dispute(self) -> None:
        """Another table took our name in the same moment: the journal with the smaller id keeps it, and says so."""
        if self._rival is not None and self._rival < self.outbox.book:
            raise self._taken()
        self._rival, self._told, self._asked = None, None, True

    def _taken(self) -> NameTaken:
        return NameTaken(
            f"another table is called {self.place.table!r} at {self.place.broker}",
            "give this one another name: [fleet] table; its events wait in its journal",
        )

    async def _send_some(self, link: Connection) -> bool:
        """Send the next events, up to a window full; False where there are none."""
        start = self._next
        events = self.outbox.after(start - 1, link.window)
        if not events:
            return False
        where = self._topic("event")
        await link.acknowledged(*[link.send(where, self._event(event)) for event in events])
        if self._next == start:  # else a hub has asked meanwhile to go back: then that counts
            self._next = events[-1].n + 1
        self.outbox.reach(events[-1].n)
        return True

    async def _send_state(self, link: Connection) -> None:
        outbox, place = self.outbox, self.place
        state = State.model_validate(
            dict(self._standing())
            | {"table": place.table, "book": outbox.book, "title": place.title, "version": _version()}
            | {"n": outbox.newest, "oldest": outbox.oldest}
        )
        payload = self._pack(state)
        if payload != self._told:
            await link.publish(self._topic("state"), payload, retain=True)
            self._told = payload

    def _event(self, event: Outgoing) -> bytes:
        book = self.outbox.book
        numbers = {"table": self.place.table, "book": book, "id": f"{book}-{event.n}", "n": event.n}
        entry = {"seq": event.seq, "game": event.game, "kind": event.kind, "at": event.at}
        try:
            return self._pack(Event.model_validate({**event.telling, **numbers, **entry}))
        except ValidationError:  # a telling of another version: that it happened can still be told
            bare: dict[str, Any] = {
                "of": "",
                "players": [],
                "phase": "",
                "to_act": [],
                "over": None,
                "move": None,
                "said": [],
            }
            return self._pack(Event.model_validate({**bare, **numbers, **entry}))

    def _hear(self, message: Message) -> None:
        try:
            if message.topic == self._topic("online"):
                self._heard_online(Online.model_validate_json(message.payload))
            elif message.topic == self._topic("again"):
                self._heard_again(Again.model_validate_json(message.payload))
        except ValidationError:
            return  # not of our making, and nothing to us

    def _heard_online(self, online: Online) -> None:
        if online.online and online.book != self.outbox.book:
            self._rival = online.book
            self.wake()
        elif not online.online and online.book != self.outbox.book:
            self._rival = None
            self._told, self._asked = None, True  # the other one's last will stands where our word stood
            self.wake()

    def _heard_again(self, again: Again) -> None:
        if again.book != self.outbox.book:
            return
        if again.start == 0:
            self._asked = True
            self.wake()
        if self._clock.now() - self._granted < AGAIN_S:
            return
        self._granted = self._clock.now()
        if 0 < again.start < self._next:
            self._next = again.start
        self._told = None  # whoever asks wants to know how the table stands, too
        self.wake()

    def _topic(self, what: str) -> str:
        return topic(self.place.prefix, self.place.table, what)

    def _pack_again(self, book: str) -> bytes:
        return self._pack(Again.model_validate({"table": self.place.table, "book": book, "from": 0}))

    @staticmethod
    def _pack(message: Online | State | Event | Again) -> bytes:
        return message.model_dump_json(by_alias=True).encode()


def _version() -> str:
    try:
        return version("polartable")
    except PackageNotFoundError:
        return "unpacked"
