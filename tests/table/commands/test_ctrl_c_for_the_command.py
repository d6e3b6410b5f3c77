"""A terminal sends Ctrl-C to a command and to every process that works for it: only the command answers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.parts import ROOT
from tests.table.waiting import PATIENT_S, alive, waited_until

BULK = """
import sys
from functools import partial
from pathlib import Path
from calibration.bulk import Hands, each
from tests.calibration.pieces import slow
try:
    list(each(partial(slow, Path(sys.argv[1])), range(4), Hands(2)))
except KeyboardInterrupt:
    print("broken off")
"""
RATTLES = """
import os, sys, time
from functools import partial
from pathlib import Path
from table.trainer.rattles import Rattles
from tests.calibration.pieces import slow
if __name__ == "__main__":
    marks = Path(sys.argv[1])
    rattles = Rattles(0, beside=True)
    try:
        pool = rattles._executor()
        if {idle}:
            (marks / str(pool.submit(os.getpid).result())).touch()
        else:
            pool.submit(slow, marks, 1)
        time.sleep(60)
    except KeyboardInterrupt:
        rattles.close()
        print("broken off")
"""
BUSY, IDLE = RATTLES.format(idle=False), RATTLES.format(idle=True)

PUT_AWAY = """
import atexit, os, signal, types
from calibration.bulk import Hands, each
from joblib import _memmapping_reducer as reducer
from tests.calibration.pieces import square

def unregister(finalizer):
    os.kill(os.getpid(), signal.SIGINT)
    atexit.unregister(finalizer)

reducer.atexit = types.SimpleNamespace(register=atexit.register, unregister=unregister)
try:
    list(each(square, range(4), Hands(2)))
except KeyboardInterrupt:
    print("broken off")
"""


def has_begun_one(process: int) -> bool:
    """Whether a process that this one has begun is so far that it would raise KeyboardInterrupt: it loads for a second.

    And this one hears Ctrl-C again.
    """
    _keeper, *workers = Path(f"/proc/{process}/task/{process}/children").read_text().split() or [""]
    far = any(has_sigint("SigCgt", worker) for worker in workers)
    return far and not has_sigint("SigBlk", str(process))


def has_sigint(which: str, process: str) -> bool:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    (mask,) = (line.split()[1] for line in lines if line.startswith(which))
    return bool(int(mask, 16) & 1 << signal.SIGINT - 1)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize(
    ("script", "workers"),
    [(BULK, 2), (BULK, None), (BUSY, 1), (BUSY, None), (IDLE, 1)],
    ids=["bulk at work", "bulk that begins", "rattles at work", "rattles that begin", "rattles that wait"],
)
def test_whoever_works_for_a_command_leaves_ctrl_c_to_it(
    tmp_path: Path, script: str, workers: int | None
) -> None:
    """`workers`: how many are at work when it comes; None: the first one only loads what it needs."""
    marks, file = tmp_path / "marks", tmp_path / "work.py"
    marks.mkdir()
    file.write_text(script)
    pipe, environment = subprocess.PIPE, os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(file), str(marks)]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        try:
            if workers is None:
                waited_until(lambda: has_begun_one(process.pid), "one is begun")
            else:
                waited_until(lambda: len(list(marks.iterdir())) == workers, "they work")
            os.killpg(process.pid, signal.SIGINT)
            said = process.communicate(timeout=PATIENT_S / 2)
        finally:
            process.kill()
    assert said == ("broken off\n", "")
    assert not any(alive(int(mark.name)) for mark in marks.iterdir())


def test_ctrl_c_while_the_pool_is_put_away_is_no_defect_of_it(tmp_path: Path) -> None:
    """joblib had unregistered its folder and not yet its finalizer, which unregistered it again at the end: a KeyError
    on everybody's terminal."""
    file, environment = tmp_path / "work.py", os.environ | {"PYTHONPATH": str(ROOT)}
    file.write_text(PUT_AWAY)
    ended = subprocess.run(
        [sys.executable, str(file)], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENT_S,
        check=False,
    )  # fmt: skip
    assert (ended.stdout, ended.stderr) == ("broken off\n", "")
