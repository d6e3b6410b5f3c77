"""Where a seat's own shake begins and ends while neighbours shake on: by whose hits are loudest there.

What remains of neighbours after a rough subtraction keeps a seat's level up until they stop, so levels cannot show
where one igloo was put down and the next one taken. While a seat's own igloo is shaken, a good part of what rises there
is loudest there; of what neighbours leak into its microphone, hardly anything is (`sensors.ear.seats.loudest`). While a
gentle hand shakes beside hard ones, that part is small, too. So its own shake is over only where much less than before
is loudest there.

    somebody else | own shake        | somebody else     | own shake
    --------------+------------------+-------------------+----------
                  begins             ends   and begins again
                   ^ cut, known SHORT_S later
                                      ^ cut, known LONG_S later
"""

from __future__ import annotations

from collections import deque

from sensors.ear.frames.finder import BLOCK_S

# Chosen on 16 simulated tables of four people with one igloo after another (`benchmarks/seat_turns.py --seed 71`).
# with hardly anything of its own for this long, a shake is over; at 0.6 s twice as many were cut in two
LONG_S = 0.8
LEAST_S = 1.0  # no shake is cut shorter: its first strokes may be the hardest and mask what follows
SHORT_S = 0.2  # with much of its own for this long, a shake has begun
GONE = 0.08  # share of the rises that is loudest here, at most, when it is over
FEW = 0.25  # and, relative to the mean of the shake so far, at most
COME = 0.4  # share at least, when one has begun
MUCH = 0.5  # and, relative to the average rise before, at least: noise alone is loudest anywhere
SINCE = 0.15  # the beginning is traced back while the share was at least this
STEP = 5  # blocks by which the beginning is traced back, over twice as many at a time
KEPT_S = 3.0  # no beginning is looked for longer ago


class Turns:
    """Takes, for each block of 10 ms (numbered from 0, as by `finder`), how much rose in it and how much of that was
    loudest at this seat."""

    def __init__(self) -> None:
        self._short, self._long, self._least = (round(s / BLOCK_S) for s in (SHORT_S, LONG_S, LEAST_S))
        kept = round(KEPT_S / BLOCK_S) + 1
        # running sums, so that any stretch is a difference of two
        self._all: deque[float] = deque([0.0], kept)
        self._own: deque[float] = deque([0.0], kept)
        self._block = 0  # the next one
        self._begun = 0
        self._is_own: bool | None = None  # whether the present sound is its own shake; None: too young to say
        self._since = 0  # where its own shake began, or the oldest block kept when that became known
        self._before = 0.0  # the running sum of its own rises there
        self._seats = 1  # that delivered the last block

    def begin(self, block: int) -> None:
        """Some sound began in that block."""
        self._begun, self._is_own = block, None

    def push(self, rises: float, own: float, seats: int = 1) -> int | None:
        """Take the next block, delivered by `seats` seats. Returns the block in which the present sound has to be cut,
        or None."""
        if seats != self._seats:
            # without the seat that shakes, all would seem loudest here: what came before is no measure
            self._seats = seats
            self.begin(max(self._begun, self._block))
        self._all.append(self._all[-1] + rises)
        self._own.append(self._own[-1] + own)
        self._block += 1
        lasted = self._block - self._begun
        if self._is_own:
            return self._ended() if lasted >= self._least + self._long else None
        if lasted >= self._short and self._share(self._short) >= COME:
            return self._came()
        if self._is_own is None and lasted >= self._long and self._share(self._long) < GONE:
            self._is_own = False
        return None

    def _came(self) -> int | None:
        """The block from which on its own shake goes on, where that calls for a cut."""
        ago, known = self._short, min(self._block - self._begun, len(self._all) - 1)
        if self._is_own is False:
            usual = (self._all[-1] - self._all[-1 - known]) / known
            if self._own[-1] - self._own[-1 - ago] < MUCH * usual * ago:
                return None
        while ago + 2 * STEP <= known and self._share(2 * STEP, ago) >= SINCE:
            ago += STEP
        cut = self._is_own is False
        self._is_own = True
        if cut:
            self._begun = self._block - ago
        past = min(self._block - self._begun, len(self._own) - 1)
        self._since, self._before = self._block - past, self._own[-1 - past]
        return self._begun if cut else None

    def _ended(self) -> int | None:
        """The block in which its own shake ended, where hardly anything has been its own for long enough."""
        if self._share(self._long) >= GONE:
            return None
        usual = (self._own[-1] - self._before) / (self._block - self._since)
        if self._own[-1] - self._own[-1 - self._long] >= FEW * usual * self._long:
            return None
        self._is_own = False
        self._begun = self._block - self._long
        return self._begun

    def _share(self, blocks: int, ago: int = 0) -> float:
        """The part that was its own, of what rose in `blocks` blocks up to `ago` blocks before now."""
        end, first = -1 - ago, -1 - ago - blocks
        return (self._own[end] - self._own[first]) / max(self._all[end] - self._all[first], 1e-30)
