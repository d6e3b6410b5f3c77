"""Igloos taken in the order of their counts are told, and figures of them are shown; random order is no trap."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.recordings.folder import Recording
from calibration.traps.given_away import refusals
from calibration.traps.in_order import in_order
from table.cli import run
from tests.rattle import write_sweeps

COUNTS = list(range(2, 14))
BEGAN = datetime.datetime(2026, 11, 20, 18, 0, 0, tzinfo=datetime.UTC)
SAID = "within sittings the order of the takes goes with the count"


def taken(session: int, place: int) -> str:
    return (BEGAN + datetime.timedelta(days=session, seconds=20 * place)).isoformat()


def swept(orders: list[list[int]], at: str | None = None, **more: Any) -> list[Recording]:
    """One take of each count a session, in these orders; all `at` one time."""
    return [
        Recording(
            Path(), f"{s}-{n}{more}", "microphone", n, session=f"s{s}", taken=at or taken(s, i), more=more
        )
        for s, order in enumerate(orders)
        for i, n in enumerate(order)
    ]


def test_sweeps_in_the_order_of_their_counts_are_a_doubt() -> None:
    up = swept([COUNTS] * 3)
    for recordings in (up, swept([COUNTS[::-1]] * 3), up + swept([COUNTS] * 3, place="shell")):
        found = in_order(recordings)
        assert found is not None
        assert SAID in found.sentence()
        assert "random order" in found.sentence()
        assert "random order" in found.advice()
        assert refusals([found]) == []
    assert in_order(swept([COUNTS, COUNTS[::-1]] * 2)) is None  # what drifts cancels out
    assert in_order(swept([COUNTS])) is None  # a single one


@pytest.mark.parametrize("seed", range(20))
def test_random_order_is_none(seed: int) -> None:
    random = np.random.default_rng(seed)
    assert in_order(swept([random.permutation(COUNTS).tolist() for _ in range(2)])) is None


def test_without_times_of_their_own_takes_have_no_order() -> None:
    up = swept([COUNTS] * 3)
    assert in_order([Recording(r.folder, r.file, r.sensor, r.beads, session=r.session) for r in up]) is None
    assert in_order(swept([COUNTS] * 3, at="2026-11-20")) is None
    assert in_order(swept([COUNTS] * 3, at="2026-11-20T18:00:00Z")) is None
    assert in_order([]) is None


def test_it_stands_beside_the_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = write_sweeps(tmp_path, place="table")
    list_ = tmp_path / "recordings.jsonl"
    list_.write_text(
        "".join(
            json.dumps(line | {"taken": taken(i // len(COUNTS), i % len(COUNTS))}) + "\n"
            for i, line in enumerate(lines)
        )
    )
    assert run(["calibrate", "igloos", "evaluate", str(tmp_path), "--leave-out", "session"]) == 0
    said = capsys.readouterr()
    assert SAID in said.err + said.out
    assert "exact" in said.out
