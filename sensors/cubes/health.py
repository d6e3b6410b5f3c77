"""Does a sensor feel anything at all? One that lies still feels gravity, with noise in its last bits."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.packets import Vector
from sensors.cubes.rest import RestDetector

_LEAST_G, _MOST_G = 0.7, 1.3  # far beyond the error of an uncalibrated accelerometer
_FAILED_S, _SURE_S = 0.5, 1.0


class Health:
    """Feed each batch. `credible` is false where the reading cannot be gravity, `failed` where it has been so for
    longer than any push lasts, and `fault` says so once, in words."""

    def __init__(self) -> None:
        self.credible, self.failed = True, False
        self._last: tuple[Vector, Vector] | None = None
        self._same_since: float | None = None
        self._wrong_since: float | None = None
        self._told = False

    def stuck(self, now: float) -> bool:
        """Whether its readings have been bitwise equal up to `now`: suspicious, but no proof where nothing was to be
        felt."""
        return self._same_since is not None and now - self._same_since > _SURE_S

    def update(self, t: float, rates: Sequence[Vector], accels: Sequence[Vector], rest: RestDetector) -> None:
        """Take the samples up to `t`; `rest` has processed them already."""
        last = self._last or (rates[0], accels[0])
        if any(r != last[0] for r in rates) or any(a != last[1] for a in accels):
            self._same_since = None
        elif self._same_since is None:
            self._same_since = t
        self._last = (rates[-1], accels[-1])
        lies = rest.still_since is not None or self.stuck(t)
        self.credible = not lies or _LEAST_G < _size(rest.accel) < _MOST_G
        if self.credible:
            self._wrong_since = None
            self._told = self._told and not lies
        elif self._wrong_since is None:
            self._wrong_since = t
        self.failed = self._wrong_since is not None and t - self._wrong_since > _FAILED_S

    def fault(self, t: float, accel: Vector) -> str | None:
        """What is wrong with it, where that has not been reported yet."""
        if self._told or self._wrong_since is None or t - self._wrong_since < _SURE_S:
            return None
        self._told = True
        return (
            f"measures {_size(accel):.1f} g while it lies still, where gravity is 1: it is dead, has come loose, "
            "or is set to another range"
        )


def _size(v: Vector) -> float:
    x, y, z = v
    return float((x * x + y * y + z * z) ** 0.5)
