"""Who compiles: a process of its own the first time, and nobody after that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# what an ear does first, and what came of it: was anything compiled here, was anything fetched
READY = """
from numba import config
from sensors.ear.shakes.shake import get_ready
before = config.OPT
get_ready("accelerometer")
from sensors.ear.shakes.dome import throw
assert config.OPT == before
print(sum(throw.stats.cache_misses.values()), sum(throw.stats.cache_hits.values()), bool(throw.signatures))
"""


# a function that is compiled as `throw` is, and ten times as fast
SMALL = """
import numpy as np
from sensors.ear.shakes.compiled import compiled, make_ready

@compiled
def grown(values, rate):
    out = np.zeros(values.shape)
    for i in range(values.shape[0]):
        for k in range(values.shape[1]):
            out[i, k] = out[i - 1, k] * rate + np.sqrt(values[i, k])
    return out

def call():
    grown(np.ones((8, 3)), 0.5)

def ready():
    make_ready(grown, f"{__name__}:call")
"""
SMALL_READY = """
from numba import config
import small
before = config.OPT
small.ready()
assert config.OPT == before
stats = small.grown.stats
print(sum(stats.cache_misses.values()), sum(stats.cache_hits.values()), bool(small.grown.signatures))
"""


def ready(kept: Path, code: str = READY, **env: str) -> list[str]:
    env = os.environ | {"NUMBA_CACHE_DIR": str(kept), "PYTHONPATH": str(kept)} | env
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder with a module that has something to compile."""
    (tmp_path / "small.py").write_text(SMALL)
    return tmp_path


def test_an_ear_never_compiles_itself(tmp_path: Path) -> None:
    assert ready(tmp_path) == ["0", "1", "True"]
    made = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb*")}
    assert made
    assert ready(tmp_path) == ["0", "1", "True"]
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb*")} == made


def test_what_another_processor_kept_is_made_anew_and_fast(small: Path) -> None:
    """numba names the processor in what it keeps; what was made in its place is as fast as any."""
    fresh, other = small / "fresh", small / "other"
    assert ready(fresh, SMALL_READY, PYTHONPATH=str(small)) == ["0", "1", "True"]
    ready(other, SMALL_READY, PYTHONPATH=str(small), NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    misses, _, there = ready(other, SMALL_READY, PYTHONPATH=str(small))
    assert (misses != "0", there) == (True, "True")
    assert ready(other, SMALL_READY, PYTHONPATH=str(small)) == ["0", "1", "True"]
    own = max(other.rglob("*.nbc"), key=lambda path: path.stat().st_mtime_ns)
    (fast,) = fresh.rglob("*.nbc")
    # what nobody optimized is nearly twice as long
    assert own.stat().st_size == pytest.approx(fast.stat().st_size, rel=0.1)


def test_nobody_else_can_be_asked(small: Path) -> None:
    """A process that may start no other compiles by itself."""
    code = f"import sys; sys.executable = '{small}/gone'\n{SMALL_READY}"
    assert ready(small, code) == ["1", "0", "True"]


MEANWHILE = """
import threading
from numba import config
from numba.core.compiler_lock import global_compiler_lock
from sensors.ear.shakes import compiled
seen, asked, done = [], threading.Event(), threading.Event()

def other():
    asked.wait()
    with global_compiler_lock:
        seen.append(int(config.OPT))
    done.set()

threading.Thread(target=other).start()
with compiled._no_optimizing():
    asked.set()
    assert not done.wait(0.2)
done.wait()
print(seen)
"""


def test_other_threads_compile_as_ever() -> None:
    done = subprocess.run([sys.executable, "-c", MEANWHILE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[3]"]
