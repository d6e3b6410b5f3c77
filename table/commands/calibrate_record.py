"""`polartable calibrate igloos record`: the wizard that records sweeps."""

from __future__ import annotations

import datetime
import json
import shlex
from collections.abc import Callable
from pathlib import Path

from calibration.asked import LEAST_COUNTS
from calibration.errors import RecordingsError
from calibration.recorder import TakeHeard
from calibration.recordings import Recording
from calibration.room import check_room
from calibration.sweep import BESIDE, COUNTS, Sweep, advice, next_sweep, remaining, too_soon, unfinished
from calibration.throw_out import THROWN_OUT
from calibration.words import many
from firmware_bridge.errors import UsageError
from sensors.ear.at_rest import scaled
from sensors.ear.errors import CaptureLost, NobodyShook
from sensors.ear.shake import get_ready
from table.commands.igloo_oddities import too_slow
from table.commands.record_list import Listed, check_still_ours
from table.commands.record_screen import tell
from table.commands.record_source import Noted, OpenSource, opener
from table.commands.record_takes import check_name, keep, prepare, reject, without_line
from table.commands.record_way import Way, check_same_way, whole

TAKE_BYTES = 2 * 2**20  # eight seconds in three channels of floats, and some
UNCONFIRMED = "not confirmed"  # why a take does not count that nobody said to keep
NOWHERE = "The take under way is not kept, for its folder is gone."
Ask = Callable[[str], str]  # raises EOFError where nobody answers any more


def record(
    folder: Path,
    source: str,
    way: Way,
    counts: tuple[int, ...],
    sweeps: int,
    device: str,
    player: str,
    session: str | None,
    seconds: float,
    as_json: bool,
    ask: Ask,
) -> int:
    """Record `sweeps` sweeps; returns how many takes were kept. Stopping loses at most the take under way.

    Without a session, the player's unfinished sweep goes on, or today's session begins. Raises UsageError, and
    RecordingsError where the list is broken, or gone while it is recorded into.
    """
    gesture = way.more.get("gesture")
    names = {"--device": device, "--player": player, "--session": session, "--gesture": gesture}
    for option, name in names.items():
        check_name(option, name)
    if source == "mock" and way.sensor == "accelerometer":
        raise UsageError(
            "mock igloos and seats carry a contact microphone, and the profile is of an accelerometer",
            "leave --profile out, or simulate a folder: polartable simulate shakes --sensor accelerometer",
        )
    prepare(folder)
    opened = opener(source, seconds, gesture)
    get_ready(way.sensor)
    kept, onward, listed = 0, _onward(sweeps, sweeps), Listed(folder)
    try:
        for left in range(sweeps, 0, -1):
            onward = _onward(left, sweeps)
            have = listed.read()
            sweep, of = _begin(have, counts, device, player, session, way)
            while True:
                check_room(folder, TAKE_BYTES)  # before anybody shakes, not after
                have = listed.read(sweep)
                todo = remaining(sweep, have)
                if not todo:
                    tell(_complete(sweep))
                    break
                answer = _choose(
                    ask,
                    f"{len(counts) - len(todo) + 1} of {len(counts)}, the igloo with "
                    f"{many(todo[0], 'bead')}: put the last one down, take this one up anew, {way.asks()}. "
                    "Enter: record, s: skip for now, q: stop",
                    "sq",
                )
                if answer == "q":
                    tell(f"Stopped; {onward}.")
                    return kept
                with listed.alone():  # a question may stand for long, and others record meanwhile
                    have = listed.read(sweep)
                    check_still_ours(sweep, have, way, player)
                    if todo[0] not in remaining(sweep, have):
                        tell("Another run kept that igloo meanwhile.")
                        continue
                    if answer == "s":
                        listed.added(reject(folder, sweep, todo[0], have, device, player, of, "skipped", way))
                        continue
                take, rate = _one_take(opened, todo[0], way, source)
                tell("")
                if take is None:
                    tell(f"{way.nothing} This igloo comes again.")
                    continue
                rejected, stop = _judged(ask, take, way)
                try:
                    with listed.alone():
                        have = listed.read(sweep)
                        others = _begun_beside(sweep, have, way, player)
                        if others or (rejected is None and todo[0] not in remaining(sweep, have)):
                            rejected = BESIDE
                        line = keep(
                            folder, sweep, todo[0], have, device, player, of, take, rate, rejected, way,
                            source=source,
                        )  # fmt: skip
                except RecordingsError:
                    name = without_line(folder, sweep, todo[0], take, rate, way)
                    tell(f"The sound of this take is {name}; no line names it." if name else NOWHERE)
                    raise
                listed.added(line)
                kept += rejected is None
                if rejected is None and kept == 1 and (fault := _fault(take, rate, way)):
                    tell(fault[0].upper() + fault[1:] + ".")
                if as_json:
                    print(json.dumps(line.to_json(), ensure_ascii=False), flush=True)
                if rejected == BESIDE:
                    tell(f"{line.file}: its sound is there, it does not count (rejected: {BESIDE}).")
                if others is not None:
                    raise others
                done = not remaining(sweep, [*have, line])
                if stop and not (done and left == 1):
                    tell(_stopped(line, _onward(left - 1, sweeps) if done else onward))
                    if done:
                        tell(_complete(sweep))
                    return kept
    except EOFError:  # nobody is there to answer
        tell(f"Stopped, for the input ended; {onward}.")
        return kept
    except (KeyboardInterrupt, CaptureLost) as why:
        ended = "Stopped" if isinstance(why, KeyboardInterrupt) else "The sensor was lost"
        tell(
            f"\n{ended}: {many(kept, 'take')} of this run kept in {folder}, the one under way is not; {onward}."
        )
        raise
    if gesture is None:
        tell(_what_next(folder, listed.read()))
    return kept


