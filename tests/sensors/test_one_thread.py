"""One BLAS thread while something is worked out, and as many as before afterwards, whatever happens in between."""

from __future__ import annotations

from threading import Event, Thread
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits  # type: ignore[import-untyped]

from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Heard
from sensors.one_thread import one_thread
from tests.rattle import RATE, rattle


def threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_one_thread_and_then_as_many_as_before() -> None:
    with threadpool_limits(2, user_api="blas"):
        before = threads()
        with one_thread():
            assert threads() == {1}
            with one_thread():
                assert threads() == {1}
        assert threads() == before
        with pytest.raises(ZeroDivisionError), one_thread():
            _ = 1 / 0
        assert threads() == before


def test_two_at_once_have_one_and_leave_as_many_as_before() -> None:
    """Two sources of a table are listened to in threads of their own. Whoever came first may leave first."""
    other_is_in, first_has_left, seen = Event(), Event(), []

    def other() -> None:
        with one_thread():
            other_is_in.set()
            first_has_left.wait(60)
            seen.append(threads())

    with threadpool_limits(2, user_api="blas"):
        before = threads()
        beside = Thread(target=other)
        with one_thread():
            beside.start()
            assert other_is_in.wait(60)
            assert threads() == {1}
        first_has_left.set()
        beside.join(60)
        assert seen == [{1}]
        assert threads() == before


def test_a_shake_is_measured_with_one_thread_and_told_with_all(monkeypatch: pytest.MonkeyPatch) -> None:
    ear = Listener(load_shipped("microphone"), RATE, 1, "test")
    inside: list[set[int]] = []
    measure = ear._measured

    def watched(*given: Any, **more: Any) -> Any:
        inside.append(threads())
        return measure(*given, **more)

    monkeypatch.setattr(ear, "_measured", watched)
    sound = np.concatenate([np.zeros(RATE), rattle(6, 1), np.zeros(RATE)])[:, None].astype(np.float32)
    with threadpool_limits(2, user_api="blas"):
        before = threads()
        told = []
        for said in ear.push(
            sound + 1e-4 * np.random.default_rng(0).standard_normal(sound.shape).astype(np.float32)
        ):
            assert threads() == before  # whoever deals with it has all of them
            told.append(said)
        told += list(ear.finish())
    assert any(isinstance(said, Heard) for said in told)
    assert inside
    assert set.union(*inside) == {1}
