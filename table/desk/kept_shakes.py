"""What was heard of the igloos of a round, stored by hold: correcting who held what also corrects what was heard."""

from __future__ import annotations

from collections.abc import Mapping

from sensors.ear.models.sets import join_set, over
from sensors.ear.verdicts.pair import counting
from sensors.evidence import COUNTS, Heard
from table.desk.in_hand import Held

_FLOOR = 3e-4  # no ear excludes a count: neighbours of a count that it never met stay possible
# of two sensors' lines for one shake, one may come a second later: it is weighed longer, or sent in packets
_LEAST_SHARED = 0.1
# doubts with which odds are worth little: overdriven, drowned, unlike all that was learned or unlike the profile
_ILL_HEARD = ("sensor", "strange")


class KeptShakes:
    """The shakes of a round. What was heard during an undone taking does not count, unless the taking is redone."""

    def __init__(self) -> None:
        self._shakes: list[tuple[Held, bool, Heard]] = []

    def keep(self, held: Held, heard: Heard, *, shared: bool) -> None:
        """`shared`: heard by a sensor that is neither the igloo's nor the seat's own."""
        self._shakes.append((held, shared, heard))

    def letters(self) -> list[str]:
        """The igloos of which something was heard, in the order of hearing."""
        return list(dict.fromkeys(held.letter for held, _, _ in self._shakes if held.stands))

    def counting(self, letter: str) -> list[dict[int, float]]:
        """For each shake of an igloo that counts (`verdicts.pair`): its odds over all counts of the game."""
        return [of_all(odds) for odds in counting(*self._of(letter), _LEAST_SHARED)]

    def alone(self, letter: str) -> int:
        """The count that an igloo sounded most like, whatever the others are."""
        return join_set({letter: self.counting(letter)}, COUNTS).best[letter]

    def well_heard(self, letter: str) -> bool:
        """Whether any of its shakes was heard properly, so that at most its odds can be doubted."""
        own, shared = self._of(letter)
        return any(said.doubt not in _ILL_HEARD for said in (*own, *shared))

    def forget(self) -> None:
        """The igloos were mixed and get new letters."""
        self._shakes.clear()

    def _of(self, letter: str) -> tuple[list[Heard], list[Heard]]:
        """What an igloo's own sensor heard of it, and what the shared one heard."""
        own, shared = (
            [
                heard
                for held, by, heard in self._shakes
                if by == which and held.stands and held.letter == letter
            ]
            for which in (False, True)
        )
        return own, shared


def of_all(odds: Mapping[int, float]) -> dict[int, float]:
    """Extend odds to all counts of the game (`sets.over`)."""
    return {n: max(p, _FLOOR) for n, p in over(odds, COUNTS).items()}
