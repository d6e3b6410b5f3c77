"""Connects to the broker's port, with TLS or without, in a thread that nobody has to wait for.

A DNS lookup, a network that drops packets, a server that is silent during the TLS handshake: each blocks the thread for
as long as a broker may take to answer. If the caller ends in the meantime it does not wait, and a connection that still
comes about is hung up.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

from table.fleet.address import Address
from table.fleet.errors import BrokerAway, BrokerRefused, FleetError

if TYPE_CHECKING:
    from paho.mqtt.client import Client


async def reach(client: Client, address: Address, keepalive_s: int) -> None:
    """Connect to the broker and send the greeting. Raises TimeoutError, or a `FleetError`."""
    done: Future[None] = Future()
    done.set_running_or_notify_cancel()  # not cancellable: the thread reports when it is done
    left = threading.Event()

    def whole() -> None:
        try:
            _reach(client, address, keepalive_s)
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(None)
        if left.is_set():
            hang_up(client)

    threading.Thread(target=whole, name=f"way to {address}", daemon=True).start()
    try:
        await asyncio.wrap_future(done)
    except asyncio.CancelledError:
        left.set()
        raise


def hang_up(client: Client) -> None:
    sock = client.socket()
    if isinstance(sock, socket.socket):
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)


def _reach(client: Client, address: Address, keepalive_s: int) -> None:
    if address.tls:
        _trust(client, address)
    try:
        client.connect(address.host, address.port, keepalive_s)
    except TimeoutError:
        raise
    except (OSError, ValueError) as error:
        raise _why(error, address) from error


def _trust(client: Client, address: Address) -> None:
    try:
        client.tls_set(ca_certs=None if address.ca is None else str(address.ca))
    except (OSError, ValueError) as error:  # TLS errors are OSErrors, too
        reason = "it holds none" if isinstance(error, ssl.SSLError) else getattr(error, "strerror", error)
        raise BrokerRefused(
            f"the certificate in {address.ca} cannot be used ({reason})",
            "name that of the broker's authority: [fleet] ca",
        ) from error


def _why(error: Exception, address: Address) -> FleetError:
    other_port = (
        "is that its port for TLS, usually 8883? mqtt:// is without; events wait in the tables' journals"
    )
    if isinstance(error, ssl.SSLCertVerificationError):
        return BrokerRefused(
            f"the broker at {address} cannot be trusted ({error.verify_message or error.reason})",
            "name the certificate of its authority: [fleet] ca; mqtt:// is without TLS",
        )
    hung_up = isinstance(
        error, (ssl.SSLEOFError, ssl.SSLZeroReturnError, ConnectionResetError, BrokenPipeError)
    )
    if address.tls and hung_up:  # somebody was there: else the connection would have been refused
        return BrokerAway(f"the broker at {address} hung up when TLS was to begin", other_port)
    if isinstance(error, ssl.SSLError):
        return BrokerRefused(f"no TLS came about with {address} ({error.reason or error})", other_port)
    return BrokerAway(
        f"no broker answers at {address} ({getattr(error, 'strerror', None) or error})",
        "start it, or check [fleet] broker; events wait in the tables' journals",
    )
