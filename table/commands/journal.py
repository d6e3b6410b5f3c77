"""`polartable journal`: the recorded games – list, show, export, verify, replay."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from calibration.words import many
from table.config import default_file
from table.games import GAMES
from table.journal.entries import Entry
from table.journal.errors import JournalDamaged, JournalError, NoSuchGame, ReplayDiffers
from table.journal.fold import Sitting, fold
from table.journal.record_out import write_record
from table.journal.replay import export as lines_of
from table.journal.replay import games_in, read_export, replay
from table.journal.store import Journal
from table.last_good import load
from table.letters import for_programs
from table.out_file import EXPORT
from table.report.errors import ReportError
from table.report.unpacking import Report
from table.settings.faults import SettingsError

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="The recorded games.",
    epilog="Example: polartable journal list",
)

File = Annotated[Path | None, typer.Option("--journal", help="The journal's file; default: the settings'.")]
Config = Annotated[
    Path | None, typer.Option(help="Settings (TOML) that name the journal; default: what `setup` installed.")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
UNREADABLE = NoSuchGame, JournalDamaged, ReportError  # of one game: the others are another matter
Which = Annotated[str, typer.Argument(help="The game's name, as `list` gives it.")]


@app.command("list", epilog="Example: polartable journal list --json")
def list_(journal: File = None, config: Config = None, as_json: Json = False) -> None:
    """All games, the oldest first."""
    with _open(_file(journal, config)) as book:
        for name in book.games():
            line = _line(name, book.entries(name))
            print(
                json.dumps(line)
                if as_json
                else "{game}  {begun}  {kind}  {players}  {moves} moves  {result}".format(
                    **{key: "?" if value is None else value for key, value in line.items()}
                )
            )


@app.command(epilog="Example: polartable journal show game-1")
def show(game: Which, journal: File = None, config: Config = None, as_json: Json = False) -> None:
    """What happened in a game, entry by entry."""
    with _open(_file(journal, config)) as book:
        shown = steps = 0
        for entry in book.entries(game):
            shown += 1
            steps, step = _counted(entry, steps)
            print(json.dumps(entry.to_json(), ensure_ascii=False) if as_json else _words(entry, step))
        if not shown:
            raise _nothing(game)


@app.command(epilog="Example: polartable journal export game-1 --out game.jsonl")
def export(
    game: Which,
    journal: File = None,
    config: Config = None,
    out: Annotated[Path | None, typer.Option(help="File to write; default: standard output.")] = None,
    as_json: Json = False,
) -> None:
    """A game as JSON Lines (with or without --json), to be replayed elsewhere."""
    with _open(_file(journal, config)) as book:
        entries = list(book.entries(game))
    if not entries:
        raise _nothing(game)
    text = "".join(f"{line}\n" for line in lines_of(entries))
    if out is None:
        for_programs(sys.stdout)
        sys.stdout.write(text)
        return
    write_record(text, out, _file(journal, config), EXPORT)


@app.command(epilog="Example: polartable journal verify")
def verify(journal: File = None, config: Config = None, as_json: Json = False) -> None:
    """Whether every entry is as it was written, and every game can be played again; exit 1 where not."""
    reworded, differ = list[str](), 0
    try:
        with _open(_file(journal, config)) as book:
            count, games = book.verify(), book.games()
            for name in games:
                try:
                    replay(book.entries(name), GAMES, reworded)
                except (ReplayDiffers, NoSuchGame, JournalDamaged) as error:
                    _unsound(error, as_json, name)
                    differ += 1
    except JournalDamaged as error:
        _unsound(error, as_json)
        raise typer.Exit(1) from error
    if differ:
        raise typer.Exit(1)
    said: dict[str, Any] = {"entries": count, "games": len(games), "sound": True, "reworded": len(reworded)}
    text = f"{many(count, 'entry', 'entries')} of {many(len(games), 'game')}, all sound"
    print(json.dumps(said) if as_json else text + (f"; {_reworded(reworded)}" if reworded else ""))


def _unsound(error: JournalError, as_json: bool, game: str | None = None) -> None:
    if not as_json:
        print(f"polartable: {'' if game is None else f'{game}: '}{error}", file=sys.stderr)
        return
    line: dict[str, Any] = {"sound": False, "number": error.number, "text": error.cause, "mend": error.mend}
    print(json.dumps(line if game is None else line | {"game": game}, ensure_ascii=False))


def _reworded(sentences: list[str]) -> str:
    """Of moves that were refused, and are still, for another reason: the table played the same game."""
    return f"{many(len(sentences), 'refusal')} told otherwise by this version (the first: {sentences[0]})"


@app.command("replay", epilog="Example: polartable journal replay game.jsonl")
def replay_(
    record: Annotated[
        str, typer.Argument(help="An exported file, a report, or the name of a game in the journal.")
    ],
    journal: File = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Play a record again, every game of it or of a report; exit 1 where a verdict comes out otherwise, 2 where one
    cannot be read."""
    failed = games = 0
    for where, entries in _records(record, journal, config):
        games += 1
        reworded: list[str] = []
        try:
            sitting = replay(entries, GAMES, reworded)
        except (ReplayDiffers, *UNREADABLE) as error:
            print(f"polartable: {where}{error}", file=sys.stderr)
            failed = max(failed, 2 if isinstance(error, UNREADABLE) else 1)
            continue
        over = sitting.over
        said = {
            "game": sitting.name,
            "moves": len(sitting.steps),
            "over": None if over is None else over.to_json(),
            "reworded": len(reworded),
        }
        verdicts = f"the same positions, {_reworded(reworded)}" if reworded else "the same verdicts"
        text = f"{where}{len(sitting.steps)} moves, {verdicts}; {_result(sitting)}"
        print(json.dumps(said) if as_json else text)
    if not games:
        print(f"polartable: {record} holds no game", file=sys.stderr)
    if failed:
        raise typer.Exit(failed)


