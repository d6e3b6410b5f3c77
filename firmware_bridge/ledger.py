"""Sequence numbers of one node: what was lost, repeated, out of order."""

from __future__ import annotations

from typing import Literal

Verdict = Literal["new", "late", "repeated", "restart"]
_WINDOW = 64
_LONG_AGO_US = 3_000_000
_RESTART = 2000  # a jump further than this is a node that began anew, not ten seconds of loss


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
        """The node began anew with this number."""
        self._last, self._seen = seq, 1

    def add(self, seq: int) -> Verdict:
        """Enter a frame: `new` is to be used, `late` came after younger ones, `repeated` was here before."""
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
    """The same for a node whose frames also bear its clock (microseconds, 32 bits, wraps)."""

    def __init__(self) -> None:
        super().__init__()
        self._last_us: int | None = None

    def add_stamped(self, seq: int, us: int) -> Verdict:
        """Of a frame's number and stamp. A number that was here before, but long before in its time, is a node's that
        began anew."""
        verdict = self.add(seq)
        back = 0 if self._last_us is None else (self._last_us - us) % (1 << 32)
        if verdict in ("late", "repeated") and _LONG_AGO_US < back < 1 << 31:
            self.restart(seq)
            verdict = "restart"
        if verdict in ("new", "restart"):
            self._last_us = us
        return verdict
