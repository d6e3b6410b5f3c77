"""Who held which igloo when: what was heard is told a while after it was shaken, and igloos are put down at once."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from table.desk.desk import Desk
from table.desk.said import Said

KEPT = 200  # holds, more than a round has


@dataclass(slots=True, eq=False)
class Held:
    """One igloo in one hand, from the move by which it was taken on."""

    seat: str
    letter: str
    since: float  # s on the table's clock
    step: int | None  # of the taking; None: so the game began
    until: float | None = None  # still in hand
    stands: bool = True  # the taking was not taken back, or is made again


class InHand:
    """The igloos in people's hands at one desk of Igloo Pop. A taking that is corrected is of the igloo that was meant;
    of one that is taken back nobody knows what was in hand."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._held: deque[Held] = deque(maxlen=KEPT)
        self.look()
        desk.listen(self._said)

    def look(self) -> None:
        """Note what has changed; called with whatever the desk says."""
        now, holding = self._desk.now, self._holding()
        moves = [step.move for step in self._desk.sitting.steps]
        for held in self._held:
            held.stands = held.step is None or moves[held.step : held.step + 1] == [
                _taking(held.seat, held.letter)
            ]
        for held in self._held:
            if held.until is None and not (held.stands and holding.pop(held.letter, None) == held.seat):
                held.until = now
        # what was not known yet; somebody may have taken what another one held
        known = {h.letter for h in self._held if h.until is None}
        for letter, seat in self._holding().items():
            if letter not in known:
                taken = [k for k, move in enumerate(moves) if move == _taking(seat, letter)]
                step = taken[-1] if taken else None
                if (before := self._last(seat)) is not None and before.letter == letter and not before.stands:
                    before.step, before.stands = (
                        step,
                        True,
                    )  # made again, after a move that had been forgotten
                self._held.append(Held(seat, letter, now, step))

    def at(self, moment: float) -> set[str]:
        """The seats that held something then; where nobody did, those that hold something now."""
        then = {h.seat for h in self._held if _covers(h, moment)}
        return then or set(self._holding().values())

    def of(self, seat: str, moment: float) -> Held | None:
        """What `seat` held then, else what it holds now; None where neither is known."""
        mine = [held for held in reversed(self._held) if held.seat == seat]
        then = [held for held in mine if _covers(held, moment)]
        return next(iter(then), next((held for held in mine if held.until is None), None))

    def forget(self) -> None:
        """The igloos were mixed, and letters are dealt anew."""
        self._held.clear()
        self.look()

    def _last(self, seat: str) -> Held | None:
        return next((held for held in reversed(self._held) if held.seat == seat), None)

    def _said(self, said: Said) -> None:
        if said.event == "corrected":
            at = said.data["at"]
            move = self._desk.sitting.steps[at].move
            for held in self._held:
                if held.stands and held.step == at and move[:-1] == _taking(held.seat, ""):
                    held.letter = move[-1]  # the same seat took another one
        self.look()

    def _holding(self) -> dict[str, str]:
        """Letter to seat, now."""
        igloos = self._desk.view(None)["igloos"]
        return {str(k): str(i["by"]) for k, i in igloos.items() if i["at"] == "hand"}


def _taking(seat: str, letter: str) -> str:
    return f"grab {seat} {letter}"


def _covers(held: Held, moment: float) -> bool:
    return held.since <= moment and (held.until is None or moment < held.until)
