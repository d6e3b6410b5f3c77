"""Chooses the profile for each source of the table's ear: one for microphones, one for the igloos' own sensors."""

from __future__ import annotations

from collections.abc import Mapping, Set
from pathlib import Path

from sensors.ear.errors import ProfileError, a_sensor
from sensors.ear.frames.frontend import Sensor
from sensors.ear.profiles.profile import SHIPPED, Profile, load, load_shipped, says_on_the_shell
from sensors.ear.sources.igloo_port import is_port
from table.config import Ear


def sensor_of(device: str) -> Sensor:
    """A serial port belongs to igloo nodes, which have accelerometers."""
    # a table hears no files, and no input device is called like a path: this is a port that is not plugged in yet
    return "accelerometer" if is_port(device) or device.startswith("/") else "microphone"


def named_profiles(ear: Ear) -> dict[Sensor, Profile]:
    """The profiles named in the settings, by kind of sensor.

    Raises ProfileError if one cannot be read, or is not of the kind that its setting is for.
    """
    named: dict[Sensor, Profile] = {}
    if ear.profile is not None:
        taught = _load("profile", ear.profile)
        named[taught.sensor] = taught
    if ear.shell_profile is not None:
        shell = _load("shell_profile", ear.shell_profile)
        if shell.sensor != "accelerometer":
            raise ProfileError(
                f"shell_profile in [ear], {ear.shell_profile}, was made for {a_sensor(shell.sensor)}",
                "name one of igloos' own accelerometers there, and that one as profile",
            )
        if shell.sensor in named:
            raise ProfileError(
                f"profile and shell_profile in [ear], {ear.profile} and {ear.shell_profile}, are both of "
                f"{a_sensor(shell.sensor)}",
                "take one of them out",
            )
        named[shell.sensor] = shell
    return named


def _load(setting: str, file: Path) -> Profile:
    """Load a profile from a file or, as on the command line, a shipped one by its name.

    Raises ProfileError that also names the setting, and says what to do if it cannot be fitted again.
    """
    if file.name in SHIPPED and not file.exists():
        return load_shipped(file.name)
    try:
        return load(file)
    except ProfileError as error:
        raise ProfileError(
            f"{setting} in [ear]: {error.cause}",
            f"{error.mend}; or take it out of the settings",
        ) from error


def usable_profiles(ear: Ear, trains: bool = False) -> tuple[dict[Sensor, Profile], ProfileError | None]:
    """What `profiles_for` returns, and None; if a named profile cannot be used: the result without it, and the reason.

    An upgrade with another network makes an older profile unusable; that must not stop the table.
    """
    try:
        return profiles_for(ear, trains), None
    except ProfileError as error:
        for left_out in ({"profile": None}, {"shell_profile": None}):
            try:
                meanwhile = ear.model_copy(update=left_out)
                return _in_place(ear, meanwhile, profiles_for(meanwhile, trains), error)
            except ProfileError:
                continue  # the other one is at fault, or both are
        meanwhile = ear.model_copy(update={"profile": None, "shell_profile": None})
        return _in_place(ear, meanwhile, profiles_for(meanwhile, trains), error)


def for_the_trainer(ear: Ear) -> Profile:
    """The profile for a person's own microphone recordings."""
    return usable_profiles(ear, trains=True)[0]["microphone"]


def _in_place(
    ear: Ear, meanwhile: Ear, profiles: dict[Sensor, Profile], fault: ProfileError
) -> tuple[dict[Sensor, Profile], ProfileError]:
    """The profiles used `meanwhile`, and the error that says so.

    For a microphone on the shell it is the shipped contact profile, if the unusable profile still says that it was for
    one; the shipped profile for the air works badly there.
    """
    left_out = ear.profile if meanwhile.profile is None else None
    out, ships = dict(profiles), []
    for kind, known in profiles.items():
        if known is not load_shipped(kind):
            continue
        where = "an accelerometer" if kind == "accelerometer" else "a microphone in the air"
        if kind == "microphone" and left_out is not None and says_on_the_shell(left_out):
            out[kind], where = load_shipped("contact"), "a microphone on the shell"
        ships.append(f"for {where}")
    which = f"the one that ships is heard, {' and '.join(ships)}" if ships else "only the other one is heard"
    return out, ProfileError(fault.cause, f"{fault.mend}; until then {which}")


def profiles_for(ear: Ear, trains: bool = False) -> dict[Sensor, Profile]:
    """The profile for each kind of sensor among the sources: the one named in the settings, else the shipped one.

    `trains`: the ear trainer has the person's own recordings, and uses a microphone's `profile` for them. Raises
    ProfileError if a named profile cannot be read or used, or is for no source.
    """
    wanted: set[Sensor] = {sensor_of(device) for device in ear.sources.values()}
    trained: set[Sensor] = {"microphone"} if trains else set()
    if not wanted | trained:
        return {}
    named = named_profiles(ear)
    if wanted:
        _check_wanted(ear, named, wanted, trains)
    return {sensor: named.get(sensor) or load_shipped(sensor) for sensor in sorted(wanted | trained)}


def _check_wanted(ear: Ear, named: Mapping[Sensor, Profile], wanted: Set[Sensor], trains: bool) -> None:
    """Raises ProfileError for a profile that no source needs."""
    if ear.shell_profile is not None and "accelerometer" not in wanted:
        raise ProfileError(
            f"shell_profile in [ear], {ear.shell_profile}, is for igloos on a serial port, and no source is a port of "
            "igloos",
            "take it out, or name the port",
        )
    for kind in named:
        if kind not in wanted and not (trains and kind == "microphone"):
            raise _for_no_source(ear, kind)


def _for_no_source(ear: Ear, kind: Sensor) -> ProfileError:
    other, source = (
        ("accelerometer", "a serial port of igloos, whose sensor is an accelerometer")
        if kind == "microphone"
        else ("microphone", "a microphone")
    )
    return ProfileError(
        f"profile in [ear], {ear.profile}, was made for {a_sensor(kind)}, and every source is {source}",
        "take it out" if ear.shell_profile is not None else f"name one for {a_sensor(other)}, or take it out",
    )
