"""Whoever ends a service while it starts, or is about to end, by a signal or by closing its terminal."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from table.service.ending import Ended, ending
from table.starts import Starts
from tests.parts import ROOT, proof
from tests.table.service.starting import COMMAND, goes_on, mark

TERM, INT, HUP = signal.SIGTERM, signal.SIGINT, signal.SIGHUP
# by which signal, and how late: each signal and each moment once, and a table that is up by the one that systemd sends
ENDED = [
    (TERM, 0.0),
    (INT, 0.7),
    (HUP, 1.6),
    (TERM, 1.6),
    (INT, 0.0),
    (HUP, 0.0),
    (TERM, 0.7),
    (HUP, 0.7),
    (INT, 1.6),
]


@pytest.mark.parametrize(("number", "late_s"), ENDED[: proof(4, 9)])
def test_a_start_that_is_ended_by_hand_is_no_bad_one(tmp_path: Path, number: int, late_s: float) -> None:
    Starts(tmp_path).failed("another one before")
    environment = os.environ | {"POLARTABLE_DATA": str(tmp_path)}
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(COMMAND, env=environment, cwd=ROOT, text=True, **both) as process:  # type: ignore[call-overload]
        while mark(tmp_path)["unfinished"] == 1:
            goes_on(process)
        if late_s:
            goes_on(process, late_s)
        process.send_signal(number)
        said = process.communicate(timeout=150)[0]
    assert process.returncode == 0
    assert "Traceback" not in said
    assert len(said.splitlines()) <= 1  # where the page, and the evening's word of it, came first
    assert mark(tmp_path)["unfinished"] == (0 if said else 1)


def test_a_terminal_that_is_closed_ends_no_table_that_was_to_outlive_it() -> None:
    """`nohup` ignores the signal, and so does whatever it starts."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ending() as ended:
            ended.at_once()
            signal.raise_signal(signal.SIGHUP)
            assert not ended.asked
    finally:
        signal.signal(signal.SIGHUP, before)


def test_an_end_that_gets_lost_on_the_way_is_not_forgotten(capfd: pytest.CaptureFixture[str]) -> None:
    """Libraries catch whatever comes; and what is raised while an object goes is only printed."""

    class Going:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGTERM)

    with ending() as ended:
        ended.at_once()
        Going()
        assert ended.asked
        with pytest.raises(Ended):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)  # what is being closed is closed
        with pytest.raises(Ended):
            ended.at_once()
    assert capfd.readouterr().err == ""
