"""The heads of an accelerometer and a microphone that count together."""

from __future__ import annotations

from dataclasses import replace

from sensors.ear.profiles.profile import Head, load_shipped
from tests.rattle import RATE

SLOW = 1600  # Hz, of an accelerometer


def heads_of(kind: str = "microphone", sure_from: float = 0.95) -> list[list[Head]]:
    """Those of the profiles that ship, sure from there on. `kind`: of the microphone's."""
    slow, fast = load_shipped("accelerometer"), load_shipped(kind)
    told = slow.heads_for("accelerometer", SLOW), fast.heads_for("microphone", RATE)
    return [[replace(head, sure_from=sure_from) for head in heads] for heads in told]
