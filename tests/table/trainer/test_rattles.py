"""Simulated shakes that are under way when nobody is there any more to hear them."""

from __future__ import annotations

import asyncio
import os
import signal
from functools import partial
from pathlib import Path

import pytest

from table.trainer import rattles
from tests.table.waiting import until


def never_done(marks: Path, ours: int, *_: object) -> str:
    """A rattle that its process computes until it is ended, and ours has at once."""
    (marks / str(os.getpid())).touch()
    if os.getpid() == ours:
        return "computed here"
    while True:
        signal.pause()


async def test_a_shake_that_is_under_way_is_cancelled_and_not_computed_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rattles, "rattle", partial(never_done, tmp_path, os.getpid()))
    of_one = rattles.Rattles(0, beside=True)
    shake = asyncio.create_task(of_one.shake(5, 0, 0, 0, 0.3))
    await until(lambda: any(tmp_path.iterdir()), "a process is at work")
    await asyncio.to_thread(of_one.close)
    with pytest.raises(asyncio.CancelledError):
        await shake
    assert not (tmp_path / str(os.getpid())).exists()
