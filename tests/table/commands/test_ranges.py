"""Ranges that were copied from a sentence: with its dash, not with the keyboard's hyphen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.cli import run
from table.commands.igloo_options import parse_counts
from table.commands.simulate_options import counts


@given(low=st.integers(1, 10), more=st.integers(2, 9), dash=st.sampled_from("-‐‑‒–−"))
def test_a_range_of_counts_may_have_any_dash(low: int, more: int, dash: str) -> None:
    high = low + more
    wanted = tuple(range(low, high + 1))
    assert parse_counts(f"{low}{dash}{high}") == parse_counts(f"{low} {dash} {high}") == wanted
    assert counts(f"{low}{dash}{high}") == wanted


def test_shakes_are_simulated_for_ranges_with_dashes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["simulate", "shakes", "--out", str(tmp_path), "--devices", "1", "--sessions", "1"]
    only = ["--sensor", "accelerometer", "--counts", "3–4", "--seconds", "0.8–0.9", "--json"]
    assert run([*words, *only]) == 0
    assert sorted(json.loads(line)["beads"] for line in capsys.readouterr().out.splitlines()) == [3, 4]
