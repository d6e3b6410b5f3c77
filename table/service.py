"""The web service: a page on an address, until somebody ends it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

from firmware_bridge.errors import PolartableError

if TYPE_CHECKING:
    from fastapi import FastAPI


class AddressTaken(PolartableError):
    """The page's address cannot be had."""

    number = 701


def listen(host: str, port: int | None) -> socket.socket:
    """A listening socket. `port` None: 8080 or, where that is taken, any free one. Raises `AddressTaken`."""
    wanted = [8080, 0] if port is None else [port]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in wanted:
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, number))
        except OSError as error:
            sock.close()
            if number != wanted[-1] and error.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            raise AddressTaken(
                f"the page cannot be had on {host}, port {number} ({error.strerror})",
                "give another one with --port; 0 takes any that is free",
            ) from error
        return sock
    raise AssertionError("unreachable: the last port is either bound or refused")


def address_of(sock: socket.socket) -> str:
    host, port = sock.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = next(filter(_from_outside, names_of(socket.gethostname())), host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _from_outside(name: str) -> bool:
    """Whether that is an address under which phones find this machine (Debian's 127.0.1.1 is not)."""
    try:
        address = ipaddress.IPv4Address(name)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)


def names_of(hostname: str) -> tuple[str, ...]:
    """What this machine may be called in a Host header: its names, and its addresses on the local network."""
    names = {"localhost", "127.0.0.1", "::1", hostname, f"{hostname}.local"}
    with contextlib.suppress(OSError):
        names |= {str(info[4][0]) for info in socket.getaddrinfo(hostname, None)}
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: asks which of our addresses the network would see
        names.add(str(probe.getsockname()[0]))
    return tuple(sorted(names))


async def run(app: FastAPI, sock: socket.socket, ready: Callable[[], Awaitable[None]]) -> None:
    """Serve until interrupted or asked to end; `ready` is awaited once the page can be opened.

    Signals are taken here, not by uvicorn: it would raise them again when it has ended, and whoever called us would
    never come to close his ports and helpers.
    """
    import uvicorn

    class Quiet(uvicorn.Server):
        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    config = uvicorn.Config(app, log_level="warning", ws_max_size=1 << 20, timeout_graceful_shutdown=2)
    server = Quiet(config)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, setattr, server, "should_exit", True)
    task = asyncio.create_task(server.serve(sockets=[sock]))
    while not server.started and not task.done():
        await asyncio.sleep(0.01)
    if not task.done():
        await ready()
    with contextlib.suppress(asyncio.CancelledError):
        await task
