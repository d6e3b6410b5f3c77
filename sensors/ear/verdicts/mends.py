"""What is said of a sensor that has a shake too loud or too soft. An accelerometer has a range and no gain, and what is
stuck on the shell comes no nearer."""

from __future__ import annotations

from dataclasses import dataclass

from sensors.ear.frames.frontend import Sensor

WIDER = "set the accelerometer to a wider range (more ±g)"
FIRMLY = "see that the sensor is stuck firmly to the shell"


@dataclass(frozen=True, slots=True)
class Mends:
    """Of one kind of sensor: sentences with their mends; `quieter` is what to do about the sensor itself."""

    quieter: str
    overdriven: str
    drowned: str
    # of what is taken for no shake, as most that is so loud or so soft is none
    cut_off: str
    hardly_heard: str


IN_ROOM = Mends(
    quieter="turn the gain down",
    overdriven="the sensor was overdriven: shake more gently, or turn its gain down",
    drowned="drowned in background noise: bring the sensor nearer, or wait for quiet",
    cut_off="overdriven: if that was a shake, shake more gently, or turn the sensor's gain down",
    hardly_heard="hardly above its background: if that was a shake, bring the sensor nearer, or wait for quiet",
)
CONTACT = Mends(
    quieter=IN_ROOM.quieter,
    overdriven=IN_ROOM.overdriven,
    drowned=f"drowned in background noise: {FIRMLY}, or wait for quiet",
    cut_off=IN_ROOM.cut_off,
    hardly_heard=f"hardly above its background: if that was a shake, shake harder, and {FIRMLY}",
)
ACCELEROMETER = Mends(
    quieter=WIDER,
    overdriven=f"the sensor was overdriven: shake more gently, or {WIDER}",
    drowned=CONTACT.drowned,
    cut_off=f"overdriven: if that was a shake, shake more gently, or {WIDER}",
    hardly_heard=CONTACT.hardly_heard,
)
ALL = (IN_ROOM, CONTACT, ACCELEROMETER)


def mends_of(sensor: Sensor, on_shell: bool) -> Mends:
    """For a sensor of that kind and place."""
    if sensor == "accelerometer":
        return ACCELEROMETER
    return CONTACT if on_shell else IN_ROOM
