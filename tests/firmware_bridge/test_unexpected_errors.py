"""What pySerial raises of a port that goes while it is set up (`termios.error`, a plain Exception), or what nobody
thought of, ends no reader: the port is lost in words, and comes back."""

from __future__ import annotations

import itertools
import logging
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.bridge import Bridge
from firmware_bridge.clock import SystemClock
from firmware_bridge.errors import PortMissing, PortUnusable
from firmware_bridge.finding import PortFacts
from firmware_bridge.opening import Wire, open_port
from firmware_bridge.probing import probe
from firmware_bridge.reading import GONE, why_gone
from firmware_bridge.samples import LinkChange
from hw_mock.ports import PtyPort
from tests.firmware_bridge.cables import Listener, hello, motion

HUNG_UP = (5, "Input/output error")  # of a terminal whose other side is closing


def fails_once(call: Callable[..., Any], error: Exception) -> Callable[..., Any]:
    """The same call, that raises at first."""
    left = [error]

    def once(*args: Any, **more: Any) -> Any:
        if left:
            raise left.pop()
        return call(*args, **more)

    return once


@pytest.mark.parametrize("what", ["tcsetattr", "tcflush"])
def test_a_port_that_goes_while_it_is_opened_is_missing(
    port: PtyPort, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(termios, what, fails_once(getattr(termios, what), termios.error(*HUNG_UP)))
    with pytest.raises(PortMissing, match=f"{port.name} has gone – check the cable"):
        open_port(port.name)
    open_port(port.name).close()


def test_a_port_that_refuses_its_speed_has_not_gone(port: PtyPort, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = termios.error(22, "Invalid argument")
    monkeypatch.setattr(termios, "tcsetattr", fails_once(termios.tcsetattr, refused))
    with pytest.raises(PortUnusable, match=r"cannot be opened as a serial port .*Invalid argument"):
        open_port(port.name)


def test_a_terminal_error_while_it_is_read_is_a_pulled_cable() -> None:
    assert isinstance(termios.error(*HUNG_UP), GONE)
    assert why_gone(termios.error(19, "No such device")) == "the cable was pulled, or the other side closed"


def test_a_speed_that_cannot_be_set_ends_no_link(port: PtyPort, monkeypatch: pytest.MonkeyPatch) -> None:
    ear = Listener(port.name, "witmotion")
    ear.link.open()
    asked = []

    def gone(fd: int, when: int, attributes: list[Any]) -> None:
        asked.append(attributes)
        raise termios.error(*HUNG_UP)

    monkeypatch.setattr(termios, "tcsetattr", gone)
    noise = bytes(range(1, 256))

    def tried() -> bool:
        port.write(noise)
        return bool(asked)

    ear.until(tried, 8.0)
    assert ear.link.reading
    ear.link.close()


def test_probing_a_port_that_goes_says_so(port: PtyPort, monkeypatch: pytest.MonkeyPatch) -> None:
    class Goes:
        """Bytes that mean nothing, and no other speed to be had."""

        in_waiting = 60

        def __init__(self) -> None:
            self.dice = itertools.cycle(range(1, 256))

        def __setattr__(self, name: str, value: Any) -> None:
            if name == "baudrate":
                raise termios.error(*HUNG_UP)
            super().__setattr__(name, value)

        def read(self, size: int = 1) -> bytes:
            return bytes(itertools.islice(self.dice, size))

        def close(self) -> None:
            pass

    monkeypatch.setattr("firmware_bridge.probing.open_port", lambda device, speed: Goes())
    found = probe(PortFacts(port.name, "a pseudo-terminal"), SystemClock())
    assert (found.ours, found.heard, found.why) == (None, False, "it went away while we listened")


class Table:
    """A bridge on one cable, reading in its own thread, and what it has said."""

    def __init__(self, folder: Path, opener: Callable[[str, int], Wire] = open_port) -> None:
        self.cube = PtyPort(link=folder / "cube")
        self.clock = SystemClock()
        self.bridge = Bridge([self.cube.name], "polar", self.clock, opener=opener, lister=list)
        self.said: list[tuple[str, str]] = []
        self._seq = itertools.count(1)

    def __enter__(self) -> Table:
        self.bridge.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.bridge.close()
        self.cube.close()

    def until(self, *states: str) -> None:
        """Let the cube talk until the last links' changes were these."""
        began = self.clock.now()
        while [state for state, _ in self.said] != list(states):
            assert self.clock.now() - began < 10, self.said
            self.cube.write(hello(1, next(self._seq)) + motion(1, next(self._seq)))
            changes = [e for e in self.bridge.take(0.02) if isinstance(e, LinkChange)]
            self.said += [(e.state, e.why) for e in changes]


def test_a_lost_port_whose_first_opening_meets_a_terminal_error_comes_back(tmp_path: Path) -> None:
    tries = []

    def opener(port: str, baudrate: int) -> Wire:
        tries.append(port)
        if len(tries) == 2:
            raise termios.error(*HUNG_UP)
        return open_port(port, baudrate)

    with Table(tmp_path, opener) as table:
        table.until("open")
        table.cube.unplug()
        table.until("open", "lost")
        table.cube.plug()
        table.until("open", "lost", "back")
    assert len(tries) >= 3


def test_a_step_that_breaks_is_a_loss_in_words_and_the_port_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with Table(tmp_path) as table, caplog.at_level(logging.ERROR, "polartable"):
        table.until("open")
        (link,) = table.bridge.links
        monkeypatch.setattr(link, "step", fails_once(link.step, RuntimeError("no such thing")))
        table.until("open", "lost", "back")
        assert table.said[1][1] == "reading it broke (RuntimeError: no such thing)"
    (record,) = caplog.records
    assert record.getMessage() == f"reading {table.cube.name} broke"
    assert record.exc_info is not None


def test_a_search_that_breaks_again_and_again_is_written_down_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with Table(tmp_path) as table, caplog.at_level(logging.ERROR, "polartable"):
        table.until("open")
        (link,) = table.bridge.links
        table.cube.unplug()
        table.until("open", "lost")
        step, broken = link.step, list(range(4))

        def breaks() -> bool:
            if broken:
                broken.pop()
                raise RuntimeError("no such thing")
            return step()

        monkeypatch.setattr(link, "step", breaks)
        table.cube.plug()
        table.until("open", "lost", "back")
    assert not broken
    assert len(caplog.records) == 1


def test_whatever_is_raised_at_the_start_is_told_as_a_port_that_cannot_be_used(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def opener(port: str, baudrate: int) -> Wire:
        raise RuntimeError("no such thing")

    table = Table(tmp_path, opener)
    with pytest.raises(PortUnusable, match=r"cannot be opened .*RuntimeError: no such thing"):
        table.bridge.open()
    table.cube.close()
    assert "opening" in caplog.text