def _what_next(folder: Path, have: list[Recording]) -> str:
    counts = {r.beads for r in have if r.rejected is None}
    if len(counts) < LEAST_COUNTS:
        return f"That is {many(len(counts), 'count')}, and a profile takes {LEAST_COUNTS}: record other igloos too."
    return (
        f"Fit what is there with: polartable calibrate igloos fit {shlex.quote(str(folder))} --out mine.profile; "
        "a sweep by another person is worth more than one more by the same."
    )


def _complete(sweep: Sweep) -> str:
    return f"Sweep {sweep.name} is complete: {len(sweep.counts)} of {len(sweep.counts)}."


def _stopped(line: Recording, onward: str) -> str:
    """What became of the take after which it was stopped, and how to go on."""
    if line.rejected == UNCONFIRMED:
        return (
            f"The input ended before anybody said whether {line.file} is to be kept: its sound is there, it does not "
            f"count (rejected: {UNCONFIRMED}), and its igloo comes again; {onward}."
        )
    return f"Stopped; {onward}." if line.rejected else f"Kept {line.file} and stopped; {onward}."


def _onward(left: int, sweeps: int) -> str:
    """How to go on when so many of the sweeps are left, the one under way among them."""
    return f"the same command {'' if left == sweeps else f'with --sweeps {left} '}goes on from here"


def _begin(
    have: list[Recording],
    counts: tuple[int, ...],
    device: str,
    player: str,
    session: str | None,
    way: Way,
) -> tuple[Sweep, str]:
    """The sweep to record and its session; says which it is."""
    if hint := advice(have, player):
        tell(hint)
    of = session or unfinished(have, counts, device, player) or _today()
    sweep, resumed = next_sweep(have, counts, device, of, player)
    left = f"{many(len(remaining(sweep, have)), 'igloo')} to record"
    if resumed:
        check_same_way(sweep, have, way)
        other = "" if session else " (to begin another one instead: --session NAME)"
        tell(f"Going on with {player}'s unfinished sweep {sweep.name}: {left}{other}")
    else:
        others = sorted({r.player for r in have if r.player} - {player})
        new = bool(others) and all(r.player != player for r in have)
        known = f" by somebody new, {player} (known here: {', '.join(others)})" if new else ""
        tell(f"New sweep {sweep.name}{known}: {left}")
        if hint := too_soon(have, device, of, player, datetime.datetime.now(datetime.UTC)):
            tell(hint)
    return sweep, of


def _fault(take: TakeHeard, rate: float, way: Way) -> str | None:
    """What is wrong with the sensor, whoever shakes."""
    return too_slow([rate]) if way.sensor == "microphone" else scaled(take.samples, rate)


def _one_take(opened: OpenSource, beads: int, way: Way, source: str) -> tuple[TakeHeard | None, float]:
    """The take and its rate; none where nothing came of it for long. Raises CaptureLost."""
    try:
        with opened(beads) as stream:
            noted = Noted(stream)
            return whole(way.one_take(noted), noted, source), stream.rate
    except NobodyShook:  # an igloo's port is opened when it is shaken
        return None, 0.0


def _judged(ask: Ask, take: TakeHeard, way: Way) -> tuple[str | None, bool]:
    """Why the take does not count, None where it is kept; and whether to stop after it."""
    if take.problem is not None:
        tell(f"Not kept – {take.problem}. This igloo comes again.")
        return take.problem, False
    question = f"{way.heard(take)}. Enter: keep, r: throw out and retake, q: keep and stop"
    try:
        answer = _choose(ask, question, "rq")
    except EOFError:
        return UNCONFIRMED, True
    return THROWN_OUT if answer == "r" else None, answer == "q"


def _choose(ask: Ask, question: str, letters: str) -> str:
    """Asks until the answer is Enter or one of the letters."""
    while (answer := ask(question)) and (len(answer) > 1 or answer not in letters):
        tell(f"{answer!r} is no answer to that.")
    return answer


def _begun_beside(sweep: Sweep, have: list[Recording], way: Way, player: str) -> UsageError | None:
    """What is to be said once the take is written, where another run made the sweep its own while it was shaken."""
    try:
        check_still_ours(sweep, have, way, player)
    except UsageError as error:
        return error
    return None


def _today() -> str:
    return datetime.date.today().isoformat()


def check(counts: tuple[int, ...] | None, sweeps: int) -> tuple[int, ...]:
    """The counts to record. Raises UsageError."""
    if sweeps < 1:
        raise UsageError("no sweep to record", "give --sweeps 1 or more")
    return counts or COUNTS
