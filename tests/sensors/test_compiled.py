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
from sensors.ear.shake import get_ready
before = config.OPT
get_ready("accelerometer")
from sensors.ear.dome import throw
assert config.OPT == before
print(sum(throw.stats.cache_misses.values()), sum(throw.stats.cache_hits.values()), bool(throw.signatures))
"""


def ready(kept: Path, **env: str) -> list[str]:
    env = os.environ | {"NUMBA_CACHE_DIR": str(kept)} | env
    done = subprocess.run([sys.executable, "-c", READY], env=env, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the first ear on a machine kept; it compiled nothing itself."""
    kept = tmp_path_factory.mktemp("fresh")
    assert ready(kept) == ["0", "1", "True"]
    return kept


def test_an_ear_never_compiles_itself(fresh: Path) -> None:
    made = {path: path.stat().st_mtime_ns for path in fresh.rglob("*.nb*")}
    assert made
    assert ready(fresh) == ["0", "1", "True"]
    assert {path: path.stat().st_mtime_ns for path in fresh.rglob("*.nb*")} == made


def test_what_another_processor_kept_is_made_anew_and_fast(tmp_path: Path, fresh: Path) -> None:
    """numba names the processor in what it keeps; the beads that were made in its place are as fast as any."""
    ready(tmp_path, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    misses, _, there = ready(tmp_path)
    assert (misses != "0", there) == (True, "True")
    assert ready(tmp_path) == ["0", "1", "True"]
    own = max(tmp_path.rglob("*.nbc"), key=lambda path: path.stat().st_mtime_ns)
    (fast,) = fresh.rglob("*.nbc")
    # what nobody optimized is nearly twice as long
    assert own.stat().st_size == pytest.approx(fast.stat().st_size, rel=0.1)


def test_nobody_else_can_be_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process that may start no other compiles by itself."""
    code = f"import sys; sys.executable = '{tmp_path}/gone'\n{READY}"
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "0", "True"]


MEANWHILE = """
import threading
from numba import config
from numba.core.compiler_lock import global_compiler_lock
from sensors.ear import compiled
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
