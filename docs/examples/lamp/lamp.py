"""A lamp that shows which face of a cube looks up: somebody else's program, on the cubes of Polartable."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from firmware_bridge.clock import SystemClock
from sensors.cubes.reader import CubeReader
from sensors.evidence import CubePose

COLOURS = {"U": "white", "D": "black", "N": "blue", "E": "green", "S": "red", "W": "yellow"}


class Lamp:
    """One light a slot. A context manager; `look` takes what the cubes have said since the last call."""

    def __init__(self, ports: Sequence[str]) -> None:
        self.colours: dict[str, str] = {}
        self._reader = CubeReader(ports, clock=SystemClock())

    def look(self, seconds: float = 0.1) -> dict[str, str]:
        """Wait up to `seconds` for news; the colour of each slot."""
        for event in self._reader.poll(seconds):
            if isinstance(event, CubePose):
                self.colours[event.slot] = COLOURS[event.up]
        return self.colours

    def __enter__(self) -> Lamp:
        self._reader.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.close()


def main() -> None:
    with Lamp(sys.argv[1:]) as lamp:
        shown: dict[str, str] = {}
        while True:
            if lamp.look() != shown:
                shown = dict(lamp.colours)
                print(shown, flush=True)


if __name__ == "__main__":
    main()
