"""How far a command's long work is: a bar where somebody sees it, or lines for the program that began the command."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_MARK, _APART = "\x1e", "\x1f"  # in no sentence that a command prints
to_be_read = False  # whether another program began this command, and reads how far it is


@dataclass(frozen=True, slots=True)
class Steps:
    """Of what is done, as a phrase: how many steps, and of how many."""

    text: str
    done: int
    of: int

    def line(self) -> str:
        return _MARK + _APART.join((self.text, str(self.done), str(self.of)))


def read(line: str) -> Steps | None:
    """What such a line says; None: it is another one."""
    if not line.startswith(_MARK):
        return None
    text, done, of = line.removeprefix(_MARK).rstrip("\n").split(_APART)
    return Steps(text, int(done), int(of))


@contextmanager
def progress(total: int, text: str) -> Iterator[Callable[[], None]]:
    """Progress on standard error, if somebody sees it or reads it; yields a function to call once per step."""
    if to_be_read:
        done = 0

        def step() -> None:
            nonlocal done
            done += 1
            print(Steps(text, done, total).line(), file=sys.stderr, flush=True)

        print(Steps(text, 0, total).line(), file=sys.stderr, flush=True)
        yield step
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),  # it spins during a long step
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(text, total=total)
        yield lambda: bar.advance(task)
