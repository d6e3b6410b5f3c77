"""Remedies for a sensor to which a shake is too loud or too soft.

An accelerometer has a range and no gain, and what is glued to the shell cannot come nearer.
"""

from __future__ import annotations

from dataclasses import dataclass

from sensors.ear.frames.frontend import Sensor
from sensors.why import Reason, Why

WIDER = "set the accelerometer to a wider range (more ±g)"
FIRMLY = "see that the sensor is stuck firmly to the shell"


@dataclass(frozen=True, slots=True)
class Mends:
    """For one kind of sensor: reasons with their remedies; `quieter` is what to do about the sensor itself."""

    quieter: str
    overdriven: Reason
    drowned: Reason
    # for sounds taken for no shake, as most so loud or so soft ones are
    cut_off: Reason
    hardly_heard: Reason


IN_ROOM = Mends(
    quieter="turn the gain down",
    overdriven=Reason(Why.OVERDRIVEN, "the sensor was overdriven: shake more gently, or turn its gain down"),
    drowned=Reason(Why.DROWNED, "drowned in background noise: bring the sensor nearer, or wait for quiet"),
    cut_off=Reason(
        Why.CUT_OFF, "overdriven: if that was a shake, shake more gently, or turn the sensor's gain down"
    ),
    hardly_heard=Reason(
        Why.HARDLY_HEARD,
        "hardly above its background: if that was a shake, bring the sensor nearer, or wait for quiet",
    ),
)
CONTACT = Mends(
    quieter=IN_ROOM.quieter,
    overdriven=IN_ROOM.overdriven,
    drowned=Reason(Why.DROWNED, f"drowned in background noise: {FIRMLY}, or wait for quiet"),
    cut_off=IN_ROOM.cut_off,
    hardly_heard=Reason(
        Why.HARDLY_HEARD, f"hardly above its background: if that was a shake, shake harder, and {FIRMLY}"
    ),
)
ACCELEROMETER = Mends(
    quieter=WIDER,
    overdriven=Reason(Why.OVERDRIVEN, f"the sensor was overdriven: shake more gently, or {WIDER}"),
    drowned=CONTACT.drowned,
    cut_off=Reason(Why.CUT_OFF, f"overdriven: if that was a shake, shake more gently, or {WIDER}"),
    hardly_heard=CONTACT.hardly_heard,
)


def mends_of(sensor: Sensor, on_shell: bool) -> Mends:
    """For a sensor of this kind and place."""
    if sensor == "accelerometer":
        return ACCELEROMETER
    return CONTACT if on_shell else IN_ROOM
