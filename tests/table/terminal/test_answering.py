"""Answers at a terminal, and signals that arrive while nobody answers."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

from table.terminal.answering import read_answer


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """What is written here is typed at the terminal that is standard input."""
    master, slave = os.openpty()
    with os.fdopen(slave) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        yield master
    os.close(master)


def test_a_line_is_read_as_it_was_typed(keyboard: int) -> None:
    os.write(keyboard, b"q\nnext\n")
    assert [read_answer(), read_answer()] == ["q\n", "next\n"]


def test_control_d_is_the_end(keyboard: int) -> None:
    os.write(keyboard, b"\x04")
    assert read_answer() == ""


@pytest.mark.timeout(30)
def test_a_signal_that_does_not_interrupt_the_wait_ends_it(keyboard: int) -> None:
    """It came in the moment before the system waited, and the wizard waited for a key before it ended.

    The moment is too short to be met; a signal that another thread receives leaves the wait alone just the same.
    """
    begun = threading.Barrier(2)

    def receive() -> None:
        begun.wait()
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    def answer() -> str:
        begun.wait()
        return read_answer()

    other = threading.Thread(target=receive)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        answer()
    other.join()


def test_a_file_is_read_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("one\ntwo"))
    assert [read_answer(), read_answer(), read_answer()] == ["one\n", "two", ""]
