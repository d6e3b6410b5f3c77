"""The events of `polartable listen`: for whatever its sources name, each with a fitting profile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from calibration.recordings.folder import Complain
from firmware_bridge.clock import Clock, SystemClock
from firmware_bridge.errors import UsageError
from sensors.ear.errors import NoSuchInput
from sensors.ear.profiles.profile import Profile
from sensors.ear.sources.igloo_port import is_port
from sensors.ear.sources.sound_file import open_sound
from table import leaving
from table.commands.key_oddities import nearly_ours
from table.commands.listen_checks import (
    check_device,
    check_one_igloo,
    one_profile,
    only_one,
    tell,
    tell_files,
    tell_place,
)
from table.commands.listen_words import Said
from table.listening import counting_seat, files, igloo_nodes, live, seat_each, seat_profile
from table.listening.gestures import check_gesture
from table.listening.own_line import listed
from table.listening.pair import hear_pair


def _wait(for_s: float) -> None:
    threading.Event().wait(for_s)


def events_of(
    sources: list[str],
    profiles: list[str] | None,
    *,
    seats: str | None,
    partial: bool,
    seconds: float | None,
    same_igloo: bool,
    device: str | None,
    complain: Complain,
    unheard: Callable[[str], None],
) -> Iterator[Said]:
    """The events of sources that `check_source` has passed: several seats, two files of one igloo, or one source.

    Raises UsageError for a combination that does not fit, before anything is heard.
    """
    check_device(device, profiles)
    if seats is not None and same_igloo:
        raise UsageError("--seats names several people's igloos", "leave --same-igloo out")
    for source in sources if len(sources) == 2 and seats is None else ():
        if files.looks_like_path(source) and not is_port(source):
            open_sound(Path(source))  # reports a misspelt name as that
    for path in filter(Path.is_file, map(Path, sources)):
        listed(
            path, lambda error: tell(str(error))
        )  # what is wrong with its line; whoever hears it asks again
    if same_igloo:
        check_one_igloo(sources)
    if seats is not None:
        return of_seats(sources, seats, one_profile(profiles), partial, seconds, complain)
    if len(sources) == 2 and all(Path(source).is_file() for source in sources):
        if partial:
            raise UsageError("two files of one igloo are told shake by shake", "leave --partial out")
        if seconds is not None:
            raise UsageError("two files of one igloo are heard to their end", "leave --seconds out")
        return hear_pair([Path(source) for source in sources], profiles or (), complain, tell_files)
    one, profile = only_one(sources), one_profile(profiles)
    return of_one(one, profile, partial, seconds, complain, unheard, same_igloo, device)


def of_seats(
    sources: list[str],
    seats: str,
    profile: str | None,
    partial: bool,
    seconds: float | None,
    complain: Complain,
) -> Iterator[Said]:
    """Several people's igloos, each at its own microphone. Raises UsageError for sources that are no microphones."""
    names = seat_each.named_seats(seats)
    if "mock" in sources and not Path("mock").exists():
        raise UsageError(
            "mock is one igloo, and --seats names several",
            "simulate a table (polartable simulate together --out together) and listen to its files",
        )
    for source in filter(is_port, sources):
        raise UsageError(
            f"{source} is a serial port, and --seats names the seats of microphones",
            "leave --seats out: each igloo of the port is a source of its own",
        )
    known = files.choose_profile(profile, "microphone")
    if known.sensor != "microphone":
        raise UsageError(
            "--seats names the seats of microphones, and the profile is of an accelerometer",
            "a sensor on each shell needs no --seats: listen to each by itself",
        )
    if len(sources) == 1 and not (Path(sources[0]).exists() or files.looks_like_path(sources[0])):
        clock = SystemClock()
        return _until_asked(
            lambda stopped: seat_each.hear_seats_live(
                sources[0], names, known, partial, clock, seconds, _wait, stopped, tell
            )
        )
    paths = [Path(source) for source in sources]
    return seat_each.hear_seats(paths, names, known, partial, complain, seconds, tell, tell_files)


def of_one(
    source: str,
    profile: str | None,
    partial: bool,
    seconds: float | None,
    complain: Complain,
    unheard: Callable[[str], None],
    same_igloo: bool,
    device: str | None = None,
) -> Iterator[Said]:
    """A device, a port of igloos, a folder, a file or mock: whatever `source` names.

    Raises UsageError for an invalid node or invalid options.
    """
    path = Path(source)
    clock = SystemClock()
    port, mark, node = source.rpartition("#")
    if mark and is_port(port) and not node.isdecimal():
        raise UsageError(f"{node!r} is no number of a node", f"name one after the #, like {port}#17")
    if path.is_dir():
        for misspelt in nearly_ours(files.not_rejected(path)):
            tell(misspelt)
    if (seat := seat_profile.named(profile)) is not None:
        return counting_seat.events(source, seat, partial, seconds, clock, _wait, complain, unheard, device)
    if source == "mock":
        from table.listening.mock_ear import hear_mock

        known = files.choose_profile(profile, "contact")
        if known.sensor == "accelerometer":
            raise UsageError(
                "mock igloos carry a contact microphone, and the profile is of an accelerometer",
                "leave --profile out, or simulate a folder: polartable simulate shakes --sensor accelerometer",
            )
        return _until_asked(
            lambda stopped: hear_mock(known, partial, seconds, clock, _wait, stopped, same_igloo)
        )
    if is_port(source):  # asked once: a port that comes up in the meantime is used the next time
        known = files.choose_profile(profile, "accelerometer")
        return _until_asked(
            lambda stopped: igloo_nodes.hear_igloos(
                source, known, partial, clock, seconds, _wait, stopped=stopped
            )
        )
    if path.is_dir():
        if profile is not None:
            tell_place(files.not_rejected(path), files.choose_profile(profile, ""))
        return files.hear_folder(path, profile, partial, complain, unheard, seconds)
    if path.exists() or files.looks_like_path(source):
        file = open_sound(path)
        taken_for = files.sensor_of(file)
        line = listed(path)  # it knows where the microphone was, as when the whole folder is heard
        known = files.choose_profile(profile, line.kind if line else taken_for)
        check_gesture(path, known)
        tell_files([file], known)
        return files.hear_file(path, known, path.name, partial, line.sensor if line else None, seconds)
    known = files.choose_profile(profile, "microphone")
    return _device(source, known, partial, clock, seconds)


def _device(
    source: str, known: Profile, partial: bool, clock: Clock, seconds: float | None
) -> Iterator[Said]:
    """What an input device hears. Raises NoSuchInput where nothing of any kind is called so."""
    try:
        yield from _until_asked(
            lambda stopped: live.hear_live(
                source, known, partial, clock, seconds, _wait, stopped=stopped, port=False
            )
        )
    except NoSuchInput as error:
        raise NoSuchInput(
            f"{error.cause}, and no file or folder of that name",
            "name one of these, plug the device in, or say mock",
        ) from error


def _until_asked(
    begin: Callable[[Callable[[], bool]], Iterator[Said]],
) -> Iterator[Said]:
    """Run an endless source until Ctrl-C; its counts are printed then."""
    with leaving.asked() as stopped:
        yield from begin(stopped)
