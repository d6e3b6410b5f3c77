"""`polartable calibrate igloos record`: the wizard that records sweeps."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from calibration.errors import RecordingsError
from calibration.recordings.folder import Recording
from calibration.recordings.occasion import now, occasion
from calibration.recordings.recorder import TakeHeard
from calibration.recordings.room import RecordingsFull, check_room
from calibration.recordings.sweep import BESIDE, Sweep, advice, next_sweep, remaining, too_soon, unfinished
from calibration.recordings.throw_out import THROWN_OUT
from calibration.words import many
from firmware_bridge.errors import UsageError
from firmware_bridge.host.uninterrupted import uninterrupted
from sensors.ear.errors import CaptureLost
from sensors.ear.shakes.shake import get_ready
from sensors.evidence import COUNTS
from table.commands.record_list import Listed, check_still_ours
from table.commands.record_nodes import another_igloo
from table.commands.record_screen import tell
from table.commands.record_source import OpenSource, opener
from table.commands.record_takes import check_name, keep, names_files, prepare, reject, without_line
from table.commands.record_way import Way, check_same_way, doubt_of, one_take
from table.commands.record_words import UNCONFIRMED, complete, stopped, way_on, what_next

TAKE_BYTES = 2 * 2**20  # eight seconds in three channels of floats, and a little more
NOWHERE = "The take under way is not kept, for its folder is gone."
Ask = Callable[[str], str]  # raises EOFError if nobody answers any more


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
    """Record `sweeps` sweeps; returns how many takes were kept. Stopping loses at most the take in progress.

    Without a session, the player's unfinished sweep is continued, or today's session begins. Raises UsageError, and
    RecordingsError if the list is broken, or disappears during the recording.
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
    run = _Run(folder, source, opened, way, counts, device, player, as_json, ask, Listed(folder))
    run.onward = way_on(sweeps, sweeps)
    try:
        for left in range(sweeps, 0, -1):
            if not run.sweep(session, left, sweeps):
                return run.kept
    except EOFError:  # nobody is there to answer
        tell(f"Stopped, for the input ended; {run.onward}.")
        return run.kept
    except (KeyboardInterrupt, CaptureLost) as why:
        ended = "Stopped" if isinstance(why, KeyboardInterrupt) else "The sensor was lost"
        tell(
            f"\n{ended}: {many(run.kept, 'take')} of this run kept in {folder}, the one under way is not; {run.onward}."
        )
        raise
    tell(what_next(folder, run.listed.read(), gesture))
    return run.kept


