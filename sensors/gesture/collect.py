"""Groups taps into gestures: the empty seat first, then an igloo that is set down and tapped several times."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sensors.ear.errors import check_channels
from sensors.gesture.blows import Blow, Tap, rings_loaded, undisturbed, weighed
from sensors.gesture.cut_off import Clips
from sensors.gesture.decimate import Decimator
from sensors.gesture.emptied import Empties
from sensors.gesture.empty_seat import EmptySeat
from sensors.gesture.faint import FaintRings
from sensors.gesture.gathered import WANTED, Felt, Gesture, Kind
from sensors.gesture.taps import SETTLE_S, Ring, TapFinder
from sensors.gesture.weigh import STEEL, Empty, Pair, Weight, pair_of, whole_of
from sensors.gesture.whose import LIFTED_S, differs, drowned, same_placing

if TYPE_CHECKING:
    from sensors.gesture.model import Noise

FLOOR = {"accelerometer": 0.01, "microphone": 0.003}  # g; of full scale
# of a good tap; lifting an igloo off rings less
GENTLEST = {"accelerometer": 0.12, "microphone": 0.04}
STRUCK = {"accelerometer": 0.06, "microphone": 0.02}  # below: the igloo was let go, not tapped
LONGEST_GESTURE_S = 30.0  # from the empty tap; the seat warms up
ONSET_S = 0.05  # until a blow is recognised


class Collector:
    """Feed blocks of one source; `gesture` is the open one, and `push` returns those that have ended."""

    def __init__(
        self,
        sensor: str,
        rate: float,
        channels: int,
        known_empty: Empty | None = None,
        noise: Noise | None = None,
    ) -> None:
        """sensor: `accelerometer` or `microphone` (including one that touches the seat); known_empty: the empty seat's
        tones by a profile; noise: by a profile, how far placings of one igloo scatter, for a source of many igloos.
        Raises SoundError for too low a rate, KeyError for another sensor."""
        self.sensor = sensor
        self._channels = channels
        self._decimated = Decimator(rate)
        self._taps = TapFinder(self._decimated.rate, channels, FLOOR[sensor])
        self.empty: Empty | None = None
        self.empty_s = 0.0
        self._seat = EmptySeat(known_empty)
        self._noise = noise
        self._empty_quality = 0.0
        self.gesture: Gesture | None = None
        self.seconds = 0.0
        self._rate = rate
        self._clips = Clips(sensor, rate)
        self._news = 0
        self._moved = False  # something has happened on the seat since the last weighed tap
        self.emptied = False  # the empty seat was tapped since the last weighed tap
        self.last: Felt | None = None
        self._dulls = 0  # blows since the last tap that rang
        self._empties = Empties()
        self.settled = False  # the gesture has its answer: the next setting down begins another one
        self._faint = FaintRings()
        # A gesture begun by one weight that does not fit the open one: another igloo, or this one was let go. The next
        # tap decides.
        self._next: Gesture | None = None
        self._next_moved = False  # `_moved` before it
        self._lifted = False  # the empty seat rang faintly since the last weighed tap
        self._whole: Callable[[float, float], bool] = lambda start_s, end_s: True

    def ask_whole(self, whole: Callable[[float, float], bool]) -> None:
        """Have `whole` asked about each ring: was nothing lost on the way to here between its two times? A spliced ring
        does not tell what the seat carried."""
        self._whole = whole

    @property
    def news(self) -> int:
        """How many taps of any kind have been heard so far."""
        return self._news

    @property
    def doubtful(self) -> bool:
        """Do the taps on the empty seat disagree, or was the only one touched again?"""
        return self._empties.doubtful

    @property
    def in_doubt(self) -> bool:
        """Does the last tap seem to be of another igloo than that of `gesture`, as far as one tap can tell?"""
        return self._next is not None

    @property
    def expired(self) -> bool:
        """Must the empty seat be tapped (again) before anything can be weighed?"""
        return self.empty is None or self.seconds - self.empty_s >= LONGEST_GESTURE_S

    def push(self, block: NDArray[np.floating]) -> list[Gesture]:
        """Take a block [n, channels], or [n] of one channel, in g (accelerometer) or ±1 (microphone), at the source's
        rate; returns the gestures that it ended, by a tap on the empty seat or another igloo. Raises SoundError for
        another number of channels."""
        if not len(block):
            return []
        if block.ndim > 1 or self._channels > 1:
            check_channels(block.shape, self._channels)
        block = block[:, None] if block.ndim == 1 else block
        self._clips.push(block, self.seconds)
        self.seconds += len(block) / self._rate
        out: list[Gesture] = []
        for ring in self._taps.push(self._decimated.push(block)):
            out += self._take(ring)
        late = self._next is not None and self.seconds - self._next.start_s > LIFTED_S + ONSET_S
        return out + self._decide(None) if late and not self._taps.ringing else out

    def finish(self) -> list[Gesture]:
        """The source has ended: returns the gestures that were still open, the oldest first."""
        out: list[Gesture] = []
        for ring in self._taps.finish():
            out += self._take(ring)
        return out + self._decide(None) + self.close()

    def close(self) -> list[Gesture]:
        """End the open gesture."""
        ended, self.gesture, self.settled = self.gesture, None, False
        return [ended] if ended is not None else []

    def _take(self, ring: Ring) -> list[Gesture]:
        blow = self._struck(ring)
        if blow is None:
            return []
        if blow.empty:
            return self._tapped_empty(blow)
        return self._put_into_a_gesture(self._weighed(blow))

    def _struck(self, ring: Ring) -> Blow | None:
        """The blow in a ring; None where it is not known, or where the igloo was only let go or lifted."""
        if not self._whole(ring.start_s - SETTLE_S, ring.start_s + len(ring.samples) / self._decimated.rate):
            self._moved = True  # an igloo may have been set down, tapped or lifted
            self._faint.interrupted()
            if ring.strike >= STRUCK[self.sensor]:
                self._news += 1
                self.last = Felt("lost", ring.strike)
            return None
        ring, cut, over = self._clips.whole(ring, self._decimated.rate)
        whole = whole_of(ring, self._decimated.rate)
        pair = pair_of(ring, self._decimated.rate, whole)
        if ring.strike < STRUCK[self.sensor]:
            self._moved = True  # letting go, setting down or a bump of the table: not a tap
            self._note_faint(pair)
            return None
        self._faint.interrupted()
        self._news += 1
        empty = not cut and pair.fair and self._seat.is_empty(pair, self.empty)
        if empty and self._lifted_off(ring):
            self._moved = True
            return None
        return Blow(ring, whole, pair, cut, over, empty)

    def _tapped_empty(self, blow: Blow) -> list[Gesture]:
        free = undisturbed(blow, self._decimated.rate, self.sensor, self._empty_quality)
        told = free is not None and free.pair.fair and self._seat.is_empty(free.pair, self.empty)
        self.last = Felt("empty" if told else "twice", blow.ring.strike, free is None or free.twice)
        if free is None or not told:
            self._moved = True
            return []
        return self._note_empty(free.pair, free.twice)

    def _weighed(self, blow: Blow) -> Tap:
        fresh = self.empty is not None and blow.ring.start_s - self.empty_s < LONGEST_GESTURE_S
        empty = self.empty if fresh else None
        tap = weighed(blow, self._decimated.rate, self.sensor, empty, self._empty_quality)
        if not tap.cut and tap.pair.fair and not tap.twice:
            self._seat.note_strange(tap.pair)
        return tap

    def _put_into_a_gesture(self, tap: Tap) -> list[Gesture]:
        """Add a tap to the open gesture, or begin one with it; returns the gestures that this ended."""
        weight = tap.weight
        out = self._decide(weight)
        now, again = self.gesture, False
        if weight is not None and now is not None:
            again = same_placing(now, weight)
            if again and drowned(weight, now.weights[-1]):
                self._moved = True  # a hand reached for it
                return out
            if not again and self._ends(now):
                out, now = out + self.close(), None
        kind = self._kind(tap)
        self.last = Felt(kind, tap.ring.strike, tap.twice)
        self._dulls = self._dulls + 1 if weight is None else 0
        if now is None:
            now = self.gesture = self._begun(tap)
        elif weight is not None and not again and self._differs(now, weight):
            unanswered, self._next_moved = not now.answered, self._moved
            now = self._next = self._begun(tap)
            now.split = unanswered
        now.note(tap, self._decimated.rate, self._seat.other_hz)
        if weight is None:
            now.note_dull(kind, first=self._dulls == 1)
            self._moved = True
            return out
        # the last weight was the igloo let go, and this is its first tap
        let_go = again and drowned(now.weights[-1], weight)
        now.weigh(weight, anew=self._moved and not again, instead=let_go)
        now.doubtful = now.doubtful or self.doubtful
        self._moved = self.emptied = self._lifted = False
        return out

    def _begun(self, tap: Tap) -> Gesture:
        start_s, empty = tap.ring.start_s, self.empty if tap.fresh else None
        faint = int(empty is None and self._faint.of_empty)
        quality = self._empty_quality if tap.fresh else None
        return Gesture(
            start_s, start_s, empty, self.empty_s, doubtful=self.doubtful, faint=faint, empty_quality=quality
        )

    def _decide(self, weight: Weight | None) -> list[Gesture]:
        """Decide to which gesture the unmatched weight belongs. `weight`: of the tap that follows it."""
        following, self._next = self._next, None
        if following is None:
            return []
        if weight is not None and self.gesture is not None and same_placing(following, weight):
            self._moved = self._next_moved
            if not self._differs(self.gesture, weight):
                return []  # it was this igloo being let go, and now it is tapped
            self._moved = False
        if self.gesture is not None and following.split:
            self.gesture.split = True
        ended = self.close()
        self.gesture = following
        return ended

    def _ends(self, now: Gesture) -> bool:
        """Does the next weight belong to another gesture than the open one?"""
        if self.settled:
            return not now.weights or self._moved or self.emptied
        return self.emptied and now.placings >= WANTED

    def _differs(self, now: Gesture, weight: Weight) -> bool:
        return differs(now, weight, self._moved, self.emptied, self._noise)

    def _lifted_off(self, ring: Ring) -> bool:
        """Does the seat ring (once) because the igloo was taken off, without a tap? Its sideways tone may then be off
        by a fiftieth."""
        if self.gesture is None or not (self.gesture.weights or self.gesture.rang) or self._lifted:
            return False
        self._lifted = ring.strike < GENTLEST[self.sensor]
        return self._lifted

    def _note_faint(self, pair: Pair) -> None:
        if self._faint.note(pair, empty_wanted=self.expired):
            self.last = Felt("faint", pair.strike)
        empty = None if self.expired else self.empty
        loaded = empty is not None and rings_loaded(pair, empty, self._empty_quality)
        if loaded and self.gesture is not None:
            self.gesture.note_faint()

    def _kind(self, tap: Tap) -> Kind:
        if tap.weight is not None:
            return "weighed"
        if not tap.fresh:
            return "clipped" if tap.drowned else "no-empty"  # perhaps of the empty seat
        if tap.cut:
            return "clipped"
        if self._dulls == 0:
            return "set-down"  # the first blow since the last tap, with the hand still on it
        unheld: Kind = "clipped" if tap.drowned else "twice" if tap.twice else "unclear"
        return "held" if tap.held else unheld

    def _note_empty(self, pair: Pair, touched: bool) -> list[Gesture]:
        """The empty seat rang again: another igloo comes, unless this one is only being set down anew."""
        assert pair.sideways is not None
        assert pair.upright is not None
        recent = self._empties if pair.start_s - self.empty_s < LONGEST_GESTURE_S else Empties()
        if self._seat.denies(pair, self.empty):
            # what was taken for the empty seat carried an igloo: all weights against it are void
            recent, self.gesture, self._next, self.settled = Empties(), None, None, False
        self._seat.was_heard()
        self._faint.empty_told()
        steel = pair.upright.quality > STEEL
        self._empties = recent.add(Empty(pair.sideways.hz, pair.upright.hz), steel, touched)
        self.empty = self._empties.usual
        for one in (self.gesture, self._next):
            if one is not None and not self.doubtful and len(self._empties.seen) > 1:
                one.weigh_anew(self.empty)
        self.empty_s, self._empty_quality = pair.start_s, pair.upright.quality
        out = self._decide(None)
        self._moved = self.emptied = True
        self._dulls = 0
        now = self.gesture
        over = self.settled or now is None or not now.under_way or (now.doubtful and not self.doubtful)
        return out + self.close() if over else out


_BLOCK = 4096  # samples of a recording that are processed together


def collect(
    sensor: str, rate: float, samples: NDArray[np.floating], known_empty: Empty | None = None
) -> list[Gesture]:
    """All gestures of a whole recording [n, channels] or [n] at `rate` Hz, in g for an `accelerometer` and ±1 for a
    `microphone`. It has to begin with a tap on the empty seat. Raises SoundError for too low a rate, KeyError for
    another sensor."""
    x = samples[:, None] if samples.ndim == 1 else samples
    collector = Collector(sensor, rate, x.shape[1], known_empty)
    out: list[Gesture] = []
    for i in range(0, len(x), _BLOCK):
        out += collector.push(x[i : i + _BLOCK])
    return out + collector.finish()
