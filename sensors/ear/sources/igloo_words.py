"""What igloo nodes report about themselves, at all ports of this process.

Two ports may hear one board, and each report is given once, even when a port is reopened.
"""

from __future__ import annotations

import threading
from dataclasses import replace

from firmware_bridge.clock import SystemClock
from firmware_bridge.node_words import NodeTold, NodeWords
from firmware_bridge.samples import NodeSaid


class IglooWords:
    """A thread-safe `NodeWords` with one clock for all ports.

    Reports are timed by their arrival: two boards with one number have two clocks, which no clock fit can follow.
    """

    def __init__(self) -> None:
        self._clock = SystemClock()
        self._words = NodeWords()
        self._lock = threading.Lock()

    def heard(self, said: NodeSaid) -> list[NodeTold]:
        """What a person should know of it."""
        with self._lock:
            return self._words.heard(replace(said, t=self._clock.now()))

    def two_boards(self, port: str, node: int) -> bool:
        """Whether two boards use that number now."""
        with self._lock:
            return self._words.two_boards(port, node, self._clock.now())
