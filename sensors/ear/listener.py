"""The running ear of one source: blocks of samples in, `Hearing` and `Heard` out, in constant memory.

Nothing here knows where blocks come from or what time it is: times are counted in samples since the source's start.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from sensors.bridged import Bridged
from sensors.ear.errors import check_channels
from sensors.ear.foresight import Foresight
from sensors.ear.frames.beside import Beside
from sensors.ear.frames.clipping import ClipCounter
from sensors.ear.frames.drowned import Drowned
from sensors.ear.frames.finder import BEFORE_S, BLOCK_S, HITS_BLOCKS, LONGEST_SHAKE_S, Found
from sensors.ear.frames.frontend import LIMIT, Array, Envelopes
from sensors.ear.frames.last_frames import LastFrames, Stretch
from sensors.ear.frames.levels import Levels
from sensors.ear.partials import Partials
from sensors.ear.profiles.profile import Head, Profile
from sensors.ear.shakes.finding import finder_for
from sensors.ear.shakes.knocked import beside_knock
from sensors.ear.shakes.moves import move_of
from sensors.ear.shakes.shake import Shake, get_ready, shake_of, with_beads
from sensors.ear.shakes.takes import lead_s
from sensors.ear.verdicts.drift import Lately
from sensors.ear.verdicts.knocks import Knocks, of_a_part
from sensors.ear.verdicts.lines import after, heard
from sensors.ear.verdicts.long_shake import LongShake
from sensors.ear.verdicts.lost_sound import NO_NUMBERS, LostSound
from sensors.ear.verdicts.no_shake import no_shake
from sensors.ear.verdicts.probabilities import probabilities_of
from sensors.ear.verdicts.rattling import Rattling
from sensors.ear.verdicts.reasons import KNOCKS
from sensors.ear.verdicts.untold import Untold
from sensors.ear.verdicts.verdict import judge, judge_gesture
from sensors.evidence import Heard, Hearing
from sensors.one_thread import one_thread
from sensors.why import Why

PARTIAL_STEPS = 4  # from one partial answer to the next, in steps of `STEP_S`: three answers a second
STEP_S = 0.08  # samples are processed in steps of this, however they are delivered: each step has a cost
# kept of a source's beginning, until it is known what it begins with
FIRST_S = HITS_BLOCKS * BLOCK_S + 2 * STEP_S
# the steps where a shake may end within the next `STEP_S`, because its verdict is waited for
NEAR_STEP_S = 0.02


class Listener:
    """Hears shakes in one source of `rate` Hz with `channels` channels.

    Raises ProfileError or SoundError at once where profile and source do not go together.
    """

    KEPT_BEFORE_S = BEFORE_S  # how much is kept before a shake, and while none has been found
    ALONE = True  # no neighbours, whose shakes would seem drowned ones of this source
    leaves_out_losses = False  # the count is of the whole shake; what was lost of it only weakens its verdict

    def __init__(
        self,
        profile: Profile,
        rate: float,
        channels: int,
        source: str,
        *,
        partial: bool = False,
        fine: bool = False,
        lately: Lately | None = None,
    ) -> None:
        """`fine`: the samples come from a file of more than 16 bits (`SoundFile.fine`). `lately`: the shakes heard
        before in the same sitting, where a sitting comes in several files."""
        self.profile = profile
        self._heads = profile.heads_for(profile.sensor, rate)
        self.head: Head = self._heads[0]
        self.source = source
        self._rate = rate
        self._envelopes = Envelopes(self.head.front, rate, channels)
        others = dict.fromkeys(head.front for head in self._heads if head.front != self.head.front)
        self._others = [Beside(front, self.head.front, rate, channels) for front in others]
        get_ready(profile.sensor)
        self._guided = guided = profile.gesture is not None
        self._levels_of = Levels(self.head.front)
        self._block_frames = self._levels_of.block_frames
        self._last = LastFrames(self.head.front)
        rattling = Rattling(self.head, self._last, self._block_frames)
        self._finder = finder_for(profile.sensor, rattling, guided=guided, fine=fine)
        self._drowned = Drowned(self._finder, unless=guided or self.head.front.hand or not self.ALONE)
        self._before_s = BEFORE_S + lead_s(self.head.front)
        self._samples = 0
        self._clipping = ClipCounter(self.head.front.sensor)
        self._begun: int | None = None
        self._onset = 0  # the first loud frame of the shake that has begun, or ended last
        self._ended = 0  # the first frame after the last shake that was reported
        self._step_samples = max(1, round(STEP_S * rate))
        self._near_samples = max(1, round(NEAR_STEP_S * rate))
        every = PARTIAL_STEPS * self._step_samples
        self._partials = Partials(self._heads, guided, rate, every) if partial else None
        self._foresight = Foresight(self.head, guided)
        self._lately = Lately() if lately is None else lately
        self._knocks, self._long, self._untold = Knocks(), LongShake(), Untold()
        self._waiting: Array = np.zeros((0, channels), np.float32)
        self._bridged, self._missing = Bridged(), LostSound(NO_NUMBERS)
        self._whole: Callable[[float, float], bool] = lambda start_s, end_s: True
        self.level_db = -120.0

    def ask_whole(self, whole: Callable[[float, float], bool]) -> None:
        """Have `whole` asked about each shake: was nothing lost on the way to this ear between its two times? A shake
        of which something was lost does not count when the profile's age is judged."""
        self._whole = whole

    @property
    def now_s(self) -> float:
        """s since the source's start, of the samples processed so far."""
        return self._samples / self._rate

    @property
    def shaking(self) -> bool:
        return self._finder.shaking

    def push(self, block: Array) -> Iterator[Heard | Hearing]:
        """Hear float32[samples, channels]; yields what there is to report, in order. Raises SoundError for a block with
        another number of channels."""
        check_channels(block.shape, self._waiting.shape[1])
        self._waiting = np.concatenate([self._waiting, block]) if len(self._waiting) else block.copy()
        while len(self._waiting) >= (step := self._next_step()):
            looked_at, self._waiting = self._waiting[:step], self._waiting[step:]
            with one_thread():  # released before the caller deals with the results
                said = list(self._step(looked_at))
            yield from said

    def _next_step(self) -> int:
        """How many samples are looked at next. This depends on what was heard, never on how the samples were
        delivered."""
        near = self._finder.ends_in_s <= STEP_S
        return self._near_samples if near else self._step_samples

    def finish(self) -> Iterator[Heard]:
        """The source has ended."""
        with one_thread():
            said = list(self._finish())
        yield from said

    def _finish(self) -> Iterator[Heard]:
        rest, self._waiting = self._waiting, self._waiting[:0]
        if len(rest):
            yield from (said for said in self._step(rest) if isinstance(said, Heard))
        for found in self._left():
            yield from self._found(found)
        last = self._finder.finish()
        if last is not None:
            yield from self._found(last)

    def _step(self, block: Array) -> Iterator[Heard | Hearing]:
        block = np.clip(self._mended(block), -LIMIT, LIMIT)
        frames = self._envelopes.push(block)
        for other in self._others:
            other.push(block, frames)
        self._samples += len(block)
        self._last.append(frames, len(block), self._clipping.push(block))
        for found in self._clear(frames.energy):
            yield from self._found(found)
        self._forget()
        if self._foresight.due(self._finder.ends_in_s) and self._begun is not None:
            self._foresight.look(self._last.cut(self._begun, self._last.seen))
        if self._partials is not None and self._begun is not None and self._partials.due(self._samples):
            yield from self._hearing(self._partials, self._begun)

    def _mended(self, block: Array) -> Array:
        """Samples that are not numbers are bridged, and the place of each bridge is kept in mind."""
        before = self._bridged.lost
        block = self._bridged.push(block)
        if lost := self._bridged.lost - before:
            lost_s = lost / block.shape[1] / self._rate
            self._missing.bridged(self.now_s, self.now_s + lost_s)
        return block

    def _clear(self, energy: Array) -> Iterator[Found]:
        """What the finder finds in new frames, float32[frames, bands]. With other seats near by, frames wait until it
        is clear whose sound they hold."""
        return self._levels(energy[:, -1])

    def _left(self) -> Iterator[Found]:
        """What the finder finds in the frames that still wait, now that nothing more comes."""
        return iter(())

    def _levels(self, wide: Array) -> Iterator[Found]:
        for level in self._levels_of.push(wide):
            self.level_db = max(level, self.level_db - 1.0)
            yield from filter(None, (self._finder.push(level), self._drowned.push(level)))

    def _found(self, found: Found) -> Iterator[Heard]:
        if found.kind == "begin":
            before = round(self._before_s * self.head.front.frame_rate)
            self._onset = int(found.block * self._block_frames)
            # a shake that is cut at the longest length goes on at once: its first part is not reported again
            self._begun = max(self._ended, self._onset - before)
            if self._partials is not None:
                self._partials.begin(self._samples)
            self._clipping.begin()
            return
        if found.kind == "drowned":
            yield from self._untold.drowned(found, self.head, self.source, self.profile)
            return
        begun, self._begun = self._begun, None
        if found.kind == "end" and begun is not None:
            self._ended = min(int(found.block * self._block_frames), self._last.seen)
            said = self._judge(self._stretch(begun, self._ended), found.floor_db)
            self._untold.told(said)
            if not self._long.was_told(said):
                yield said

    def _stretch(self, first: int, end: int, quick: bool = False) -> Stretch:
        """Frames `first` … `end`, as far as they are kept. `quick`: for a partial answer."""
        return self._last.stretch(first, end, self._onset)

    def _count(self, shake: Shake, stretch: Stretch) -> dict[int, float]:
        return probabilities_of(self._heads, shake)

    def _measured(self, stretch: Stretch, snr_db: float) -> Shake | None:
        front, known, frames = self.head.front, self.head.floor, stretch.frames
        if self._guided:
            return move_of(front, frames)
        after = self._last.cut(self._ended, self._last.seen)
        shake = shake_of(front, frames, known=known, after=after.energy, beads=False)
        if shake is None or no_shake(self.head, shake, snr_db, stretch.clipped) is not None:
            return shake  # the rest costs most, and nobody will ask for it
        shake = with_beads(shake, soon=True)
        begin, end = (n / front.frame_rate for n in (stretch.first, stretch.first + len(frames.energy)))
        others = (shake_of(one.front, one.cut(begin, end), known=known, like=shake) for one in self._others)
        return replace(shake, beside=tuple(other for other in others if other is not None))

    def _judge(self, stretch: Stretch, floor_db: float) -> Heard:
        at = self.head.front.frame_rate
        knocked = None if self._guided else beside_knock(stretch.frames.energy[:, -1], at, stretch.first)
        if knocked is not None:
            stretch = self._stretch(*knocked.longer)
        frames, clipped = stretch.frames, stretch.clipped
        snr = stretch.above_db(floor_db)
        shake = self._measured(stretch, snr)
        judged = judge_gesture if self._guided else judge
        said = judged(
            self.head, shake, snr, clipped, lambda measured: self._count(measured, stretch), self._heads
        )
        begin_s = stretch.first / at
        start, stop = begin_s, begin_s + len(frames.energy) / at
        if shake is not None:
            start, stop = begin_s + shake.start_s, begin_s + shake.end_s
        if knocked is not None:
            start, stop = (frame / at for frame in knocked.whole)
            said = of_a_part(said)
        if said.why is Why.KNOCK and self._knocks.last_of_several(begin_s):
            said = replace(said, reason=KNOCKS)
        line = heard(said, self.source, self.profile, start, stop, snr, clipped)
        whole = self._whole(start, stop) and self._missing.whole(start, stop)
        if said.tells_of_the_profile and self._ours(stretch) and whole:
            self._lately.add(said.oddness)
            line = after(self._lately, line)
        return self._missing.judge(line)

    def _ours(self, stretch: Stretch) -> bool:
        """Whether it is of this source's own igloo: shakes of other igloos say nothing about the profile's age."""
        return True

    def _hearing(self, partials: Partials, begun: int) -> Iterator[Hearing]:
        stretch = functools.partial(self._stretch, quick=True)
        told = partials.look(begun, self._told(), stretch, self._ours, self._finder.floor_db)
        if told is None:
            return
        yield Hearing(
            source=self.source,
            start_s=max(begun, self._onset) / self.head.front.frame_rate,
            now_s=self.now_s,
            probabilities=told.probabilities,
            level_db=self.level_db,
            strength=told.strength,
        )

    def _told(self) -> int:
        """The frame up to which partial answers may look."""
        return self._last.seen

    def _forget(self) -> None:
        at = self.head.front.frame_rate
        kept = self._last.seen - round((self.KEPT_BEFORE_S + self._before_s) * at)
        need = kept if self._begun is None else self._begun
        if self._begun is None and self.now_s < FIRST_S:  # it may turn out to have begun with a shake
            return
        need = max(need, self._last.seen - round((LONGEST_SHAKE_S + 1.0) * at))
        self._last.forget(need)
        for other in self._others:
            other.forget(need / at)
