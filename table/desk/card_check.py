"""Checking the cards: igloo by igloo, the desk says or asks which count stands there.

It uses all that was heard in the round (each count stands in one igloo only). If the ear is sure, the igloo need not be
turned over. If it is not sure, or only ever heard the igloo badly, the desk asks to look underneath and says what is
likely. If the count seen there is one that the ear gave to an igloo nobody turned over, the ear misheard that one; the
desk asks to look underneath it next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sensors.ear.models.sets import join_set
from sensors.evidence import COUNTS
from table.desk.desk import Desk
from table.desk.kept_shakes import KeptShakes
from table.desk.look import answers, given, taken_back
from table.desk.said import Question

_LOOK = "look-"  # prefix of the keys of questions to look underneath


class CardCheck:
    """The check of one desk's cards; call `begin` at each round."""

    def __init__(self, desk: Desk, kept: KeptShakes, sure: float) -> None:
        """`sure`: the probability from which an igloo need not be turned over."""
        self.desk, self.kept, self._sure = desk, kept, sure
        self.begin(set())

    def begin(self, gone: set[str]) -> None:
        """Start a round. `gone`: igloos of which something may have been heard that is lost now."""
        self._gone = gone
        # an igloo's likeliest count when the desk asked to look at it, or took it without a look
        self._said: dict[str, int] = {}
        self._taken: set[str] = set()  # igloos that the ear was sure of

    @property
    def looks(self) -> bool:
        """Whether the desk is asking to look underneath an igloo."""
        return self.desk.question is not None and self.desk.question.key.startswith(_LOOK)

    def odds(self, certain: bool = True) -> dict[str, dict[int, float]]:
        """The joined probabilities of every igloo heard this round. For the referee alone until the check.

        `certain`: a count that the ear took without a look is certain, and no other igloo has it.
        """
        view = self.desk.view(None)
        taken = () if certain else self._taken
        known = {k: value for k, value in view["values"].items() if value is not None and k not in taken}
        heard: dict[str, Sequence[Mapping[int, float]]] = {
            letter: self.kept.counting(letter) for letter in self.kept.letters() if letter not in known
        }
        for letter, igloo in view["igloos"].items():
            if igloo["at"] == "card" and letter not in known:
                heard.setdefault(letter, [])
        if any(heard.values()):
            return join_set(heard, COUNTS, known).marginals
        # nothing to join: a table without an ear has not loaded the joining code, and loading it would block the table
        free = [n for n in COUNTS if n not in known.values()]
        found = {letter: {n: float(n == count) for n in COUNTS} for letter, count in known.items()}
        return found | {letter: {n: (n in free) / len(free) for n in COUNTS} for letter in heard}

    def settle(self) -> bool:
        """Say igloo by igloo what stands on the cards; ask where the ear is unsure. True when nothing is left open."""
        view = self.desk.view(None)
        while view["phase"] == "resolving":
            waiting = [
                k for k, i in view["igloos"].items() if i["at"] == "card" and view["values"][k] is None
            ]
            if not waiting:
                return True
            letter = waiting[0]  # in the order of letters: the rules give values to igloos in that order
            place = view["igloos"][letter]
            odds = self.odds()[letter]
            count = max(odds, key=lambda n: odds[n])
            # an igloo that is sure only because another one was taken is not sure
            sure = min(odds[count], self.odds(certain=False)[letter][count]) >= self._sure
            ill = not self.kept.well_heard(letter) or self._misheard(letter, view)
            if not sure or ill or letter in taken_back(self.desk.sitting):
                self._look(letter, place, odds, view)
                return False
            evidence = {"what": f"igloo {letter} was heard", "odds": self._moves(place, odds)}
            if not self.desk.play(f"found {place['slot']} {count} {place['by']}", None, "ear", evidence):
                return False
            self._taken.add(letter)
            self._said[letter] = count
            view = self.desk.view(None)
        return False

    def report(self) -> str | None:
        """How the ear did on the igloos that were turned over, in one sentence; None if it had heard none of them."""
        values, heard = self.desk.view(None)["values"], self.kept.letters()
        unseen = {has.letter for has in given(self.desk.sitting).values() if has.by == "ear"}
        seen = {k: v for k, v in values.items() if v is not None and k in heard and k not in unseen}
        if not seen:
            return None
        # what it said then: joined again with what is known since, it would contradict itself
        best = {k: self._said.get(k, self.kept.alone(k)) for k in seen}
        right = sum(best[k] == n for k, n in seen.items())
        near = sum(abs(best[k] - n) <= 1 for k, n in seen.items())
        details = ", ".join(f"{k} {best[k]} for {n}" for k, n in seen.items() if best[k] != n)
        which = "1 igloo that was" if len(seen) == 1 else f"{len(seen)} igloos that were"
        words = f"Of {which} turned over the ear had {right} exactly and {near} within one"
        return f"{words} ({details})." if details else f"{words}."

    # inside

    def _look(
        self, letter: str, place: Mapping[str, Any], odds: Mapping[int, float], view: Mapping[str, Any]
    ) -> None:
        slot, by = place["slot"], place["by"]
        card = "-".join(map(str, view["table"][slot - 1]))
        ranked = sorted(odds, key=lambda n: -odds[n])
        heard = letter in self.kept.letters()
        likely = (
            "what may have been heard of it before is gone" if letter in self._gone else "it was not heard"
        )
        if self._misheard(letter, view):
            likely = "it was misheard"
        elif heard:
            self._said[letter], alone = ranked[0], self.kept.alone(letter)
            likely = f"it sounded like {ranked[0]} or {ranked[1]}"
            if alone not in ranked[:2]:  # a page or an ear may remember another count
                likely = (
                    f"alone it sounded like {alone}, beside the other igloos like {ranked[0]} or {ranked[1]}"
                )
        text = f"Look underneath igloo {letter} of {by} on card {slot} ({card}): {likely}. How many beads?"
        sitting, asked = self.desk.sitting, self.desk.question
        choices = answers(sitting, letter, odds, given(sitting), heard)
        # else this question is on the table already
        if asked is None or (asked.text, asked.choices) != (text, choices):
            self.desk.ask(Question(f"{_LOOK}{letter}-{self.desk.version}", text, choices))

    def _misheard(self, letter: str, view: Mapping[str, Any]) -> bool:
        """Whether the ear was sure of this igloo, but its count was found under another. Then it is not trusted
        again."""
        return letter in self._taken and self._said[letter] in view["values"].values()

    def _moves(self, place: Mapping[str, Any], odds: Mapping[int, float]) -> dict[str, float]:
        return {f"found {place['slot']} {n} {place['by']}": round(p, 4) for n, p in odds.items()}
