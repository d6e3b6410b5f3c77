"""The link over real pseudo-terminals and real pySerial: pulled cables, other names, strangers, taken ports."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import bno08x_rvc, errors, polar
from firmware_bridge import packets as p
from firmware_bridge.clock import SystemClock
from firmware_bridge.link import Link
from firmware_bridge.samples import BridgeEvent, LinkChange, MotionBatch
from hw_mock.ports import PtyPort
from tests.parts import needs

LEVEL = (0.0, 0.0, 1.0)


def hello(number: int, seq: int) -> bytes:
    stamp = p.Stamp(number, seq, seq * 20_000)
    uid = f"c0be{number:012x}"
    return polar.encode(
        p.Hello(stamp, "cube", uid, (0, 1, 0), 4000, 200, 2000, 16, True, (1.0, 0.0, 0.0, 0.0), "")
    )


def motion(number: int, seq: int) -> bytes:
    rates = ((0.0, 0.0, 0.0),) * 4
    return polar.encode(p.Motion(p.Stamp(number, seq, seq * 20_000), 5000, rates, (LEVEL,) * 4))


class Listener:
    """A link, and what it has said."""

    def __init__(self, port: str, protocol: str = "auto") -> None:
        self.events: list[BridgeEvent] = []
        self.clock = SystemClock()
        self.link = Link(port, protocol, self.clock, self.events.append)

    @property
    def states(self) -> list[str]:
        return [e.state for e in self.events if isinstance(e, LinkChange)]

    def until(self, true: Callable[[], bool], seconds: float = 5.0) -> float:
        """Step the link until something is so; how long that took."""
        began = self.clock.now()
        while not true():
            assert self.clock.now() - began < seconds, f"not within {seconds} s; said {self.states}"
            if not self.link.step():
                os.sched_yield()
        return self.clock.now() - began


@pytest.fixture
def port() -> Iterator[PtyPort]:
    pty = PtyPort()
    yield pty
    pty.close()


def test_a_cube_is_recognised_by_listening_alone(port: PtyPort) -> None:
    ear = Listener(port.name)
    ear.link.open()
    ear.link.step()
    assert port.read() == b""  # nothing is written to what may be a stranger
    port.write(hello(1, 1) + motion(1, 2) + motion(1, 3))
    ear.until(lambda: ear.states == ["open"])
    assert ear.link.protocol == "polar"
    ear.link.step()
    asked = polar.PolarDecoder().feed(port.read())  # now that it is one of ours it is asked who it is
    assert [type(packet) for packet in asked] == [p.HelloRequest]
    ear.link.close()


def test_a_pulled_cable_comes_back_under_its_old_link(tmp_path: Path) -> None:
    pty = PtyPort(link=tmp_path / "cube")
    ear = Listener(pty.name)
    ear.link.open()
    pty.write(hello(1, 1) + motion(1, 2))
    ear.until(lambda: ear.states == ["open"])
    first = pty.device
    pty.unplug()
    ear.until(lambda: ear.states == ["open", "lost"])
    blocker = PtyPort()  # takes the old number, so that the cable comes back under another
    pty.plug()
    assert pty.device != first
    seq = iter(range(3, 100_000))

    def back() -> bool:
        pty.write(motion(1, next(seq)))  # a cube goes on talking; opening a port throws away what had waited
        return ear.states[-1] == "back"

    assert ear.until(back) < 2.0
    lost = next(e for e in ear.events if isinstance(e, LinkChange) and e.state == "lost")
    assert lost.why == "the cable was pulled, or the other side closed"
    blocker.close()
    pty.close()
    ear.link.close()


def test_it_is_found_under_another_name_by_who_it_is(tmp_path: Path) -> None:
    """Two new ports appear after the loss; only the one whose node says the same identity is taken."""
    pty = PtyPort(link=tmp_path / "port-1")
    ear = Listener(pty.name)
    ear.link.open()
    pty.write(hello(1, 1) + motion(1, 2))
    ear.until(lambda: ear.states == ["open"])
    pty.unplug()
    ear.until(lambda: ear.states[-1] == "lost")
    stranger, same = PtyPort(link=tmp_path / "port-2"), PtyPort(link=tmp_path / "port-3")
    seq = iter(range(3, 100_000))

    def back() -> bool:
        stranger.write(hello(2, next(seq)) + motion(2, next(seq)))
        same.write(hello(1, next(seq)) + motion(1, next(seq)))
        return ear.states[-1] == "back"

    assert ear.until(back) < 2.0
    assert ear.link.now == same.name
    change = ear.events[-1] if isinstance(ear.events[-1], LinkChange) else None
    said = [e for e in ear.events if isinstance(e, LinkChange)][-1]
    assert change is None or change == said
    assert said.to_json()["now"] == same.name
    assert all(e.node == 1 for e in ear.events if isinstance(e, MotionBatch))
    for one in (stranger, same):
        one.close()
    ear.link.close()


@pytest.fixture
def socat() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start socat with two addresses, waiting for the paths it should make; all are stopped in the end."""
    running: list[subprocess.Popen[bytes]] = []

    def start(one: str, other: str, *paths: Path) -> subprocess.Popen[bytes]:
        running.append(subprocess.Popen(["socat", one, other], stderr=subprocess.DEVNULL))
        clock = SystemClock()
        while not all(path.exists() for path in paths):
            assert clock.now() < 5, "socat made no link"
            os.sched_yield()
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.wait()


