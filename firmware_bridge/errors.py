"""The common base of all errors that a user can meet, each with a number, a cause and a remedy.

Numbers: 1xx command line and settings, 2xx sound and recordings, 3xx ports and wires, 4xx profiles and fitting,
5xx cubes, 6xx journal, 7xx network and page. `docs/errors.md` has an entry for each.
"""

from __future__ import annotations

from typing import ClassVar

from firmware_bridge.host.shown import shown


class PolartableError(Exception):
    """What went wrong and where (`cause`), and the remedy (`mend`); `str()` is one sentence for a person."""

    number: ClassVar[int] = 100

    def __init__(self, cause: str, mend: str) -> None:
        super().__init__(cause, mend)
        # names of files are in them, and who reads them has a terminal
        self.cause = shown(cause)
        self.mend = shown(mend)

    def __str__(self) -> str:
        return f"PT-{self.number}: {self.cause} – {self.mend}"


class UsageError(PolartableError, ValueError):
    """An argument or option that makes no sense."""

    number = 101


class PortError(PolartableError, OSError):
    """A serial port that cannot be used as asked."""

    number = 300


class PortMissing(PortError):
    """There is no such port."""

    number = 301


class PortTaken(PortError):
    """Another process has the port open."""

    number = 302


class PortDenied(PortError):
    """The port is there, but this user may not open it."""

    number = 303


class PortUnusable(PortError):
    """It is not a serial port, or its address cannot be parsed."""

    number = 304


class PortSilent(PortError):
    """Nothing that we understand came from the port within the time limit."""

    number = 305


class WireError(PolartableError, ValueError):
    """A value that does not fit on the wire."""

    number = 310


class UnknownProtocol(PolartableError, ValueError):
    """A protocol that we do not support."""

    number = 311
