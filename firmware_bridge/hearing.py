"""The receiving side of a link: its bytes as packets, protocol and speed, and counts of good and bad frames."""

from __future__ import annotations

from firmware_bridge import detecting
from firmware_bridge.decoding import Decoder
from firmware_bridge.packets import Packet


class Hearing:
    """For successive connections: feed it the bytes, and call `begin_anew` when the port was lost.

    Raises UnknownProtocol.
    """

    def __init__(self, protocol: str, baudrate: int | None) -> None:
        if protocol != "auto":
            detecting.make_decoder(protocol)  # refuse an unknown name immediately
        self.asked = protocol
        self.before = None if protocol == "auto" else protocol  # the protocol of earlier connections
        self.heard = 0  # bytes of the present connection
        self.understood = 0  # packets of the present connection
        self._speeds = list(detecting.speeds_of(protocol) if baudrate is None else (baudrate,))
        self._decoder = self._new_decoder()
        self._frames = self._bad = self._packets = 0  # of earlier connections

    @property
    def protocol(self) -> str | None:
        """The protocol, once it is detected."""
        if self.asked != "auto" or not isinstance(self._decoder, detecting.Detector):
            return self.asked
        return None if self._decoder.chosen is None else self._decoder.name

    @property
    def speed(self) -> int:
        """The speed that it listens at now."""
        return self._speeds[0]

    @property
    def good_frames(self) -> int:
        """Good frames of the present connection."""
        d = self._decoder
        return d.chosen.frames if isinstance(d, detecting.Detector) and d.chosen else d.frames

    @property
    def frames(self) -> int:
        """Good frames over all connections."""
        return self._frames + self.good_frames

    @property
    def packets(self) -> int:
        """Packets over all connections; some sensors need several frames for one, or send none that makes one."""
        return self._packets + self.understood

    @property
    def bad(self) -> int:
        """Damaged frames over all connections."""
        d = self._decoder
        return self._bad + d.bad + (d.chosen.bad if isinstance(d, detecting.Detector) and d.chosen else 0)

    def feed(self, data: bytes) -> list[Packet]:
        """Takes bytes; returns the packets that they complete."""
        self.heard += len(data)
        out = self._decoder.feed(data)
        self.understood += len(out)
        return out

    def other_speed(self, now: float) -> int | None:
        """The next speed to listen at, where bytes keep coming that make no sense at this one."""
        decoder = self._decoder
        if not isinstance(decoder, detecting.Detector) or not decoder.wrong_speed(now):
            return None
        decoder.start_over()
        if len(self._speeds) == 1:
            return None
        self._speeds.append(self._speeds.pop(0))
        return self.speed

    def why_nothing(self) -> str:
        """Why nothing was understood, for a connection without any packet."""
        if self.good_frames:
            return f"it speaks {self.protocol}, but {detecting.NO_READINGS}"
        what = "none of our protocols: wrong device or wrong speed"
        if self.asked != "auto":
            what = f"nothing of {self.asked}: wrong device, protocol or speed"
        return f"{self.heard} bytes came, but {what}" if self.heard else "nothing came"

    def begin_anew(self) -> None:
        """The connection is over; another one will follow."""
        self.before = self.protocol or self.before
        self._frames, self._bad, self._packets = self.frames, self.bad, self.packets
        self._decoder = self._new_decoder()
        self.heard = self.understood = 0

    def _new_decoder(self) -> Decoder:
        if self.asked == "auto":
            return detecting.Detector()
        return (
            detecting.Detector((self.asked,)) if len(self._speeds) > 1 else detecting.make_decoder(self.asked)
        )
