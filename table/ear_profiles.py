"""Which profile each source of the table's ear is heard with: microphones and igloos' own sensors have one each."""

from __future__ import annotations

from sensors.ear.frontend import Sensor
from sensors.ear.igloo_port import is_port
from sensors.ear.profile import Profile, load, load_shipped
from table.config import Ear


def sensor_of(device: str) -> Sensor:
    """A serial port is igloo nodes', and those feel."""
    return "accelerometer" if is_port(device) else "microphone"


def profiles_for(ear: Ear) -> dict[Sensor, Profile]:
    """The profile for each kind of sensor among the sources: the one that the settings name for it, else the one that
    ships.

    A profile of a kind that no source is of is given for all: whoever hears with it says what is wrong. Raises
    PolartableError where one that is named cannot be read.
    """
    wanted: set[Sensor] = {sensor_of(device) for device in ear.sources.values()}
    taught = [load(path) for path in (ear.profile, ear.shell_profile) if path is not None]
    named = {profile.sensor: profile for profile in taught}
    astray = [profile for profile in taught if profile.sensor not in wanted]
    return {
        sensor: named.get(sensor) or (astray[0] if astray else load_shipped(sensor))
        for sensor in sorted(wanted)
    }
