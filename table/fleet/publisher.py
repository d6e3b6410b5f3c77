"""Publishes a table's events to a broker: from the outbox of its journal, in order, until the broker has them.

The path of one event: entry and event in one transaction → sent with QoS 1 → acknowledged → the outbox moves on. Every
connection starts at the last acknowledgement, so nothing is lost, and a repeated event has the same id. A hub that
misses events asks (`…/again`), and the table sends from there on again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from firmware_bridge.clock import Clock
from table.fleet import discovery
from table.fleet.address import Address, Message, Will
from table.fleet.broker import Connection, connect
from table.fleet.errors import BrokerRefused, FleetError, JournalTwice, NameTaken
from table.fleet.messages import Again, Online, State, topic
from table.fleet.packing import pack, told, wish
from table.journal.outbox import Outbox
from table.version import version

FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0  # between two attempts
STEADY_S = 30.0  # a connection that lasted this long was a good one
GRACE_S = 5.0  # a broker that is back this soon does not count as away
GOODBYE_S = 1.0
CLAIM_S = 2.0  # how long a rival with our name may take to answer
AGAIN_S = 2.0  # rate limit: a hub's request to send everything again is granted at most this often

Standing = Callable[[], Mapping[str, Any]]  # what `State` has besides the journal's own numbers
Tell = Callable[[FleetError | None], None]  # called once when the broker goes, and with None when it is back


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table stands in the fleet."""

    broker: Address
    table: str
    title: str
    prefix: str = "polartable"
    discovery: str = "homeassistant"  # Home Assistant's discovery prefix; empty: no discovery


