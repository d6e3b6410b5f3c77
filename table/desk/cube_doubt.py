"""A cube whose upper face is known by gravity but whose heading is not: four ways to lie, with odds."""

from __future__ import annotations

import math
from dataclasses import replace

from rules.ice_cult.turns import AFTER, LIES, NUMBER
from sensors.cubes.doubt import SPREAD_DEG
from sensors.evidence import CubePose
from table.desk.sure import SURE

Lies = tuple[str, str]  # the body faces that look up and north
TURNED = (
    "It lies as the game stands",
    "It was turned counter-clockwise",
    "It was turned by half",
    "It was turned clockwise",
)
TURNS = ((), ("ccw",), ("cw", "cw"), ("cw",))
SAID = (1.0, 0.0, 0.0, 0.0)  # the odds of a heading that a person told
_ELSEWISE = 0.0003  # the least odds of each way, for a cube so far from all four that none explains it well


def odds(pose: CubePose) -> tuple[float, ...]:
    """The odds that the cube lies 0, 1, 2 or 3 quarter turns (counter-clockwise from above) from what was told."""
    if pose.headings:
        return pose.headings
    near, next_to_it = _bell(pose.off_deg), _bell(pose.off_deg + pose.margin_deg) / 2
    shares = [_ELSEWISE + share for share in (near, next_to_it, 0.0, next_to_it)]
    return tuple(share / sum(shares) for share in shares)


def doubted(pose: CubePose) -> bool:
    """Whether people have to be asked about it."""
    return odds(pose)[0] < SURE


def as_doubted(before: CubePose, pose: CubePose) -> bool:
    """Whether this pose adds nothing for a cube that was in doubt and lies as it lay."""
    same = (before.up, before.north) == (pose.up, pose.north) and not pose.changed
    return same and doubted(before) and doubted(pose)


def turned(lies: Lies, quarters: int) -> Lies:
    """How a cube that lies so lies after that many quarter turns, counter-clockwise from above."""
    number = NUMBER[lies]
    for _ in range(quarters % 4):
        number = AFTER["ccw"][number]
    return LIES[number]


def quarters_from(one: Lies, other: Lies) -> int | None:
    """How many quarter turns lead from `one` to `other`; None if another face looks up."""
    return next((k for k in range(4) if turned(one, k) == other), None)


def known(pose: CubePose, quarters: int) -> CubePose:
    """The pose of a cube once it is known that it lies that many quarter turns from what was told.

    It counts as known however far the cube leans: asking again for that reason would bring the same answer.
    """
    up, north = turned((pose.up, pose.north), quarters)
    margin = max(0.0, 90.0 - 2 * pose.off_deg)
    return replace(pose, up=up, north=north, margin_deg=margin, headings=SAID, changed=quarters != 0)


def _bell(off_deg: float) -> float:
    return math.exp(-0.5 * (off_deg / SPREAD_DEG) ** 2)
