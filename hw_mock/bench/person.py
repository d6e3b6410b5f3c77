"""A person who does what a test needs done with real parts, and says so with Enter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


class NotDone(Exception):
    """The person could not, or would not, do what was asked."""


def at_the_terminal(question: str) -> str:
    """Ask where people sit, also while a test's own output is captured."""
    terminal = Path("/dev/tty")
    with terminal.open("w") as said, terminal.open() as heard:
        said.write(f"\n{question} ")
        said.flush()
        return heard.readline().strip().lower()


@dataclass(slots=True)
class Person:
    """`ask` puts a question and gives the answer; Enter is done, `n` is no."""

    ask: Callable[[str], str] = at_the_terminal

    def do(self, what: str) -> None:
        """Have something done. Raises NotDone."""
        if self.ask(f"{what}, then press Enter (n: I cannot).") == "n":
            raise NotDone(what)
