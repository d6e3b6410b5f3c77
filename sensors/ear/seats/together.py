"""Microphones at several seats of one table, heard together: whose shake is it, and which part of it is whose?

Each seat keeps its own `Listener`; here they compare what they heard. Every stretch of frames that a seat heard is
posted here and comes back without the estimated leak of its neighbours. A shake belongs to the seat where its hits are
loudest. The microphones' gains are learned (`gains`), and energies are compared as if all gains were equal. Memory is
constant.

Sources may be the channels of one sound card, or devices with clocks of their own (`one_clock=False`), which `clocks`
aligns.

Frames are counted in two ways. A listener numbers those of its own source from 0; the table adds `late`, how many table
frames had passed when that source began. All of a `SeatFrames` is in table frames:

    late             first               served           end
     |   (forgotten)   | rows that are kept |  not clear yet  |
    source's frame 0                        what came back    newest
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence

import numpy as np

from sensors.ear.errors import ProfileError
from sensors.ear.frames.frontend import Array, FrontEnd
from sensors.ear.seats.clocks import APART_S, NEAR_S, Clocks
from sensors.ear.seats.frames import SeatFrames
from sensors.ear.seats.gains import SeatGains
from sensors.ear.seats.loudest import Rises, rises
from sensors.ear.seats.neighbours import (
    FLOOR_QUANTILE,
    Floats,
    clean,
    leak_at,
    take_off,
    usual_weights,
    weights,
    without_floor,
)
from sensors.ear.seats.parted import Clear, Parted

KEPT_S = 15.0  # more than the longest shake, its silence and the patience after it
LEARN_FROM_S = 4.0  # of sound from which the leak is learned
LEARN_EVERY_S = 1.0
# A seat that lags by more is not waited for. A busy machine holds streams back for half a second and more, and without
# the seat that shakes everything seems loudest here. A device that is gone is reported later than that.
PATIENCE_S = 1.0
STANDS_S = 1.0  # a seat that lags by this is ignored even by partial answers
TELLING_S = 0.3  # of a shake, enough to tell whose it is where the rest has not come from another seat
_BANDS, _WIDE, _SHAPE = slice(None, -1), slice(-2, -1), slice(-1, None)  # columns of a `SeatFrames`
SMEARED_S = 0.060
PLAIN_WEIGHT = 0.12  # below, neighbours are so soft that subtracting them does more harm than they do


class Seats:
    """What the microphones of one table know of each other. Thread-safe, for one thread a seat.

    All share the front end of the first one that joins; another front end can come when all others have left.
    """

    def __init__(self, seats: Sequence[str], one_clock: bool = True) -> None:
        if len(set(seats)) != len(seats) or not seats:
            raise ValueError("each seat needs a name of its own")
        self.names = tuple(seats)
        self.one_clock = one_clock
        self.front: FrontEnd | None = None
        self.rate, self.bands = 0.0, 0
        self._seats: dict[str, SeatFrames] = {}
        self._weights: Floats = np.zeros((len(seats), len(seats), 0))
        self._learned = 0
        self._gains = SeatGains(len(seats))
        self._hits_until = 0  # table frame up to which hits were used for gains
        self._clocks: Clocks | None = None
        self._asked_s: float | None = None
        self._lock = threading.Lock()

    def join(self, name: str, front: FrontEnd, now: Callable[[], float] | None = None) -> AtSeat:
        """A source begins. `now` tells the table's time (seconds; None: 0, and the sources are synchronous by
        themselves).

        Raises KeyError for a seat that is not at the table, ProfileError for a source that is not like the others.
        """
        if name not in self.names:
            raise KeyError(name)
        since_s = 0.0 if now is None else now()  # before the lock, because it may call `since`
        with self._lock:
            others = [n for n, seat in self._seats.items() if n != name and not seat.left]
            if front.sensor != "microphone" or (others and front != self.front):
                there = f"that of {' and '.join(others)} ({self._front_name})" if others else "others"
                raise ProfileError(
                    f"the microphone of {name} ({front.name}) cannot be held against {there}",
                    "give all seats microphones of one rate, or listen to this one alone",
                )
            if front != self.front:
                self._begin(front)
            late = round(since_s * self.rate)
            kept, reach, near = (round(x * self.rate) for x in (KEPT_S, SMEARED_S, NEAR_S))
            seat = self._seats[name] = SeatFrames(late, kept, self.bands, reach, near)
            self._gains.forget(self.names.index(name))
            if self._clocks is not None:
                self._clocks.join(name)
        return AtSeat(self, name, seat, now if self._clocks is not None else None)

    @property
    def _front_name(self) -> str:
        return "none" if self.front is None else self.front.name

    def _begin(self, front: FrontEnd) -> None:
        """Called when nobody is here. What was learned through another front end is forgotten: it is about other bands
        and other frames."""
        self.front, self.rate, self.bands = front, front.frame_rate, len(front.bands)
        self._seats.clear()
        self._weights = usual_weights(len(self.names), self.bands)
        self._clocks = None if self.one_clock else Clocks(self.rate, LEARN_FROM_S)
        self._learned = self._hits_until = 0
        self._gains = SeatGains(len(self.names))

    def since(self, now_s: float) -> float:
        """The table's time at `now_s` of any clock: counted from the first call."""
        with self._lock:
            if self._asked_s is None:
                self._asked_s = now_s
            return now_s - self._asked_s

    # for AtSeat; all frame numbers are the table's

    def post(self, name: str, energy: Array, now_s: float | None = None) -> Clear:
        """Hear a seat's next frames, float32[frames, bands], at the table's time `now_s`. Returns those that all seats
        have reached."""
        with self._lock:
            seat = self._seats[name]
            seat.append(energy)
            if now_s is not None and self._clocks is not None:
                self._clocks.posted(name, seat.end, now_s)
                for other, frames in self._clocks.behind(now_s).items():
                    self._seats[other].shift(-frames)
            if seat.end - self._learned > LEARN_EVERY_S * self.rate:
                self._learn(seat.end)
            return self._serve(name, self._common(seat))

    def leave(self, name: str) -> Clear:
        """A seat's source has ended: returns the frames that still waited for others, and nobody waits for it any
        more."""
        with self._lock:
            seat = self._seats[name]
            seat.left = True
            return self._serve(name, seat.end)  # waits for nobody any more

    def set_louder_db(self, name: str) -> float:
        """How many dB louder than the average a seat's microphone is set; 0 where unknown."""
        with self._lock:
            return -10.0 * math.log10(self._gains.scale[self.names.index(name)])

    def told_by_all(self, name: str, me: SeatFrames) -> int:
        """Frames of a seat's source up to which all seats that have not stopped have delivered theirs."""
        with self._lock:
            if self._seats.get(name) is not me:
                return me.end - me.late
            stands = me.end - round(STANDS_S * self.rate)
            ends = [s.end for s in self._seats.values() if s.end > stands and not s.left]
            return min([me.end, *ends]) - me.late

    def own(self, name: str, me: SeatFrames, first: int, end: int, quick: bool = False) -> Parted:
        """Frames first … end of a seat's source without its neighbours. `quick`: roughly, for a partial answer."""
        with self._lock:
            if self._seats.get(name) is not me:  # the others began anew after it left
                plain = me.window(first + me.late, end + me.late, _BANDS)
                return Parted(plain, plain, None, 1.0)
            present = [n for n in self.names if n in self._seats]
            mine = present.index(name)
            reach = round(0.1 * self.rate)  # for the reverberation of what came before
            low, high = first + me.late - reach, end + me.late
            energies = np.stack([self._seats[n].window(low, high, _BANDS) for n in present])
            index = [self.names.index(n) for n in present]
            weight, scale = self._weights[np.ix_(index, index)], self._gains.scale[index]
            told = min(s.end for s in self._seats.values() if s is me or not s.left) - me.late - first
        plain = energies[mine][reach:]
        if len(present) < 2 or not len(plain):
            return Parted(plain, plain, None, 1.0)
        energies = energies * scale[:, None, None]  # as if all gains were equal
        wide = energies[:, reach:, -1]
        if told >= TELLING_S * self.rate:
            wide = wide[:, :told]  # beyond, another seat is unknown, and all would seem loudest here
        share = rises(mine, wide, self._near).share
        clear = without_floor(energies)
        leak = None
        if not quick:
            added = leak_at(mine, take_off(clear, weight, self.rate), weight, self.rate)
            leak = added[reach:] / (clear[mine, reach:].mean(axis=0) + 1e-30)
        others = [j for j in range(len(present)) if j != mine]
        if float(weight[mine, others, -1].mean()) < PLAIN_WEIGHT:
            return Parted(plain, plain, leak, share)
        own = clean(mine, clear, weight, self.rate, quick)[reach:] / scale[mine]
        return Parted(own, plain, leak, share)

    def _common(self, seat: SeatFrames) -> int:
        patience = round(PATIENCE_S * self.rate)
        waited = [
            s.end
            for s in self._seats.values()
            if not s.left and seat.end - s.end < patience and s is not seat
        ]
        return max(seat.served, min([seat.end, *waited]))

    @property
    def _near(self) -> int:
        """By how many frames, at most, a hit is heard earlier or later at another seat."""
        return round((NEAR_S if self.one_clock else APART_S) * self.rate)

    def _serve(self, name: str, until: int) -> Clear:
        """The frames that are new for a seat; just enough to find where a shake begins and ends."""
        seat = self._seats[name]
        first, seat.served = seat.served, until
        if until <= first:
            none = np.zeros(0)
            return Clear(none, Rises(none, none), none)
        mine = self.names.index(name)
        energy = seat.window(first, until, _WIDE)[:, 0]
        leak = np.zeros(until - first)
        scale = self._gains.scale
        for other, s in self._seats.items():
            if other != name:
                its = self.names.index(other)
                shape = s.window(first, until, _SHAPE)[:, 0]
                leak += self._weights[mine, its, -1] * (scale[its] / scale[mine]) * shape
        told = np.sum([s.told(first, until) for s in self._seats.values()], axis=0)
        return Clear(seat.without(energy, leak), self._rises(name, first, until), told)

    def _rises(self, name: str, first: int, until: int) -> Rises:
        """Whose hits a seat heard in these frames of the table."""
        before = self._near + 2  # for a rise and its smoothing
        present = list(self._seats)
        heard = np.stack([self._seats[n].window(first - before, until, _WIDE)[:, 0] for n in present])
        alike = heard * self._gains.scale[[self.names.index(n) for n in present]][:, None]
        found = rises(present.index(name), alike, self._near)
        return Rises(found.all[before:], found.own[before:])

    def _learn(self, now: int) -> None:
        self._learned = now
        present = [n for n in self.names if n in self._seats and not self._seats[n].left]
        if len(present) < 2:
            return
        low = max(now - round(LEARN_FROM_S * self.rate), min(self._seats[n].first for n in present))
        for name in present:
            self._seats[name].learn_floor(low, now)
        there = [self.names.index(n) for n in present]
        heard = np.stack([self._seats[n].window(low, now, _BANDS) for n in present])
        energies = heard * self._gains.scale[there][:, None, None]
        wide = energies[:, :, -1]
        if now - low < 0.5 * self.rate or np.quantile(wide, 0.95) < 10 * np.quantile(wide, FLOOR_QUANTILE):
            return  # nobody shakes
        if self._clocks is not None and (apart := self._clocks.apart(present, wide, now)):
            for name, frames in apart.items():
                self._seats[name].shift(frames)
            return  # the windows no longer fit: learn next time
        index = np.ix_(there, there)
        self._weights[index] = weights(without_floor(energies), self.rate, self._weights[index], passes=1)
        self._learn_gains(present, heard[:, :, -1], low, now)

    def _learn_gains(self, present: Sequence[str], wide: Floats, low: int, now: int) -> None:
        """Learn from wide-band energies [seats that are `present`, table frames `low` … `now`], before any scaling."""
        ends = [self._seats[n].end for n in present]
        here = [k for k, end in enumerate(ends) if now - end < PATIENCE_S * self.rate]
        until = min([now, *(ends[k] for k in here)])
        there = [self.names.index(present[k]) for k in here]
        self._gains.hear(there, wide[here, : until - low], until - max(low, self._hits_until), self.rate)
        self._hits_until = until


class AtSeat:
    """One seat's access to the table, as used by a `Listener`. Frames are counted from its own source's start."""

    def __init__(self, table: Seats, name: str, seat: SeatFrames, now: Callable[[], float] | None) -> None:
        self._table, self._name, self._seat, self._now = table, name, seat, now

    def post(self, energy: Array) -> Clear:
        """Post what was heard, float32[frames, bands]; returns the frames that are clear by now."""
        return self._table.post(self._name, energy, None if self._now is None else self._now())

    def leave(self) -> Clear:
        """The source has ended; returns the frames that still waited."""
        return self._table.leave(self._name)

    @property
    def set_louder_db(self) -> float:
        """How many dB louder than the average its microphone is set, as far as known."""
        return self._table.set_louder_db(self._name)

    @property
    def told_by_all(self) -> int:
        """Frames up to which no seat has to be waited for."""
        return self._table.told_by_all(self._name, self._seat)

    def own(self, first: int, end: int, quick: bool = False) -> Parted:
        """See `Seats.own`."""
        return self._table.own(self._name, self._seat, first, end, quick)
