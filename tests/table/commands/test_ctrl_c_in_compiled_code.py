"""Ctrl-C in the midst of compiled code ends a command as it does anywhere else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TIMES = 3
# a process that has all at hand begins the same command several times, and interrupts each in the midst of it: when it
# has computed for two hundredths of a second since its beads began to move
PROGRAM = """
import os, signal, sys
from pathlib import Path
from hw_mock.igloo import played
from table.cli import main, run

out, times = sys.argv[1], int(sys.argv[2])
shakes = ["simulate", "shakes", "--devices", "1", "--sessions", "1", "--sensor", "accelerometer"]
assert run([*shakes, "--counts", "2-3", "--seconds", "0.3", "--out", out + "/first"]) == 0
plain = played.traces

def ticks(process):
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11])

for time in range(times):
    told, tell = os.pipe()
    child = os.fork()
    if not child:
        played.traces = lambda samples: (samples and os.write(tell, b"."), plain(samples))[1]
        try:
            main([*shakes, "--counts", "9-10", "--seconds", "3", "--out", f"{out}/{time}"])
        except SystemExit as left:
            os._exit(left.code)
    os.close(tell)
    os.read(told, 1)
    began = ticks(child)
    while ticks(child) < began + 2:
        pass
    os.kill(child, signal.SIGINT)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)  # else the next child has it too
"""


def test_a_ctrl_c_while_beads_move_is_told_in_a_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), str(TIMES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
    first, *told = done.stderr.splitlines()
    assert first.startswith("2 shakes simulated in")
    assert told == ["polartable: broken off by Ctrl-C; the same command goes on where it stopped"] * TIMES
    assert done.stdout.split() == ["130"] * TIMES
