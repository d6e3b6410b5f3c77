"""The source of the typed lines: a prompt with completion on a terminal, plain lines from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

Completions = Callable[[], Iterable[str]]


def typed(question: Callable[[], str], completions: Completions) -> Iterator[str]:
    """Yields lines until the input ends; `completions` gives the possible completions of a line."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        yield from _prompted(question, completions)
    else:
        for number, line in enumerate(sys.stdin):
            # shells on Windows put a byte order mark before the first line
            yield (line if number else line.removeprefix("\ufeff")).rstrip("\r\n")


def _prompted(question: Callable[[], str], completions: Completions) -> Iterator[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

    class Moves(Completer):
        """Completes a move word by word, which keeps the lists short."""

        def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
            before = document.text_before_cursor
            for word in next_words(before, completions()):
                yield Completion(word, start_position=-len(before.split(" ")[-1]))

    session: PromptSession[str] = PromptSession(completer=Moves(), complete_while_typing=False)
    while True:
        try:
            yield session.prompt(question())
        except EOFError:
            return


def next_words(before: str, moves: Iterable[str]) -> list[str]:
    """Completions of the word being typed, from all moves that begin like the line; each word once."""
    *done, begun = before.split(" ")
    out: dict[str, None] = {}
    for move in moves:
        words = move.split(" ")
        same = [word.lower() for word in words[: len(done)]] == [word.lower() for word in done]
        if same and len(words) > len(done) and words[len(done)].lower().startswith(begun.lower()):
            out[words[len(done)]] = None
    return list(out)
