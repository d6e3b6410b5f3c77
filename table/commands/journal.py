"""`polartable journal`: the recorded games – list, show, export, verify, replay."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from calibration.words import many
from table.commands.journal_records import book_file, no_such_game, opened_book, records_of
from table.commands.journal_words import counted, game_line, in_words, result_in_words, reworded_in_words
from table.games import GAMES
from table.journal.errors import JournalDamaged, JournalError, NoSuchGame, ReplayDiffers
from table.journal.record_out import write_record
from table.journal.replay import export as lines_of
from table.journal.replay import replay
from table.letters import for_programs
from table.out_file import EXPORT
from table.report.errors import ReportError

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
UNREADABLE = NoSuchGame, JournalDamaged, ReportError  # errors of one game: the others may still be readable
Which = Annotated[str, typer.Argument(help="The game's name, as `list` gives it.")]


@app.command("list", epilog="Example: polartable journal list --json")
def list_(journal: File = None, config: Config = None, as_json: Json = False) -> None:
    """All games, the oldest first."""
    with opened_book(book_file(journal, config)) as book:
        for name in book.games():
            line = game_line(name, book.entries(name))
            if as_json:
                print(json.dumps(line))
                continue
            words = {key: "?" if value is None else value for key, value in line.items()}
            words["moves"] = "1 move" if line["moves"] == 1 else f"{words['moves']} moves"
            print("{game}  {begun}  {kind}  {players}  {moves}  {result}".format(**words))


@app.command(epilog="Example: polartable journal show game-1")
def show(game: Which, journal: File = None, config: Config = None, as_json: Json = False) -> None:
    """What happened in a game, entry by entry."""
    with opened_book(book_file(journal, config)) as book:
        shown = steps = 0
        for entry in book.entries(game):
            shown += 1
            steps, step = counted(entry, steps)
            print(json.dumps(entry.to_json(), ensure_ascii=False) if as_json else in_words(entry, step))
        if not shown:
            raise no_such_game(game)


@app.command(epilog="Example: polartable journal export game-1 --out game.jsonl")
def export(
    game: Which,
    journal: File = None,
    config: Config = None,
    out: Annotated[Path | None, typer.Option(help="File to write; default: standard output.")] = None,
    as_json: Json = False,
) -> None:
    """A game as JSON Lines (with or without --json), to be replayed elsewhere."""
    with opened_book(book_file(journal, config)) as book:
        entries = list(book.entries(game))
    if not entries:
        raise no_such_game(game)
    text = "".join(f"{line}\n" for line in lines_of(entries))
    if out is None:
        for_programs(sys.stdout)
        sys.stdout.write(text)
        return
    write_record(text, out, book_file(journal, config), EXPORT)


@app.command(epilog="Example: polartable journal verify")
def verify(journal: File = None, config: Config = None, as_json: Json = False) -> None:
    """Whether every entry is as it was written, and every game can be played again; exit 1 where not."""
    reworded, differ = list[str](), 0
    try:
        with opened_book(book_file(journal, config)) as book:
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
    print(json.dumps(said) if as_json else text + (f"; {reworded_in_words(reworded)}" if reworded else ""))


def _unsound(error: JournalError, as_json: bool, game: str | None = None) -> None:
    if not as_json:
        print(f"polartable: {'' if game is None else f'{game}: '}{error}", file=sys.stderr)
        return
    line: dict[str, Any] = {"sound": False, "number": error.number, "text": error.cause, "mend": error.mend}
    print(json.dumps(line if game is None else line | {"game": game}, ensure_ascii=False))


@app.command("replay", epilog="Example: polartable journal replay game.jsonl")
def replay_(
    record: Annotated[
        str, typer.Argument(help="An exported file, a report, or the name of a game in the journal.")
    ],
    journal: File = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Play a record again, every game of it or of a report; exit 1 where a verdict comes out otherwise or a line was
    changed, 2 where one cannot be read."""
    failed = games = 0
    for where, entries, chain in records_of(record, journal, config):
        games += 1
        reworded: list[str] = []
        try:
            sitting = replay(entries, GAMES, reworded)
        except (ReplayDiffers, *UNREADABLE) as error:
            told = chain.blamed(error) if isinstance(error, ReplayDiffers) else error
            print(f"polartable: {where}{told}", file=sys.stderr)
            failed = max(failed, 2 if isinstance(error, UNREADABLE) else 1)
            continue
        if (damage := chain.damage()) is not None:  # it can be read, but was changed
            print(f"polartable: {where}{damage}", file=sys.stderr)
            failed = max(failed, 1)
            continue
        over = sitting.over
        said = {
            "game": sitting.name,
            "moves": len(sitting.steps),
            "over": None if over is None else over.to_json(),
            "reworded": len(reworded),
        }
        verdicts = f"the same positions, {reworded_in_words(reworded)}" if reworded else "the same verdicts"
        text = f"{where}{many(len(sitting.steps), 'move')}, {verdicts}; {result_in_words(sitting)}"
        print(json.dumps(said) if as_json else text)
    if not games:
        print(f"polartable: {record} holds no game", file=sys.stderr)
    if failed:
        raise typer.Exit(failed)
