"""Opens a serial port through pySerial, exclusively, and explains a failure in one sentence."""

from __future__ import annotations

import errno
import os
import re
import sys
from pathlib import Path
from typing import Any, Protocol

from firmware_bridge.errors import PortDenied, PortError, PortMissing, PortTaken, PortUnusable

if sys.platform == "win32":
    OF_TERMINALS: tuple[type[Exception], ...] = ()
else:
    import termios

    # not an OSError, and pySerial passes it on: a port that disappears while it is opened or its speed is set
    OF_TERMINALS = (termios.error,)
READ_TIMEOUT_S = 0.1
_HINT = "run `polartable devices` to see what is plugged in"
# raised by Python for an address that pySerial cannot parse
_UNREAD = (ValueError, LookupError, TypeError, re.error)
_UNANSWERED = ("refused", "timed out", "unreachable", "not known", "resolution")  # parts of error messages


class Wire(Protocol):
    """The part of pySerial's interface that we use."""

    baudrate: int

    @property
    def in_waiting(self) -> int: ...

    def read(self, size: int = 1) -> bytes: ...

    def write(self, b: bytes, /) -> int | None: ...

    def close(self) -> None: ...


def is_url(port: str) -> bool:
    """Whether a port is a pySerial URL (`socket://host:port`, `rfc2217://…`, `loop://`), not a device."""
    return "://" in port


def open_port(port: str, baudrate: int = 115200) -> Wire:
    """The open port. Raises PortMissing, PortTaken, PortDenied or PortUnusable.

    `exclusive` is an advisory lock: a program that does not ask for it still gets in.
    """
    import serial

    check_device(port)
    try:
        wire: Any = serial.serial_for_url(port, do_not_open=True)
        wire.baudrate, wire.timeout = baudrate, READ_TIMEOUT_S
        if not is_url(port):  # some addresses refuse one of these (rfc2217 has no write timeout)
            wire.write_timeout, wire.exclusive = 1.0, True
        wire.open()
        opened: Wire = wire
        return opened
    except (serial.SerialException, ValueError, OSError, NotImplementedError, *OF_TERMINALS) as error:
        raise _explain(port, error) from None
    except _UNREAD as error:
        if not is_url(port):
            raise
        raise _explain(port, error) from None


def check_device(port: str) -> None:
    """Why a port cannot be opened, as far as that shows without opening it; addresses are not checked. Raises
    PortMissing, PortDenied or PortUnusable."""
    if is_url(port):
        return
    if not port:
        raise PortUnusable("the port has no name", _HINT)
    path = Path(port)
    try:
        if not path.exists():
            raise PortMissing(f"there is no port {port}", f"check the cable, or {_HINT}")
        if not path.is_char_device():
            what = "a folder" if path.is_dir() else "a pipe" if path.is_fifo() else "a file"
            raise PortUnusable(f"{port} is {what}, not a serial port", _HINT)
    except (PortError, PermissionError):  # report an unreadable folder as such, by its name
        raise
    except (OSError, ValueError):
        raise PortUnusable(f"{port!r} cannot be looked at", _HINT) from None
    if not os.access(path, os.R_OK | os.W_OK):
        raise _denied(port)


def _denied(port: str) -> PortDenied:
    return PortDenied(
        f"this user may not open {port}", "join the group dialout: `sudo adduser $USER dialout`"
    )


def _gone(port: str) -> PortMissing:
    return PortMissing(f"{port} has gone", f"check the cable, or {_HINT}")


def _nobody(port: str) -> PortMissing:
    return PortMissing(f"nobody answers at {port}", "start the other side first, and check its address")


def _no_address(port: str) -> PortUnusable:
    return PortUnusable(
        f"{port} is no address that pySerial understands", "write socket://HOST:PORT, for example"
    )


def _explain(port: str, error: Exception) -> PortError:
    text = str(error).lower()
    number = getattr(error, "errno", None)
    # an existing port may reject its speed; for any other failed setting, the port has just disappeared
    if isinstance(error, OF_TERMINALS) and error.args[:1] != (errno.EINVAL,):
        return _gone(port)
    if (
        number in (errno.EAGAIN, errno.EWOULDBLOCK, errno.EBUSY)
        or "exclusively lock" in text
        or "busy" in text
    ):
        return PortTaken(f"{port} is in use by another program", "close it (`fuser -v` on the port names it)")
    if number in (errno.EACCES, errno.EPERM) or "permission denied" in text:
        return _denied(port)
    if "invalid url" in text or "not in list" in text:
        return _no_address(port)
    if any(words in text for words in _UNANSWERED):
        return _nobody(port)
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV):
        return _gone(port)
    behind = error.__context__ or error  # the original error, which pySerial only quotes in its message
    if is_url(port) and number is None and isinstance(behind, _UNREAD):
        return _no_address(port)
    if is_url(port) and number is None and getattr(behind, "errno", None) is not None:
        return _nobody(port)
    return PortUnusable(f"{port} cannot be opened as a serial port ({error})", _HINT)