def _records(record: str, journal: Path | None, config: Path | None) -> Iterator[tuple[str, Iterable[Entry]]]:
    """The games that were asked for, each with what stands before its line."""
    path = Path(record)
    if not path.is_file():
        book_file = _file(journal, config)
        if not book_file.exists():
            raise NoSuchGame(
                f"{record!r} is no file, and there is no journal {book_file} that may hold a game of that name",
                "give an exported file, a report, or the journal with --journal",
            )
        with _open(book_file) as book:
            if record not in book.games():
                raise NoSuchGame(
                    f"{record!r} is no file, and no game of the journal {book_file}",
                    "see: polartable journal list",
                )
            yield "", book.entries(record)
    elif is_zip(path):
        with Report(path) as report:
            for name, entries in report.games():
                yield f"{name}: ", entries
    else:
        empty = True
        for name, entries in games_in(read_export(path)):
            empty = False
            yield f"{name}: ", entries
        if empty:
            yield "", ()


def is_zip(path: Path) -> bool:
    """By its first bytes: a torn report is still to be called one."""
    with path.open("rb") as start:
        return start.read(2) == b"PK"


def _file(given: Path | None, config: Path | None) -> Path:
    """Where the games are; while the settings cannot be read, where they were when the table last ran well."""
    if given is not None:
        return given
    try:
        return load(config or default_file()).settings.journal.book
    except SettingsError as error:
        raise SettingsError(error.cause, f"{error.mend}; or name the journal with --journal") from error


def _open(path: Path) -> Journal:
    mend = "play a game first, or name it with --journal, or the settings with --config"
    if not path.exists():
        raise NoSuchGame(f"there is no journal {path}", mend)
    why = ""
    if not path.is_file():
        why = "is a folder" if path.is_dir() else "is a device or a pipe"
    elif path.stat().st_size == 0:  # to SQLite a new one, which it would begin
        why = "is empty"
    if why:
        raise NoSuchGame(f"{path} {why}, and no journal", mend)
    return Journal(path)


def _nothing(game: str) -> NoSuchGame:
    return NoSuchGame(f"the journal holds no game {game!r}", "see: polartable journal list")


def _line(name: str, entries: Iterable[Entry]) -> dict[str, Any]:
    """What `list` says of a game, also of one that cannot be played again or read to its end."""
    stream, first, sitting = iter(entries), None, None
    try:
        first = next(stream, None)
        sitting = fold(() if first is None else chain((first,), stream), GAMES)
        result = _result(sitting)
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


def _result(sitting: Sitting) -> str:
    over = sitting.over
    if over is not None:
        return over.text
    return "still open" if sitting.closed is None else f"closed: {sitting.closed}"


def _counted(entry: Entry, steps: int) -> tuple[int, int]:
    """How many moves stand after an entry, if `steps` stood before it; and which of them it speaks of, from 1."""
    match entry.kind:
        case "play" | "redo":
            return steps + 1, steps + 1
        case "undo" if entry.body.get("reopens"):  # that the game was closed, and no move
            return steps, 0
        case "undo":
            return max(0, steps - 1), steps
        case "correct":
            dropped, at = entry.body.get("dropped"), entry.body.get("at")
            fell = len(dropped) if isinstance(dropped, list) else 0
            return steps - fell, at + 1 if isinstance(at, int) else 0
        case _:
            return steps, 0


def _words(entry: Entry, step: int) -> str:
    try:
        what = _what(entry, step)
    except (KeyError, TypeError, ValueError, AttributeError):  # a line that was changed: the others are shown
        what = f"{entry.kind}, and no more of it can be read: see polartable journal verify"
    return f"{entry.seq:6}  {entry.at}  {what}"


def _what(entry: Entry, step: int) -> str:
    body = entry.body
    match entry.kind:
        case "new":
            what = f"{body['game']} for {', '.join(body['players'])} (seed {body['seed']})"
            if "version" in body:  # books of before do not say by which one
                what += f", recorded by Polartable {body['version']}"
        case "play":
            what = f"step {step}: {body['move']}  [{body.get('by', 'hand')}]"
        case "refused":
            rule = body["error"].get("rule")  # what cannot be read is against none
            what = f"{body['move']} refused: {body['error'].get('text')}{f' ({rule})' if rule else ''}"
        case "correct":
            what = f"step {step} is {body['move']}, not {body.get('was')}"
        case "note":  # what agreed, who sits where, …: whatever was written down with it
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
