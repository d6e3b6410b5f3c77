"""A command that is killed leaves no process and no folder behind, on a small machine that nobody looks after."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.parts import ROOT
from tests.table.trainer.own_recordings import folder_of
from tests.table.waiting import PATIENT_S, alive, waited_until

BULK = """
import sys
from functools import partial
from pathlib import Path
from calibration.bulk import Hands, each
from tests.calibration.pieces import slow
list(each(partial(slow, Path(sys.argv[1])), range(4), Hands(2)))
"""
RATTLES = """
import os, sys, time
from pathlib import Path
from table.trainer.rattles import Rattles
if __name__ == "__main__":
    rattles = Rattles(0, beside=True)
    pid = rattles._executor().submit(os.getpid).result()
    (Path(sys.argv[1]) / str(pid)).touch()
    time.sleep(60)
"""


@contextlib.contextmanager
def running(*command: str, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | more
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=environment, stdin=pipe, stderr=pipe
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize(("script", "workers"), [(BULK, 2), (RATTLES, 1)])
def test_workers_end_with_the_process_that_began_them(tmp_path: Path, script: str, workers: int) -> None:
    marks, file = tmp_path / "marks", tmp_path / "work.py"
    marks.mkdir()
    file.write_text(script)
    with running(str(file), str(marks)):
        waited_until(lambda: len(list(marks.iterdir())) == workers, "the workers work")
    pids = [int(mark.name) for mark in marks.iterdir()]
    try:
        waited_until(lambda: not any(map(alive, pids)), "they end too")
    finally:
        for pid in filter(alive, pids):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_pool_whose_command_is_ended_is_put_away_without_a_warning(tmp_path: Path, number: int) -> None:
    """joblib's resource tracker outlives the command, and told the terminal of locks and folders that it cleaned up."""
    marks, file = tmp_path / "marks", tmp_path / "work.py"
    marks.mkdir()
    file.write_text(BULK)
    with running(str(file), str(marks)) as process:
        waited_until(lambda: len(list(marks.iterdir())) == 2, "the workers work")
        process.send_signal(number)
        # to its end: the workers and the tracker write there too
        assert process.communicate(timeout=PATIENT_S)[1] == b""


def test_a_worker_that_was_orphaned_before_its_first_piece_ends_too() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as parent:
        pass  # it is gone when the worker begins
    script = (
        f"import time; from calibration.bulk import _in_worker; _in_worker({parent.pid}, time.sleep, 300)"
    )
    with running("-c", script) as worker:
        assert worker.wait(PATIENT_S) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_sound_of_a_trainer_that_is_ended_does_not_stay(tmp_path: Path, number: int) -> None:
    recordings, shared = tmp_path / "own", tmp_path / "shared"
    recordings.mkdir()
    shared.mkdir()
    folder_of([3, 5], recordings)
    # where the tests themselves run under nohup, what they start ignores SIGHUP too
    heeds = f"import signal; signal.signal({int(number)}, signal.SIG_DFL); "
    script = heeds + "import sys; sys.modules['sounddevice'] = None; from table.cli import main; main()"
    more = {"TMPDIR": str(shared), "POLARTABLE_DATA": str(tmp_path)}
    with running("-c", script, "train", str(recordings), **more) as process:
        waited_until(lambda: any(shared.glob("polartable-*/rattle.wav")), "a sound is written")
        process.send_signal(number)
        assert process.wait(PATIENT_S) == -number
    assert list(shared.glob("polartable-*")) == []
