"""From a device's time to the host's: a line under the arrivals, and a follower for chips without a clock."""

from __future__ import annotations

from collections import deque

WRAP_US = 1 << 32
_FASTEST_HZ = 600  # of chips without a clock on the wire
_CHECK_S = 2.0
_MOST_HELD = 500  # samples while the rate is learned


class ClockFit:
    """Host seconds of a node's microseconds, which wrap, drift, and arrive late by anything from 0 upwards.

    Each second keeps its quickest arrival (the least host − device); the line through the last `window` of them gives
    offset and rate. Rates further than 10 % from 1 are no crystal: then the device is believed.
    """

    def __init__(self, window: int = 30, wrap_us: int = WRAP_US) -> None:
        self._wrap_us = wrap_us
        self._window = window
        self._quickest: deque[tuple[float, float]] = deque(maxlen=window)
        self._last_us: int | None = None
        self._last_host = 0.0
        self._device_s = 0.0
        self.rate = 1.0  # host seconds a device second
        self._offset = 0.0
        self._origin = 0.0
        self._start: tuple[float, float] | None = None
        self._replay = False

    def device_seconds(self, us: int, host: float) -> float:
        """Seconds of the device, unwrapped; also across a silence that is longer than one wrap."""
        if self._last_us is None:
            self._last_us, self._last_host, self._device_s = us, host, us * 1e-6
            return self._device_s
        step = (us - self._last_us) % self._wrap_us
        if step > self._wrap_us // 2:
            step -= self._wrap_us  # a late frame
        missed = round((host - self._last_host - step * 1e-6) / (self._wrap_us * 1e-6))
        seconds = self._device_s + step * 1e-6 + max(0, missed) * self._wrap_us * 1e-6
        if seconds > self._device_s:
            self._last_us, self._last_host, self._device_s = us, host, seconds
        return seconds

    def add(self, us: int, host: float) -> float:
        """Learn from a frame stamped `us` that arrived at `host`; the host's time of the stamp.

        It is never later than `host`, but for a replay that runs ahead of its own times.
        """
        device = self.device_seconds(us, host)
        delay = host - device
        if self._start is None:
            self._start = (device, delay)
        if self._replay or self._is_replay(device, delay):
            return device + self._start[1]
        if self._quickest and abs(self._expected(device) - delay) > 5:
            self.restart(us, host)  # the node was reset
            device = self._device_s
            delay = host - device
        if not self._quickest or device - self._quickest[-1][0] >= 1.0:
            self._quickest.append((device, delay))
            self._refit()
        elif delay < self._quickest[-1][1]:
            self._quickest[-1] = (self._quickest[-1][0], delay)
            self._refit()
        return min(host, self.host(device))

    def _expected(self, device: float) -> float:
        at, delay = self._quickest[-1]
        return delay + (self.rate - 1.0) * (device - at)

    def _is_replay(self, device: float, delay: float) -> bool:
        """Whether the stream runs ahead of its own clock, as a recording does that is poured in at once."""
        assert self._start is not None
        at, first = self._start
        self._replay = delay < first - 0.3 - 0.1 * (device - at) and device - at < 60
        return self._replay

    def host(self, device_s: float) -> float:
        """The host's time of a device's time."""
        return device_s + self._offset + (self.rate - 1.0) * (device_s - self._origin)

    def restart(self, us: int, host: float) -> None:
        """Forget everything: the device's clock began anew."""
        self._quickest.clear()
        self._last_us, self._last_host, self._device_s = us, host, us * 1e-6
        self.rate = 1.0
        self._start = (self._device_s, host - self._device_s)
        self._replay = False

    def _refit(self) -> None:
        points = self._quickest
        self._origin = points[-1][0]
        if len(points) >= 5:
            n = len(points)
            mean_x = sum(x for x, _ in points) / n
            mean_y = sum(y for _, y in points) / n
            spread = sum((x - mean_x) ** 2 for x, _ in points)
            slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread > 0 else 0.0
            self.rate = 1.0 + slope if abs(slope) < 0.1 else 1.0
        slope = self.rate - 1.0
        # the line lies under all arrivals: nothing arrives before it was sent
        self._offset = min(y - slope * (x - self._origin) for x, y in points)


class ArrivalClock:
    """Times for samples of a chip that sends none: their count is its clock, fitted like any other.

    The first `learn_s` seconds are held back to learn the rate; after that one sample goes in and one out. More than
    600 samples a second is no such chip but a recording poured in at once: then 100 a second are believed. Samples
    that are lost without a trace make the rest last longer, so that an angle summed over them stays right on average.
    """

    def __init__(self, learn_s: float = 0.8) -> None:
        self._learn_s = learn_s
        self._arrivals: list[float] = []
        self._count = 0
        self._last_arrival = 0.0
        self._fit = ClockFit()
        self._nominal = 0.01
        self._known = False
        self._check: tuple[float, int] | None = (
            None  # since when, and how many since: is the rate still right?
        )
        self._wrong = 0  # checks in a row that it was not

    @property
    def period(self) -> float:
        """Seconds from sample to sample, by the host's clock."""
        return self._nominal * self._fit.rate

    def add(self, host: float, missing: int = 0) -> list[float]:
        """The times of the samples that are now known: all held back ones at once, later one by one.

        `missing` samples are known to have been lost just before this one.
        """
        if not self._known:
            self._arrivals.append(host)
            span = host - self._arrivals[0]
            if (span < self._learn_s or len(self._arrivals) < 8) and len(self._arrivals) < _MOST_HELD:
                return []
            # the samples after the first piece (which may hold what had waited in a buffer), over the time they took
            count = sum(t > self._arrivals[0] for t in self._arrivals)
            period = span / count if count else 0.0
            self._known = True
            self._nominal = 0.01 if period < 1 / _FASTEST_HZ else _standard(period)
            held, self._arrivals = self._arrivals, []
            self._last_arrival = held[0]
            return [self._next(t, 0) for t in held]
        return [self._next(host, missing)]

    def _next(self, host: float, missing: int) -> float:
        silence = host - self._last_arrival
        self._last_arrival = host
        if silence > 0.25 and not missing:
            missing = max(0, round(silence / self.period) - 1)
        self._count += 1 + missing
        self._check_rate(host, 1 + missing)
        return self._fit.add(round(self._count * self._nominal * 1e6) & 0xFFFFFFFF, host)

    def _check_rate(self, host: float, count: int) -> None:
        """A rate that was learned while a backlog poured in is learned again."""
        since, so_far = self._check or (host, -count)
        self._check = (since, so_far + count)
        if host - since < _CHECK_S:
            return
        measured = (host - since) / max(1, so_far + count)
        wrong = measured > 1 / _FASTEST_HZ and not 0.8 < measured / self.period < 1.25
        self._check, self._wrong = None, self._wrong + 1 if wrong else 0
        if self._wrong >= 2:
            self._nominal, self._fit, self._count, self._wrong = _standard(measured), ClockFit(), 0, 0


def _standard(period: float) -> float:
    """The usual rate within 15 % of what was measured in half a second, else what was measured."""
    for rate in (10, 20, 50, 100, 200, 400, 500, 1000):
        if abs(period * rate - 1) < 0.15:
            return 1.0 / rate
    return min(0.5, max(0.0005, period))
