"""`polartable calibrate igloos record`: the wizard that records sweeps."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from calibration.errors import RecordingsError
from calibration.recordings.folder import Recording
from calibration.recordings.recorder import TakeHeard
from calibration.recordings.room import RecordingsFull, check_room
from calibration.recordings.sweep import BESIDE, Sweep, remaining
from calibration.recordings.throw_out import THROWN_OUT
from calibration.words import many
from firmware_bridge.errors import UsageError
from firmware_bridge.host.uninterrupted import uninterrupted
from sensors.ear.errors import CaptureLost
from sensors.ear.shakes.shake import get_ready
from sensors.evidence import COUNTS
from table.commands.record_begin import begin
from table.commands.record_list import Listed, check_still_ours
from table.commands.record_nodes import another_igloo
from table.commands.record_screen import TERMINAL
from table.commands.record_source import OpenSource, opener
from table.commands.record_takes import check_name, keep, prepare, reject, without_line
from table.commands.record_way import Way, doubt_of, one_take
from table.commands.record_words import UNCONFIRMED, complete, ended, stopped, way_on, what_next
from table.recording.asking import (
    AGAIN,
    CHANGED,
    GIVE_UP,
    KEEP,
    KEEP_AND_STOP,
    RETAKE,
    Ask,
    Question,
    Screen,
    Turn,
    next_igloo,
)

TAKE_BYTES = 2 * 2**20  # eight seconds in three channels of floats, and a little more
NOWHERE = "The take under way is not kept, for its folder is gone."


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
    screen: Screen = TERMINAL,
) -> int:
    """Record `sweeps` sweeps; returns how many takes were kept. Stopping loses at most the take in progress.

    Without a session, the player's unfinished sweep is continued, or today's session begins. Raises UsageError, and
    RecordingsError if the list is broken, or disappears during the recording.
    """
    gesture = way.more.get("gesture")
    opened = checked(folder, source, way, device, player, session, seconds, screen)
    get_ready(way.sensor)
    run = _Run(
        folder, source, opened, way, counts, device, player, as_json, ask, Listed(folder, screen), screen
    )
    run.onward = way_on(sweeps, sweeps, screen.again)
    try:
        for left in range(sweeps, 0, -1):
            if not run.sweep(session, left, sweeps):
                return run.kept
    except EOFError:  # nobody is there to answer
        screen.tell(f"Stopped, for the input ended; {run.onward}.")
        return run.kept
    except (KeyboardInterrupt, CaptureLost) as why:
        cause = "Stopped" if isinstance(why, KeyboardInterrupt) else "The sensor was lost"
        screen.tell("\n" + ended(run.kept, folder, True, run.onward, cause))
        raise
    screen.tell(what_next(folder, run.listed.read(), gesture, screen.fit))
    return run.kept


def checked(
    folder: Path,
    source: str,
    way: Way,
    device: str,
    player: str,
    session: str | None,
    seconds: float,
    screen: Screen = TERMINAL,
) -> OpenSource:
    """What opens the source for each take. Raises UsageError for anything that cannot be recorded like that."""
    gesture = way.more.get("gesture")
    names = {"--device": device, screen.who: player, "--session": session, "--gesture": gesture}
    for option, name in names.items():
        check_name(option, name)
    if source == "mock" and way.sensor == "accelerometer":
        raise UsageError(
            "mock igloos and seats carry a contact microphone, and the profile is of an accelerometer",
            "leave --profile out, or simulate a folder: polartable simulate shakes --sensor accelerometer",
        )
    prepare(folder)
    return opener(source, seconds, gesture, screen.check)


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
    screen: Screen
    onward: str = ""
    kept: int = 0
    doubted: set[str] = field(default_factory=set)  # sensors and rates about which a doubt was reported

    def sweep(self, session: str | None, left: int, sweeps: int) -> bool:
        """Record one of the `left` remaining sweeps; False if somebody stopped it."""
        self.onward = way_on(left, sweeps, self.screen.again)
        sweep, of = begin(
            self.listed.read(), self.counts, self.device, self.player, session, self.way, self.screen
        )
        while True:
            check_room(self.folder, TAKE_BYTES)  # before anybody shakes, not after
            todo = remaining(sweep, self.listed.read(sweep))
            if not todo:
                self.screen.tell(complete(sweep))
                return True
            turn = Turn(
                todo[0], len(self.counts) - len(todo) + 1, len(self.counts), self.way.asks(), sweep.name
            )
            answer = self._choose(next_igloo(turn, many(todo[0], "bead")))
            if answer == CHANGED:
                continue
            if answer == "q":
                self.screen.tell(f"Stopped; {self.onward}.")
                return False
            if not self._is_wanted(sweep, of, todo[0], skipped=answer == "s"):
                continue
            take, rate, nothing = one_take(self.opened, todo[0], self.way, self.source, self.screen)
            self.screen.tell("")
            if take is None:
                self.screen.tell(f"{nothing} This igloo comes again.")
                continue
            rejected, stop = self._judged(take, todo[0])
            line, whole_sweep = self._written(sweep, of, todo[0], take, rate, rejected)
            if stop and not (whole_sweep and left == 1):
                self.screen.tell(
                    stopped(line, way_on(left - 1, sweeps, self.screen.again) if whole_sweep else self.onward)
                )
                if whole_sweep:
                    self.screen.tell(complete(sweep))
                return False

    def _judged(self, take: TakeHeard, beads: int) -> tuple[str | None, bool]:
        """Why the take does not count (None: it is kept), and whether to stop after it."""
        if take.problem is not None:
            self.screen.tell(f"Not kept – {take.problem}. This igloo comes again.")
            return take.problem, False
        if odd := another_igloo(take.node, beads, self.device, self.source, self.listed.read()):
            self.screen.tell(odd)
        try:
            answer = self._choose(Question(self.way.heard(take), (KEEP, RETAKE, KEEP_AND_STOP)))
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
                self.screen.tell("Another run kept that igloo meanwhile.")
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
                self.screen.tell(f"This take is not written yet: {full.cause}; {full.mend}.")
                try:
                    if self._choose(Question("", (AGAIN, GIVE_UP))):
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
            self.screen.tell(f"The sound of this take is {name}; no line names it." if name else NOWHERE)
            raise
        if rejected is None:
            self._tell_doubt(take, rate)
        if self.as_json:
            self.screen.write(json.dumps(line.to_json(), ensure_ascii=False))
        if rejected == BESIDE:
            self.screen.tell(f"{line.file}: its sound is there, it does not count (rejected: {BESIDE}).")
        if others is not None:
            raise others
        return line, not remaining(sweep, [*have, line])

    def _choose(self, question: Question) -> str:
        """Ask until the answer is one of the question's letters."""
        letters = {answer.letter for answer in question.answers} | ({CHANGED} if question.turn else set())
        while (answer := self.ask(question)) not in letters:
            self.screen.tell(f"{answer!r} is no answer to that.")
        return answer

    def _tell_doubt(self, take: TakeHeard, rate: float) -> None:
        """Report a doubt once per sensor, and for a microphone once per rate.

        Another microphone may have the same name after a cable was unplugged, or a headset may come back at a
        telephone's rate.
        """
        of = f"{rate:g} Hz" if self.way.sensor == "microphone" else self.way.sensor
        if of not in self.doubted and (doubt := doubt_of(take, rate, self.way)):
            self.doubted.add(of)
            self.screen.tell(doubt[0].upper() + doubt[1:] + ".")


def _begun_beside(sweep: Sweep, have: list[Recording], way: Way, player: str) -> UsageError | None:
    """The error to raise after the take is written, if another run took over the sweep during the shake."""
    try:
        check_still_ours(sweep, have, way, player)
    except UsageError as error:
        return error
    return None


def check(counts: tuple[int, ...] | None, sweeps: int) -> tuple[int, ...]:
    """The counts to record. Raises UsageError."""
    if sweeps < 1:
        raise UsageError("no sweep to record", "give --sweeps 1 or more")
    return counts or COUNTS
