"""The table's heartbeat: it requests its own page like a guest, and reports only the result to the service manager.

systemd's watchdog (`Type=notify`, `WatchdogSec=`) restarts a service that falls silent. A beat from a mere timer would
go on while the page hangs. Here a beat is sent only if the page answered over its real socket and the table's own tick
went on. An unplugged microphone is no reason to stop: a restart would not plug it in. Protocol: sd_notify(3), datagrams
to the socket that `NOTIFY_SOCKET` names.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable, Mapping

from firmware_bridge.clock import Clock

ANSWER_S = 5.0  # a page that needs longer counts as hanging
BEAT_S = 5.0  # the default interval
LATE_S = 3.0  # the table ticks five times a second; on a busy machine a tick may be this late


class Manager:
    """The service manager that started us and waits for messages, if there is one."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self.address = environment.get("NOTIFY_SOCKET", "")
        mine = environment.get("WATCHDOG_PID") in (None, "", str(os.getpid()))
        micros = environment.get("WATCHDOG_USEC", "") if mine else ""
        self.watchdog_s = int(micros) / 1e6 if micros.isdigit() and int(micros) > 0 else None

    @property
    def waits(self) -> bool:
        return bool(self.address)

    @property
    def beat_s(self) -> float:
        """A third of what the manager allows, so that one lost beat does no harm."""
        return BEAT_S if self.watchdog_s is None else self.watchdog_s / 3

    def tell(self, *lines: str) -> None:
        """Send one message, such as `READY=1`. If nobody listens or the socket is full, that is not our fault."""
        if not self.address:
            return
        to = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.setblocking(False)
            out.sendto("\n".join(line.replace("\n", " ") for line in lines).encode(), to)


async def answers(host: str, port: int, within_s: float = ANSWER_S) -> bool:
    """Whether our own page answers `/health` over its socket; any answer of ours counts, even a red one."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    name = f"[{here}]" if ":" in here else here
    try:
        async with asyncio.timeout(within_s):
            reader, writer = await asyncio.open_connection(here, port)
            try:
                writer.write(
                    f"GET /health HTTP/1.1\r\nHost: {name}:{port}\r\nConnection: close\r\n\r\n".encode()
                )
                line = await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError, ValueError):
        return False
    return line.split()[1:2] in ([b"200"], [b"503"])


class Pulse:
    """Beats for as long as the table is alive. `ticked`: when the table last ticked, on `clock`."""

    def __init__(
        self, manager: Manager, clock: Clock, host: str, port: int, ticked: Callable[[], float]
    ) -> None:
        self._manager, self._clock = manager, clock
        self._host, self._port = host, port
        self._ticked = ticked
        self._late_s = max(LATE_S, manager.beat_s)

    async def lives(self) -> bool:
        """Whether page and table are both alive."""
        return self._clock.now() - self._ticked() < self._late_s and await answers(
            self._host, self._port, min(ANSWER_S, self._manager.beat_s)
        )

    async def run(
        self, well: Callable[[], bool], finished: Callable[[], None], status: Callable[[], str]
    ) -> None:
        """Run for ever. `finished` is called once, at the first beat at which `well` holds: the start has succeeded."""
        told = False
        done = False
        while True:
            if await self.lives():
                lines = ["WATCHDOG=1", f"STATUS={status()}"]
                self._manager.tell(*(["READY=1", *lines] if not told else lines))
                told = True
                if not done and well():
                    done = True
                    finished()
            await self._clock.sleep(self._manager.beat_s if done else min(0.25, self._manager.beat_s))
