"""What igloo nodes say of themselves, at whichever port of this process: two ports may hear one board, and what was
told once is told, also when a port is opened again."""

from __future__ import annotations

import threading
from dataclasses import replace

from firmware_bridge.clock import SystemClock
from firmware_bridge.node_words import NodeTold, NodeWords
from firmware_bridge.samples import NodeSaid


class IglooWords:
    """`NodeWords` for several threads, by one clock for all ports.

    What comes counts by when it came: two boards with one number have two clocks, and no line fits both.
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
        """Whether two boards call themselves by that number now."""
        with self._lock:
            return self._words.two_boards(port, node, self._clock.now())
