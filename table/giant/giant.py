"""What the ice giant hears, believes and wants, at a chosen skill. Everything he does is a move of the rules."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sensors.ear.models.sets import join_set
from sensors.evidence import COUNTS

_FLOOR = 1e-4  # least probability of any count: a shake excludes nothing
Odds = Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Skill:
    """The parameters of one skill.

    `deaf`: his hearing error on top of the ear's, standard deviation in ln N; `slow`: seconds before he moves; `greed`:
    the points he must expect from a card before he stakes a taler; `patience`: igloos he shakes in a round.
    """

    deaf: float
    slow: float
    greed: float
    patience: int


SKILLS: dict[str, Skill] = {
    "sleepy": Skill(0.35, 6.0, 0.0, 3),
    "awake": Skill(0.15, 4.0, 0.1, 5),
    "sharp": Skill(0.0, 2.5, 0.2, 8),
}


class IceGiant:
    """One seat's giant. `skill`: a key of `SKILLS`; the same seed gives the same mishearings."""

    def __init__(self, seat: str, skill: str, seed: int) -> None:
        self.seat, self.name = seat, skill
        self.skill = SKILLS[skill]
        self._chance = random.Random(f"{seed} {seat} giant")
        self._round = 0
        self._heard: dict[str, list[Odds]] = {}
        self._errors: dict[str, list[float]] = {}  # his own errors in ln N, one per shake
        self._shaken = 0

    def hears(self, shakes: Mapping[str, Sequence[Odds]], view: Mapping[str, Any]) -> None:
        """Take in, for each igloo shaken this round, what the ear made of each of its shakes that counts."""
        self._begin(view)
        self._heard.clear()
        for letter, odds in shakes.items():
            errors = self._errors.setdefault(letter, [])
            while len(errors) < len(odds):
                errors.append(self._chance.gauss(0.0, self.skill.deaf))
            self._heard[letter] = [self._misheard(p, by) for p, by in zip(odds, errors, strict=False)]

    def wants(self, view: Mapping[str, Any]) -> str | None:
        """An igloo that he would shake himself; None: he has heard enough."""
        self._begin(view)
        unknown = [k for k, i in view["igloos"].items() if i["at"] == "village" and k not in self._heard]
        if not unknown or self._shaken >= self.skill.patience or not self._own(view):
            return None
        self._shaken += 1
        return str(self._chance.choice(unknown))

    def choose(self, view: Mapping[str, Any], held: str | None = None) -> tuple[str, int] | None:
        """The igloo (from the village, or the one he holds) and the slot that promise most; None: nothing is
        worthwhile."""
        self._begin(view)
        igloos = [held] if held else [k for k, i in view["igloos"].items() if i["at"] == "village"]
        igloos = [letter for letter in igloos if letter in self._heard]
        # he is asked again and again: skip the work if there is nothing to place
        if not igloos or not self._own(view):
            return None
        odds = self.believes(view)
        best: tuple[float, str, int] | None = None
        for letter in igloos:
            for slot, numbers in enumerate(view["table"], 1):
                worth = self._worth(view, odds, letter, slot, numbers) if numbers else -1.0
                if worth > self.skill.greed and (best is None or worth > best[0]):
                    best = (worth, letter, slot)
        return None if best is None else (best[1], best[2])

    def believes(self, view: Mapping[str, Any]) -> dict[str, dict[int, float]]:
        """The odds he sees for each igloo; every count stands in one igloo only."""
        known = {k: v for k, v in view["values"].items() if v is not None}
        heard: dict[str, Sequence[Odds]] = {
            k: self._heard.get(k, []) for k in view["igloos"] if k not in known
        }
        return join_set(heard, COUNTS, known).marginals

    # inside

    def _worth(
        self,
        view: Mapping[str, Any],
        odds: Mapping[str, Odds],
        letter: str,
        slot: int,
        numbers: Sequence[int],
    ) -> float:
        """Expected points: the card if his igloo is the highest right one, less a taler if it is wrong (IP-8)."""
        rivals = [(k, i["by"]) for k, i in view["igloos"].items() if i["at"] == "card" and i["slot"] == slot]
        if any(by == self.seat for _, by in rivals):
            return -1.0  # one taler a card is enough
        mine = odds[letter]
        right = sum(mine[n] for n in numbers)
        wins = 0.0
        for n in numbers:
            beaten = math.prod(1.0 - sum(odds[k][m] for m in numbers if m > n) for k, _ in rivals)
            wins += mine[n] * beaten
        return (4 - len(numbers)) * wins - (1.0 - right)

    def _misheard(self, odds: Odds, by: float) -> Odds:
        """The ear's odds as he hears them: shifted by his own error, and widened by its standard deviation."""
        deaf = self.skill.deaf
        if not deaf:
            return {n: odds.get(n, 0.0) + _FLOOR for n in COUNTS}
        out = {
            n: _FLOOR
            + sum(p * math.exp(-((math.log(n / m) - by) ** 2) / (2 * deaf**2)) for m, p in odds.items())
            for n in COUNTS
        }
        total = sum(out.values())
        return {n: p / total for n, p in out.items()}

    def _own(self, view: Mapping[str, Any]) -> int:
        return int(view["talers"][self.seat]["own"])

    def _begin(self, view: Mapping[str, Any]) -> None:
        if view["round"] != self._round:  # the igloos were mixed: the letters no longer mean the same
            self._round, self._shaken = view["round"], 0
            self._heard.clear()
            self._errors.clear()
