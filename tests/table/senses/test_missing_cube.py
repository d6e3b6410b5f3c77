"""Behind one dongle a cube that never spoke is missed as soon as the others speak, as one that fell silent is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from firmware_bridge.clock import VirtualClock
from sensors.cubes.follow import Seat
from sensors.cubes.reader import CubeReader
from table.page.sentences import sentences
from table.senses.cube_wire import CubeWire
from table.senses.live import LiveCubes
from table.senses.watchdog import Change, Senses

PORT = "/dev/ttyACM0"
SLOTS = ("NW", "NE", "SE", "SW")


class Table:
    """Cubes that were heard, on ports; and what is told of them."""

    def __init__(self, *ports: str) -> None:
        self.clock, self.told = VirtualClock(), list[Change]()
        self.follower = SimpleNamespace(seats={}, heard_at={}, trackers={})
        bridge = SimpleNamespace(links=[SimpleNamespace(port=port) for port in ports])
        reader = SimpleNamespace(bridge=bridge, follower=self.follower, poll=list, counts=list)
        self.senses = Senses(self.told.append)
        self.wire = CubeWire(
            cast(CubeReader, reader), False, lambda: None, LiveCubes(), self.senses, self.clock
        )

    def cube(self, port: str, node: int) -> None:
        slot = SLOTS[len(self.follower.seats)]
        self.follower.seats[port, node] = Seat(slot, "ABCD"[SLOTS.index(slot)])
        self.follower.heard_at[slot] = self.clock.now()

    def wait(self, seconds: float) -> list[str]:
        """What is told of missing cubes meanwhile, while those that were heard go on speaking."""
        before, end = len(self.told), self.clock.now() + seconds
        while self.clock.now() < end:
            self.clock.set(self.clock.now() + 0.1)
            self.follower.heard_at.update(dict.fromkeys(self.follower.heard_at, self.clock.now()))
            self.wire._look_after_cubes(self.clock.now())
        return [f"{c.source}: {c.why} – {c.mend}" for c in self.told[before:] if "other cubes" in c.source]


def test_a_cube_that_never_spoke_is_missed_and_comes() -> None:
    table = Table(PORT)
    assert table.wait(20.0) == []  # all asleep
    for node in (1, 2, 4):
        table.cube(PORT, node)
    assert table.wait(4.0) == []  # the last one may still come
    said = (
        "the other cubes: only 3 of four are heard – tilt them, which wakes them, and look at their batteries"
    )
    assert table.wait(4.0) == [said]
    assert not table.senses.awake
    table.cube(PORT, 3)
    assert table.wait(1.0) == ["the other cubes: it is back – "]
    assert table.senses.awake
    shown = said.replace(": only 3 of four are heard", " (only 3 of four are heard)")
    assert all(sentences(language).known(text) for language in ("de", "fr", "it") for text in (said, shown))


def test_three_behind_a_dongle_and_one_on_its_cable_are_four() -> None:
    table = Table(PORT, "cable")
    for node in (1, 2, 3):
        table.cube(PORT, node)
    table.cube("cable", 4)
    assert table.wait(20.0) == []


@pytest.mark.parametrize("ports", [("a",), ("a", "b")])
def test_who_has_built_a_cube_or_two_on_cables_misses_none(ports: tuple[str, ...]) -> None:
    """Each port has a watchdog of its own there."""
    table = Table(*ports)
    for port in ports:
        table.cube(port, 0)
    assert table.wait(20.0) == []
