"""What igloo nodes report about themselves, at all ports of this process.

Two ports may hear one board, and each report is given once, even when a port is reopened.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import replace

from firmware_bridge.clock import SystemClock
from firmware_bridge.node_words import NodeTold, NodeWords
from firmware_bridge.samples import LinkCount, NodeSaid

DAMAGED_OF, DAMAGED = 100, 10  # frames: of so many, so many; with fewer lost, most shakes are still counted
DAMAGED_MEND = "look at its cable and plug; what passes it on must send bytes as they are, not as text"
DONGLE = 0  # the dongle's node number


class IglooWords:
    """A thread-safe `NodeWords` with one clock for all ports.

    Reports are timed by their arrival: two boards with one number have two clocks, which no clock fit can follow.
    """

    def __init__(self) -> None:
        self._clock = SystemClock()
        self._words = NodeWords()
        self._counts: dict[str, LinkCount] = {}  # of each port, when its last `DAMAGED_OF` frames began
        self._damaged: set[str] = set()  # ports that were reported
        self._lock = threading.Lock()

    def heard(self, said: NodeSaid) -> list[NodeTold]:
        """What a person should know of it."""
        with self._lock:
            return self._words.heard(replace(said, t=self._clock.now()))

    def two_boards(self, port: str, node: int) -> bool:
        """Whether two boards use that number now."""
        with self._lock:
            return self._words.two_boards(port, node, self._clock.now())

    def counted(self, counts: Iterable[LinkCount]) -> list[NodeTold]:
        """Whether much of what came at these ports lately is damaged. The air does not damage frames, it loses them: an
        igloo that is brought nearer does not help."""
        with self._lock:
            return [told for count in counts for told in self._line(count)]

    def _line(self, count: LinkCount) -> list[NodeTold]:
        port = count.port
        since = self._counts.get(port, LinkCount(port))
        if count.frames < since.frames or count.bad < since.bad:  # the port was opened anew
            since = self._counts[port] = LinkCount(port)
        good, bad = count.frames - since.frames, count.bad - since.bad
        if good + bad < DAMAGED_OF:
            return []
        self._counts[port] = count
        # where no frame is good, it is no line of ours
        if not good or bad * DAMAGED_OF < DAMAGED * (good + bad) or port in self._damaged:
            return []
        self._damaged.add(port)
        text = f"much of what comes at {port} is damaged"
        return [NodeTold(port, DONGLE, self._clock.now(), "warning", text, DAMAGED_MEND)]
