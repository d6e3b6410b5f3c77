"""Simulated serial ports: real pseudo-terminals that real pySerial opens, with a cable that can be pulled, and faults.

A pseudo-terminal ignores the baud rate, so the writer paces itself. When nobody reads, bytes are lost as on a real
line (`overflowed` counts them); a write never waits.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import os
import random
import termios
import tty
from dataclasses import dataclass, field, fields, replace
from pathlib import Path


class PtyPort:
    """One port: `name` is the path to open. `link`, if given, is a stable path to it, like udev's by-id."""

    def __init__(self, link: Path | None = None) -> None:
        self.link = link
        self.overflowed = 0
        self._master = self._slave = -1
        self.device = ""
        self.plug()

    @property
    def name(self) -> str:
        """The path under which a program opens the port."""
        return str(self.link) if self.link is not None else self.device

    @property
    def plugged(self) -> bool:
        return self._master >= 0

    @property
    def waiting(self) -> int:
        """Number of bytes that wait at the reader's end."""
        if self._slave < 0:
            return 0
        count = array.array("i", [0])
        fcntl.ioctl(self._slave, termios.FIONREAD, count)
        return count[0]

    def plug(self, link: Path | None = None) -> str:
        """Plug the cable in (again): a new device, usually under another name. Returns the name."""
        self.unplug()
        master, slave = os.openpty()
        tty.setraw(slave, termios.TCSANOW)
        os.set_blocking(master, False)
        self.device = os.ttyname(slave)
        self.link = link or self.link
        # not before: a thread that pumps would wait for ever in a read from a descriptor that still blocks
        self._slave, self._master = slave, master
        if self.link is not None:
            self.link.unlink(missing_ok=True)
            self.link.symlink_to(self.device)
        return self.name

    def unplug(self) -> None:
        """Pull the cable: the reader's next read fails. May be called twice."""
        ends = (self._master, self._slave)
        self._master = self._slave = -1  # first: once closed, the descriptor may belong to another file
        for fd in ends:
            if fd >= 0:
                os.close(fd)
        with contextlib.suppress(OSError):  # the link may be gone, or belong to another run by now
            if self.link is not None and str(self.link.readlink()) == self.device:
                self.link.unlink()

    close = unplug

    def write(self, data: bytes) -> None:
        """Send bytes towards the host; what does not fit is lost."""
        if not data or self._master < 0:
            return
        written = 0
        with contextlib.suppress(OSError):
            written = os.write(self._master, data)
        self.overflowed += len(data) - written

    def read(self) -> bytes:
        """What the host has sent since the last call."""
        if self._master < 0:
            return b""
        try:
            return os.read(self._master, 4096)
        except OSError:
            return b""


@dataclass(frozen=True, slots=True)
class Faults:
    """Faults of a wire, as shares (0…1). The default is a good wire. Raises ValueError for a value outside 0…1."""

    drop: float = 0.0  # frames that never arrive
    repeat: float = 0.0  # frames that arrive twice
    reorder: float = 0.0  # frames that swap places with the next
    flip: float = 0.0  # frames with one bit flipped
    garbage: float = 0.0  # frames with noise before them
    wrong_node: float = 0.0  # frames that carry another node's number
    slow_clock: float = 0.0  # a node's clock that runs slow by this share

    def __post_init__(self) -> None:
        for fault in fields(self):
            share = getattr(self, fault.name)
            if not 0 <= share <= 1:
                raise ValueError(f"{fault.name} is a share of 0 to 1, not {share}")


GOOD = Faults()


@dataclass(slots=True)
class FaultyWire:
    """Frames in, bytes out, with faults that can be commanded while it runs (`set`, `stall`)."""

    seed: int = 0
    faults: Faults = GOOD
    stalled_until: float = 0.0
    damaged: int = 0
    _random: random.Random = field(init=False)
    _waiting: list[bytes] = field(default_factory=list)
    _swapped: bytes | None = None

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def set(self, **shares: float) -> None:
        """Change faults by name; raises TypeError for an unknown name, ValueError for a value outside 0…1."""
        self.faults = replace(self.faults, **shares)

    def stall(self, until: float) -> None:
        """Hold everything back until the time `until`, then release it all at once."""
        self.stalled_until = until

    def carry(self, frames: list[bytes], now: float) -> bytes:
        """The bytes that come out at time `now`."""
        if self.faults is GOOD and not self._waiting and self._swapped is None and now >= self.stalled_until:
            return b"".join(frames)
        out = self._waiting
        for data in frames:
            out += self._damaged(data)
        if now < self.stalled_until:
            self._waiting = out[-4000:]  # a node's buffer is finite
            return b""
        self._waiting = []
        return b"".join(out)

    def _damaged(self, data: bytes) -> list[bytes]:
        f, dice = self.faults, self._random.random
        if dice() < f.drop:
            self.damaged += 1
            return []
        if dice() < f.flip:
            self.damaged += 1
            at = self._random.randrange(len(data) * 8)
            data = data[: at // 8] + bytes((data[at // 8] ^ 1 << at % 8,)) + data[at // 8 + 1 :]
        out = [data]
        if dice() < f.repeat:
            out.append(data)
        if dice() < f.garbage:
            out.insert(0, self._random.randbytes(self._random.randint(1, 40)))
        if self._swapped is not None:
            out.append(self._swapped)
            self._swapped = None
        elif dice() < f.reorder:
            self._swapped = out.pop()
        return out
