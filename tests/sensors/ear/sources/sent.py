"""The frames that a simulated node sends."""

from __future__ import annotations

from firmware_bridge import packets as p
from firmware_bridge import polar
from hw_mock.igloo.node import IglooNode
from tests.dongle import Felt


def frames(felt: Felt) -> list[p.Burst]:
    """What a node sends of one shake."""
    came = polar.PolarDecoder().feed(IglooNode(17, felt.rate).feel(felt.samples))
    return [packet for packet in came if isinstance(packet, p.Burst)]
