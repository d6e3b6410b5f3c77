"""Converts a device's time to the host's: by a line below the arrivals."""

from __future__ import annotations

from collections import deque

WRAP_US = 1 << 32
_RESET_S = 5.0  # no crystal drifts so far off its line, and no wire delivers so early
_LATE_S = 0.1  # what is later than this was held back, and says nothing about the line
_UNSURE_S = 0.25  # the same while the line rests on few points
_AHEAD_S = 0.3  # what is earlier than the first arrival by this much runs ahead of its own clock
_PAUSE_S = 0.5
_WINDOW = 30  # s that the line is fitted to
_ENOUGH = 5  # points that are needed to estimate a rate


class Pace:
    """Whether a device has run no faster than the host for `over_s` seconds in which it never paused."""

    def __init__(self, over_s: float) -> None:
        self._over_s = over_s
        self._from: tuple[float, float] | None = None
        self._last = 0.0

    def forget(self) -> None:
        """Start again."""
        self._from = None

    def steady(self, device: float, host: float) -> bool:
        """Take the device and host times of a frame, s."""
        if self._from is None or host - self._last > _PAUSE_S:
            self._from = (device, host)
        self._last = host
        at, since = self._from
        if host - since < self._over_s:
            return False
        self._from = (device, host)
        return device - at < 1.1 * (host - since)


class ClockFit:
    """Converts a node's microseconds to host seconds. They wrap and drift, and they arrive late by anything from 0
    upwards.

    Of each second the promptest arrival is kept (the least host − device); a line through the last thirty of them gives
    offset and rate. No crystal is more than 10 % off, so a rate further than that from 1 is not believed, and the
    device's own time is taken. Where every arrival is late for `patience_s`, and the stream runs no faster than it was
    made, the line is wrong and is begun anew.
    """

    def __init__(self, patience_s: float = 3.0) -> None:
        self._quickest: deque[tuple[float, float]] = deque(maxlen=_WINDOW)
        self._last_us: int | None = None
        self._last_host = 0.0
        self._device_s = 0.0
        self.rate = 1.0  # host seconds for each device second
        self._offset = 0.0
        self._origin = 0.0
        self._away: list[float] = []  # of each point, relative to their mean time
        self._spread = 0.0
        self._start: tuple[float, float] | None = None
        self._ahead = False
        self._ahead_pace, self._late_pace = Pace(1.0), Pace(patience_s)

    def device_seconds(self, us: int, host: float) -> float:
        """Device seconds, unwrapped, even across a silence longer than one wrap."""
        if self._last_us is None:
            self._last_us, self._last_host, self._device_s = us, host, us * 1e-6
            return self._device_s
        step = (us - self._last_us) % WRAP_US
        if step > WRAP_US // 2:
            step -= WRAP_US  # a late frame
        missed = round((host - self._last_host - step * 1e-6) / (WRAP_US * 1e-6))
        seconds = self._device_s + step * 1e-6 + max(0, missed) * WRAP_US * 1e-6
        if seconds > self._device_s:
            self._last_us, self._last_host, self._device_s = us, host, seconds
        return seconds

    def add(self, us: int, host: float) -> float:
        """Learn from a frame that was stamped `us` and arrived at `host`; returns the host's time of the stamp.

        That is never later than `host`, except where a stream runs ahead of its own clock: a recording that is poured
        in, or, for the first second or two, a live stream of which a piece had been held up somewhere.
        """
        device = self.device_seconds(us, host)
        delay = host - device
        if self._start is None:
            self._start = (device, delay)
        if self._ahead or self._begins_ahead(device, delay):
            if not self._ahead_pace.steady(device, host):
                return device + self._start[1]
            device = self.restart(us, host)  # it has slowed down to the host's pace: it was no recording
        elif self._quickest:
            late = delay - self._expected(device)
            if late < -_RESET_S or (late > _RESET_S and device < self._device_s):
                device = self.restart(us, host)  # the node was reset
            elif late <= (_LATE_S if len(self._quickest) >= _ENOUGH else _UNSURE_S):
                self._late_pace.forget()
            elif self._late_pace.steady(device, host):
                self._quickest.clear()
            else:
                return self.host(device)
        self._learn(device, host - device)
        return min(host, self.host(device))

    def host(self, device_s: float) -> float:
        """The host time of a device time."""
        return device_s + self._offset + (self.rate - 1.0) * (device_s - self._origin)

    def restart(self, us: int, host: float) -> float:
        """Forget everything, because the device's clock restarted; returns its present seconds."""
        self._quickest.clear()
        self._last_us, self._last_host, self._device_s = us, host, us * 1e-6
        self.rate = 1.0
        self._start, self._ahead = (self._device_s, host - self._device_s), False
        self._ahead_pace.forget()
        self._late_pace.forget()
        return self._device_s

    def _expected(self, device: float) -> float:
        at, delay = self._quickest[-1]
        return delay + (self.rate - 1.0) * (device - at)

    def _begins_ahead(self, device: float, delay: float) -> bool:
        """Whether the stream begins by running ahead of its own clock, as a recording does that is poured in at
        once."""
        assert self._start is not None
        at, first = self._start
        self._ahead = delay < first - _AHEAD_S - 0.1 * (device - at) and device - at < 60
        return self._ahead

    def _learn(self, device: float, delay: float) -> None:
        if not self._quickest or device - self._quickest[-1][0] >= 1.0:
            self._quickest.append((device, delay))
            self._spread_out()
            self._refit()
        elif delay < self._quickest[-1][1]:
            self._quickest[-1] = (self._quickest[-1][0], delay)
            self._refit()

    def _spread_out(self) -> None:
        """The spread of the points in time, which changes only when one is added."""
        times = [x for x, _ in self._quickest]
        mean = sum(times) / len(times)
        self._origin = times[-1]
        self._away = [x - mean for x in times]
        self._spread = sum([away**2 for away in self._away])

    def _refit(self) -> None:
        points = self._quickest
        if len(points) >= _ENOUGH:
            mean = sum([y for _, y in points]) / len(points)
            rise = sum([away * (y - mean) for away, (_, y) in zip(self._away, points, strict=True)])
            slope = rise / self._spread if self._spread > 0 else 0.0
            self.rate = 1.0 + slope if abs(slope) < 0.1 else 1.0
        slope = self.rate - 1.0
        # the line lies below all arrivals: nothing arrives before it was sent
        self._offset = min([y - slope * (x - self._origin) for x, y in points])
