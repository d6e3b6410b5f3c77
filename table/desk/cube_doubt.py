"""A cube of which gravity says which face looks up, and nobody says which looks north: four ways, with odds."""

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
SAID = (1.0, 0.0, 0.0, 0.0)  # by a person: the odds of a heading that is known
_ELSEWISE = 0.0003  # of each way, where it lies so far from all of them that none explains it well


def odds(pose: CubePose) -> tuple[float, ...]:
    """How likely it lies none, one, two or three quarter turns, counter-clockwise from above, from what was told."""
    if pose.headings:
        return pose.headings
    near, next_to_it = _bell(pose.off_deg), _bell(pose.off_deg + pose.margin_deg) / 2
    shares = [_ELSEWISE + share for share in (near, next_to_it, 0.0, next_to_it)]
    return tuple(share / sum(shares) for share in shares)


def doubted(pose: CubePose) -> bool:
    """Whether it has to be asked about."""
    return odds(pose)[0] < SURE


def turned(lies: Lies, quarters: int) -> Lies:
    """A cube that lies so, turned by so many quarters, counter-clockwise from above."""
    number = NUMBER[lies]
    for _ in range(quarters % 4):
        number = AFTER["ccw"][number]
    return LIES[number]


def quarters_from(one: Lies, other: Lies) -> int | None:
    """By how many quarters `one` is turned into `other`; None where another face looks up."""
    return next((k for k in range(4) if turned(one, k) == other), None)


def known(pose: CubePose, quarters: int) -> CubePose:
    """The pose of a cube of which it is known by now that it lies so many quarters from what was told.

    However far it leans: whoever asked again because it does would be told the same.
    """
    up, north = turned((pose.up, pose.north), quarters)
    margin = max(0.0, 90.0 - 2 * pose.off_deg)
    return replace(pose, up=up, north=north, margin_deg=margin, headings=SAID, changed=quarters != 0)


def _bell(off_deg: float) -> float:
    return math.exp(-0.5 * (off_deg / SPREAD_DEG) ** 2)
