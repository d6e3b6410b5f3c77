"""The recording wizard between its own thread and the pages that show it and answer it.

The wizard blocks while it asks and while it hears, so it runs in a thread of its own. Pages look ten times a second
(`version` counts changes) and answer from the event loop.
"""

from __future__ import annotations

import contextlib
import logging
import math
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from calibration.recordings.recorder import Meter
from firmware_bridge.clock import Clock
from firmware_bridge.errors import PolartableError
from sensors.gesture.coach import Advice
from table.recording.asking import CHANGED, Deed, Question, Turn

Phase = Literal["idle", "asks", "hears", "stops"]
KEPT_SENTENCES = 40
LEAVING_S = 5.0  # how long the end of the program waits for a take that is being written


@dataclass(frozen=True, slots=True)
class Shown:
    """What pages show at one moment. `said`: the last sentences, the newest last; `since_s`, `said_s`: when the phase
    began, and when the newest was said, on the desk's clock."""

    phase: Phase
    question: Question | None
    turn: Turn | None
    meter: Meter | None
    band: tuple[float, float] | None
    advice: Advice | None
    said: tuple[str, ...]
    since_s: float
    said_s: float


class RecordingDesk:
    """The wizard's screen (`Screen`), its `ask`, and what pages show of both."""

    again = "“Begin”"
    who = "“Who shakes”:"
    fit: str | None = "“Fit a profile and test it”"

    def __init__(
        self,
        record: Callable[[str, RecordingDesk], object],
        clock: Clock,
        player: str = "",
        simulated: bool = False,
    ) -> None:
        """`record`: records a sweep by that player with this desk as screen, until it is done or stopped. `simulated`:
        its igloos are, and the page says so."""
        self._record, self.clock = record, clock
        self.changed = threading.Condition()  # notified of each change
        self._thread: threading.Thread | None = None
        self._letter: str | None = None
        self._stop = False
        self.version = 0
        self.player, self.simulated = player, simulated
        self.phase: Phase = "idle"
        self.cut_off = False  # whether the last sweep was stopped in the middle of a take
        self.question: Question | None = None
        self.turn: Turn | None = None
        self.meter: Meter | None = None
        self.band: tuple[float, float] | None = None
        self.advice: Advice | None = None
        self.said: deque[str] = deque(maxlen=KEPT_SENTENCES)
        self._since_s = self._said_s = -math.inf

    # what pages do

    def shown(self) -> Shown:
        """All of one moment: the wizard's thread changes it meanwhile."""
        with self.changed:
            return Shown(
                self.phase,
                self.question,
                self.turn,
                self.meter,
                self.band,
                self.advice,
                tuple(self.said),
                self._since_s,
                self._said_s,
            )

    def begin(self, player: str) -> None:
        """Begin a sweep by that player, or go on with it; nothing if one is going on."""
        with self.changed:
            if self.phase != "idle":
                return
            self.player, self.turn, self._stop, self.cut_off = player, None, False, False
            self._now("hears")
        # a daemon: waiting for a port's igloo to be shaken must not hold up the end of the program
        self._thread = threading.Thread(target=self._run, name="recording", daemon=True)
        self._thread.start()

    def answer(self, question: Question, deed: Deed) -> None:
        """Answer that question; nothing if it is no longer open: somebody else answered it meanwhile."""
        with self.changed:
            if self.question is not question or self.phase != "asks" or self._letter is not None:
                return
            self._letter = next(a.letter for a in question.answers if a.deed == deed)
            self._now("hears")

    def ask_anew(self, sweep: str | None) -> None:
        """If it asks for an igloo of that sweep, ask anew: its list has changed."""
        with self.changed:
            turn = None if self.question is None else self.question.turn
            if self.phase == "asks" and self._letter is None and turn is not None and turn.sweep == sweep:
                self._letter = CHANGED
                self.changed.notify_all()

    def stop(self) -> None:
        """Stop the sweep: what is kept is kept, and it can go on from there."""
        with self.changed:
            if self.phase == "idle":
                return
            self._stop = True
            self._now("stops")

    def close(self) -> None:
        """Stop, and wait for what is being written."""
        self.stop()
        if self._thread is not None:
            self._thread.join(LEAVING_S)

    # what the wizard does, in its thread

    def _run(self) -> None:
        try:
            self._record(self.player, self)
        except KeyboardInterrupt:
            self.cut_off = True  # the wizard said so
        except PolartableError as error:
            self.tell(str(error))
        except Exception as error:
            logging.getLogger("polartable").exception("the recording wizard broke off")
            self.tell(f"The wizard broke off ({type(error).__name__}: {error}); what was kept is kept.")
        finally:
            with self.changed:
                self.turn = None
                self._now("idle")

    def ask(self, question: Question) -> str:
        """The letter of the answer, or CHANGED.

        Raises EOFError if it is stopped and the question has no answer for that.
        """
        with self.changed:
            self.question, self._letter = question, None
            self.turn = question.turn or self.turn
            if not self._stop:
                self._now("asks")
            self.changed.wait_for(lambda: self._letter is not None or self._stop)
            self.question = None
            if self._letter is not None:
                return self._letter
        for answer in question.answers:
            if answer.deed in ("stop", "give_up"):
                return answer.letter
        raise EOFError

    def check(self) -> None:
        """Raises KeyboardInterrupt if it is to stop: as Ctrl-C would in a terminal."""
        if self._stop:
            raise KeyboardInterrupt

    def tell(self, text: str) -> None:
        if text := text.strip():
            with self.changed:
                self.said.append(text)
                self._said_s = self.clock.now()
                self._touched()

    def write(self, line: str) -> None:
        # whoever records is not told to stop because nobody reads; the end of the command tells whoever began it
        with contextlib.suppress(OSError):
            print(line, flush=True)

    def draw(self, meter: Meter, band: tuple[float, float]) -> None:
        with self.changed:
            self.meter, self.band = meter, band
            self._touched()

    def advise(self, advice: Advice) -> None:
        with self.changed:
            self.advice = advice
            self._touched()

    def _now(self, phase: Phase) -> None:
        self.phase, self._since_s = phase, self.clock.now()
        self.meter = self.advice = None
        if phase != "asks":
            self.question = None
        self._touched()

    def _touched(self) -> None:
        self.version += 1
        self.changed.notify_all()
