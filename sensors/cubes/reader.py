"""From ports to evidence: the bridge's threads below, the follower above, and one queue of events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

from firmware_bridge.bridge import Bridge
from firmware_bridge.clock import Clock
from firmware_bridge.errors import UsageError
from firmware_bridge.node_words import NodeTold, NodeWords
from firmware_bridge.samples import BridgeEvent, LinkChange, LinkCount, NodeSaid
from sensors.cubes.follow import CubeFollower, NodeKey, Seat
from sensors.cubes.strangers import Strangers
from sensors.evidence import CubeEvidence

CubeEvent = CubeEvidence | LinkChange | NodeTold
_LAG_S = 0.25  # samples up to this old may still be on their way, so waiting changes are judged at that time


class CubeReader:
    """Reads cubes on `ports`. A context manager; `poll` is for threads and scripts, `events` for asyncio.

    Opening raises PortError where none of the ports can be opened, UsageError for no port or for one given twice.
    """

    def __init__(
        self,
        ports: Sequence[str],
        protocol: str = "auto",
        *,
        clock: Clock,
        seats: Mapping[NodeKey | str, Seat] | None = None,
        starts: Mapping[str, int] | None = None,
        baudrate: int | None = None,
    ) -> None:
        if not ports:
            raise UsageError("no port was given", "name the serial ports of the cubes, or `mock`")
        twice = {p for p in ports if list(ports).count(p) > 1}
        if twice:
            raise UsageError(f"{', '.join(sorted(twice))} was given twice", "name each port once")
        self._clock = clock
        self.bridge = Bridge(ports, protocol, clock, baudrate=baudrate)
        self.follower = CubeFollower(ports, seats, starts=starts)
        self._words = NodeWords()
        self._strangers = Strangers()

    def __enter__(self) -> CubeReader:
        self.bridge.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all ports; safe to call twice."""
        self.bridge.close()

    def finish(self) -> list[CubeEvent]:
        """Close all ports; returns the events still on their way, and the changes whose partner can no longer come."""
        self.close()
        return [*self.poll(), *self.follower.finish()]

    def poll(self, timeout: float = 0.0) -> list[CubeEvent]:
        """What has happened since the last call; waits up to `timeout` real seconds for an event."""
        out: list[CubeEvent] = []
        for event in self.bridge.take(timeout):
            out += self._take(event)
        out += self.follower.settle(self._clock.now() - _LAG_S)
        return out

    async def events(self) -> AsyncIterator[CubeEvent]:
        """All events, endlessly; cancel the task to leave."""
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()

        def wake() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(ready.set)

        self.bridge.on_event(wake)
        while True:
            for event in self.poll():
                yield event
            try:
                # waiting changes must be judged in silence, too; before Python 3.12 `wait_for` could lose a
                # cancellation
                async with asyncio.timeout(0.1):
                    await ready.wait()
            except TimeoutError:
                continue
            ready.clear()
            await asyncio.sleep(0.01)  # frames come in bursts: wake up once for many

    def counts(self) -> list[LinkCount]:
        """The quality of each wire so far."""
        return self.bridge.counts()

    def _take(self, event: BridgeEvent) -> Sequence[CubeEvent]:
        if isinstance(event, LinkChange):
            return [event]
        words: list[CubeEvent] = list(self._words.heard(event)) if isinstance(event, NodeSaid) else []
        return [*words, *self._strangers.heard(event), *self.follower.feed(event)]
