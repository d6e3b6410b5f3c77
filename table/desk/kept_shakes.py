"""What was heard of the igloos of a round, by the hands that held them: where it is put right what somebody held, it is
put right what was heard."""

from __future__ import annotations

from collections.abc import Mapping

from sensors.ear.models.sets import join_set
from sensors.ear.verdicts.pair import counting
from sensors.evidence import COUNTS, Heard
from table.desk.in_hand import Held

_FLOOR = 3e-4  # no ear excludes a count: neighbours of what it never met stay possible
# of two sensors' lines of one shake, one may come a second after the other: it is weighed longer, or sent in packets
_LEAST_SHARED = 0.1
# odds are worth little of what was overdriven, drowned, unlike all that was learned or unlike the profile
_ILL_HEARD = ("sensor", "strange")


class KeptShakes:
    """Of a taking that was taken back nothing counts, unless it is made again."""

    def __init__(self) -> None:
        self._shakes: list[tuple[Held, bool, Heard]] = []

    def keep(self, held: Held, heard: Heard, *, shared: bool) -> None:
        """`shared`: not by the igloo's or the seat's own sensor."""
        self._shakes.append((held, shared, heard))

    def letters(self) -> list[str]:
        """The igloos of which something was heard, in the order in which it was."""
        return list(dict.fromkeys(held.letter for held, _, _ in self._shakes if held.stands))

    def counting(self, letter: str) -> list[dict[int, float]]:
        """What an igloo's shakes say of all counts of the game, each that counts (`verdicts.pair`)."""
        return [of_all(odds) for odds in counting(*self._of(letter), _LEAST_SHARED)]

    def alone(self, letter: str) -> int:
        """What an igloo sounded like most, whatever the others are."""
        return join_set({letter: self.counting(letter)}, COUNTS).best[letter]

    def well_heard(self, letter: str) -> bool:
        """Was any of its shakes heard as it should be, so that its odds are all that could be doubted?"""
        own, shared = self._of(letter)
        return any(said.doubt not in _ILL_HEARD for said in (*own, *shared))

    def forget(self) -> None:
        """The igloos were mixed, and letters are dealt anew."""
        self._shakes.clear()

    def _of(self, letter: str) -> tuple[list[Heard], list[Heard]]:
        """What an igloo's own sensor heard of it, and what the shared one did."""
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
    """Over all counts of the game. A profile that does not know some takes them for the nearest that it knows: they are
    as likely as that one, and between two as near as each other as the likelier."""
    return {n: max(_of_nearest(odds, n), _FLOOR) for n in COUNTS}


def _of_nearest(odds: Mapping[int, float], n: int) -> float:
    nearest = min((abs(known - n) for known in odds), default=0)
    return max((p for known, p in odds.items() if abs(known - n) == nearest), default=0.0)
