"""The hub's connection: hears, takes what came together, asks, and connects again for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from table.fleet.address import Address, Message
from table.fleet.broker import connect
from table.fleet.errors import FleetError, HubBook
from table.fleet.hub import Hub, Line

TICK_S = 1.0
WAIT_S = 2.0  # before the broker is tried again
TOGETHER = 500  # messages of one transaction
MOST_WAITING = 20_000  # messages not looked at yet; what is beyond is asked for again


class Following:
    """Follows all tables of a hub. `say` gets every line, after what it tells is on the disk."""

    def __init__(self, hub: Hub, broker: Address, identity: str, say: Callable[[Line], None]) -> None:
        self.hub, self.broker, self._identity, self._say = hub, broker, identity, say
        self.why: str | None = "the broker has not answered yet"  # None: the connection stands
        self._inbox: asyncio.Queue[Message | None] = asyncio.Queue(MOST_WAITING)

    async def run(self) -> None:
        """Until cancelled."""
        last: type[Exception] | None = None
        while True:
            try:
                await self._session()
            except (FleetError, HubBook) as error:
                if self.why is None or type(error) is not last:
                    line = {"event": "hub", "state": "lost", "broker": str(self.broker), "why": str(error)}
                    self._say(line)
                self.why, last = str(error), type(error)
                if isinstance(error, HubBook):
                    self._forget()
            await self.hub.clock.sleep(WAIT_S)

    async def _session(self) -> None:
        hub = self.hub
        while not self._inbox.empty():
            self._inbox.get_nowait()
        async with connect(self.broker, self._identity, self._hear, self._lost, None) as link:
            await link.subscribe(*hub.subscriptions())
            self.why = None
            self._say({"event": "hub", "state": "open", "broker": str(self.broker)})
            ticking = asyncio.create_task(self._tick())
            try:
                while link.lost is None:
                    await self._take(await self._inbox.get())
                    for topic, wish in hub.wishes():
                        await link.publish(topic, wish)
            finally:
                ticking.cancel()
            raise link.lost

    async def _take(self, first: Message | None) -> None:
        messages = [first]
        while len(messages) < TOGETHER and not self._inbox.empty():
            messages.append(self._inbox.get_nowait())
        lines: list[Line] = []
        with self.hub.book.together():
            for message in messages:
                if message is not None:
                    lines += self.hub.take(message)
        for line in lines:
            self._say(line)
        await asyncio.sleep(0)  # the page has its turn between two full hands

    def _hear(self, message: Message) -> None:
        if not self._inbox.full():
            self._inbox.put_nowait(message)

    def _lost(self) -> None:
        self._wake()

    def _wake(self) -> None:
        if self._inbox.empty():
            self._inbox.put_nowait(None)

    async def _tick(self) -> None:
        while True:
            await self.hub.clock.sleep(TICK_S)
            self._wake()

    def _forget(self) -> None:
        """What could not be written was not taken."""
        try:
            self.hub.reload()
        except HubBook:
            self.hub.streams.clear()
