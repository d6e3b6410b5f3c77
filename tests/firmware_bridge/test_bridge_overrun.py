"""What nobody took in time is thrown away from the oldest on, and counted."""

from __future__ import annotations

import pytest

from firmware_bridge import bridge as bridges
from firmware_bridge.bridge import Bridge
from firmware_bridge.clock import VirtualClock
from firmware_bridge.samples import LinkChange


def test_events_that_nobody_took_are_counted_and_the_newest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridges, "QUEUE", 10)
    bridge = Bridge(["/dev/nothing"], "polar", VirtualClock(), lister=list)
    assert [count.overrun for count in bridge.counts()] == [0]
    emit = bridge._emitter()
    for n in range(13):
        emit(LinkChange("/dev/nothing", "open", "polar", str(n), 0.0))
    assert [count.overrun for count in bridge.counts()] == [3]
    assert [event.why for event in bridge.take() if isinstance(event, LinkChange)] == [
        str(n) for n in range(3, 13)
    ]
    emit(LinkChange("/dev/nothing", "open", "polar", "13", 0.0))
    assert [count.overrun for count in bridge.counts()] == [3]
