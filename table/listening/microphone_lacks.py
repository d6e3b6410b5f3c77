"""Detects a running microphone with a telephone's rate or bandwidth: too little to count shakes by."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from sensors.ear.frames.frontend import MICROPHONES_WANT, Array
from sensors.ear.profiles.profile import Profile
from sensors.ear.verdicts import lacking
from sensors.evidence import Heard
from table.listening.files import Event
from table.listening.narrow import Narrow

NO_HIGH_BANDS = "without the highest bands, by which beads are told apart best"
FASTER = "take an input that gives 44.1 or 48 kHz"


class MicrophoneLacks:
    """The checks for one opening of a source of `rate` Hz.

    They report nothing for other sensors, or for a counting seat, whose profile needs no more. `told`: the kinds of
    fault that were reported for the source; each is reported once. `seats`: whose microphone each of its channels is,
    if it has several; then each seat is checked by itself.
    """

    def __init__(
        self, source: str, profile: object, rate: float, told: set[str], seats: Sequence[str] = ()
    ) -> None:
        self._source, self._rate, self._told = source, rate, told
        of_shakes = isinstance(profile, Profile) and profile.sensor == "microphone"
        self._profile = profile if isinstance(profile, Profile) and of_shakes else None
        self._narrow, self._seats = Narrow(rate, seats), seats

    def begin(self) -> Iterator[Event]:
        """Report a rate that is no higher than a telephone's."""
        if self._profile is not None and self._rate < MICROPHONES_WANT:
            yield from self._once("slow", f"it has only {self._rate:g} Hz, {NO_HIGH_BANDS}", FASTER)

    def push(self, block: Array) -> None:
        """Take in float32[samples, channels]."""
        if self._profile is not None:
            self._narrow.push(block)

    def judge(self, said: Heard) -> Generator[Event, None, Heard]:
        """The result, with times since this opening; no longer sure if the sound lacks what the profile counts by."""
        if self._profile is None:
            return said
        fault = self._narrow.fault(said)
        if fault is None or fault.reason is None or lacking.counts_by(self._profile, fault.reason):
            return said
        yield from self._once(fault.kind, fault.cause, fault.mend, said.seat if self._seats else None)
        return lacking.judge(said, fault.reason, self._profile)

    def _once(self, kind: str, why: str, mend: str, seat: str | None = None) -> Iterator[Event]:
        which = kind if seat is None else f"{kind} at {seat}"
        if which not in self._told:
            self._told.add(which)
            at = {} if seat is None else {"seat": seat}
            yield {"event": "sensor", "source": self._source, **at, "why": why, "mend": mend}
