"""The dongle on the host's USB: passes frames from the radio to the wire, and the host's to the radio, both unread.

It adds nothing, because every frame already names its node. It sends hello and status for itself as node 0.
"""

import polar_wire as wire
from node import Node

QUEUE = 32


class Dongle(Node):
    """`radio` has receive() → frame bytes or None, and transmit(frame); `send(bytes)` writes to the host."""

    kind = wire.DONGLE
    rate_hz = 0

    def __init__(self, board, send, radio):
        super().__init__(0, board, send, "dongle")
        self.radio = radio
        self._down = wire.Reader()

    def step(self, from_host=b""):
        for _ in range(QUEUE):
            data = self.radio.receive()
            if not data:
                break
            if not self._send(data):
                self.dropped += 1
        if from_host:
            self.hear(from_host)
            for kind, node, seq, us, payload in self._down.feed(from_host):
                if kind & 0x80 and node != 0:
                    self.radio.transmit(wire.frame(kind, node, seq, us, payload))
        self.regular(True, (1.0, 0.0, 0.0, 0.0))