@dataclass(slots=True)
class _Run:
    """The wizard's state while it records. `onward`: how to continue if it is stopped now."""

    folder: Path
    source: str
    opened: OpenSource
    way: Way
    counts: tuple[int, ...]
    device: str
    player: str
    as_json: bool
    ask: Ask
    listed: Listed
    onward: str = ""
    kept: int = 0
    doubted: set[str] = field(default_factory=set)  # sensors and rates about which a doubt was reported

    def sweep(self, session: str | None, left: int, sweeps: int) -> bool:
        """Record one of the `left` remaining sweeps; False if somebody stopped it."""
        self.onward = way_on(left, sweeps)
        sweep, of = _begin(self.listed.read(), self.counts, self.device, self.player, session, self.way)
        while True:
            check_room(self.folder, TAKE_BYTES)  # before anybody shakes, not after
            todo = remaining(sweep, self.listed.read(sweep))
            if not todo:
                tell(complete(sweep))
                return True
            answer = _choose(
                self.ask,
                f"{len(self.counts) - len(todo) + 1} of {len(self.counts)}, the igloo with "
                f"{many(todo[0], 'bead')}: put the last one down, take this one up anew, {self.way.asks()}. "
                "Enter: record, s: skip for now, q: stop",
                "sq",
            )
            if answer == "q":
                tell(f"Stopped; {self.onward}.")
                return False
            if not self._is_wanted(sweep, of, todo[0], skipped=answer == "s"):
                continue
            take, rate, nothing = one_take(self.opened, todo[0], self.way, self.source)
            tell("")
            if take is None:
                tell(f"{nothing} This igloo comes again.")
                continue
            rejected, stop = self._judged(take, todo[0])
            line, whole_sweep = self._written(sweep, of, todo[0], take, rate, rejected)
            if stop and not (whole_sweep and left == 1):
                tell(stopped(line, way_on(left - 1, sweeps) if whole_sweep else self.onward))
                if whole_sweep:
                    tell(complete(sweep))
                return False

    def _judged(self, take: TakeHeard, beads: int) -> tuple[str | None, bool]:
        """Why the take does not count (None: it is kept), and whether to stop after it."""
        if take.problem is not None:
            tell(f"Not kept – {take.problem}. This igloo comes again.")
            return take.problem, False
        if odd := another_igloo(take.node, beads, self.device, self.source, self.listed.read()):
            tell(odd)
        question = f"{self.way.heard(take)}. Enter: keep, r: throw out and retake, q: keep and stop"
        try:
            answer = _choose(self.ask, question, "rq")
        except EOFError:
            return UNCONFIRMED, True
        return THROWN_OUT if answer == "r" else None, answer == "q"

    def _is_wanted(self, sweep: Sweep, of: str, beads: int, skipped: bool) -> bool:
        """Whether that igloo has to be shaken now; a skipped one gets its line.

        The list is read again: the question may have been open for long, and other runs record in the meantime.
        """
        with self.listed.alone():
            have = self.listed.read(sweep)
            check_still_ours(sweep, have, self.way, self.player)
            if beads not in remaining(sweep, have):
                tell("Another run kept that igloo meanwhile.")
                return False
            if skipped:
                line = reject(
                    self.folder, sweep, beads, have, self.device, self.player, of, "skipped", self.way
                )
                self.listed.added(line)
        return not skipped

    def _written(
        self, sweep: Sweep, of: str, beads: int, take: TakeHeard, rate: float, rejected: str | None
    ) -> tuple[Recording, bool]:
        """Like `_write`, but retries if there is no room and somebody makes some, so that the shake is not lost.

        Raises RecordingsFull if nobody makes room.
        """
        while True:
            try:
                return self._write(sweep, of, beads, take, rate, rejected)
            except RecordingsFull as full:
                if rejected is not None:  # a rejected take is not worth a retry
                    raise
                tell(f"This take is not written yet: {full.cause}; {full.mend}.")
                try:
                    if _choose(self.ask, "Enter: try again, q: give this take up and stop", "q"):
                        raise
                except EOFError:
                    raise full from None

    def _write(
        self, sweep: Sweep, of: str, beads: int, take: TakeHeard, rate: float, rejected: str | None
    ) -> tuple[Recording, bool]:
        """Write the take; returns its line, and whether it completes the sweep.

        Raises UsageError, after writing, if another run took over the sweep during the shake.
        """
        try:
            with self.listed.alone():
                have = self.listed.read(sweep)
                others = _begun_beside(sweep, have, self.way, self.player)
                if others or (rejected is None and beads not in remaining(sweep, have)):
                    rejected = BESIDE
                with uninterrupted():  # sound, line and count are all written, or none
                    line = keep(
                        self.folder, sweep, beads, have, self.device, self.player, of, take, rate, rejected,
                        self.way, source=self.source,
                    )  # fmt: skip
                    self.listed.added(line)
                    self.kept += rejected is None
        except RecordingsError:
            name = without_line(self.folder, sweep, beads, take, rate, self.way)
            tell(f"The sound of this take is {name}; no line names it." if name else NOWHERE)
            raise
        if rejected is None:
            self._tell_doubt(take, rate)
        if self.as_json:
            print(json.dumps(line.to_json(), ensure_ascii=False), flush=True)
        if rejected == BESIDE:
            tell(f"{line.file}: its sound is there, it does not count (rejected: {BESIDE}).")
        if others is not None:
            raise others
        return line, not remaining(sweep, [*have, line])

    def _tell_doubt(self, take: TakeHeard, rate: float) -> None:
        """Report a doubt once per sensor, and for a microphone once per rate.

        Another microphone may have the same name after a cable was unplugged, or a headset may come back at a
        telephone's rate.
        """
        of = f"{rate:g} Hz" if self.way.sensor == "microphone" else self.way.sensor
        if of not in self.doubted and (doubt := doubt_of(take, rate, self.way)):
            self.doubted.add(of)
            tell(doubt[0].upper() + doubt[1:] + ".")


def _begin(
    have: list[Recording],
    counts: tuple[int, ...],
    device: str,
    player: str,
    session: str | None,
    way: Way,
) -> tuple[Sweep, str]:
    """The sweep to record and its session; prints which it is."""
    if hint := advice(have, player):
        tell(hint)
    # sessions become folders, and other programs' lists may use any name
    usable = [r for r in have if names_files(r.session or "")]
    of, odd = session or unfinished(usable, counts, device, player), None
    if of is None:
        of, odd = occasion(usable, _today, now())
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
        if odd:
            tell(odd)
        if hint := too_soon(have, device, of, player, now()):
            tell(hint)
    return sweep, of


def _choose(ask: Ask, question: str, letters: str) -> str:
    """Ask until the answer is Enter or one of the letters."""
    while (answer := ask(question)) and (len(answer) > 1 or answer not in letters):
        tell(f"{answer!r} is no answer to that.")
    return answer


def _begun_beside(sweep: Sweep, have: list[Recording], way: Way, player: str) -> UsageError | None:
    """The error to raise after the take is written, if another run took over the sweep during the shake."""
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
