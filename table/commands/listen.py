"""`polartable listen`: count the beads in what is heard."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from calibration.words import many
from firmware_bridge.clock import SystemClock
from firmware_bridge.errors import PolartableError, UsageError
from sensors.ear.igloo_port import is_port
from sensors.ear.profile import SHIPPED
from sensors.ear.sound_file import open_sound
from sensors.evidence import Heard, Hearing
from sensors.gesture.fitting import RECORD_TAPS
from table import ear_live, ear_seats, ear_sources, igloo_sources, leaving, seat_sources
from table.added_up import AddedUp
from table.commands.listen_checks import (
    check_device,
    check_one_igloo,
    check_source,
    one_profile,
    only_one,
    tell_place,
)
from table.ear_gestures import check_gesture, listed
from table.ear_pair import hear_pair

app = typer.Typer(add_completion=False, rich_markup_mode=None)
Said = Heard | Hearing | ear_sources.Event


@app.command(
    epilog="Examples: polartable listen shake.wav · polartable listen default --partial --json · "
    "polartable listen /dev/ttyACM0 · polartable listen mock"
)
def listen(
    source: Annotated[
        list[str],
        typer.Argument(
            help="An input device (name, number or `default`), a sound file, a folder, `mock`, or the serial port "
            "of igloo nodes (`/dev/ttyACM0`; `/dev/ttyACM0#17`: one of them); with --seats also several sound files "
            "that began together; or two sound files of one igloo, by an accelerometer and a microphone."
        ),
    ],
    profile: Annotated[
        list[str] | None,
        typer.Option(
            help="A profile: a file, or microphone, accelerometer, contact (shipped); of two files one for each sensor."
        ),
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="Say several times a second what it sounds like so far.")
    ] = False,
    seats: Annotated[
        str | None,
        typer.Option(
            help="Several people shake at once, each before a microphone: the seats' names, a channel (or file) each."
        ),
    ] = None,
    same_igloo: Annotated[
        bool,
        typer.Option(
            "--same-igloo", help="All shakes are of one igloo: say after each what they tell together."
        ),
    ] = False,
    seconds: Annotated[
        float | None, typer.Option(min=0.1, help="Stop after so many seconds (of each file of a folder).")
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(
            help="Which set stands at a seat, where its profile holds several: its name in the list."
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line on standard output.")
    ] = False,
) -> None:
    """Count the beads in what is heard: a device, a file, a folder, or mock."""
    bad: list[PolartableError] = []

    def complain(error: PolartableError) -> None:
        bad.append(error)
        print(f"polartable: {error}", file=sys.stderr)

    shakes, unheard, added = 0, list[str](), AddedUp()
    last: Heard | None = None
    what = "shake" if not profile or seat_sources.named(profile[0]) is None else "gesture"
    try:
        events: Iterator[Said]
        for one in source:
            check_source(one)
        check_device(device, profile)
        felt = is_port(
            source[0]
        )  # asked while it is there: a lasting name leads nowhere once the cable is pulled
        if seats is not None and same_igloo:
            raise UsageError("--seats names several people's igloos", "leave --same-igloo out")
        for one in source if len(source) == 2 and seats is None else ():
            if ear_sources.looks_like_path(one) and not is_port(one):
                open_sound(Path(one))  # a name that is misspelt is told as that
        if same_igloo:
            check_one_igloo(source)
        if seats is not None:
            events = _seats(source, seats, one_profile(profile), partial, seconds, complain)
        elif len(source) == 2 and all(Path(s).is_file() for s in source):
            if partial:
                raise UsageError("two files of one igloo are told shake by shake", "leave --partial out")
            if seconds is not None:
                raise UsageError("two files of one igloo are heard to their end", "leave --seconds out")
            events = hear_pair([Path(s) for s in source], profile or (), complain, tell_place)
        else:
            events = _events(
                only_one(source),
                one_profile(profile),
                partial,
                seconds,
                complain,
                unheard.append,
                same_igloo,
                device,
            )
        for said in events:
            if isinstance(said, Heard):
                shakes += last is None or not seat_sources.revises(said, last)
                last = said
            _say(said, as_json, felt, what)
            if same_igloo and isinstance(said, Heard):  # each igloo of a port is a source of its own
                together = added.after(said, said.source if felt else "")
                if together is not None:
                    _say(together, as_json, felt, what)
    except KeyboardInterrupt:
        print(f"polartable: broken off by Ctrl-C; {many(shakes, what)} heard until then", file=sys.stderr)
        raise typer.Exit(130) from None
    if shakes == 0 and not bad and Path(source[0]).exists() and not felt:
        _tell_unheard(", ".join(source), "it", profile)
        raise typer.Exit(1)
    if unheard:
        alone = len(unheard) == 1
        which = unheard[0] if alone else f"{len(unheard)} recordings, {unheard[0]} the first,"
        _tell_unheard(f"{which} of {source[0]}", "it" if alone else "them", profile)
    if bad:
        raise typer.Exit(2)


def _tell_unheard(where: str, it: str, profiles: list[str] | None) -> None:
    mend = f"record {it} again, shaken harder; a microphone wants to be nearer where the background is loud"
    if profiles and seat_sources.named(profiles[0]) is not None:
        mend = f"record {it} again: {RECORD_TAPS}"
    elif profiles and not set(profiles) <= set(SHIPPED):
        mend += "; a profile of one gesture hears no other"
    print(f"polartable: nothing to count was heard in {where}: {mend}", file=sys.stderr)


def _wait(for_s: float) -> None:
    threading.Event().wait(for_s)


def _seats(
    sources: list[str],
    seats: str,
    profile: str | None,
    partial: bool,
    seconds: float | None,
    complain: Any,
) -> Iterator[Said]:
    names = ear_seats.named_seats(seats)
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
    known = ear_sources.choose_profile(profile, "microphone")
    if known.sensor != "microphone":
        raise UsageError(
            "--seats names the seats of microphones, and the profile is of an accelerometer",
            "a sensor on each shell needs no --seats: listen to each by itself",
        )
    if len(sources) == 1 and not (Path(sources[0]).exists() or ear_sources.looks_like_path(sources[0])):
        clock = SystemClock()
        return _until_asked(
            lambda stopped: ear_seats.hear_seats_live(
                sources[0], names, known, partial, clock, seconds, _wait, stopped
            )
        )
    return ear_seats.hear_seats([Path(s) for s in sources], names, known, partial, complain, seconds)


def _events(
    source: str,
    profile: str | None,
    partial: bool,
    seconds: float | None,
    complain: Any,
    unheard: Callable[[str], None],
    same_igloo: bool,
    device: str | None = None,
) -> Iterator[Said]:
    path = Path(source)
    clock = SystemClock()
    port, mark, node = source.rpartition("#")
    if mark and is_port(port) and not node.isdecimal():
        raise UsageError(f"{node!r} is no number of a node", f"name one after the #, like {port}#17")
    if (seat := seat_sources.named(profile)) is not None:
        return seat_sources.events(source, seat, partial, seconds, clock, _wait, complain, unheard, device)
    if source == "mock":
        from table.mock_ear import hear_mock

        known = ear_sources.choose_profile(profile, "contact")
        if known.sensor == "accelerometer":
            raise UsageError(
                "mock igloos carry a contact microphone, and the profile is of an accelerometer",
                "leave --profile out, or simulate a folder: polartable simulate shakes --sensor accelerometer",
            )
        return _until_asked(
            lambda stopped: hear_mock(known, partial, seconds, clock, _wait, stopped, same_igloo)
        )
    if is_port(source):
        known = ear_sources.choose_profile(profile, "accelerometer")
        return _until_asked(
            lambda stopped: igloo_sources.hear_igloos(
                source, known, partial, clock, seconds, _wait, stopped=stopped
            )
        )
    if path.is_dir():
        if profile is not None:
            silent: list[PolartableError] = []
            tell_place(ear_sources.kept(path, silent.append), ear_sources.choose_profile(profile, ""))
        return ear_sources.hear_folder(path, profile, partial, complain, unheard, seconds)
    if path.exists() or ear_sources.looks_like_path(source):
        taken_for = ear_sources.sensor_of(open_sound(path))
        line = listed(path)  # knows where a microphone was, as it does when the whole folder is heard
        known = ear_sources.choose_profile(profile, line.kind if line else taken_for)
        check_gesture(path, known)
        if line is not None:
            tell_place([line], known)
        return ear_sources.hear_file(path, known, path.name, partial, line.sensor if line else None, seconds)
    known = ear_sources.choose_profile(profile, "microphone")
    return _until_asked(
        lambda stopped: ear_live.hear_live(source, known, partial, clock, seconds, _wait, stopped=stopped)
    )


def _until_asked(
    begin: Callable[[Callable[[], bool]], Iterator[Said]],
) -> Iterator[Said]:
    """What goes on for ever, until Ctrl-C asks for the end: its counts are said then."""
    with leaving.asked() as stopped:
        yield from begin(stopped)


def _say(said: Said, as_json: bool, felt: bool, what: str) -> None:
    if as_json:
        print(json.dumps(said if isinstance(said, dict) else said.to_json(), ensure_ascii=False), flush=True)
    else:
        print(in_words(said, felt, what), flush=True)


def in_words(said: Said, felt: bool, what: str = "shake") -> str:
    """A line for people; `felt`: of igloos at a serial port; `what` was counted: a shake, or a gesture at a seat."""
    if isinstance(said, Heard):
        who = said.source if said.seat is None else f"{said.source} {said.seat}"
        where = f"{who} {said.start_s:.1f}–{said.end_s:.1f} s"
        if said.verdict == "sure":
            assert said.best is not None
            return f"{where}: {many(said.best, 'bead')} ({said.probabilities[said.best]:.0%})"
        if said.verdict == "unsure":
            assert said.best is not None
            return f"{where}: not sure, {said.best} most likely ({said.probabilities[said.best]:.0%}) – {said.reason}"
        return f"{where}: no shake – {said.reason}"
    if isinstance(said, Hearing):
        best = max(said.probabilities, key=lambda n: said.probabilities[n])
        who = said.source if said.seat is None else f"{said.source} {said.seat}"
        return f"{who} {said.now_s:.1f} s: … {best} ({said.probabilities[best]:.0%})"
    if said["event"] == "igloo":
        best = said["probabilities"][str(said["best"])]
        why = f" – {said['reason']}" if "reason" in said else ""
        told = f"{said['best']} most likely ({best:.0%}){why}"
        return f"{said['source']}: {many(said['shakes'], what)} together: {told}"
    if said["event"] == "link":
        return f"{said['source']}: {said['state']} – {said['why']}"
    if said["event"] == "overflow":
        return f"{said['source']}: {_lost(said['blocks'], felt)} so far"
    return f"{said['source']}: {_lost(said['overflows'], felt)}"


def _lost(n: int, felt: bool) -> str:
    things = many(n, "packet") if felt else many(n, "block of sound", "blocks of sound")
    return f"{things} {'was' if n == 1 else 'were'} lost"
