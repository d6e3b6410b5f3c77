"""Finds the beginning and end of shakes in a stream of levels, with a noise floor that follows the room.

A shake is a stretch well above the floor whose level rises and falls with the strokes; it ends after `SILENCE_S` of
quiet (relative to its own loudness, and to the floor). A noise that starts and stays is no shake: without rising and
falling, it becomes the floor after a while; when it stops, the quiet does soon.

| while it is shaken | that is | and the floor |
|---|---|---|
| quiet for `SILENCE_S` | its end | is that quiet |
| quiet for `SILENCE_S` after a knock | its end | stays: strokes are quiet beside a knock |
| quiet beside a knock that came among strokes | nothing: strokes tell what is quiet | stays |
| steady for 0.8 s, `SUNK_DB` below its loud blocks | its end: what is left is the room | is that level |
| the same, and they only come now | no shake before them (`dropped`): the room was new | is that level |
| steady for 0.8 s when the source ends | as in these two; steady since it began: no shake | is that level |
| steady for `STEADY_S`, as loud as ever | the end of what came before, or no shake (`dropped`) | is that level |
| steady, but of hits, as is asked | nothing: many beads in an even hand | stays |
| longer than `LONGEST_SHAKE_S` | cut; the next begins at once | stays |
| another seat's from some block on, by other evidence (`cut`) | its end; the next begins there | stays |
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

BLOCK_S = 0.010
SILENCE_S = 0.5  # the silence after which a shake is over
LONGEST_SHAKE_S = 12.0  # a longer shake is cut here, so that memory is constant
BEFORE_S = 0.10  # kept before the onset
RISE_DB = 9.0  # above the floor: from here on a shake may begin
QUIET_DB = 5.0  # above the floor: up to here it is still quiet
FADED_DB = 18.0  # below the shake's own loud blocks, in a room: quiet as well
# A shake has this many blocks within STROKED_DB of its loudest, a knock has fewer. Less would do for most shakes, but
# not for a few beads heard on the shell.
LOUD_BLOCKS = 10
STROKED_DB = 12.0
KNOCK_DB = 8.0  # above the loud tenth of its blocks: what is louder is no stroke
FLOOR_S = 4.0  # the floor is estimated over this time
STEADY_S = 2.0  # a level that has not fallen by STEADY_DB for this long is background
STEADY_DB = 5.0
FIRST_BLOCKS = 20  # a source that begins steadily begins with its background
HITS_BLOCKS = 50  # unless these are of hits: then it begins in the midst of an even shake
BEFORE_NOISE_S = 0.8  # of rising and falling before a steady noise: a shake, not the onset of the noise
FALLEN_BLOCKS = round(0.3 / BLOCK_S)  # this long far below the floor: a noise has ended
SUNK_DB = 6.0  # below the loud blocks, and steady for SUNK_S: only the room
SUNK_BLOCKS = round(0.8 / BLOCK_S)


@dataclass(frozen=True, slots=True)
class Found:
    """`begin` and `end` count blocks of 10 ms since the start of the source; `dropped`: it was only background;
    `drowned` (`frames.drowned`): hardly above it, from block `since` on."""

    kind: Literal["begin", "end", "dropped", "drowned"]
    block: int
    floor_db: float
    since: int = 0


class Finder:
    """Feed it one level for each block (dB, any reference); it reports when a shake begins and ends."""

    def __init__(
        self,
        silent_db: float,
        silence_s: float = SILENCE_S,
        hits: Callable[[int, int], bool] = lambda first, end: False,
        faded_db: float = FADED_DB,
    ) -> None:
        """`silent_db`: levels below are silence on any device; `silence_s`: a quiet of this length ends a shake;
        `hits`: whether the blocks `first` … `end`, whose level is steady, are made of hits; `faded_db`: so far below
        the loud blocks it is quiet."""
        self._silence_s, self._faded_db = silence_s, faded_db
        self._sunk = round(SUNK_BLOCKS * silence_s / SILENCE_S)  # blows of one gesture are further apart
        self._silent = silent_db
        self._history: deque[float] = deque(maxlen=round(FLOOR_S / BLOCK_S))
        self._recent: deque[float] = deque(maxlen=round(STEADY_S / BLOCK_S))
        # Evened over two blocks, as all levels are by which the room is known: mains that buzz have one pulse in 20 ms,
        # so every second block would be quiet.
        self._even_recent: deque[float] = deque(maxlen=self._recent.maxlen)
        self._before: float | None = None  # the last block's level
        self._floor = silent_db
        self._fallen = 0  # blocks far below the floor
        self._block = 0
        self._begun: int | None = None
        self._loud = -math.inf
        self._stroked = False  # it has been as loud for as long as only strokes are
        self._quiet = 0
        self._hits = hits

    @property
    def shaking(self) -> bool:
        return self._begun is not None

    @property
    def floor_db(self) -> float:
        """How loud the room is."""
        return self._floor

    @property
    def ends_in_s(self) -> float:
        """How long a quiet would now have to last to end the shake; infinite where there is no shake."""
        return math.inf if self._begun is None else self._silence_s - self._quiet * BLOCK_S

    def push(self, level_db: float) -> Found | None:
        """Take one block's level; at most one event is found in it."""
        level = max(level_db, self._silent - 20.0) if math.isfinite(level_db) else self._silent - 20.0
        self._block += 1
        even = level if self._before is None else _evened(self._before, level)
        self._before = level
        if self._begun is None:
            return self._wait(level, even)
        return self._follow(level, even)

    def finish(self) -> Found | None:
        """The source has ended, and so has any shake. A noise that still goes on is known as one that stops is."""
        if self._begun is None:
            return None
        evened = list(self._even_recent)
        if len(evened) >= self._sunk and _steady(evened) and not self._of_hits(evened):
            return self._drowned()
        tail = self._tail()
        return self._sunk_into(tail) if self._is_room(tail) else self._over("end")

    def cut(self, block: int) -> tuple[Found, ...]:
        """Something else began in that block, as is known by other means than its level: ends what was going on."""
        if self._begun is None or not self._begun < block < self._block:
            return ()
        self._begun = block
        since = list(self._recent)[block - self._block :]
        self._loud, self._quiet = max(since), min(self._quiet, len(since))
        return Found("end", block, self._floor), Found("begin", block, self._floor)

    def _wait(self, level: float, even: float) -> Found | None:
        if self._block <= FIRST_BLOCKS:  # at first the loudness of the room is unknown
            self._history.append(even)
            self._recent.append(level)
            if self._block < FIRST_BLOCKS:
                return None
            first, evened = list(self._recent), list(self._history)
            if _steady(evened):
                self._learn(evened)
                return None
            self._history.clear()
            # it begins in the middle of something: take the quietest tenth as the room, except where a device gave
            # zeros
            heard = sorted(one for one in first if one > self._silent - 20.0)
            self._floor = min([self._floor, *heard[len(heard) // 10 :][:1]])
            rises = max(self._floor + RISE_DB, self._silent)
            begun = next((i for i, one in enumerate(first) if one > rises), None)
            return None if begun is None else self._begin(begun, first[begun:], evened[begun:])
        if level > max(self._floor + RISE_DB, self._silent):
            return self._begin(self._block - 1, [level], [even])
        self._history.append(even)
        if self._block == HITS_BLOCKS and self._hits_from_the_first():
            first = list(self._history)
            self._floor = self._silent  # how loud the room is, nobody knows
            self._history.clear()
            return self._begin(0, first, first)
        self._fallen = self._fallen + 1 if even < self._floor - RISE_DB else 0
        if self._fallen >= FALLEN_BLOCKS:
            self._learn(list(self._history)[-FALLEN_BLOCKS:])
        elif self._block % 10 == 0 or len(self._history) < 10:
            ranked = sorted(self._history)
            self._floor = max(ranked[len(ranked) // 4], self._silent - 20.0)
        return None

    def _begin(self, block: int, levels: list[float], evened: list[float]) -> Found:
        self._begun = block
        self._loud = max(levels)
        self._stroked = False
        self._quiet = 0
        self._recent.clear()
        self._recent.extend(levels)
        self._even_recent.clear()
        self._even_recent.extend(evened)
        return Found("begin", block, self._floor)

    def _follow(self, level: float, even: float) -> Found | None:
        assert self._begun is not None
        self._recent.append(level)
        self._even_recent.append(even)
        self._loud = max(level, self._loud - 0.05)  # decays, to forget a single knock within seconds
        ranked = sorted(self._recent)
        if len(ranked) >= LOUD_BLOCKS and ranked[-LOUD_BLOCKS] >= self._loud - STROKED_DB:
            self._stroked = True
        # a knock among strokes makes none of them quiet
        strokes = ranked[-max(LOUD_BLOCKS, len(ranked) // 10) :][0]
        loud = min(self._loud, strokes + KNOCK_DB) if self._stroked else self._loud
        quiet_below = max(self._floor + QUIET_DB, loud - self._faded_db)
        self._quiet = self._quiet + 1 if level < quiet_below else 0
        if self._quiet * BLOCK_S >= self._silence_s:
            if self._stroked:  # else quiet beside a knock may be the strokes that follow, not the room
                # the room as it is now, without the last decay
                self._learn(list(self._even_recent)[-self._quiet + 5 :])
            return self._over("end")
        if self._block % 5 == 0:  # twenty times a second are enough
            tail = self._tail()
            if tail[-1] < self._loud - SUNK_DB and self._is_room(tail):
                return self._sunk_into(tail)
            evened = list(self._even_recent)
            if len(evened) == self._even_recent.maxlen and _steady(evened) and not self._of_hits(evened):
                return self._drowned()
        if (self._block - self._begun) * BLOCK_S >= LONGEST_SHAKE_S:
            return self._over("end")
        return None

    def _hits_from_the_first(self) -> bool:
        """Has it been as loud as now since the source began, and is it of hits?"""
        since = self._block - len(self._history)
        return since <= FIRST_BLOCKS and min(self._history) > self._silent and self._hits(0, self._block)

    def _tail(self) -> list[float]:
        return list(self._even_recent)[-self._sunk :]

    def _is_room(self, tail: list[float]) -> bool:
        """Whether the last blocks are as steady as only a room is."""
        return len(tail) == self._sunk and _steady(tail) and not self._of_hits(tail)

    def _sunk_into(self, tail: list[float]) -> Found:
        """What is left is the noise of a room that is louder than assumed."""
        self._learn(tail)
        new = self._nothing_before()
        self._quiet = self._sunk
        return self._over("dropped" if new else "end")

    def _of_hits(self, steady: list[float]) -> bool:
        return self._hits(self._block - len(steady), self._block)

    def _nothing_before(self) -> bool:
        """Was it, up to the steady blocks, nothing but what they are? Then its loud blocks are among the last ones: the
        first stroke of a shake."""
        assert self._begun is not None
        before = list(self._recent)[: -self._sunk]
        whole = self._block - self._begun <= len(self._recent)
        return whole and max(before, default=math.inf) < self._floor + SUNK_DB

    def _drowned(self) -> Found:
        """What is steady is background. A shake before it ended when the noise began, in the room as it was then."""
        assert self._begun is not None
        steady_from, floor = self._block - len(self._recent), self._floor
        shaken = (steady_from - self._begun) * BLOCK_S >= BEFORE_NOISE_S
        self._learn(list(self._even_recent))
        dropped = self._over("dropped")
        return Found("end", steady_from, floor) if shaken else dropped

    def _learn(self, levels: list[float]) -> None:
        self._fallen = 0
        self._floor = sorted(levels)[len(levels) // 2]
        self._history.clear()
        self._history.extend(levels)

    def _over(self, kind: Literal["end", "dropped"]) -> Found:
        end = self._block - self._quiet
        if self._begun is not None and end <= self._begun:
            kind = "dropped"  # the source began in something that was fading
        found = Found(kind, end, self._floor)
        self._begun = None
        self._quiet = 0
        return found


def _steady(levels: list[float]) -> bool:
    ranked = sorted(levels)
    return ranked[-1 - len(ranked) // 10] - ranked[len(ranked) // 10] < STEADY_DB


def _evened(one_db: float, other_db: float) -> float:
    """The level of two blocks together."""
    louder = max(one_db, other_db)
    return louder + 10 * math.log10((1 + 10 ** (-abs(one_db - other_db) / 10)) / 2)
