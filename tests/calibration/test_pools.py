"""Who works at a cluster, and what is done when nobody does: asked of a client that says what it is told to say."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from calibration import pools
from calibration.pools import GONE_S, of_processes, watched, workers_of

SOON_S = 30.0  # that a thread is waited for, also on a busy machine


class Client:
    """Says in turn how many work there, or raises what it is given; each answer takes ten seconds of `now`."""

    def __init__(self, *answers: int | Exception, status: str = "running") -> None:
        self.answers, self.status = list(answers), status
        self.now, self.patience_s, self.said_all = 0.0, 0.0, threading.Event()
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.asked = threading.Event()

    def sync(self, function: Any, callback_timeout: float) -> int:
        self.asked.set()
        self.may_answer.wait(SOON_S)
        self.now += 10.0
        self.patience_s = callback_timeout
        answer = self.answers.pop(0) if self.answers else 1
        if not self.answers:
            self.said_all.set()
        if isinstance(answer, Exception):
            raise answer
        return answer


@contextmanager
def looked_after(
    client: Client, left: list[float], monkeypatch: pytest.MonkeyPatch
) -> Iterator[threading.Thread]:
    """The thread that looks, at once and by the client's time; `left` gets when nobody had worked for too long."""
    monkeypatch.setattr(pools, "LOOK_S", 0.001)
    monkeypatch.setattr(pools, "time", SimpleNamespace(monotonic=lambda: client.now))
    before = set(threading.enumerate())
    client.may_answer.clear()  # it may be over before it is found
    with watched(client, lambda: left.append(client.now)):
        (thread,) = set(threading.enumerate()) - before
        client.may_answer.set()
        yield thread


@pytest.mark.parametrize(
    ("client", "workers"),
    [
        (Client(3), 3),
        (Client(0), 0),
        (Client(3, status="closed"), 0),
        (Client(TimeoutError()), None),
        (Client(OSError("gone")), 0),
        (Client(RuntimeError("IOLoop is closed")), 0),
    ],
)
def test_who_works_there_is_a_number_nobody_or_not_known(client: Client, workers: int | None) -> None:
    assert workers_of(client, 7.0) == workers
    assert client.patience_s == (7.0 if client.status == "running" else 0.0)


@pytest.mark.parametrize("nobody", [(0, 0, 0, 0), [TimeoutError() for _ in range(4)]])
def test_when_nobody_has_worked_for_too_long_it_is_left_once_and_looked_at_no_more(
    nobody: Sequence[int | Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[float] = []
    client = Client(2, *nobody, 0, 0, 0)  # the last ones nobody asks for
    with looked_after(client, left, monkeypatch) as thread:
        thread.join(SOON_S)
        assert not thread.is_alive()
    assert left == [10.0 + GONE_S + 10.0]  # it worked at 10 s; a look takes ten
    assert len(client.answers) == 3


def test_whoever_comes_in_between_has_the_wait_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[float] = []
    client = Client(0, 0, 0, 2, 0, 0, 0, 1, 0, TimeoutError(), 0, 1)
    with looked_after(client, left, monkeypatch):
        assert client.said_all.wait(SOON_S)
    assert left == []


def test_when_the_work_is_done_nobody_looks_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    with looked_after(Client(), [], monkeypatch) as thread:
        assert thread.is_alive()
        assert thread.daemon
    thread.join(SOON_S)
    assert not thread.is_alive()


def test_a_mistake_is_no_cluster_that_is_gone() -> None:
    with pytest.raises(AttributeError):
        workers_of(Client(AttributeError("nthread")), 7.0)


def test_where_looking_itself_fails_the_cluster_is_left_and_the_mistake_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left: list[float] = []
    shown: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda told: shown.append(told.exc_type))
    with looked_after(Client(2, AttributeError("nthread"), 2), left, monkeypatch) as thread:
        thread.join(SOON_S)
    assert left == [20.0]
    assert shown == [AttributeError]


def test_a_client_that_is_closed_while_it_is_asked_is_no_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[float] = []
    shown: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda told: shown.append(told.exc_type))
    monkeypatch.setattr(pools, "LOOK_S", 0.001)
    client, before = Client(UnboundLocalError("result")), set(threading.enumerate())
    client.may_answer.clear()
    with watched(client, lambda: left.append(client.now)):
        (thread,) = set(threading.enumerate()) - before
        assert client.asked.wait(SOON_S)
    client.may_answer.set()
    thread.join(SOON_S)
    assert (left, shown) == ([], [])


@pytest.mark.parametrize("put_away", ["terminate", "abort_everything"])
def test_ctrl_c_waits_until_a_pool_has_put_itself_away(
    put_away: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from joblib._parallel_backends import LokyBackend

    done: list[str] = []

    def slowly(self: object, *_: object) -> None:
        signal.raise_signal(signal.SIGINT)
        done.append("put away")

    monkeypatch.setattr(LokyBackend, put_away, slowly)
    with pytest.raises(KeyboardInterrupt):
        getattr(of_processes(), put_away)()
    assert done == ["put away"]
