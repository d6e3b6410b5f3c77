"""A lesson: hear a rattle, guess a count, learn the truth. Counts that are confused are asked more often."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sensors.evidence import Heard
from table.trainer.confusions import Learner
from table.trainer.sources import Rattle, Source

# relative frequency of a count that is never missed; 1 would be that of one that is always missed
_LEAST = 0.25

Listen = Callable[[Rattle], Awaitable[Heard | None]]


@dataclass(frozen=True, slots=True)
class Answer:
    """A guess and the truth; `ear`: the ear's own result for the first rattle."""

    guess: int
    beads: int
    ear: Heard | None

    @property
    def off(self) -> int:
        return self.guess - self.beads


class Lesson:
    """One learner's lesson from one source. The next rattle is prepared while the learner thinks."""

    def __init__(self, source: Source, learner: Learner, listen: Listen, chance: random.Random) -> None:
        self.source, self.learner = source, learner
        self.answer: Answer | None = None
        self._listen, self._chance = listen, chance
        self._now: Rattle | None = None
        self._ear: asyncio.Task[Heard | None] | None = None
        self._ahead: asyncio.Task[Rattle] | None = None

    @property
    def open(self) -> bool:
        """Whether a rattle was heard and not guessed yet."""
        return self._now is not None and self.answer is None

    def prepare(self) -> None:
        """Start the next rattle in advance, so that nobody waits for it."""
        if self._ahead is None:
            beads = self._choose()
            self._ahead = asyncio.create_task(self.source.shake(beads, self._chance))

    async def next(self) -> Rattle:
        """The next question. Raises SoundError if nothing can be shaken."""
        self.prepare()
        task, self._ahead = self._ahead, None
        assert task is not None
        self._now, self.answer = None, None
        self._now = await task
        self._ear = asyncio.create_task(_awaited(self._listen, self._now))
        self.prepare()
        return self._now

    async def shaken_again(self, beads: int | None = None) -> Rattle:
        """Another shake of the igloo in question, or, to compare, one of `beads`."""
        if beads is None:
            assert self._now is not None
            beads = self._now.beads
        return await self.source.shake(beads, self._chance)

    async def guess(self, count: int) -> Answer:
        """Reveal the truth and add the guess to the tables. Raises RuntimeError if no question is open."""
        if self._now is None or self.answer is not None or self._ear is None:
            raise RuntimeError("nothing is asked")
        beads, ear = self._now.beads, self._ear
        # set at once: a second tap while the ear still listens must not count as a second guess
        self.answer = Answer(count, beads, None)
        self.learner.own.add(beads, count)
        said = await ear
        if said is not None and said.best is not None:
            self.learner.ear.add(beads, said.best)
        self.answer = Answer(count, beads, said)
        return self.answer

    def close(self) -> None:
        for task in (self._ahead, self._ear):
            if task is not None:
                task.cancel()

    def _choose(self) -> int:
        counts = list(self.source.counts)
        weights = [_LEAST + self.learner.own.difficulty(count) for count in counts]
        return self._chance.choices(counts, weights)[0]


async def _awaited(listen: Listen, rattle: Rattle) -> Heard | None:
    return await listen(rattle)
