"""Recordings stop before the card is full, and everything recorded so far is kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from calibration.recordings.room import RecordingsFull, check_room, folder_bytes
from tests.parts import ROOT

# a file may grow to 100 kB and no further, as on a full disk; then `keep` is asked to write a take of 400 kB
FULL_DISK = """
import resource, signal, sys
import numpy as np
from pathlib import Path
from types import SimpleNamespace
from calibration.recordings.sweep import Sweep
from table.commands import record_takes
from sensors.ear.profiles.profile import load_shipped
from table.commands.record_way import Shaken
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
take = SimpleNamespace(samples=np.zeros((200_000, 1), np.float32), shake=None)
sweep = SimpleNamespace(name="sweep-1")
record_takes.file_name = lambda *_: "s/0001.wav"
try:
    folder, ear = Path(sys.argv[1]), Shaken(load_shipped("microphone"), 3.0)
    record_takes.keep(folder, sweep, 7, [], "d", "p", "s", take, 48000.0, None, ear)
except Exception as error:
    print(error)
"""


def test_the_folders_quota_is_asked_before_a_recording_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    check_room(folder, 1000)  # a folder that is not there yet has room
    (folder / "s1").mkdir(parents=True)
    (folder / "s1" / "1.wav").write_bytes(bytes(5000))
    (folder / "recordings.jsonl").write_bytes(bytes(100))
    assert folder_bytes(folder) == 5100
    check_room(folder, 1000, most=6100)
    with pytest.raises(RecordingsFull, match="may hold"):
        check_room(folder, 1001, most=6100)


def test_the_rest_of_the_disk_belongs_to_the_journal(tmp_path: Path) -> None:
    with pytest.raises(RecordingsFull, match=r"are free on .*, and 4,398,046,511,104 are to stay so"):
        check_room(tmp_path, 0, least_free=2**62)


def test_a_disk_that_fills_under_a_take_costs_this_take_alone(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.startswith("PT-212: "), done.stdout + done.stderr
    assert not list(tmp_path.rglob("*.wav"))
    assert not (tmp_path / "recordings.jsonl").exists()
