"""`polartable calibrate igloos record`: the wizard that records sweeps."""

from __future__ import annotations

import datetime
import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from calibration import recordings as store
from calibration.recorder import Meter, TakeHeard, TakeRecorder
from calibration.recordings import Recording
from calibration.room import RecordingsFull, check_room
from calibration.sweep import Sweep, advice, file_name, next_sweep, remaining
from firmware_bridge.clock import SystemClock
from firmware_bridge.errors import UsageError
from sensors.ear.errors import CaptureLost
from sensors.ear.profile import Profile

BAR = 24
TAKE_BYTES = 2 * 2**20  # eight seconds in three channels of floats, and some
PATIENCE_S = 60.0


class Source(Protocol):
    """A capture stream, real or mock."""

    rate: float
    channels: int

    def blocks(self) -> Iterator[Any]: ...


OpenSource = Callable[[int], AbstractContextManager[Source]]  # for the igloo of that many beads
Ask = Callable[[str], str]


def record(
    folder: Path,
    source: str,
    profile: Profile,
    counts: tuple[int, ...],
    sweeps: int,
    device: str,
    player: str,
    session: str,
    seconds: float,
    as_json: bool,
    ask: Ask,
) -> int:
    """Record `sweeps` sweeps; returns how many takes were kept. Stopping loses at most the take under way."""
    folder.mkdir(parents=True, exist_ok=True)
    opened = opener(source, seconds)
    kept = 0
    for _ in range(sweeps):
        have = _read(folder)
        sweep, resumed = next_sweep(have, counts, device, session)
        hint = advice(have, player)
        if hint:
            tell(hint)
        tell(
            f"{'Going on with' if resumed else 'New'} sweep {sweep.name}: {len(remaining(sweep, have))} igloos to shake"
        )
        while True:
            check_room(folder, TAKE_BYTES)  # before anybody shakes, not after
            have = _read(folder)
            todo = remaining(sweep, have)
            if not todo:
                break
            answer = ask(
                f"Igloo with {todo[0]} beads: put the last one down, take this one up anew. "
                "Enter: record, s: skip for now, q: stop"
            )
            if answer == "q":
                tell("Stopped; the same command goes on from here.")
                return kept
            if answer == "s":
                _reject(folder, sweep, todo[0], have, device, player, session, "skipped", profile)
                continue
            take, rate = _one_take(opened(todo[0]), profile, seconds)
            tell("")
            rejected = take.problem
            if rejected is not None:
                tell(f"Not kept – {rejected}. This igloo comes again.")
            elif (
                ask(
                    f"{take.shake.seconds if take.shake else 0:.1f} s recorded. Enter: keep, r: throw out and retake"
                )
                == "r"
            ):
                rejected = "thrown out"
            line = _keep(folder, sweep, todo[0], have, device, player, session, take, rate, rejected, profile)
            kept += rejected is None
            if as_json:
                print(json.dumps(line.to_json(), ensure_ascii=False), flush=True)
    return kept


def _read(folder: Path) -> list[Recording]:
    if not (folder / store.LIST).exists():
        return []
    return list(store.read(folder, lambda error: tell(str(error))))


def _one_take(
    source: AbstractContextManager[Source], profile: Profile, seconds: float
) -> tuple[TakeHeard, float]:
    with source as stream:
        recorder = TakeRecorder(
            profile.head_for(profile.sensor, stream.rate), stream.rate, stream.channels, seconds
        )
        heard = 0.0
        for block in stream.blocks():
            meter = recorder.push(np.asarray(block, np.float32))
            heard += len(block) / stream.rate
            draw(meter)
            if recorder.take is not None:
                return recorder.take, stream.rate
            if heard > PATIENCE_S:
                break
    raise CaptureLost(
        "no shake was heard for a minute", "check that the right input is chosen (polartable devices)"
    )


def _keep(
    folder: Path, sweep: Sweep, beads: int, have: list[Recording], device: str, player: str, session: str,
    take: TakeHeard, rate: float, rejected: str | None, profile: Profile,
) -> Recording:  # fmt: skip
    import soundfile

    name = file_name(sweep, beads, have)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = "FLOAT" if profile.sensor == "accelerometer" else "PCM_16"
    try:
        soundfile.write(path, take.samples, round(rate), subtype=kind)
    except (OSError, soundfile.LibsndfileError) as error:
        path.unlink(missing_ok=True)  # half a recording is none
        raise RecordingsFull(
            f"{path} could not be written ({error})",
            "make room on the disk; everything recorded so far is kept",
        ) from error
    more: dict[str, Any] = {"order": len(have)}
    if take.shake is not None:
        more["strength"] = round(take.shake.strength, 3)
    if profile.fixed and profile.sensor == "microphone":
        more["place"] = "shell"
    line = Recording(
        folder, name, profile.sensor, beads, f"{device}-{beads}", device, player, session, sweep.name,
        None, _now(), rejected, more,
    )  # fmt: skip
    store.append(line)
    return line


def _reject(
    folder: Path, sweep: Sweep, beads: int, have: list[Recording], device: str, player: str, session: str,
    why: str, profile: Profile,
) -> None:  # fmt: skip
    """A line without sound, so that the igloo comes last."""
    store.append(
        Recording(
            folder,
            file_name(sweep, beads, have),
            profile.sensor,
            beads,
            f"{device}-{beads}",
            device,
            player,
            session,
            sweep.name,
            None,
            _now(),
            why,
        )
    )


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def opener(source: str, seconds: float) -> OpenSource:
    """Opens the source anew for each take. Raises NoSuchInput or CaptureLost."""
    if source == "mock":
        from table.mock_ear import one_shake

        clock, never = SystemClock(), threading.Event()
        turn = iter(range(10**6))

        def wait(for_s: float) -> None:
            never.wait(for_s)

        return lambda beads: one_shake(beads, next(turn), seconds, clock, wait)
    from sensors.ear.capture import Capture, find_input

    device = find_input(source)
    return lambda beads: Capture(device)


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def draw(meter: Meter) -> None:
    """The live meter: level, and where the strength lies in its band."""
    if not sys.stderr.isatty():
        return
    filled = int(np.clip((meter.level_db + 48) / 48 * BAR, 0, BAR))
    strength = "" if meter.strength is None else f" strength {meter.strength:4.1f}"
    print(f"\r[{'#' * filled:<{BAR}}]{strength}  {meter.advice:<8}", end="", file=sys.stderr, flush=True)


def ask_person(question: str) -> str:
    """A question on standard error; the end of input means stop."""
    tell(question)
    line = sys.stdin.readline()
    return line.strip().lower() if line else "q"


def check(counts: tuple[int, ...] | None, sweeps: int) -> tuple[int, ...]:
    """The counts to record. Raises UsageError."""
    if sweeps < 1:
        raise UsageError("no sweep to record", "give --sweeps 1 or more")
    return counts or tuple(range(2, 14))
