"""The hub's connection: receives messages, processes them in batches, asks for missing events, and reconnects."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from table.fleet.address import Address, Message
from table.fleet.broker import Connection, connect
from table.fleet.errors import BrokerRefused, FleetError, HubBook
from table.fleet.hub import Hub, Line
from table.fleet.messages import topic
from table.fleet.packing import wish

TICK_S = 1.0
WAIT_S = 2.0  # before the broker is tried again
TOGETHER = 500  # messages in one transaction
MOST_WAITING = 20_000  # messages in the queue; what does not fit is dropped and asked for again


class Following:
    """Follows all tables of a hub. `say` gets every line, once the event that it reports is on the disk."""

    def __init__(self, hub: Hub, broker: Address, identity: str, say: Callable[[Line], None]) -> None:
        self.hub, self.broker, self._identity, self._say = hub, broker, identity, say
        self.why: str | None = "the broker has not answered yet"  # None: the connection is sound
        self._last: type[Exception] | None = None  # the kind of failure that was reported last
        # our loopback topic: what we publish there comes back if we may read
        self._ourselves = topic(hub.prefix, identity, "again")
        self._heard = asyncio.Event()  # something arrived since we subscribed
        self._unasked: set[str] = set()  # topics on which the broker does not let us ask
        self._inbox: asyncio.Queue[Message | None] = asyncio.Queue(MOST_WAITING)

    async def run(self) -> None:
        """Run until cancelled."""
        while True:
            try:
                await self._session()
            except (FleetError, HubBook) as error:
                news = type(error) is not self._last
                self.why, self._last = str(error), type(error)
                if news:
                    self._state("lost")
                if isinstance(error, HubBook):
                    self._forget()
            await self.hub.clock.sleep(WAIT_S)

    async def _session(self) -> None:
        hub = self.hub
        while not self._inbox.empty():
            self._inbox.get_nowait()
        self._heard.clear()
        self._unasked.clear()
        async with connect(self.broker, self._identity, self._hear, self._lost, None) as link:
            hub.doubt()
            await link.subscribe(*hub.subscriptions(), self._ourselves)
            await self._greet(link)
            self.why, self._last = self._amiss(), None
            self._state("open")
            ticking = asyncio.create_task(self._tick())
            try:
                while link.lost is None:
                    await self._take(await self._inbox.get())
                    await self._ask(link)
            finally:
                ticking.cancel()
            raise link.lost

    async def _greet(self, link: Connection) -> None:
        """Check that we may read, by a message to ourselves: without read access a broker accepts subscriptions
        silently.

        Raises `BrokerRefused` if nothing at all arrives. If we may not even publish that, we cannot know until
        something arrives.
        """
        await self._wish(link, self._ourselves, wish(self._identity, "0" * 32))
        if self._unasked:
            return  # what was not delivered there does not come back either
        try:
            async with asyncio.timeout(self.broker.answer_s):
                await self._heard.wait()
        except TimeoutError:
            raise BrokerRefused(
                f"the broker at {self.broker} lets this hub hear nothing, not even what it says itself",
                f"let its user read {self.hub.prefix}/# in the broker's access list (docs/fleet.md)",
            ) from None
        if link.lost is not None:
            raise link.lost

    async def _ask(self, link: Connection) -> None:
        """Ask tables for missing events. If that is refused, we can still follow what they publish by themselves."""
        for where, what in self.hub.wishes():
            await self._wish(link, where, what)
        if link.lost is None and self.why != self._amiss():
            self.why = self._amiss()
            self._state("open")

    async def _wish(self, link: Connection, where: str, what: bytes) -> None:
        try:
            await link.publish(where, what)
        except BrokerRefused:
            self._unasked.add(where)
        else:
            self._unasked -= {where, self._ourselves}

    def _amiss(self) -> str | None:
        """What the open broker withholds from us."""
        asking = f"{self.hub.prefix}/+/again in the broker's access list (docs/fleet.md)"
        refused = f"the broker at {self.broker} turns away wishes of this hub"
        if not self._heard.is_set():
            may = f"let its user read {self.hub.prefix}/# and write {asking}"
            return str(BrokerRefused(f"{refused}, which has heard nothing yet", may))
        if self._unasked:
            why = f"{refused}, with which it asks tables for what it lacks"
            return str(BrokerRefused(why, f"let its user write {asking}"))
        return None

    def _state(self, state: str) -> None:
        why = {} if self.why is None else {"why": self.why}
        self._say({"event": "hub", "state": state, "broker": str(self.broker)} | why)

    async def _take(self, first: Message | None) -> None:
        messages = [first]
        while len(messages) < TOGETHER and not self._inbox.empty():
            messages.append(self._inbox.get_nowait())
        lines: list[Line] = []
        with self.hub.book.together():
            for message in messages:
                if message is not None:
                    lines += self.hub.take(message)
        lines += self.hub.overdue(self._unasked)
        for line in lines:
            self._say(line)
        await asyncio.sleep(0)  # lets the page run between two full batches

    def _hear(self, message: Message) -> None:
        self._heard.set()
        if message.topic != self._ourselves and not self._inbox.full():
            self._inbox.put_nowait(message)

    def _lost(self) -> None:
        self._heard.set()  # wakes whoever waits for it
        self._wake()

    def _wake(self) -> None:
        if self._inbox.empty():
            self._inbox.put_nowait(None)

    async def _tick(self) -> None:
        while True:
            await self.hub.clock.sleep(TICK_S)
            self._wake()

    def _forget(self) -> None:
        """Discard what could not be written: it does not count as taken."""
        try:
            self.hub.reload()
        except HubBook:
            self.hub.streams.clear()