class Sender:
    """The far end of a cable: writes without ever waiting."""

    def __init__(self, path: Path) -> None:
        self.fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)

    def write(self, data: bytes) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self.fd, data)


@needs("socat")
def test_a_socat_cable_is_cut_and_comes_back_as_another_device(
    tmp_path: Path, socat: Callable[..., subprocess.Popen[bytes]]
) -> None:
    near, far = tmp_path / "near", tmp_path / "far"
    ends = (f"pty,raw,echo=0,link={near}", f"pty,raw,echo=0,link={far}", near, far)
    first = socat(*ends)
    ear = Listener(str(near))
    ear.link.open()
    node = Sender(far)
    node.write(hello(1, 1) + motion(1, 2))
    ear.until(lambda: ear.states == ["open"])
    device = near.resolve()
    first.terminate()
    first.wait()
    os.close(node.fd)
    ear.until(lambda: ear.states[-1] == "lost")
    holders = [os.openpty() for _ in range(2)]  # so that the new cable cannot have the old numbers
    socat(*ends)
    assert near.resolve() != device
    node = Sender(far)
    seq = iter(range(3, 100_000))

    def back() -> bool:
        node.write(motion(1, next(seq)))
        return ear.states[-1] == "back"

    assert ear.until(back) < 2.0
    ear.link.close()
    for fd in (node.fd, *(fd for pair in holders for fd in pair)):
        os.close(fd)


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


def test_garbage_is_said_in_words_and_reading_goes_on(port: PtyPort) -> None:
    ear = Listener(port.name)
    ear.link.open()
    noise = bytes(range(1, 256)) * 3

    def told() -> bool:
        port.write(noise)
        return ear.states == ["open"]

    ear.until(told, 8.0)
    change = ear.events[0]
    assert isinstance(change, LinkChange)
    assert change.protocol is None
    assert "none of our protocols" in change.why
    seq = iter(range(1, 100_000))

    def understood() -> bool:
        port.write(motion(1, next(seq)))
        return ear.states == ["open", "open"]

    ear.until(understood)
    assert ear.link.protocol == "polar"
    ear.link.close()


@pytest.mark.parametrize(
    ("port", "error", "words"),
    [
        ("/dev/no-such-port", errors.PortMissing, "there is no port /dev/no-such-port"),
        ("/dev", errors.PortUnusable, "/dev is a folder, not a serial port"),
        ("/dev/null", errors.PortUnusable, "/dev/null cannot be opened as a serial port"),
        ("bogus://x", errors.PortUnusable, "bogus://x is no address that pySerial understands"),
    ],
)
def test_a_port_that_cannot_be_opened_says_why(port: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Listener(port).link.open()


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


def test_a_chip_without_identity_is_found_under_another_name_if_it_can_only_be_that(tmp_path: Path) -> None:
    """A BNO08x says no name; alone among newcomers and speaking as before it is taken, beside a second lost one not."""
    pty = PtyPort(link=tmp_path / "port-1")
    ear = Listener(pty.name)
    ear.link.open()
    index = iter(range(1_000_000))

    def said(port: PtyPort, change: str) -> Callable[[], bool]:
        def check() -> bool:
            port.write(bno08x_rvc.encode(next(index), 10.0, 0.0, 0.0, LEVEL))
            return bool(ear.states) and ear.states[-1] == change

        return check

    ear.until(said(pty, "open"))
    pty.unplug()
    ear.until(lambda: ear.states[-1] == "lost")
    other = PtyPort(link=tmp_path / "port-2")
    ear.link.rivals = lambda: True
    clock = SystemClock()
    while clock.now() < 0.6:
        assert not said(other, "back")()
        ear.link.step()
    ear.link.rivals = lambda: False
    assert ear.until(said(other, "back")) < 2.0
    assert ear.link.now == other.name
    other.close()
    ear.link.close()
