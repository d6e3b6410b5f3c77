"""Who held which igloo when: what was heard is told a while after it was shaken, and igloos are put down at once."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from table.desk.desk import Desk

KEPT = 200  # holds, more than a round has


@dataclass(slots=True)
class _Held:
    seat: str
    letter: str
    since: float
    until: float | None = None  # still in hand


class InHand:
    """The igloos in people's hands at one desk of Igloo Pop, on the table's clock."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._held: deque[_Held] = deque(maxlen=KEPT)
        self.look()
        desk.listen(lambda said: self.look())

    def look(self) -> None:
        """Note what has changed; called with whatever the desk says."""
        now, holding = self._desk.now, self._holding()
        for held in self._held:
            if held.until is None and holding.pop(held.letter, None) != held.seat:
                held.until = now
        # what was not known yet; somebody may have taken what another one held
        known = {h.letter for h in self._held if h.until is None}
        for letter, seat in self._holding().items():
            if letter not in known:
                self._held.append(_Held(seat, letter, now))

    def at(self, moment: float) -> dict[str, str]:
        """Seat to the letter of what it held then; where nobody held anything then, of what is held now."""
        then = {
            h.seat: h.letter
            for h in self._held
            if h.since <= moment and (h.until is None or moment < h.until)
        }
        return then or {seat: letter for letter, seat in self._holding().items()}

    def of(self, seat: str, moment: float) -> str | None:
        """What `seat` held then, else what it holds now; None where neither is known."""
        for held in reversed(self._held):
            if held.seat == seat and held.since <= moment and (held.until is None or moment < held.until):
                return held.letter
        return next((letter for letter, by in self._holding().items() if by == seat), None)

    def forget(self) -> None:
        """The igloos were mixed, and letters are dealt anew."""
        self._held.clear()
        self.look()

    def _holding(self) -> dict[str, str]:
        """Letter to seat, now."""
        igloos = self._desk.view(None)["igloos"]
        return {str(k): str(i["by"]) for k, i in igloos.items() if i["at"] == "hand"}
