"""Which profile each source of the table's ear is heard with: microphones and igloos' own sensors have one each."""

from __future__ import annotations

from collections.abc import Mapping, Set
from pathlib import Path

from sensors.ear.errors import ProfileError, a_sensor
from sensors.ear.frames.frontend import Sensor
from sensors.ear.profiles.profile import SHIPPED, Profile, load, load_shipped, says_on_the_shell
from sensors.ear.sources.igloo_port import is_port
from table.config import Ear


def sensor_of(device: str) -> Sensor:
    """A serial port is igloo nodes', and those feel."""
    return "accelerometer" if is_port(device) else "microphone"


def named_profiles(ear: Ear) -> dict[Sensor, Profile]:
    """The profiles that the settings name, each under its own kind of sensor.

    Raises ProfileError where one cannot be read, or the two are not of the kinds that their settings are for.
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
    """A file, or one that ships by its name, as on the command line. Raises ProfileError that names the setting too,
    and what to do where it cannot be fitted again."""
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
    """What `profiles_for` gives, and None; or, where a named profile cannot be used, what it gives without that one,
    and why.

    An upgrade that brings another network makes an older profile unusable; that must not stop the table.
    """
    try:
        return profiles_for(ear, trains), None
    except ProfileError as error:
        for left_out in ({"profile": None}, {"shell_profile": None}):
            try:
                meanwhile = ear.model_copy(update=left_out)
                return _in_place(ear, meanwhile, profiles_for(meanwhile, trains), error)
            except ProfileError:
                continue  # it is the other one, or both
        meanwhile = ear.model_copy(update={"profile": None, "shell_profile": None})
        return _in_place(ear, meanwhile, profiles_for(meanwhile, trains), error)


def for_the_trainer(ear: Ear) -> Profile:
    """What recordings of one's own by a microphone are heard with."""
    return usable_profiles(ear, trains=True)[0]["microphone"]


def _in_place(
    ear: Ear, meanwhile: Ear, profiles: dict[Sensor, Profile], fault: ProfileError
) -> tuple[dict[Sensor, Profile], ProfileError]:
    """What is heard `meanwhile`, and the fault that says so: for a microphone on the shell the one that ships for it,
    where the profile still tells; one of the air is a bad one there."""
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
    """The profile for each kind of sensor among the sources: the one that the settings name for it, else the one that
    ships.

    `trains`: the ear trainer has recordings of one's own, and hears them with a microphone's `profile`. Raises
    ProfileError where one that is named cannot be read or meant, or is for no source.
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
    """Raises ProfileError for one that no source wants."""
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
