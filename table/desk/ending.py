"""How a game is ended early, and what may be revealed after its end."""

from __future__ import annotations

from typing import Any

from rules.core.refusal import Refusal
from table.desk.desk import Desk
from table.journal.errors import JournalError

ABANDONED = "abandoned by "  # prefix of the reason why a game was closed


def everything(desk: Desk) -> dict[str, Any]:
    """The whole position, including what was hidden."""
    whole = desk.sitting.game.to_json(desk.sitting.state)
    whole.pop("chance", None)
    return whole


def can_be_opened(desk: Desk) -> bool:
    """Whether the game is over and something in it is still hidden from spectators."""
    return desk.sitting.over is not None and not desk.opened and desk.view(None) != everything(desk)


def open_hidden(desk: Desk, by: str) -> bool:
    """Reveal tiles, hands and cards that nobody has seen: only when the game is over, and until that is undone."""
    if not can_be_opened(desk) or not desk.note("opened", by=by, steps=len(desk.sitting.steps)):
        return False
    desk.opened_after = desk.sitting.steps[-1]
    desk.tell(f"What was hidden is open now, by {by}", "opened", by=by)
    return True


def say_again(desk: Desk) -> None:
    """After a restart: repeat that the game on the table was closed, and by whom."""
    if desk.sitting.closed is not None:
        by = desk.sitting.closed.removeprefix(ABANDONED)
        desk.tell(f"The game is abandoned, by {by}; nobody wins", "abandoned", by=by)


def abandon(desk: Desk, by: str) -> bool:
    """End a game without a winner. False if the journal does not take it, or the game has ended already."""
    if desk.sitting.over is not None or desk.sitting.closed is not None:
        return False
    try:
        desk.sitting.game.play(desk.sitting.state, "abandon")
    except Refusal:  # a game without such a move: close its book instead
        try:
            desk.close(f"{ABANDONED}{by}")
        except JournalError as error:
            desk.fault(error)
            return False
        desk.tell(f"The game is abandoned, by {by}; nobody wins", "abandoned", by=by)
        return True
    return desk.play("abandon", None, by)
