"""Sources with clocks of their own at one table, held against each other by the hits that all of them hear.

Sound cards drift by some milliseconds a minute, are opened one after the other, and lose blocks. Cross-correlation of
onsets tells by how much one lies behind another, as long as somebody shakes and they are not too far apart; in the
quiet between, the wall clock keeps them near.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.ear.seats.neighbours import Floats

NEAR_S = 0.002  # the same hit at two seats is no further apart
APART_S = 0.005  # with clocks of their own, which are only known to some milliseconds
MOST_DRIFT_S = 0.2  # between two sources that are about right
# A source that was opened late, or lost sound on the way, is farther off. That is believed when it is found again and
# again, for strokes come again and again, too.
COARSE_S, MOST_LAG_S = 0.02, 1.0
STANDS_OUT = 6.0  # robust deviations of the best lag from all others
# By the wall clock: sound is read late and in bursts, never early, so only the least delay of a while tells. It is
# longer than what a busy machine keeps waiting (`capture.QUEUED_S`).
WHILE_S = 5.0
AWAY_S = 0.05  # farther than this from its usual delay, a source has drifted, or lost sound
LONGEST_WAY_S = 0.3  # from a microphone to us: what seems to take longer at first was opened late
# What is found by ear may be this far from the usual delay, for what it is held against drifts as well; farther, it is
# another stroke of the same hand that fitted.
FOUND_S = 0.3


class Clocks:
    """By how much each source of a table is later than was thought; frames are at `rate` Hz."""

    def __init__(self, rate: float, fresh_s: float) -> None:
        """`fresh_s`: after so long all that is looked at is new."""
        self._rate, self._fresh = rate, fresh_s * rate
        self._looked = 0
        # frames later than the loudest source, and how plainly, added up over looks that agreed
        self._seemed: dict[str, tuple[int, float]] = {}
        # by the wall clock, in frames: each source's delay, as it was when it was last known to be right, and the least
        # of this while
        self._usual: dict[str, float] = {}
        self._least: dict[str, float] = {}
        self._new: set[str] = set()  # sources that were held against no other yet
        self._part: set[str] = set()  # … that were not here, or not where they are now, for the whole while
        self._found: set[str] = set()  # … that were set right by ear
        self._while_began: float | None = None

    def join(self, name: str) -> None:
        """A source begins, or begins anew."""
        self._moved(name)
        self._usual.pop(name, None)
        self._new.add(name)

    def posted(self, name: str, end: int, now_s: float) -> None:
        """A source has brought all up to the table's frame `end`, at the table's time `now_s`."""
        self._least[name] = min(self._least.get(name, math.inf), now_s * self._rate - end)

    def behind(self, now_s: float) -> dict[str, int]:
        """Frames by which sources have fallen behind the wall clock since they were last known to be right (below 0:
        run ahead of it), of those that have; asked again and again, told after each while."""
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
        """These have been found by ear: what is usual is learned anew."""
        for name in names:
            self._moved(name)
            self._new.discard(name)
            self._found.add(name)

    def _moved(self, name: str) -> None:
        """What was seen of it is past."""
        self._least.pop(name, None)
        self._seemed.pop(name, None)
        self._part.add(name)

    def apart(self, names: Sequence[str], levels: Floats, now: int) -> dict[str, int]:
        """Frames by which sources are late, of those that are; `levels`: energies, [sources, frames], the newest ones
        at the table's frame `now`."""
        return self._coarsely(names, levels, now) or self._finely(names, levels)

    def _finely(self, names: Sequence[str], levels: Floats) -> dict[str, int]:
        most = round(MOST_DRIFT_S * self._rate)
        late = {name: lag(levels[0], levels[k], most) for k, name in enumerate(names) if k}
        out = {n: by for n, by in late.items() if by is not None and abs(by) > NEAR_S * self._rate / 2}
        if out:
            self._set_right(names[0], *out)
        return out

    def _coarsely(self, names: Sequence[str], levels: Floats, now: int) -> dict[str, int]:
        """Against the source that is loudest now, for all others hear that one."""
        if now - self._looked < self._fresh:
            return {}  # the same sound twice is no second witness
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
    """By how many frames `second` [frames] is later than `first`, at most `most`, by the onsets that both heard.

    None where none stands out. Good to a few milliseconds: sound takes that long from seat to seat.
    """
    late, plain = best_lag(first, second, most)
    return late if plain > STANDS_OUT else None


def best_lag(first: Floats, second: Floats, most: int) -> tuple[int, float]:
    """The lag that fits best, as in `lag` of two energies [frames] of one length, and by how many robust deviations it
    stands out of all others: 0 at the end of the range, for then it may be farther still."""
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
    """Rises of the level, of mean 0: a loud hit does not count by its energy."""
    level = np.log(energy + 0.01 * float(energy.mean()) + 1e-30)
    rise = np.maximum(np.diff(level, prepend=level[:1]), 0.0)
    return np.asarray(scipy.ndimage.uniform_filter1d(rise, 3) - rise.mean())
