"""Ctrl-C at the wizard's page: whoever began it is told what there is, as the wizard in a terminal tells it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.table.page.makers import OPTIONS, RECORD, write_takes


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_who_ends_the_page_is_told_how_many_takes_were_kept_and_how_to_go_on(
    tmp_path: Path, ending: signal.Signals
) -> None:
    folder = tmp_path / "ours"
    write_takes(folder)  # of an evening before
    command = [sys.executable, "-m", "table", *RECORD, str(folder), *OPTIONS, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as page:
        assert page.stdout is not None
        assert json.loads(page.stdout.readline())["event"] == "ready"
        lines = (folder / "recordings.jsonl").read_text()
        later = lines.replace("/s0/", "/s1/").replace('"s0"', '"s1"').splitlines()
        thrown_out = (
            later[0].replace('"rejected": null', '"rejected": "thrown out"').replace(".wav", "-2.wav")
        )
        (folder / "recordings.jsonl").write_text(lines + "\n".join([thrown_out, *later]) + "\n")
        page.send_signal(ending)
        said = page.communicate(timeout=30)[1]
    assert page.returncode == 0
    assert said == f"Stopped: 2 takes of this run kept in {folder}; the same command goes on from here.\n"


def test_a_page_on_which_nothing_was_recorded_is_told_too(tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    command = [sys.executable, "-m", "table", *RECORD, str(folder), *OPTIONS, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as page:
        assert page.stdout is not None
        page.stdout.readline()
        page.send_signal(signal.SIGINT)
        said = page.communicate(timeout=30)[1]
    assert said == f"Stopped: 0 takes of this run kept in {folder}; the same command goes on from here.\n"
    assert not folder.exists()
