"""The output of `polartable journal` about games and entries: lines for people, and the one of `list` for programs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from calibration.words import many
from table.games import GAMES
from table.journal.entries import Entry
from table.journal.errors import JournalDamaged, NoSuchGame, ReplayDiffers
from table.journal.fold import Sitting, fold


def game_line(name: str, entries: Iterable[Entry]) -> dict[str, Any]:
    """The line of `list` for a game, even if it cannot be replayed or read to its end."""
    stream, first, sitting = iter(entries), None, None
    try:
        first = next(stream, None)
        sitting = fold(() if first is None else chain((first,), stream), GAMES)
        result = result_in_words(sitting)
    except JournalDamaged:
        result = "is damaged: see polartable journal verify"
    except (ReplayDiffers, NoSuchGame, ImportError):
        result = "cannot be played again by this version"
    body = {} if first is None else first.body
    players = body.get("players")
    return {
        "game": name,
        "begun": None if first is None else first.at,
        "kind": body.get("game"),
        "players": " ".join(map(str, players)) if isinstance(players, list) else "",
        "moves": None if sitting is None else len(sitting.steps),
        "result": result,
    }


def result_in_words(sitting: Sitting) -> str:
    over = sitting.over
    if over is not None:
        return over.text
    return "still open" if sitting.closed is None else f"closed: {sitting.closed}"


def reworded_in_words(sentences: list[str]) -> str:
    """A sentence on moves that are still refused, but for another reason: the game at the table was the same."""
    return f"{many(len(sentences), 'refusal')} told otherwise by this version (the first: {sentences[0]})"


def counted(entry: Entry, steps: int) -> tuple[int, int]:
    """How many moves stand after an entry, if `steps` stood before it; and to which of them it refers, from 1."""
    match entry.kind:
        case "play" | "redo":
            return steps + 1, steps + 1
        case "undo" if entry.body.get("reopens"):  # this undid the closing of the game, not a move
            return steps, 0
        case "undo":
            return max(0, steps - 1), steps
        case "correct":
            dropped, at = entry.body.get("dropped"), entry.body.get("at")
            fell = len(dropped) if isinstance(dropped, list) else 0
            return steps - fell, at + 1 if isinstance(at, int) else 0
        case _:
            return steps, 0


def in_words(entry: Entry, step: int) -> str:
    """An entry as `show` prints it; `step`: the move to which it refers (`counted`)."""
    try:
        what = _what(entry, step)
    except (KeyError, TypeError, ValueError, AttributeError):  # a changed line: the others are still shown
        what = f"{entry.kind}, and no more of it can be read: see polartable journal verify"
    return f"{entry.seq:6}  {entry.at}  {what}"


def _what(entry: Entry, step: int) -> str:
    body = entry.body
    match entry.kind:
        case "new":
            what = f"{body['game']} for {', '.join(body['players'])} (seed {body['seed']})"
            if "version" in body:  # older books do not say which version recorded them
                what += f", recorded by Polartable {body['version']}"
        case "play":
            what = f"step {step}: {body['move']}  [{body.get('by', 'hand')}]"
        case "refused":
            rule = body["error"].get("rule")  # no rule forbids unreadable input
            what = f"{body['move']} refused: {body['error'].get('text')}{f' ({rule})' if rule else ''}"
        case "correct":
            what = f"step {step} is {body['move']}, not {body.get('was')}"
        case "note":  # what was agreed, who sits where, …: print whatever the note contains
            more = (f"{key} {_written(value)}" for key, value in body.items() if key != "note")
            what = f"note {body.get('note', '')}: {', '.join(more)}"
        case "undo" if body.get("reopens"):
            what = f"undo {body.get('move', '')}  [{body.get('by', 'host')}]"
        case "undo" | "redo":
            what = f"{entry.kind} step {step}: {body.get('move', '')}  [{body.get('by', 'host')}]"
        case _:
            what = f"{entry.kind} {body.get('why', '')}"
    return what


def _written(value: Any) -> str:
    return " and ".join(map(str, value)) or "nobody" if isinstance(value, list) else str(value)
