"""What was heard of the igloos of a round, by the hands that held them: where it is put right what somebody held, it is
put right what was heard."""

from __future__ import annotations

from sensors.evidence import Heard
from table.desk.in_hand import Held


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

    def of(self, letter: str) -> tuple[list[Heard], list[Heard]]:
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

    def forget(self) -> None:
        """The igloos were mixed, and letters are dealt anew."""
        self._shakes.clear()