class Publisher:
    """Publishes for one table. Call `wake` after everything that may be worth publishing; cancel `run` to end it."""

    def __init__(self, place: Place, outbox: Outbox, standing: Standing, tell: Tell, clock: Clock) -> None:
        self.place, self.outbox = place, outbox
        self._standing, self._tell, self._clock = standing, tell, clock
        self._run = secrets.token_hex(8)
        self._awake = asyncio.Event()
        self._fault: FleetError | None = None
        self._since, self._said = clock.now(), False  # of the present kind of fault
        self._complained = False  # a fault was reported, and its end not yet
        self._next = outbox.reached + 1
        self._granted = -AGAIN_S
        self._rival: Online | None = None  # another table that has our name
        self._claimed: float | None = None  # since when the name is ours, even while the broker is away
        self._echo = asyncio.Event()
        self._told: bytes | None = None
        self._asked = False  # somebody asked whether we are there

    def wake(self) -> None:
        self._awake.set()

    async def run(self) -> None:
        wait = FIRST_WAIT_S
        while True:
            began, fault = self._clock.now(), None
            try:
                await self._session()
            except FleetError as error:
                fault = error
            except sqlite3.Error as error:
                fault = FleetError(
                    f"the outbox in the journal cannot be used ({error})", "make room on the disk"
                )
            self._note(fault)
            steady = self._clock.now() - began > STEADY_S
            wait = FIRST_WAIT_S if steady else min(2 * wait, LONGEST_WAIT_S)
            await self._clock.sleep(wait)

    def _note(self, fault: FleetError | None) -> None:
        """Report a fault once; a connection that is soon back is not worth a sentence."""
        if fault is None:  # the name is free again: our return is reported once we are back
            self._fault = None
            return
        if isinstance(fault, (NameTaken, JournalTwice)):
            self._claimed = None
        now = self._clock.now()
        if type(fault) is not type(self._fault):
            self._since, self._said = now, False
        self._fault = fault
        ours = isinstance(fault, (BrokerRefused, NameTaken, JournalTwice))
        if not self._said and (ours or now - self._since >= GRACE_S):
            self._said = self._complained = True
            self._tell(fault)

    async def _session(self) -> None:
        place, book = self.place, self.outbox.book
        self._rival, self._told = None, None
        gone = Online(table=place.table, book=book, online=False, run=self._run)
        # while another table has our name, connect without a will and only look whether it is still there
        looking = isinstance(self._fault, (NameTaken, JournalTwice))
        will = None if looking else Will(self._topic("online"), pack(gone))
        async with connect(place.broker, f"polartable-{self._run}", self._hear, self.wake, will) as link:
            await link.subscribe(topic(place.prefix, "+", "online"), self._topic("again"))
            await self._claim(link)
            if looking:
                return  # the name is free again: the next session takes it
            self._next = self.outbox.reached + 1
            if place.discovery:
                found = discovery.config(place.prefix, place.table, place.title, version())
                where = discovery.config_topic(place.discovery, place.table)
                await link.publish(where, json.dumps(found).encode(), retain=True)
            if self._complained:
                self._tell(None)
            self._fault, self._said, self._complained = None, False, False
            try:
                await self._tell_on(link)
            except asyncio.CancelledError:
                await self._goodbye(link)
                raise
            raise link.lost or FleetError("the connection ended", "it is opened again by itself")

    async def _tell_on(self, link: Connection) -> None:
        """Publish whatever happens, as it happens, until the connection is lost."""
        while link.lost is None:
            self._awake.clear()
            if not await self._send_some(link):
                await self._send_state(link)
                await self._awake.wait()
            if self._rival is not None:
                await self._dispute(self._rival)
            if self._asked:
                self._asked = False
                await self._say_online(link)

    async def _goodbye(self, link: Connection) -> None:
        """The table is closed, not lost: publish that instead of the last will, if the broker answers quickly."""
        closed = Online(
            table=self.place.table, book=self.outbox.book, online=False, run=self._run, closed=True
        )
        with contextlib.suppress(FleetError, TimeoutError):
            async with asyncio.timeout(GOODBYE_S):
                await link.publish(self._topic("online"), pack(closed), retain=True)
                await link.leave()

    async def _claim(self, link: Connection) -> None:
        """Claim the table's name. Raises `NameTaken` if its owner answers.

        A table that claims the name for the first time yields to any owner. One that already had it before the broker
        went away compares ages with its rival, and the elder keeps the name: tables come back in any order, often the
        elder last.
        """
        await self._all_heard(link)
        if self._rival is not None:
            rival, self._rival = self._rival, None
            await link.publish(topic(self.place.prefix, rival.table, "again"), wish(rival.table, rival.book))
            await self._clock.sleep(CLAIM_S)
            if self._rival is not None and (self._claimed is None or self._is_ahead(self._rival)):
                raise self._taken(self._rival)
            self._rival = None  # what we publish now makes it yield
        if isinstance(self._fault, (NameTaken, JournalTwice)):
            return
        if self._claimed is None:
            self._claimed = self._clock.now()
        await self._say_online(link)

    async def _all_heard(self, link: Connection) -> None:
        """Wait until all retained messages have come.

        They come after the answer to a subscription, and before the message that we send to ourselves.
        """
        self._echo.clear()
        where = self._topic("again")
        await link.publish(where, wish(self.place.table, self.outbox.book))
        try:
            async with asyncio.timeout(link.address.answer_s):
                await self._echo.wait()
        except TimeoutError:
            if link.lost is not None:
                raise link.lost from None
            raise BrokerRefused(
                f"the broker at {link.address} took a message to {where} and does not let us hear it",
                "let this user read and write under its own topics in the broker's access list (docs/fleet.md)",
            ) from None

    async def _say_online(self, link: Connection) -> None:
        online = Online(
            table=self.place.table,
            book=self.outbox.book,
            online=True,
            run=self._run,
            held_s=round(self._held_s(), 1),
        )
        await link.publish(self._topic("online"), pack(online), retain=True)

    async def _dispute(self, rival: Online) -> None:
        """Another table has claimed our name as well."""
        if self._is_ahead(rival):
            raise self._taken(rival)
        self._rival, self._told, self._asked = None, None, True

    def _is_ahead(self, rival: Online) -> bool:
        """Whether the rival keeps the name: the elder does; of two that came together, the one with the smaller id."""
        ours = self._held_s()
        if abs(ours - rival.held_s) < CLAIM_S:
            return (rival.book, rival.run) < (self.outbox.book, self._run)
        return rival.held_s > ours

    def _held_s(self) -> float:
        return 0.0 if self._claimed is None else self._clock.now() - self._claimed

    def _taken(self, rival: Online) -> FleetError:
        if rival.book == self.outbox.book:
            return JournalTwice(
                f"table {rival.table!r} at {self.place.broker} has the same journal as this one: a copied card",
                "give one of the two a new one: [journal] file",
            )
        return NameTaken(
            f"another table is called {self.place.table!r} at {self.place.broker}",
            "give this one another name: [fleet] table; its events wait in its journal",
        )

    async def _send_some(self, link: Connection) -> bool:
        """Send the next events, up to a full window; False if there are none."""
        start = self._next
        place, outbox = self.place, self.outbox
        events = outbox.after(start - 1, link.window)
        if not events:
            return False
        where = self._topic("event")
        await link.acknowledged(
            *[link.send(where, pack(told(place.table, outbox.book, event))) for event in events]
        )
        if self._next == start:  # else a hub has asked in the meantime for earlier ones: that has priority
            self._next = events[-1].n + 1
        self.outbox.reach(events[-1].n)
        return True

    async def _send_state(self, link: Connection) -> None:
        outbox, place = self.outbox, self.place
        state = State.model_validate(
            dict(self._standing())
            | {"table": place.table, "book": outbox.book, "title": place.title, "version": version()}
            | {"n": outbox.newest, "oldest": outbox.oldest}
        )
        payload = pack(state)
        if payload != self._told:
            await link.publish(self._topic("state"), payload, retain=True)
            self._told = payload

    def _hear(self, message: Message) -> None:
        try:
            if message.topic == self._topic("again"):
                self._heard_again(Again.model_validate_json(message.payload))
            elif message.payload:
                self._heard_online(Online.model_validate_json(message.payload))
        except ValidationError:
            return  # not one of our messages: ignore it

    def _heard_online(self, online: Online) -> None:
        """Another instance of a table that has our name, or (a copied card) our journal."""
        ours = online.table == self.place.table
        if online.run == self._run or not (ours or online.book == self.outbox.book):
            return
        if online.online:
            self._rival = online
        elif ours:
            # its last will has replaced our retained message
            self._rival, self._told, self._asked = None, None, True
        self.wake()

    def _heard_again(self, again: Again) -> None:
        if again.book != self.outbox.book:
            return
        if again.start == 0:
            self._echo.set()
            self._asked = True
            self.wake()
            return
        if self._clock.now() - self._granted < AGAIN_S:
            return
        self._granted = self._clock.now()
        if 0 < again.start < self._next:
            self._next = again.start
        self._told = None  # whoever asks wants the table's state, too
        self.wake()

    def _topic(self, what: str) -> str:
        return topic(self.place.prefix, self.place.table, what)
