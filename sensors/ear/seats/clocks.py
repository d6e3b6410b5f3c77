"""Aligns sources with clocks of their own at one table, by the hits that all of them hear.

Sound cards drift by some milliseconds a minute, are opened one after the other, and lose blocks. Cross-correlation of
onsets tells by how much one lags another, as long as somebody shakes and they are not too far apart. In the quiet
between, the wall clock keeps them close.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.ear.seats.neighbours import Floats

NEAR_S = 0.002  # the most by which the same hit comes later at another seat
APART_S = 0.005  # the same with separate clocks, which are only known to some milliseconds
MOST_DRIFT_S = 0.2  # between two sources that are roughly aligned
# A source that was opened late, or lost sound on the way, is further off. A large lag is accepted only when it is found
# repeatedly, because strokes repeat, too.
COARSE_S, MOST_LAG_S = 0.02, 1.0
STANDS_OUT = 6.0  # robust deviations of the best lag from all others
# By the wall clock: sound is read late and in bursts, never early, so only the smallest delay within an interval tells.
# The interval is longer than a busy machine holds sound back (`capture.QUEUED_S`).
WHILE_S = 5.0
AWAY_S = 0.05  # further than this from its usual delay, a source has drifted or lost sound
LONGEST_WAY_S = 0.3  # latency from a microphone to us; what seems to take longer at first was opened late
# A lag that was found by ear may be this far from the usual delay, for the reference drifts as well. Beyond that,
# another stroke of the same hand was matched.
FOUND_S = 0.3


class Clocks:
    """The delay of each source of a table relative to its assumed alignment; frames are at `rate` Hz."""

    def __init__(self, rate: float, fresh_s: float) -> None:
        """`fresh_s`: after this time the whole window is new."""
        self._rate, self._fresh = rate, fresh_s * rate
        self._looked = 0
        # lag behind the loudest source, in frames, and how clear it is, summed over looks that agreed
        self._seemed: dict[str, tuple[int, float]] = {}
        # By the wall clock, in frames: each source's delay when it was last known to be right, and its minimum in the
        # present interval.
        self._usual: dict[str, float] = {}
        self._least: dict[str, float] = {}
        self._new: set[str] = set()  # sources that were not compared with others yet
        self._part: set[str] = set()  # sources that were absent or realigned during the present interval
        self._found: set[str] = set()  # sources that were aligned by ear
        self._while_began: float | None = None

    def join(self, name: str) -> None:
        """A source begins or restarts."""
        self._moved(name)
        self._usual.pop(name, None)
        self._new.add(name)

    def posted(self, name: str, end: int, now_s: float) -> None:
        """A source has delivered everything up to the table's frame `end`, at the table's time `now_s`."""
        self._least[name] = min(self._least.get(name, math.inf), now_s * self._rate - end)

    def behind(self, now_s: float) -> dict[str, int]:
        """How many frames sources have fallen behind the wall clock since they were last known to be right (negative:
        ahead); only those that have. To be called often; answers after each interval."""
        if self._while_began is None:
            self._while_began = now_s
        if now_s - self._while_began < WHILE_S:
            return {}
        least = {name: delay for name, delay in self._least.items() if name not in self._part}
        self._least, self._part, self._while_began = {}, set(), now_s
        out: dict[str, int] = {}
        for name, delay in least.items():
            if name in self._new:
                self._usual[name] = min(max(delay, 0.0), LONGEST_WAY_S * self._rate)
            elif name in self._found and abs(delay - self._usual.get(name, delay)) < FOUND_S * self._rate:
                self._usual[name] = delay
            self._new.discard(name)
            self._found.discard(name)
            by = round(delay - self._usual[name])
            if abs(by) > AWAY_S * self._rate:
                out[name] = by
                self._seemed.pop(name, None)
        return out

    def _set_right(self, *names: str) -> None:
        """These have been aligned by ear: learn their usual delay anew."""
        for name in names:
            self._moved(name)
            self._new.discard(name)
            self._found.add(name)

    def _moved(self, name: str) -> None:
        """Its earlier delays are void."""
        self._least.pop(name, None)
        self._seemed.pop(name, None)
        self._part.add(name)

    def apart(self, names: Sequence[str], levels: Floats, now: int) -> dict[str, int]:
        """The lags of sources, in frames, of those that have one; `levels`: energies, [sources, frames], the newest
        ones at the table's frame `now`."""
        return self._coarsely(names, levels, now) or self._finely(names, levels)

    def _finely(self, names: Sequence[str], levels: Floats) -> dict[str, int]:
        most = round(MOST_DRIFT_S * self._rate)
        late = {name: lag(levels[0], levels[k], most) for k, name in enumerate(names) if k}
        out = {n: by for n, by in late.items() if by is not None and abs(by) > NEAR_S * self._rate / 2}
        if out:
            self._set_right(names[0], *out)
        return out

    def _coarsely(self, names: Sequence[str], levels: Floats, now: int) -> dict[str, int]:
        """Relative to the source that is loudest now, because all others hear that one."""
        if now - self._looked < self._fresh:
            return {}  # the same sound must not count twice as evidence
        self._looked = now
        out: dict[str, int] = {}
        loudest = int(np.argmax(levels.mean(axis=1)))
        for k, name in enumerate(names):
            if k == loudest:
                continue
            late, plain = best_lag(levels[loudest], levels[k], round(MOST_LAG_S * self._rate))
            before, so_far = self._seemed.get(name, (0, 0.0))
            again = abs(late - before) <= APART_S * self._rate
            self._seemed[name] = late, plain + so_far if again else plain
            if again and plain + so_far > 2 * STANDS_OUT and abs(late) > COARSE_S * self._rate:
                out[name] = late
        if out:
            self._set_right(names[loudest], *out)
        return out


def lag(first: Floats, second: Floats, most: int) -> int | None:
    """The lag of `second` [frames] behind `first`, in frames, at most `most`, from the onsets that both heard.

    None where no lag stands out. Good to a few milliseconds: sound takes that long from seat to seat.
    """
    late, plain = best_lag(first, second, most)
    return late if plain > STANDS_OUT else None


def best_lag(first: Floats, second: Floats, most: int) -> tuple[int, float]:
    """The best lag, as in `lag`, of two energies [frames] of equal length, and by how many robust deviations it stands
    out from the others: 0 at the end of the range, because then the true one may be beyond."""
    n = len(first)
    a, b = (_onsets(x) for x in (first, second))
    size = 1 << (2 * n - 1).bit_length()
    r = np.fft.irfft(np.conj(np.fft.rfft(a, size)) * np.fft.rfft(b, size), size)
    r = np.concatenate([r[-most:], r[: most + 1]])
    best = int(np.argmax(r))
    spread = 1.4826 * float(np.median(np.abs(r - np.median(r))))
    plain = 0.0 if best in (0, 2 * most) else float(r[best] - np.median(r)) / (spread + 1e-30)
    return best - most, plain


def _onsets(energy: Floats) -> Floats:
    """Rises of the level, with zero mean: a loud hit must not dominate by its energy."""
    level = np.log(energy + 0.01 * float(energy.mean()) + 1e-30)
    rise = np.maximum(np.diff(level, prepend=level[:1]), 0.0)
    return np.asarray(scipy.ndimage.uniform_filter1d(rise, 3) - rise.mean())
