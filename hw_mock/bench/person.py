"""A person who handles real parts as a test asks, and confirms with Enter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


class NotDone(Exception):
    """The person could not, or would not, do what was asked."""


def at_the_terminal(question: str) -> str:
    """Ask at the controlling terminal, even while pytest captures the test's output."""
    terminal = Path("/dev/tty")
    with terminal.open("w") as said, terminal.open() as heard:
        said.write(f"\n{question} ")
        said.flush()
        return heard.readline().strip().lower()


@dataclass(slots=True)
class Person:
    """`ask` asks a question and returns the answer: Enter for done, `n` for no."""

    ask: Callable[[str], str] = at_the_terminal

    def do(self, what: str) -> None:
        """Ask for `what` to be done. Raises NotDone."""
        if self.ask(f"{what}, then press Enter (n: I cannot).") == "n":
            raise NotDone(what)
