"""The listener of the counting gesture: blocks of samples in, evidence out, and prompts for the person who taps."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sensors.ear.errors import ProfileError
from sensors.evidence import Heard, Hearing
from sensors.gesture.coach import Advice, advise
from sensors.gesture.collect import Collector
from sensors.gesture.day import Day, another_day
from sensors.gesture.gathered import WANTED, Gesture
from sensors.gesture.judge import judge, learned, probabilities
from sensors.gesture.model import Noise
from sensors.gesture.profile import GestureProfile

PATIENCE_S = 8.0  # after the last tap: then what was tapped has to do
STEP_S = 0.1  # shorter than any ring


class Counter:
    """Counts igloos on a seat: `push` blocks [n] or [n, channels], get `Hearing` after each tap and `Heard` at the end.

    Memory is constant; an hour of silence costs one filter. Each weighed igloo teaches what all igloos of today have in
    common, so that later ones are told better (`day`).
    """

    def __init__(
        self,
        profile: GestureProfile,
        rate: float,
        channels: int,
        source: str = "seat",
        device: str | None = None,
        day: Day | None = None,
        note: Callable[[Heard, Gesture], object] = lambda said, gesture: None,
    ) -> None:
        """device: which of the profile's sets; None: its only one. day: what is known already of that set's day. note:
        is called with each answer and its gesture. Raises ProfileError where profile and source do not match,
        SoundError for too low a rate."""
        if device is not None and profile.set_for(device) is None:
            raise ProfileError(
                f"the profile knows no set called {device}",
                f"name one of {', '.join(profile.sets) or 'none'}",
            )
        if channels != 1 and profile.sensor == "microphone":
            raise ProfileError(
                f"the profile is of one microphone, and this has {channels} channels", "give one channel"
            )
        if channels != 3 and profile.sensor == "accelerometer":
            plural = "" if channels == 1 else "s"
            raise ProfileError(
                f"the profile is of an accelerometer, and {source} has {channels} channel{plural}",
                "record all three axes in g",
            )
        self.profile, self.source, self.device = profile, source, device
        self._note = note
        self._known = profile.set_for(device)
        empty, noise = None, Noise()
        if self._known is not None:
            empty, noise = self._known.empty, self._known.model.noise
        self._collector = Collector(profile.sensor, rate, channels, empty, noise)
        self._step = max(1, round(STEP_S * rate))
        self._gesture: Gesture | None = None  # the one that the next four belong to:
        self._told = 0, 0  # its taps that are answered: weighed, dull
        self._certain = False  # its last answer was sure
        self._doubted = False  # its last answer was given while the taps on the empty seat disagreed
        self._settled = False  # they agree now, and it was answered anew
        self._day = (day or self._known.day) if self._known is not None else None
        self._before = self._day  # what was known of the day before this gesture
        self._last_s = 0.0  # when this gesture began

    def ask_whole(self, whole: Callable[[float, float], bool]) -> None:
        """Have `whole` asked about each ring: was nothing lost on the way to here between its two times? Otherwise the
        ring is neither taken for the empty seat's nor weighed."""
        self._collector.ask_whole(whole)

    @property
    def day(self) -> Day | None:
        """What is known of the day by now; None for an unknown set."""
        return self._day

    @property
    def advice(self) -> Advice:
        """What to do next, and what was wrong with the last tap."""
        return advise(self._collector, self._certain, self._stands)

    @property
    def _stands(self) -> bool:
        """Does the last answer cover all taps, and is its igloo still there?"""
        now = self._collector.gesture
        if now is None:
            return True
        answered = now is self._gesture and self._told != (0, 0)
        return answered and not self._fresh(now) and not self._collector.in_doubt

    @property
    def level_db(self) -> float:
        """How loud the last tap was, for a meter; -120 before any."""
        last = self._collector.last
        return -120.0 if last is None else 20 * math.log10(max(last.strike, 1e-6))

    def push(self, block: NDArray[np.floating]) -> list[Heard | Hearing]:
        """Samples [n] or [n, channels] in g (accelerometer) or ±1 (microphone); values that are not finite repeat the
        one before."""
        out: list[Heard | Hearing] = []
        # an answer settles a gesture, which decides where the next tap belongs: so no step may hold more than one tap
        for i in range(0, len(block), self._step):
            out += self._push(block[i : i + self._step])
        return out

    def _push(self, block: NDArray[np.floating]) -> list[Heard | Hearing]:
        out: list[Heard | Hearing] = []
        before = self._collector.news
        over = self._collector.push(block)
        for ended in over:
            out += self._tell(ended, last=True)
        if over and self._asks_on(over[-1]):
            self._collector.gesture = over[-1]
            return out
        now = self._collector.gesture
        if now is None:
            return out
        if over or self._collector.news != before:
            out += self._tell(now, last=False)
        # The igloo may stay there, and more taps still add up; and it is soon decided where the last one belongs.
        in_doubt = self._collector.in_doubt
        if not in_doubt and self._collector.seconds - now.end_s > PATIENCE_S and self._fresh(now):
            out.append(self._answer(now))
        return out

    def finish(self) -> list[Heard | Hearing]:
        """The source has ended."""
        return [said for ended in self._collector.finish() for said in self._tell(ended, last=True)]

    def _asks_on(self, ended: Gesture) -> bool:
        """Was it ended by the tap on the empty seat that settled their disagreement, and does it now need one more
        placing?"""
        nothing_else = self._collector.gesture is None and ended is self._gesture
        return nothing_else and self._settled and ended.under_way

    def _fresh(self, gesture: Gesture) -> bool:
        """Has it unanswered taps, or was it weighed anew? Dull taps count only as long as nothing was weighed."""
        if gesture is not self._gesture:
            return taps_of(gesture) > 0
        if self._doubted and not gesture.doubtful:
            return True
        weighed, dull = self._told
        return gesture.weighed > weighed if gesture.weights else taps_of(gesture) > dull

    def _turn_to(self, gesture: Gesture) -> None:
        if gesture is not self._gesture:
            if self._known is not None and another_day(self._last_s, gesture.start_s):
                self._day = self._known.day
            self._gesture, self._told = gesture, (0, 0)
            self._certain = self._doubted = self._settled = False
            self._before, self._last_s = self._day, gesture.start_s

    def _tell(self, gesture: Gesture, last: bool) -> list[Heard | Hearing]:
        self._turn_to(gesture)
        if not self._fresh(gesture):
            return []
        if last or enough(gesture):
            return [self._answer(gesture)]
        self._certain = gesture.answered = False
        if not gesture.weights:
            return []
        p = probabilities(gesture, self.profile, self._known, self._before)
        return [Hearing(self.source, gesture.start_s, gesture.end_s, p, self.level_db, self.advice.level)]

    def _answer(self, gesture: Gesture) -> Heard:
        self._turn_to(gesture)
        said = judge(gesture, self.profile, self.source, self.device, self._before)
        self._told = gesture.weighed, 0 if gesture.weights else taps_of(gesture)
        self._certain = said.verdict == "sure"
        self._settled = self._doubted and not gesture.doubtful
        self._doubted = gesture.doubtful
        # a gesture that is answered anew teaches only once
        self._day = learned(self._before, gesture, said) if self._before is not None else None
        gesture.answered = not said.why.once_more
        if gesture is self._collector.gesture and enough(gesture) and gesture.answered:
            self._collector.settled = True
        self._note(said, gesture)
        return said


def taps_of(gesture: Gesture) -> int:
    """Taps that call for an answer: the weighed ones, or, where none could be weighed, those that rang at all.

    The first dull one is the setting down; knocks on the table do not ring the seat. Taps that were much too hard leave
    no ring.
    """
    if gesture.weights:
        return gesture.weighed
    hard = gesture.clipped and gesture.empty is not None
    return max(0, gesture.dull - 1) if gesture.rang or hard else 0


def enough(gesture: Gesture) -> bool:
    """Three placings; or, for somebody who only taps, as many taps as are worth three placings."""
    return max(gesture.placings, taps_of(gesture) // WANTED) >= WANTED
