"""An ear for the igloo nodes of a port, for tests; and what a node says of itself, as bytes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from firmware_bridge import packets as p
from firmware_bridge import polar
from firmware_bridge.clock import SystemClock
from sensors.ear.profiles import profile as profiles
from sensors.evidence import Heard
from table.listening.igloo_nodes import hear_igloos


class Ear:
    """`hear_igloos`, an event at a time."""

    def __init__(self, source: str, profile: profiles.Profile, partial: bool = False) -> None:
        never = threading.Event()
        self._events = hear_igloos(
            source, profile, partial, SystemClock(), 30.0, lambda seconds: void(never.wait(0.02))
        )

    def close(self) -> None:
        self._events.close()  # type: ignore[attr-defined]

    def link(self) -> tuple[str, str]:
        said = self.next(lambda said: isinstance(said, dict) and said["event"] == "link")
        return said["source"], said["state"]

    def heard(self) -> Heard:
        found = self.next(lambda said: isinstance(said, Heard))
        assert isinstance(found, Heard)
        return found

    def next(self, wanted: Callable[[Any], bool]) -> Any:
        return next(said for said in self._events if wanted(said))


def void(_: object) -> None:
    return None


def hello(node: int, rate: int, kind: str = "igloo", version: int = 1) -> bytes:
    """A node says who it is, and at how many Hz it measures."""
    stamp, uid, level = p.Stamp(node, 1, 0), "c0be" + 12 * "0", (1, 0, 0, 0)
    words = p.Hello(stamp, kind, uid, (0, 1, 0), 4000, rate, 2000, 16, True, level, "", version)
    return polar.encode(words)
