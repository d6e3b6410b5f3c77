"""The link at addresses of other machines (`socket://`, `rfc2217://`), and at ports that cannot be opened."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import errors, polar
from firmware_bridge import packets as p
from firmware_bridge.clock import SystemClock
from firmware_bridge.samples import MotionBatch
from hw_mock.ports import PtyPort
from tests.firmware_bridge.cables import Listener, hello, motion
from tests.parts import needs


@needs("socat")
def test_a_socket_url_is_read_like_a_port(socat: Callable[..., subprocess.Popen[bytes]]) -> None:
    """`socket://` with a real socat between the network and a pseudo-terminal."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    pty = PtyPort()
    server = socat(f"tcp-listen:{number},bind=127.0.0.1,reuseaddr", f"{pty.device},raw,echo=0")
    ear = Listener(f"socket://127.0.0.1:{number}")
    clock = SystemClock()
    while True:
        try:
            ear.link.open()
            break
        except errors.PortMissing:
            assert clock.now() < 5
    seq = iter(range(1, 100_000))

    def heard() -> bool:
        pty.write(motion(1, next(seq)))
        return any(isinstance(e, MotionBatch) for e in ear.events)

    ear.until(heard)
    assert ear.states == ["open"]
    assert ear.link.protocol == "polar"
    server.terminate()
    server.wait()
    ear.until(lambda: ear.states == ["open", "lost"])
    ear.link.close()
    pty.close()


class RemotePort:
    """A serial port on another machine: pySerial's own RFC 2217 server before a pseudo-terminal, one client."""

    class _Port:
        """The port as the server needs it: a pseudo-terminal has no modem lines."""

        cts = dsr = ri = cd = False
        dtr = rts = break_condition = False

        def __init__(self, name: str) -> None:
            import serial

            self._port = serial.Serial(name, timeout=0.02)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._port, name)

    def __init__(self, name: str) -> None:
        self._port = self._Port(name)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"rfc2217://127.0.0.1:{self._listening.getsockname()[1]}"
        self._threads = [threading.Thread(target=self._serve, daemon=True)]
        self._threads[0].start()

    def _serve(self) -> None:
        from serial.rfc2217 import PortManager

        self._client, _ = self._listening.accept()
        manager = PortManager(self._port, self)
        self._threads.append(threading.Thread(target=self._hear, args=(manager,), daemon=True))
        self._threads[-1].start()
        with contextlib.suppress(OSError):
            while True:
                self._client.sendall(b"".join(manager.escape(self._port.read(self._port.in_waiting or 1))))

    def _hear(self, manager: Any) -> None:
        with contextlib.suppress(OSError):
            while data := self._client.recv(1024):
                self._port.write(b"".join(manager.filter(data)))

    def write(self, data: bytes) -> None:
        self._client.sendall(data)

    def close(self) -> None:
        self._client.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for thread in self._threads:
            thread.join(timeout=2)


def test_a_port_of_another_machine_is_read_and_written(port: PtyPort) -> None:
    """`rfc2217://` as in a pySerial URL: it knows no time-out of writing, and its speed is set over the network."""
    remote = RemotePort(port.device)
    ear = Listener(remote.url)
    ear.link.open()
    seq = iter(range(1, 100_000))

    def asked() -> bool:
        port.write(hello(1, next(seq)) + motion(1, next(seq)))
        return any(isinstance(x, p.HelloRequest) for x in heard.feed(port.read()))

    heard = polar.PolarDecoder()
    ear.until(asked)
    assert ear.states == ["open"]
    assert ear.link.protocol == "polar"
    remote.close()
    ear.until(lambda: ear.states == ["open", "lost"])
    ear.link.close()


@pytest.mark.parametrize(
    ("port", "error", "words"),
    [
        ("/dev/no-such-port", errors.PortMissing, "there is no port /dev/no-such-port"),
        ("", errors.PortUnusable, "the port has no name"),
        ("/dev", errors.PortUnusable, "/dev is a folder, not a serial port"),
        ("/dev/null", errors.PortUnusable, "/dev/null cannot be opened as a serial port"),
        ("bogus://x", errors.PortUnusable, "bogus://x is no address that pySerial understands"),
    ],
)
def test_a_port_that_cannot_be_opened_says_why(port: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Listener(port).link.open()


@pytest.mark.parametrize(
    "port",
    [
        *("socket://", "socket://box", "socket://:", "socket://box:99999", "socket://box:x", "socket://[::1"),
        *("socket://box:1?speed=1", f"socket://{'a' * 300}:5", "rfc2217://", "rfc2217://box", "loop://?x"),
        *("loop://?logging=loudly", "hwgrep://("),
    ],
)
def test_an_address_that_cannot_be_taken_apart_is_told_without_pythons_words(port: str) -> None:
    with pytest.raises(errors.PortUnusable) as told:
        Listener(port).link.open()
    assert str(told.value) == (
        f"PT-304: {port} is no address that pySerial understands – write socket://HOST:PORT, for example"
    )


@pytest.mark.parametrize(
    "why",
    [
        OSError(errno.EHOSTUNREACH, "No route to host"),
        socket.gaierror(socket.EAI_NONAME, "No address associated with hostname"),
    ],
)
def test_a_machine_that_cannot_be_reached_does_not_answer(
    monkeypatch: pytest.MonkeyPatch, why: OSError
) -> None:
    def connect(*_: object, **__: object) -> None:
        raise why

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(errors.PortMissing, match="nobody answers at socket://box:7000"):
        Listener("socket://box:7000").link.open()


def test_what_looks_for_a_port_says_that_there_is_none() -> None:
    with pytest.raises(errors.PortUnusable, match="no ports found matching"):
        Listener("hwgrep://nosuch").link.open()


def test_a_pipe_is_called_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(errors.PortUnusable, match="pipe is a pipe, not a serial port"):
        Listener(f"{tmp_path}/pipe").link.open()


def test_nobody_answers_at_an_address() -> None:
    with socket.socket() as held:  # bound, so that nobody else takes the number, but not listening
        held.bind(("127.0.0.1", 0))
        with pytest.raises(errors.PortMissing, match="nobody answers at socket://127"):
            Listener(f"socket://127.0.0.1:{held.getsockname()[1]}").link.open()


def test_a_taken_port_is_named_taken(port: PtyPort) -> None:
    first, second = Listener(port.name), Listener(port.name)
    first.link.open()
    with pytest.raises(errors.PortTaken, match="in use by another program"):
        second.link.open()
    first.link.close()
    second.link.open()
    second.link.close()
    second.link.close()  # safe twice
