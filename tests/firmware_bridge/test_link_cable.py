"""The link over real cables: who is there, garbage on the line, a pulled cable that comes back."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from firmware_bridge import bno08x_rvc, polar
from firmware_bridge import packets as p
from firmware_bridge.clock import SystemClock
from firmware_bridge.samples import LinkChange, MotionBatch
from hw_mock.ports import PtyPort
from tests.firmware_bridge.cables import LEVEL, Listener, hello, motion
from tests.parts import needs


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
    ear.rivals = True
    clock = SystemClock()
    while clock.now() < 0.6:
        assert not said(other, "back")()
        ear.link.step()
    ear.rivals = False
    assert ear.until(said(other, "back")) < 2.0
    assert ear.link.now == other.name
    other.close()
    ear.link.close()
