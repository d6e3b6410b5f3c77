"""Times for the samples of a chip that sends no clock: its count of samples serves as its clock."""

from __future__ import annotations

import math

from firmware_bridge.timing import ClockFit

SILENCE_S = 0.25  # longer than any wire pauses between two pieces of data
_FASTEST_HZ = 600  # of chips that send no clock
_CHECK_S = 2.0
_LEARN_S = 0.8
_MOST_LEARNED = 500  # samples that the rate is learned from
_MOST_HELD = 4000  # while it is learned, with those that a silence had held up
_DECIDE_S = 0.1  # after a silence: the time it takes to see whether samples were held back
_POURED_S = 0.1  # of samples that came sooner than they can have been measured
_PHASE_S = 0.15  # between a counter and the length of the silence, at most


class ArrivalClock:
    """Times samples by their count, fitted to the host's clock like any other device clock.

    The first 0.8 seconds are held back to learn the rate, unless `period` gives it; after that one sample goes in and
    one comes out. A silence in them begins the learning anew, behind what it had held up. More than 600 samples a
    second cannot be such a chip: it is a recording that was poured in at once, and 100 a second are assumed. Samples
    that are lost without a trace make the remaining ones last longer, so that an angle integrated over them stays right
    on average.

    A silence may have lost samples or only delayed them. A tenth of a second tells which: delayed samples arrive faster
    than they can have been made. Until then the samples after a silence wait. Where the wire numbers its samples, the
    number that is missing is known up to whole rounds of the counter (`cycle`); a number that fits no silence of this
    length means that the chip restarted.
    """

    def __init__(self, *, period: float | None = None, cycle: int = 1) -> None:
        self.lost = 0  # in silences, by the chip's sample numbers
        self._cycle = cycle
        self._arrivals: list[float] = []  # all that are held back while the rate is learned
        self._learning: list[float] = []  # those of them that it is learned from
        self._longest = 0.0  # between two of them, s
        # what a longer gap had held up may come until then, and behind a silence the learning begins anew
        self._pours_until = self._anew_from = -math.inf
        # since a silence: each arrival, and the number of samples missing before it
        self._waiting: list[tuple[float, int]] = []
        self._count = 0
        self._last_arrival: float | None = None
        self._fit = ClockFit(patience_s=1.0)
        self._nominal = period or 0.01
        self._known = period is not None
        # start of the present check of the rate, and the samples since
        self._check: tuple[float, int] | None = None
        self._wrong = 0  # consecutive checks in which the rate was wrong

    @property
    def period(self) -> float:
        """Seconds between samples, by the host's clock."""
        return self._nominal * self._fit.rate

    def silent(self, host: float) -> bool:
        """Whether a sample that arrives now ends a silence."""
        last = self._waiting[-1][0] if self._waiting else self._last_arrival
        return last is not None and host - last > max(SILENCE_S, 2.5 * self.period)

    def add(self, host: float, missing: int = 0) -> list[float]:
        """The times of all samples that are known by now: at first none, then all that were held back, then one for
        each.

        `missing` samples are known to be lost just before this one; after a silence, possibly whole rounds of the
        counter in addition.
        """
        if self._known:
            return self._take(host, missing)
        if self._arrivals and self._learned(host):
            held, self._arrivals, self._learning = self._arrivals, [], []
            return [t for arrived in (*held, host) for t in self._take(arrived, 0)]
        self._arrivals.append(host)
        self._learning.append(host)
        return []

    def _learned(self, host: float) -> bool:
        """Whether the pieces of data before the one that arrives now tell the rate."""
        span, gap = self._learning[-1] - self._learning[0], host - self._arrivals[-1]
        whole = gap > 0 and host >= self._pours_until and span >= _LEARN_S and len(self._learning) >= 8
        if whole or len(self._learning) >= _MOST_LEARNED or len(self._arrivals) >= _MOST_HELD:
            # count the samples after the first piece (which may contain a backlog), and the time they took
            count = sum(t > self._learning[0] for t in self._learning)
            period = span / count if count else 0.0
            self._known = True
            self._nominal = 0.01 if period < 1 / _FASTEST_HZ else _standard(period)
            return True
        if gap > 1.5 * self._longest:
            self._longest, self._pours_until = gap, host + _DECIDE_S
        step = (self._arrivals[-1] - self._arrivals[0]) / max(1, len(self._arrivals) - 1)
        if gap > max(SILENCE_S, 2.5 * step):
            self._anew_from = host + _DECIDE_S
        if host < self._anew_from:
            self._learning.clear()
        return False

    def _take(self, host: float, missing: int) -> list[float]:
        out: list[float] = []
        if self.silent(host):
            # a wire that holds samples back would still be pouring: these came as they were measured
            if self._waiting:
                self._lost_before(self._waiting[-1][0])
                out = self._let_go()
        elif not self._waiting:
            return [self._next(host, missing)]
        self._waiting.append((host, missing))
        since, before = self._waiting[0]
        made = self.period * sum(1 + m for _, m in self._waiting[1:])
        if made > host - since + _POURED_S:
            self.lost += before
        elif host - since >= _DECIDE_S:
            self._lost_before(host)
        else:
            return out
        return out + self._let_go()

    def _let_go(self) -> list[float]:
        """The times of the waiting samples, once the nature of the silence before them is known."""
        waiting, self._waiting = self._waiting, []
        self._check, self._wrong = None, 0  # neither a silence nor a backlog tells the rate
        return [self._next(*each) for each in waiting]

    def _lost_before(self, host: float) -> None:
        """The waiting samples were not delayed, and the newest was made at `host`: whatever is missing was lost in the
        silence."""
        assert self._last_arrival is not None
        (since, missing), *later = self._waiting
        came = 1 + missing + sum(1 + m for _, m in later)
        more = round((host - self._last_arrival) / self.period) - came
        rounds = round(more / self._cycle) * self._cycle
        if abs(more - rounds) * self.period > _PHASE_S:
            self._fit = ClockFit(patience_s=1.0)
            missing = rounds = 0
        missing += max(0, rounds)
        self.lost += missing
        self._waiting[0] = (since, missing)

    def _next(self, host: float, missing: int) -> float:
        self._last_arrival = host
        self._count += 1 + missing
        self._check_rate(host, 1 + missing)
        return self._fit.add(round(self._count * self._nominal * 1e6) & 0xFFFFFFFF, host)

    def _check_rate(self, host: float, count: int) -> None:
        """Learn the rate again if it was learned while a backlog poured in."""
        since, so_far = self._check or (host, -count)
        self._check = (since, so_far + count)
        if host - since < _CHECK_S:
            return
        measured = (host - since) / max(1, so_far + count)
        wrong = measured > 1 / _FASTEST_HZ and not 0.8 < measured / self.period < 1.25
        self._check, self._wrong = None, self._wrong + 1 if wrong else 0
        if self._wrong >= 2:
            self._nominal, self._fit = _standard(measured), ClockFit(patience_s=1.0)
            self._count, self._wrong = 0, 0


def _standard(period: float) -> float:
    """The usual rate within 15 % of the one measured in half a second, else the measured one."""
    for rate in (10, 20, 50, 100, 200, 400, 500, 1000):
        if abs(period * rate - 1) < 0.15:
            return 1.0 / rate
    return min(0.5, max(0.0005, period))
