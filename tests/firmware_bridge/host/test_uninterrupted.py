"""A signal that comes while compiled code runs is heard after it."""

from __future__ import annotations

import signal
import threading

import pytest

from firmware_bridge.host.uninterrupted import uninterrupted


def test_ctrl_c_waits_until_it_is_over() -> None:
    before, done = signal.getsignal(signal.SIGINT), []

    def work() -> None:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)  # somebody is in a hurry
            done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is before


def test_whoever_listens_for_it_is_told_then() -> None:
    told: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: told.append(number))
    try:
        with uninterrupted():
            signal.raise_signal(signal.SIGTERM)
            assert told == []
        assert told == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, before)


def test_it_is_heard_where_the_work_failed_as_well() -> None:
    def work() -> None:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            raise ValueError

    with pytest.raises(KeyboardInterrupt):
        work()


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with uninterrupted():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_another_thread_leaves_signals_alone() -> None:
    before, seen = signal.getsignal(signal.SIGINT), []

    def work() -> None:
        with uninterrupted():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]
