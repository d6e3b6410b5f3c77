"""The ear of one seat among others: a `Listener` that neither counts neighbours' shakes nor their leak."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sensors.ear.frames.finder import Found
from sensors.ear.frames.frontend import Array, Frames
from sensors.ear.frames.last_frames import Stretch
from sensors.ear.frames.levels import Blocks
from sensors.ear.listener import STEP_S, Listener
from sensors.ear.partials import Partials
from sensors.ear.profiles.profile import Profile
from sensors.ear.seats.company import in_company
from sensors.ear.seats.parted import Clear, Parted
from sensors.ear.seats.together import PATIENCE_S, AtSeat, Seats
from sensors.ear.seats.turns import Turns
from sensors.ear.shakes.shake import Shake
from sensors.evidence import Heard, Hearing, Verdict
from sensors.why import Reason, Why

TOGETHER_S = 0.02
NOT_OURS = 0.10  # share of hits that are loudest here; below, the shake was at another seat
CROWDED = 0.50  # the same; below, neighbours fill too many gaps for the count to be trusted
ELSEWHERE = Reason(Why.ELSEWHERE, "that was louder at another seat: it counts there")
# energies are compared as they come, so a microphone set far softer than its neighbours' loses its own shakes to them
ELSEWHERE_OR_SOFT = Reason(
    Why.ELSEWHERE_OR_SOFT,
    "that was louder at another seat and counts there; if it was shaken here, this seat's microphone is set softer "
    "than the others: turn it up",
)
TOO_CROWDED = Reason(
    Why.TOO_CROWDED,
    "the neighbours are nearly as loud here: shake one after another, or give each seat a microphone "
    "that looks at its player (a cardioid at the table's edge)",
)


@dataclass(frozen=True, slots=True)
class SeatStretch(Stretch):
    """A stretch of one seat, and how much of it is the neighbours'."""

    parted: Parted


class SeatListener(Listener):
    """A `Listener` for the microphone of one seat. `table` holds what the seats share; `now` tells the table's time
    (seconds) where sources have clocks of their own.

    Raises ProfileError where the source cannot share a table with the others: another kind of front end.
    """

    ALONE = False
    # other seats are waited for, so a shake is found later than by a single listener
    KEPT_BEFORE_S = Listener.KEPT_BEFORE_S + PATIENCE_S + STEP_S

    def __init__(
        self,
        profile: Profile,
        rate: float,
        channels: int,
        source: str,
        table: Seats,
        seat: str,
        now: Callable[[], float] | None = None,
        *,
        partial: bool = False,
        fine: bool = False,
    ) -> None:
        super().__init__(profile, rate, channels, source, partial=partial, fine=fine)
        self.seat = seat
        self._beside: AtSeat = table.join(seat, self.head.front, now)
        self._blocks, self._turns = Blocks(self.head.front), Turns()
        self._own_heard = False  # has any shake clearly been this seat's?

    def _clear(self, energy: Array) -> Iterator[Found]:
        return self._follow(self._beside.post(energy))

    def _left(self) -> Iterator[Found]:
        return self._follow(self._beside.leave())

    def _follow(self, clear: Clear) -> Iterator[Found]:
        """Finds beginnings and ends by the levels, and by whose hits are loudest here."""
        for found in self._levels(clear.wide.astype(np.float32)):
            if found.kind == "begin":
                self._turns.begin(found.block)
            yield found
        for block in self._blocks.push(np.stack([*clear.rises, clear.seats], axis=1)):
            rose, own, _ = np.add.reduce(block).tolist()
            cut = self._turns.push(rose, own, int(block[:, 2].min()))
            if cut is not None and not self._guided:  # blows of one gesture are too far apart for this
                yield from self._finder.cut(cut)

    def _stretch(self, first: int, end: int, quick: bool = False) -> SeatStretch:
        heard = super()._stretch(first, end, quick)
        parted = self._beside.own(heard.first, heard.first + len(heard.frames.energy), quick)
        # subtracting neighbours leaves holes, which a partial answer would take for gaps
        energy = parted.plain if quick else parted.own
        frames = Frames(energy.astype(np.float32), heard.frames.hand)
        return SeatStretch(heard.first, frames, heard.clipped, parted)

    def _count(self, shake: Shake, stretch: Stretch) -> dict[int, float]:
        return in_company(self._heads, shake, _parted(stretch)) or super()._count(shake, stretch)

    def _told(self) -> int:
        # before a lagging seat has delivered, everything would seem loudest here
        return min(super()._told(), self._beside.told_by_all)

    def _hearing(self, partials: Partials, begun: int) -> Iterator[Hearing]:
        for said in super()._hearing(partials, begun):
            yield replace(said, seat=self.seat, set_louder_db=self._beside.set_louder_db)

    def _ours(self, stretch: Stretch) -> bool:
        return _parted(stretch).share >= NOT_OURS

    def _judge(self, stretch: Stretch, floor_db: float) -> Heard:
        said = replace(super()._judge(stretch, floor_db), seat=self.seat)
        if not self._ours(stretch):  # also for no shake: the seat is told what it was
            elsewhere: Verdict = "not-a-shake"
            soft = said.verdict != "not-a-shake" and not self._own_heard
            reason = ELSEWHERE_OR_SOFT if soft else ELSEWHERE
            return replace(said, verdict=elsewhere, probabilities={}, reason=reason, strength=None, doubt="")
        if said.verdict == "not-a-shake":
            return said
        self._own_heard = self._own_heard or _parted(stretch).share >= CROWDED
        if _parted(stretch).share < CROWDED and not said.clipped:
            unsure: Verdict = "unsure"
            return replace(said, verdict=unsure, reason=TOO_CROWDED, doubt="sensor")
        return said


def _parted(stretch: Stretch) -> Parted:
    assert isinstance(stretch, SeatStretch)  # a seat makes no other kind
    return stretch.parted


def hear_together(listeners: Sequence[Listener], block: Array, rate: float) -> Iterator[Heard | Hearing]:
    """Hear float32[samples, channels], one channel for each of `listeners`, synchronously."""
    step = max(1, round(TOGETHER_S * rate))
    for start in range(0, len(block), step):
        for channel, listener in enumerate(listeners):
            yield from listener.push(block[start : start + step, channel : channel + 1])
