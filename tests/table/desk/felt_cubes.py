"""Felt cubes before a desk of Ice Cult: the watch over them, and how cubes lie whose headings were lost or not."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.cube_rig import Rig
from rules.ice_cult.turns import AFTER, LIES, NUMBER
from sensors.evidence import CubePose
from table.desk.cube_doubt import turned
from table.desk.cube_watch import CubeWatch
from table.desk.desk import Desk

LOST = (0.6, 0.2, 0.05, 0.15)


def poses_after(desk: Desk, *moves: str) -> dict[str, CubePose]:
    game, state = desk.sitting.game, desk.sitting.state
    for move in moves:
        state, _ = game.play(state, move)
    cubes = game.view(state, None)["cubes"]
    return {s: CubePose(1.0, c["cube"], s, c["up"], c["north"], 1.0, 80.0) for s, c in cubes.items()}


def watched(desk: Desk) -> tuple[CubeWatch, list[tuple[str, int]]]:
    watch, told = CubeWatch(desk), list[tuple[str, int]]()
    watch.reorient = lambda slot, quarters: told.append((slot, quarters))
    watch.saw([*poses_after(desk).values()])
    return watch, told


class Felt:
    """Simulated cubes on their wire, followed, before a desk: its watch sees what was felt since it last looked."""

    def __init__(self, rig: Rig, desk: Desk) -> None:
        self.watch = CubeWatch(desk)
        self.watch.reorient = rig.follower.reorient
        self._rig, self._at = rig, 0
        self.look()
        self.watch.register()

    def look(self) -> None:
        self.watch.saw([e for _, e in self._rig.events[self._at :]])
        self._at = len(self._rig.events)
        self.watch.tick(self._rig.clock.now())


def in_move(desk: Desk) -> tuple[CubeWatch, list[tuple[str, int]]]:
    """After two tilts, with two arcs on top."""
    desk.play("tilt n>S")
    desk.play("tilt n>S")
    return watched(desk)


def lost(pose: CubePose, quarters: int = 0, changed: bool = True) -> CubePose:
    """The sensor believes that it lies so many quarters from `pose`, and knows that it does not know."""
    up, north = turned((pose.up, pose.north), quarters)
    return replace(pose, up=up, north=north, margin_deg=0.0, headings=LOST, changed=changed)


def tilted_by_hand(pose: CubePose, side: str) -> CubePose:
    up, north = LIES[AFTER[side][NUMBER[pose.up, pose.north]]]
    return replace(pose, up=up, north=north, t=pose.t + 1.0)


def lies(desk: Desk, slot: str) -> tuple[str, str]:
    cube = desk.view(None)["cubes"][slot]
    return cube["up"], cube["north"]
