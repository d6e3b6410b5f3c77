"""`polartable play GAME`: a game in the terminal, for people at one table."""

from __future__ import annotations

import io
import json
import random
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from firmware_bridge.errors import UsageError
from rules import games
from rules.core.reading import did_you_mean, shown
from rules.core.refusal import PositionError, Refusal
from rules.protocol import record
from rules.protocol.timeline import Timeline
from table.commands.data_set import data_set, json_of, text_of, why
from table.commands.options import Json

app = typer.Typer(rich_markup_mode=None, add_completion=False)

PLAYERS = {
    "ice-cult": "yellow,red",
    "igloo-pop": "red,blue",
    "igloo-igloo": "red,blue",
    "igloo": "A,B",
}


@app.command(epilog="Example: polartable play ice-cult --players yellow,red --option length=6")
def play(
    game: Annotated[str, typer.Argument(help=f"One of {', '.join(games.NAMES)}.")],
    players: Annotated[
        str, typer.Option(help="Who plays, in the order round the table, such as red,blue.")
    ] = "",
    seed: Annotated[int | None, typer.Option(help="The same seed shuffles the same way again.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", "-o", help="NAME=VALUE of the game's options, or NAME=@FILE, several times."
        ),
    ] = None,
    load: Annotated[Path | None, typer.Option(help="Go on with a record that was saved.")] = None,
    as_json: Json = False,
) -> None:
    """Play one of the four games in the terminal: type moves, `moves` lists them, `help` tells the rest."""
    from table.terminal.play import Play, Screen
    from table.terminal.typing import typed

    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # whatever encoding the terminal or the pipe has
    timeline = _timeline(game, players, seed, option or [], load)
    write = (lambda value: print(json.dumps(value), flush=True)) if as_json else None
    table = Play(timeline, Screen(file=sys.stdout, highlight=False), write)
    if not as_json:
        table.help()
    table.show()
    for line in typed(table.question, table.completions):
        if not table.hear(line):
            break


def _timeline(name: str, players: str, seed: int | None, option: list[str], load: Path | None) -> Timeline:
    if name not in games.NAMES:
        hint = did_you_mean(name, games.NAMES)
        raise UsageError(f"there is no game {name!r}{hint}", f"name one of {', '.join(games.NAMES)}")
    try:
        if load is not None:
            timeline = record.read(json_of(text_of(load), str(load)))
            if timeline.game.name != name:
                raise UsageError(f"{load} is a record of {timeline.game.name}", f"play {timeline.game.name}")
            return timeline
        named = [part.strip() for part in (players or PLAYERS[name]).split(",")]
        chosen = seed if seed is not None else random.SystemRandom().getrandbits(32)
        return Timeline.new(games.game(name), named, chosen, _options(option))
    except UsageError:  # UsageError is a ValueError, too, and already says what is wrong with an option
        raise
    except PositionError as wrong:
        raise UsageError(
            "; ".join(wrong.defects), "see --help, or ask polartable referee for games"
        ) from None
    except Refusal as refusal:
        raise UsageError(f"{load}: {refusal.text}", "the record is damaged, or of other rules") from None
    except (OSError, ValueError, RecursionError) as unreadable:
        raise UsageError(
            f"{load} cannot be read: {why(unreadable)}", "name a file that was written by save"
        ) from None


def _options(given: list[str]) -> dict[str, Any]:
    """Parse the options. Raises UsageError, also for an option that is given twice with two values."""
    out: dict[str, Any] = {}
    said: dict[str, str] = {}
    for text in given:
        name, value = _option(text)
        written = text.partition("=")[2]
        if out.setdefault(name, value) != value:
            raise UsageError(
                f"--option gives {shown(name)} twice, as {shown(said[name])} and as {shown(written)}",
                "give it once",
            )
        said.setdefault(name, written)
    return out


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--option {text!r} has no value", "write it as NAME=VALUE")
    if value.startswith("@"):
        return name, data_set(Path(value[1:]))
    try:
        return name, json_of(value, f"--option {shown(name)}")
    except UsageError:  # UsageError is a ValueError, too
        raise
    except ValueError:
        return name, value
