"""The web service: a page on an address, until somebody ends it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import logging
import socket
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

import ifaddr

from firmware_bridge.errors import PolartableError
from table.door.addresses import address_in
from table.leaving import ends
from table.service.silent import AT_ONCE, Silence, few, let_go, no_error

if TYPE_CHECKING:
    from fastapi import FastAPI


BACKLOG = 2048  # guests who can wait until the page is up; uvicorn's own limit
GRACE_S = 2  # for answers in progress at the end


class AddressTaken(PolartableError):
    """The page's address is not available."""

    number = 701


def listen(host: str, port: int | None) -> socket.socket:
    """A listening socket. `port` None: 8080 or, if that is taken, any free one. Raises `AddressTaken`."""
    wanted = [8080, 0] if port is None else [port]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in wanted:
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, number))
            sock.listen(BACKLOG)  # at once: two sockets can bind the same port, but only one can listen on it
        except OSError as error:
            sock.close()
            if number != wanted[-1] and error.errno in (errno.EADDRINUSE, errno.EACCES):
                continue
            theirs = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
            raise AddressTaken(
                f"the page cannot be had on {host}, port {number} ({error.strerror})",
                "name an address of this machine in [serve] host"
                if theirs
                else "give another one with --port; 0 takes any that is free",
            ) from error
        return sock
    raise AssertionError("unreachable: the last port is either bound or refused")


def address_of(sock: socket.socket) -> str:
    """The page's address, as another machine on the network writes it."""
    return address(*sock.getsockname()[:2])


def address(host: str, port: int) -> str:
    """The same for a bound host and port. Determined anew at each call: networks come and go."""
    if host in ("0.0.0.0", "::"):
        host = next(outside(), "127.0.0.1" if host == "0.0.0.0" else "::1")
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def outside() -> Iterator[str]:
    """The addresses under which phones find this machine, the likeliest first; none without a network."""
    found: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it asks which of our addresses the network would see
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        ours = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips]
        found += [ip for ip in ours if isinstance(ip, str)]  # IPv4; our own hotspot leads nowhere
    return filter(_is_outside, found)


def _is_outside(address: str) -> bool:
    """Whether phones can reach it: not Debian's 127.0.1.1, nor a link-local address of a machine without a network."""
    known = ipaddress.IPv4Address(address)
    return not (known.is_loopback or known.is_link_local or known.is_unspecified)


def names_of(hostname: str, host: str = "127.0.0.1") -> tuple[str, ...]:
    """The names that this machine may have in a Host header, besides the address on which a request came in.

    `host`: the listening address in the settings.
    """
    named = () if address_in(host) else (host,)
    return ("localhost", "127.0.0.1", "::1", hostname, f"{hostname}.local", *named)


async def run(
    app: FastAPI,
    sock: socket.socket,
    ready: Callable[[], Awaitable[None]],
    leaving: Callable[[], None] = lambda: None,
) -> bool:
    """Serve until interrupted or asked to end; `ready` is awaited once the page can be opened.

    `leaving` is called at the end, before waiting for answers in progress, since some never end by themselves. Returns
    False if it was ended before the page was up. Signals are handled here, not by uvicorn: uvicorn would raise them
    again after its end, and the caller could not close his ports and helpers.
    """
    asked = asyncio.Event()
    for number in ends():
        asyncio.get_running_loop().add_signal_handler(number, asked.set)
    import uvicorn

    class Quiet(uvicorn.Server):
        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            let_go(self.server_state.connections)
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        log_level="warning",
        ws_max_size=1 << 20,
        timeout_graceful_shutdown=GRACE_S,
        http=few(),
        backlog=AT_ONCE,
    )
    log = logging.getLogger("uvicorn.error")
    server = Quiet(config)
    task, end = asyncio.create_task(server.serve(sockets=[sock])), asyncio.create_task(asked.wait())
    silence = asyncio.create_task(Silence(server.server_state.connections).watch())
    try:
        while not server.started and not task.done():
            # even if the end was asked for: an application must not be interrupted while it starts
            await asyncio.sleep(0.01)
        wanted = not asked.is_set()
        if wanted and not task.done():
            sock.listen(BACKLOG)  # the backlog is another number than how many are accepted at once
            await ready()
        await asyncio.wait((task, end), return_when=asyncio.FIRST_COMPLETED)
    finally:
        end.cancel()
        silence.cancel()
        leaving()
        server.should_exit = True
        log.addFilter(no_error)
        try:
            with contextlib.suppress(asyncio.CancelledError):
                await task
            broken_off = tuple(server.server_state.tasks)
            if broken_off:  # they end after it, and report that
                await asyncio.wait(broken_off, timeout=GRACE_S)
        finally:
            log.removeFilter(no_error)
    return wanted
