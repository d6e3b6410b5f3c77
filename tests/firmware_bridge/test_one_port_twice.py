"""One port under two names: which two they are is told, and no other program is accused."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.bridge import Bridge
from firmware_bridge.clock import SystemClock
from firmware_bridge.samples import LinkChange
from hw_mock.ports import PtyPort


def test_the_second_name_of_a_port_is_told_as_such(port: PtyPort, tmp_path: Path) -> None:
    by_id = tmp_path / "by-id"
    by_id.symlink_to(port.name)
    with Bridge([port.name, str(by_id)], "polar", SystemClock()) as bridge:
        lost = [event for event in bridge.take() if isinstance(event, LinkChange) and event.state == "lost"]
    assert [(event.port, event.why) for event in lost] == [
        (
            str(by_id),
            f"PT-302: {by_id} and {port.name} are one port – name that of another cube, or leave it out",
        )
    ]
