"""Scripted players of Igloo Pop: they shake, guess, remember, and know when to stop.

Plaisier and Smeets (World Haptics 2017) measured how well people count by shaking: they are right up to about three,
and too low beyond. So a guess here is lognormal about a count that is slightly underestimated.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Any

COUNTS = tuple(range(2, 14))
Belief = dict[int, float]


class Person:
    """One player. `skill`: standard deviation of the guess in ln N; about 0.1 for a sharp ear, 0.3 for a dull one."""

    def __init__(self, seat: str, skill: float, seed: int) -> None:
        self.seat = seat
        self.skill = skill
        self._chance = random.Random(f"{seed} {seat}")
        self._round = 0
        self._beliefs: dict[str, Belief] = {}  # by the igloo's letter in this round
        self._patience = 0

    def hears(self, letter: str, beads: int) -> Belief:
        """Shake and guess; evidence from several shakes of one igloo is combined."""
        short = 0.02 * (beads - 2)  # people underestimate, the more so the more beads there are
        felt = math.log(beads) - short * self.skill + self._chance.gauss(0.0, self.skill)
        new = {n: math.exp(-((math.log(n) - felt) ** 2) / (2 * self.skill**2)) for n in COUNTS}
        old = self._beliefs.get(letter)
        joined = {n: new[n] * (old[n] if old else 1.0) + 1e-6 for n in COUNTS}
        total = sum(joined.values())
        self._beliefs[letter] = {n: p / total for n, p in joined.items()}
        return self._beliefs[letter]

    def decides(self, view: Mapping[str, Any], letter: str) -> str:
        """What to do with the igloo in hand: the card with the highest expectation, or back into the village."""
        belief = self._beliefs[letter]
        best, slot = max(
            (self._promise(view, slot, numbers, belief), slot)
            for slot, numbers in enumerate(view["table"], 1)
            if numbers
        )
        if best > 0.0 and view["talers"][self.seat]["own"] > 0:
            return f"place {self.seat} {slot}"
        return f"return {self.seat}"

    def wants(self, view: Mapping[str, Any]) -> str | None:
        """The igloo to take next; None to pass."""
        if view["round"] != self._round:
            self._round = view["round"]
            self._beliefs.clear()
            self._patience = self._chance.randint(3, 5)
        village = [k for k, igloo in view["igloos"].items() if igloo["at"] == "village"]
        unknown = [k for k in village if k not in self._beliefs]
        if not unknown or self._patience == 0 or view["talers"][self.seat]["own"] == 0:
            return None
        self._patience -= 1
        return str(self._chance.choice(unknown))

    def _promise(self, view: Mapping[str, Any], slot: int, numbers: list[int], belief: Belief) -> float:
        """Expected points from placing the igloo here, less the taler at risk."""
        right = sum(belief[n] for n in numbers)
        rivals = [i for i in view["igloos"].values() if i["at"] == "card" and i["slot"] == slot]
        own = any(i["by"] == self.seat for i in rivals)
        worth = (4 - len(numbers)) * right * (0.5 ** len(rivals)) - (1.0 - right)
        return worth - (0.8 if own else 0.0)


class Dealer:
    """The shuffled deck of real cards beside the table: the top card comes next."""

    def __init__(self, deck: list[tuple[int, ...]], seed: int) -> None:
        self._deck = list(deck)
        random.Random(f"{seed} deck").shuffle(self._deck)

    def deals(self, view: Mapping[str, Any]) -> list[str]:
        """The reports that fill the empty slots, as `deal` moves."""
        empty = [slot for slot, numbers in enumerate(view["table"], 1) if numbers is None]
        cards = [self._deck.pop() for _ in empty[: len(self._deck)]]
        return [f"deal {slot} {'-'.join(map(str, card))}" for slot, card in zip(empty, cards, strict=False)]
