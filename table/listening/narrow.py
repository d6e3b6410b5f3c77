"""Detects shakes heard by a band-limited microphone, with one microphone for all or one per seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from sensors.ear.frames.frontend import Array
from sensors.ear.profiles.profile import Profile
from sensors.ear.sources.at_rest import Fault
from sensors.ear.sources.treble import recorded_narrow
from sensors.ear.sources.treble_watch import TrebleWatch, heard_narrow
from sensors.ear.verdicts import lacking
from sensors.evidence import Heard
from sensors.why import Why


class Narrow:
    """The check for one source of `rate` Hz, or for `seats`, one channel each.

    `fault_of`: the fault of a source whose sound ends at that many Hz.

    A seat is judged by its own shakes. A narrow microphone lacks so much of a shake that the shake often seems louder
    at a neighbour's, and nobody knows yet whose it was (`ELSEWHERE_OR_SOFT`). Such a shake counts too: even what the
    air carries from the neighbours to a whole microphone has no cutoff. In 16 rounds at simulated tables, with each
    seat in turn at 8 or 16 kHz, each such shake of that seat was blamed, and none of the others'. Cables, however,
    carry any sound: beside a narrow channel such a shake says nothing about another one.
    """

    def __init__(
        self, rate: float, seats: Sequence[str] = (), fault_of: Callable[[float], Fault] = heard_narrow
    ) -> None:
        self._fault_of = fault_of
        self._of_all = None if seats else TrebleWatch(rate)
        self._of_seats = {seat: TrebleWatch(rate) for seat in seats}

    def push(self, block: Array) -> None:
        """Take in float32[samples, channels]."""
        if self._of_all is not None:
            self._of_all.push(block)
        for channel, watch in enumerate(self._of_seats.values()):
            watch.push(block[:, channel : channel + 1])

    def fault(self, said: Heard) -> Fault | None:
        """The fault of the microphone that heard this; times count from the first block.

        None if it is whole, if nobody knows, and if that was no shake, or another seat's.
        """
        if said.verdict == "not-a-shake" and said.why is not Why.ELSEWHERE_OR_SOFT:
            return None
        watch = self._of_all
        if watch is None:
            if said.seat is None:
                return None
            watch = self._of_seats[said.seat]
            if said.why in (Why.ELSEWHERE_OR_SOFT, Why.TOO_CROWDED) and any(
                other.ends_at(said.start_s, said.end_s) is not None
                for other in self._of_seats.values()
                if other is not watch
            ):
                return None
        end = watch.ends_at(said.start_s, said.end_s)
        return None if end is None else self._fault_of(end)


class NarrowSeats:
    """Files of several seats, with `wheres` as the place of each; `tell` gets a sentence on each that is narrow."""

    def __init__(
        self, profile: Profile, rate: float, wheres: Mapping[str, str], tell: Callable[[str], None]
    ) -> None:
        self._profile, self._wheres, self._tell = profile, wheres, tell
        self._narrow = Narrow(rate, tuple(wheres), recorded_narrow)
        self._told = set[str | None]()

    def pushed(self, blocks: Iterator[Array]) -> Iterator[Array]:
        """Pass through blocks float32[samples, seats], checking each."""
        for block in blocks:
            self._narrow.push(block)
            yield block

    def judge(self, said: Heard) -> Heard:
        """The result; no longer sure if the sound lacks what the profile counts by."""
        fault = self._narrow.fault(said)
        if fault is None:
            return said
        if said.seat is not None and said.seat not in self._told:
            self._told.add(said.seat)
            self._tell(f"of {self._wheres[said.seat]} (seat {said.seat}), {fault}")
        return lacking.judge(said, fault.reason, self._profile)
