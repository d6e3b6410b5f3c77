"""Numbers the positions that a browser's page has shown, so that a tap refers to the one that was visible."""

from __future__ import annotations

from typing import Literal

from table.journal.fold import Sitting, Step

Fate = Literal["stands", "made", "gone"]
_KEPT = 64  # positions kept; a tap at an older one comes from a connection that was cut


class Positions:
    """One game on one page.

    Between drawing and tap others may have moved, from another page or with the pieces. The same button then means
    another move, perhaps another player's.
    """

    def __init__(self) -> None:
        self._shown: dict[int, Sitting] = {}
        self._number = 0
        self._own: dict[
            int, Step
        ] = {}  # steps made from this page, by identity: a move made again is another step
        # moves in progress from this page: how many steps there were before, and the move
        self._making: set[tuple[int, str]] = set()

    def number(self, sitting: Sitting) -> int:
        """The number of this position, which is shown from now on."""
        last = self._shown.get(self._number)
        if last is None or last is not sitting:
            if last is not None and last.name != sitting.name:
                self._own.clear()
            self._number += 1
            self._shown[self._number] = sitting
            self._shown.pop(self._number - _KEPT, None)
        return self._number

    def only_mine(self, at: int, sitting: Sitting) -> bool:
        """Whether only this page has made moves since."""
        since = self._since(at, sitting)
        if since is None:
            return False
        first = len(self._shown[at].steps)
        return all(
            id(step) in self._own or (first + index, step.move) in self._making
            for index, step in enumerate(since)
        )

    def shows(self, at: int, sitting: Sitting) -> bool:
        """Whether this is the position that was shown then."""
        return self._shown.get(at) is sitting

    def begin(self, move: str, sitting: Sitting) -> tuple[int, str]:
        """This page starts making a move; pass the result to `end`."""
        begun = len(sitting.steps), move
        self._making.add(begun)
        return begun

    def end(self, begun: tuple[int, str], sitting: Sitting) -> None:
        """The move was made, or refused."""
        self._making.discard(begun)
        before, move = begun
        for step in sitting.steps[before : before + 1]:
            if step.move == move:
                self._own[id(step)] = step

    def fate(self, at: int, move: str, sitting: Sitting) -> Fate:
        """What becomes of a move tapped at position `at`.

        It `stands`; or somebody has `made` it already; or the position is `gone`, and nobody knows whether the move is
        meant in the new one. If several may act at once, each plays on for himself. A quick player may tap the next
        move before the page has drawn the last one, as long as the same seat is to act.
        """
        since = self._since(at, sitting)
        if since is None:
            return "gone"
        if (len(sitting.steps), move) in self._making or any(step.move == move for step in since):
            return "made"
        acting = sitting.game.to_act(self._shown[at].state)
        if len(acting) > 1:
            return "stands"
        same = sitting.game.to_act(sitting.state) == acting
        return "stands" if same and self.only_mine(at, sitting) else "gone"

    def _since(self, at: int, sitting: Sitting) -> tuple[Step, ...] | None:
        """The moves made since; None if that position is no longer part of this game."""
        before = self._shown.get(at)
        if before is None or before.name != sitting.name or before.closed != sitting.closed:
            return None
        count = len(before.steps)
        if len(sitting.steps) < count or (count and sitting.steps[count - 1] is not before.steps[-1]):
            return None
        return sitting.steps[count:]
