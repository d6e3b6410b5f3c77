"""Who held which igloo when: a shake is reported a while after it, and igloos are put down at once."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import combinations

from table.desk.desk import Desk
from table.desk.said import Said
from table.journal.fold import Sitting

KEPT = 200  # holds; a round has fewer
# before a shake began: whoever put an igloo down may go on for this long, or report it a little too early
SHORTLY_S = 1.0
# share of the longest hold during a shake: whoever held less did not shake, unless it was enough for a shake
AS_LONG = 0.5
ENOUGH_S = 0.8


@dataclass(slots=True, eq=False)
class Held:
    """One igloo in one hand, from the move that took it."""

    seat: str
    letter: str
    since: float  # s on the table's clock
    step: int | None  # the step that took it; None: it was held when the game began
    until: float | None = None  # None: still in hand
    stands: bool = True  # the taking was not undone, or was redone


class InHand:
    """The igloos in people's hands at one desk of Igloo Pop.

    A taking that is corrected counts for the igloo that was meant. If a taking is undone, nobody knows what was in
    hand.
    """

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
        # holds that are new here; somebody may have taken what another person held
        known = {h.letter for h in self._held if h.until is None}
        for letter, seat in self._holding().items():
            if letter not in known:
                taken = [k for k, move in enumerate(moves) if move == _taking(seat, letter)]
                step = taken[-1] if taken else None
                if (before := self._last(seat)) is not None and before.letter == letter and not before.stands:
                    # redone, after a move that had been forgotten
                    before.step, before.stands = step, True
                self._held.append(Held(seat, letter, now, step))

    def holding(self, began: float, ended: float) -> set[str]:
        """The seats that may have shaken between these two times: they held something for most of it.

        If nobody did: the seat that put something down last, if that was shortly before.
        """
        longest: dict[str, float] = {}
        for seat in dict.fromkeys(held.seat for held in self._held):
            if (held := self.of(seat, began, ended)) is not None:
                longest[seat] = _shared(held, began, ended)
        most = max(longest.values(), default=0.0)
        least = min(AS_LONG * most, ENOUGH_S) if most > 0 else most
        return {seat for seat, shared in longest.items() if shared >= least}

    def several(self, seat: str, began: float, ended: float) -> bool:
        """Whether `seat` held a second igloo between these two times for long enough to have shaken it."""
        most = self.of(seat, began, ended)
        if most is None:
            return False
        least = min(AS_LONG * _shared(most, began, ended), ENOUGH_S)
        others = (h for h in self._held if h.seat == seat and h.stands and h.letter != most.letter)
        return least > 0 and any(_shared(h, began, ended) >= least for h in others)

    def at_once(self, seats: Iterable[str], began: float, ended: float) -> bool:
        """Whether any two of these seats held theirs at the same moment, of what each held between the two times."""
        holds = [held for seat in seats if (held := self.of(seat, began, ended)) is not None]
        return any(_shared(one, other.since, _until(other)) > 0.0 for one, other in combinations(holds, 2))

    def of(self, seat: str, began: float, ended: float) -> Held | None:
        """What `seat` held for most of the time between these two, else what it had put down shortly before.

        None if that is not known. An igloo taken after the end never counts, whenever this is asked.
        """
        mine = [held for held in reversed(self._held) if held.seat == seat and held.since <= ended]
        most = max(mine, key=lambda held: _shared(held, began, ended), default=None)
        return most if most is not None and _shared(most, began, ended) >= -SHORTLY_S else None

    def forget(self) -> None:
        """The igloos were mixed and get new letters."""
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
                    held.letter = move[-1]  # the same seat had taken another igloo
        self.look()

    def _holding(self) -> dict[str, str]:
        """Letter to seat, now."""
        igloos = self._desk.view(None)["igloos"]
        return {str(k): str(i["by"]) for k, i in igloos.items() if i["at"] == "hand"}


def taken_in_round(sitting: Sitting, by: Collection[str] | None = None) -> set[str]:
    """The igloos that somebody (`by`: one of these seats) took in this round, and may have put back."""
    now = sitting.game.view(sitting.state, None)
    taken = {
        letter
        for letter, igloo in now["igloos"].items()
        if igloo["at"] != "village" and (by is None or igloo["by"] in by)
    }
    for step in reversed(sitting.steps):
        if sitting.game.view(step.state, None)["round"] != now["round"]:
            break
        match step.move.split():
            case ["grab", seat, letter] if by is None or seat in by:
                taken.add(letter)
    return taken


def _taking(seat: str, letter: str) -> str:
    return f"grab {seat} {letter}"


def _shared(held: Held, began: float, ended: float) -> float:
    """How long it was held between these two times; negative: how long before them it was put down."""
    return min(_until(held), ended) - max(held.since, began)


def _until(held: Held) -> float:
    return math.inf if held.until is None else held.until
