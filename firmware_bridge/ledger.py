"""Sequence numbers of one node: losses, duplicates, reordering."""

from __future__ import annotations

from typing import Literal

from firmware_bridge.timing import WRAP_US

Verdict = Literal["new", "late", "repeated", "restart"]
_WINDOW = 64
_LONG_S = 3.0
_FORGOTTEN_S = 2000.0  # after nearly half a wrap the clock says nothing any more
_DRIFT = 0.03  # the most that a node's clock may run off the host's
_PIECE_S = 0.25  # frames in transit are out of order by less
_HOLE_S = 0.3  # the most that a radio may lose just before a wire stalls
_RESTART = 2000  # without a clock, a jump further than this means that the node restarted


class SequenceLedger:
    """Counts for one node whose frames are numbered modulo `modulus`; remembers the last 64 numbers."""

    def __init__(self, modulus: int = 1 << 16) -> None:
        self._modulus = modulus
        self._last: int | None = None
        self._seen = 0  # bit i: number last − i was seen
        self.lost = 0
        self.repeated = 0
        self.reordered = 0

    def restart(self, seq: int) -> None:
        """The node restarted with this number."""
        self._last, self._seen = seq, 1

    def between(self, seq: int) -> int:
        """The number of frames between the newest one and this one."""
        return 0 if self._last is None else (seq - self._last - 1) % self._modulus

    def add(self, seq: int) -> Verdict:
        """Record a frame: `new` is to be used, `late` came after newer ones, `repeated` is a duplicate."""
        if self._last is None:
            self._last, self._seen = seq, 1
            return "new"
        ahead = (seq - self._last) % self._modulus
        back = self._modulus - ahead
        if ahead == 0 or (back < _WINDOW and self._seen >> back & 1):
            self.repeated += 1
            return "repeated"
        if back < _WINDOW and back < ahead:
            self._seen |= 1 << back
            self.reordered += 1
            self.lost = max(0, self.lost - 1)
            return "late"
        if ahead > min(_RESTART, self._modulus * 3 // 4):
            self.restart(seq)
            return "restart"
        self.lost += ahead - 1
        self._seen = (self._seen << ahead | 1) & ((1 << _WINDOW) - 1)
        self._last = seq
        return "new"


class StampedLedger(SequenceLedger):
    """The same for a node whose frames also carry its clock (microseconds, 32 bits, wraps). Numbers alone cannot tell a
    long loss from a restart; the clock can, because it only continues after a loss."""

    def __init__(self) -> None:
        super().__init__()
        self._last_us: int | None = None
        self._last_host: float | None = None
        # seconds by which its clock is ahead of ours: large while a recording is poured in, negative where a wire
        # stalled
        self._lead = 0.0

    def add_stamped(self, seq: int, us: int, host: float | None = None) -> Verdict:
        """Record a frame with its number and stamp that arrived at `host` (host seconds; None: unknown)."""
        lead = self._lead
        verdict = self._judge(seq, us, host)
        if verdict in ("new", "restart"):
            self._last_us, self._last_host = us, host
        else:
            self._lead = lead  # the next frame is compared with the same one as this was
        return verdict

    def _judge(self, seq: int, us: int, host: float | None) -> Verdict:
        gone = 0.0 if self._last_us is None else _signed_s(us - self._last_us)
        if host is not None and self._last_host is not None:
            silence = host - self._last_host
            if silence > _FORGOTTEN_S:
                return self._began_anew(seq)
            surplus = gone - silence
            if silence > _LONG_S and abs(surplus) < 0.5 + _DRIFT * silence:
                return self._ran_on(seq)
            if silence > _LONG_S and surplus < 0 and gone > _HOLE_S and self.between(seq) > 0:
                # it neither continued nor is the next frame of a stalled wire
                return self._began_anew(seq)
            if surplus + min(0.0, self._lead) > _LONG_S > self._lead:
                return self._began_anew(seq)  # a live stream is never ahead by more than it lagged before
            if silence > _PIECE_S and gone < -_PIECE_S and self.between(seq) > self._modulus // 2:
                # a restart within its first seconds: its numbers went back by as little as its clock
                return self._began_anew(seq)
            leak = 2 * _DRIFT * silence
            self._lead = max(0.0, self._lead + surplus - leak) + min(0.0, self._lead + surplus + leak)
        return self._began_anew(seq) if gone < -_LONG_S else self.add(seq)

    def _ran_on(self, seq: int) -> Verdict:
        """Its clock continued through a long silence: all missing frames were lost, however many."""
        between = self.between(seq)
        self.restart(seq)
        self.lost += between
        return "new"

    def _began_anew(self, seq: int) -> Verdict:
        self.restart(seq)
        self._lead = 0.0
        return "restart"


def _signed_s(us: int) -> float:
    """A difference of two stamps in seconds, negative where that is shorter."""
    return ((us + WRAP_US // 2) % WRAP_US - WRAP_US // 2) * 1e-6
