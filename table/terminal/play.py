"""A game between people at one terminal: their input, and what they are told."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from firmware_bridge.errors import PolartableError
from rules.core.game import MOST_MOVES, Event
from rules.core.refusal import Refusal, Unreadable
from rules.protocol import record
from rules.protocol.session import spectators_score
from rules.protocol.timeline import Timeline
from table.journal.record_out import write_record
from table.out_file import RECORD
from table.places import data_directory
from table.terminal.score_words import in_words

from .boards import BOARDS
from .inks import INK

MOST_LISTED = 60
LONGEST_NUMBER = 9  # digits
HELP = """A move is typed as it is written (see `moves`), or as the number it has in the list.
  moves [WORDS]  the legal moves, numbered; with words only those that contain them
  why MOVE       whether a move would be taken now, and if not, which rule it breaks
  undo, redo     take back, do again
  board          draw the board again, as everybody may see it
  hand           the same with what only the one who is to act may see: the others look away
  score          who has what, and of what it is made
  save FILE      write the record of the game
  quit           leave"""


class Screen(Console):
    """A console that passes a broken pipe (`| head`) on to the caller."""

    def on_broken_pipe(self) -> None:
        raise  # Rich calls this while it handles the error; its own version would exit as failed


class Play:
    """One game; `hear` takes a typed line and returns False when the players want to leave."""

    def __init__(
        self, timeline: Timeline, console: Console, json_lines: Callable[[Any], None] | None = None
    ) -> None:
        self.timeline = timeline
        self.console = console
        self._json = json_lines
        self._listed: list[str] = []
        self._commands: dict[str, Callable[[str], None]] = {
            "moves": self._moves,
            "?": self._moves,
            "why": self._why,
            "undo": lambda _: self._told((self.timeline.undo(),)),
            "redo": lambda _: self._told(self.timeline.redo()),
            "board": lambda _: self.show(),
            "hand": lambda _: self.show(self._eyes()),
            "score": self._score,
            "save": self._save,
            "help": lambda _: self.help(),
        }

    # what people type

    def hear(self, line: str) -> bool:
        """Execute a typed line; False for `quit`."""
        word, _, rest = line.strip().partition(" ")
        if word.lower() in ("quit", "exit"):
            return False
        try:
            if not word:
                self.show()
            elif word.lower() in self._commands:
                self._commands[word.lower()](rest.strip())
            else:
                self._told(self.timeline.play(self._meant(line)))
        except Refusal as why:
            self._refused(why)
        return True

    def question(self) -> str:
        """The prompt: who is to act, and in which phase."""
        return f"{', '.join(self._acting()) or 'the game is over'} ({self._phase()}) > "

    def completions(self) -> list[str]:
        """What the beginning of a line can become."""
        return [*self.legal(), *(word for word in self._commands if word.isalpha()), "quit"]

    def legal(self) -> list[str]:
        """The legal moves now, at most MOST_MOVES of them."""
        return list(islice(self.timeline.game.moves(self.timeline.state), MOST_MOVES))

    def help(self) -> None:
        """Tell what can be typed."""
        self._say(HELP if self._json else _hanging(HELP, self.console.width))

    def show(self, seat: str | None = None) -> None:
        """Draw the board as that seat may see it (None: as everybody may, since they share one screen)."""
        view = self.timeline.game.view(self.timeline.state, seat)
        if self._json:
            self._json({"event": "view", "view": view})
            return
        self.console.print(BOARDS[self.timeline.game.name](view))
        over = self.timeline.game.over(self.timeline.state)
        if over:
            self.console.print(Text(f"The game is over ({over.rule}): {over.text}.", style="bold"))

    def _meant(self, line: str) -> str:
        text = line.strip()
        if not text.isdecimal() or len(text) > LONGEST_NUMBER:
            return text
        if not self._listed:
            raise Unreadable(f"no move has the number {text} now: moves lists them with their numbers")
        if not 1 <= int(text) <= len(self._listed):
            raise Unreadable(f"no move has the number {text}: the list goes to {len(self._listed)}")
        return self._listed[int(text) - 1]

    def _moves(self, rest: str) -> None:
        words = rest.lower().split()
        legal = self.legal()
        found = [move for move in legal if all(word in move.lower().split() for word in words)]
        self._listed = found[:MOST_LISTED]
        if self._json:
            self._json({"event": "moves", "moves": found})
            return
        lines = [f"{k:3}  {move}" for k, move in enumerate(self._listed, 1)]
        if len(found) > MOST_LISTED:
            more = len(found) - MOST_LISTED
            lines.append(
                f"     … and {more} more: name some of their words, as in moves {found[-1].split()[0]}"
            )
        none = (
            f"none of the {len(legal)} moves in the list has the words: {rest}" if legal else "no legal move"
        )
        self._say("\n".join(lines) or none)

    def _why(self, rest: str) -> None:
        move, game = self._meant(rest), self.timeline.game
        if not move:
            self._say("why what? Name a move, as in: why " + next(iter(self.legal()), "end"))
            return
        written = game.read(self.timeline.state, move)
        game.play(self.timeline.state, written)
        self._say(f"{written} is legal now")  # its outcome may be hidden

    def _score(self, rest: str) -> None:
        scores, parts = spectators_score(self.timeline.game, self.timeline.state)
        if self._json:
            self._json({"event": "score", "scores": scores, "parts": parts})
            return
        for seat, points in scores.items():
            self._say(f"{seat}: {in_words(points)} – {in_words(parts[seat])}")

    def _save(self, rest: str) -> None:
        if not rest:
            self._say("save where? Name a file, as in: save game.json")
            return
        text = json.dumps(record.write(self.timeline), indent=1) + "\n"
        try:
            write_record(text, Path(rest), data_directory() / "journal.sqlite", RECORD)
        except PolartableError as wrong:
            self._say(f"{wrong.cause} – {wrong.mend}")
            return
        self._say(f"the record is in {rest}")

    # what they are told

    def _told(self, events: Iterable[Event]) -> None:
        self._listed = []
        for event in events:
            if event.to is not None:
                self._say(f"something for the eyes of {' and '.join(event.to)} only")
                continue
            if self._json:
                self._json(event.to_json())
            else:
                rule = f"  ({event.rule})" if event.rule else ""
                self.console.print(_inked(event.text + rule))
        self.show()

    def _refused(self, why: Refusal) -> None:
        if self._json:
            self._json({"event": "refused", **why.to_json()})
            return
        rule = f" ({why.rule})" if why.rule else ""
        self.console.print(Text(f"No{rule}: {why.text}", style="bold"))
        near = why.candidates or why.nearest
        if near:
            self._listed = list(near)
            self._say("\n".join(f"{k:3}  {move}" for k, move in enumerate(near, 1)))

    def _say(self, text: str) -> None:
        if self._json:
            self._json({"event": "said", "text": text})
        else:
            self.console.print(Text(text))

    def _acting(self) -> tuple[str, ...]:
        return self.timeline.game.to_act(self.timeline.state)

    def _phase(self) -> str:
        return self.timeline.game.phase(self.timeline.state)

    def _eyes(self) -> str | None:
        """The seat that is to act, if there is exactly one."""
        acting = self._acting()
        return acting[0] if len(acting) == 1 else None


def _hanging(text: str, width: int) -> str:
    """The text in so many columns. A line too long goes on below its words, or where it is no row, two columns in."""
    out = []
    for line in text.splitlines():
        row = re.match(r"  \S.*?  +", line)
        # on a screen that the left column nearly fills, half of the width is left for the words
        below = " " * min(row.end() if row else 2, width // 2)
        out += textwrap.wrap(line, width, subsequent_indent=below, break_on_hyphens=False)
    return "\n".join(out)


def _inked(text: str) -> Text:
    out = Text(text)
    for colour, style in INK.items():
        out.highlight_words([colour], style)
    return out
