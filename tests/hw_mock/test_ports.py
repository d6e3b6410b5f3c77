"""A pseudo-terminal that is plugged in while somebody else pumps it."""

from __future__ import annotations

import os

import pytest

from hw_mock.ports import PtyPort


def test_an_end_that_still_blocks_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated cubes are pumped in a thread of their own: a read of a new end that still blocked never came back."""
    port = PtyPort()
    plugged: list[bool] = []
    real = os.set_blocking

    def slowly(end: int, blocking: bool) -> None:
        plugged.append(port.plugged)
        assert port.read() == b""
        real(end, blocking)

    monkeypatch.setattr("hw_mock.ports.os.set_blocking", slowly)
    port.plug()
    assert plugged == [False]
    assert port.plugged
    port.close()


def test_an_end_that_is_closed_is_no_longer_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed number may be another file's a moment later: nobody may write to it."""
    port = PtyPort()
    plugged: list[bool] = []
    real = os.close

    def slowly(end: int) -> None:
        plugged.append(port.plugged)
        real(end)

    monkeypatch.setattr("hw_mock.ports.os.close", slowly)
    port.unplug()
    assert plugged == [False, False]
