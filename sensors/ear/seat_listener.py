"""The ear of one seat among others: a `Listener` whose neighbours' shakes are taken off, and not taken for its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from sensors.ear.company import in_company
from sensors.ear.finder import Found
from sensors.ear.frontend import Array, Frames
from sensors.ear.listener import STEP_S, Listener
from sensors.ear.profile import Profile
from sensors.ear.seats import PATIENCE_S, AtSeat, Parted, Seats
from sensors.ear.shake import Shake
from sensors.evidence import Heard, Hearing, Verdict

TOGETHER_S = 0.02
NOT_OURS = 0.10  # share of hits that are loudest here: below, the shake was at another seat
CROWDED = 0.50  # below, neighbours fill too many gaps for a count to be trusted
ELSEWHERE = "that was louder at another seat: it counts there"
TOO_CROWDED = (
    "the neighbours are nearly as loud here: shake one after another, or give each seat a microphone "
    "that looks at its player (a cardioid at the table's edge)"
)


class SeatListener(Listener):
    """As `Listener`, for the microphone of one seat; `table` is what the seats share.

    Raises ProfileError where the source cannot share a table with the others: another kind of front end.
    """

    # other seats are waited for, so a shake is found later than it would be alone
    KEPT_BEFORE_S = Listener.KEPT_BEFORE_S + PATIENCE_S + STEP_S

    def __init__(
        self,
        profile: Profile,
        rate: float,
        channels: int,
        source: str,
        table: Seats,
        seat: str,
        since_s: float = 0.0,
        *,
        partial: bool = False,
    ) -> None:
        super().__init__(profile, rate, channels, source, partial=partial)
        self.seat = seat
        self._beside: AtSeat = table.join(seat, self.head.front, since_s)
        self._share = 1.0
        self._parted: Parted | None = None

    def _finish(self) -> Iterator[Heard]:
        rest, self._waiting = self._waiting, self._waiting[:0]
        if len(rest):
            yield from (said for said in self._step(rest) if isinstance(said, Heard))
        for found in super()._levels(self._beside.leave().astype(np.float32)):
            yield from self._found(found)
        yield from super()._finish()

    def _levels(self, wide: Array) -> Iterator[Found]:
        clear = self._beside.post(self._kept[-1].frames.energy)
        return super()._levels(clear.astype(np.float32))

    def _stretch(self, first: int, end: int) -> tuple[Frames, bool]:
        frames, clipped = super()._stretch(first, end)
        first = max(first, self._first_kept)
        partial = self._begun is not None
        self._parted = self._beside.own(first, first + len(frames.energy), quick=partial)
        self._share = self._parted.share
        # taking neighbours off leaves holes, and a partial answer knows no better than to count them as gaps
        heard = self._parted.plain if partial else self._parted.own
        return Frames(heard.astype(np.float32), frames.hand), clipped

    def _count(self, shake: Shake) -> dict[int, float]:
        assert self._parted is not None  # _stretch comes first
        return in_company(self._heads, shake, self._parted) or super()._count(shake)

    def _hearing(self) -> Iterator[Hearing]:
        for said in super()._hearing():
            if self._share >= NOT_OURS:
                yield replace(said, seat=self.seat)

    def _ours(self) -> bool:
        return self._share >= NOT_OURS

    def _judge(self, first: int, end: int, floor_db: float) -> Heard:
        said = replace(super()._judge(first, end, floor_db), seat=self.seat)
        if not self._ours():  # also of what is no shake: that seat is told what it was
            return replace(said, verdict="not-a-shake", probabilities={}, reason=ELSEWHERE, strength=None)
        if said.verdict == "not-a-shake":
            return said
        if self._share < CROWDED and not said.clipped:
            unsure: Verdict = "unsure"
            return replace(said, verdict=unsure, reason=TOO_CROWDED)
        return said


def hear_together(listeners: Sequence[Listener], block: Array, rate: float) -> Iterator[Heard | Hearing]:
    """Hear float32[samples, channels], a channel each of `listeners`, in step."""
    step = max(1, round(TOGETHER_S * rate))
    for start in range(0, len(block), step):
        for channel, listener in enumerate(listeners):
            yield from listener.push(block[start : start + step, channel : channel + 1])
