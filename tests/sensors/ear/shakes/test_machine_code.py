"""Who compiles: a process of its own the first time, and nobody after that."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import pytest

from sensors.ear.shakes import dome, imagined, machine_code
from sensors.ear.shakes.shake import get_ready

# what an ear does first, and what came of it: was the compiler needed here
READY = """
import sys
from sensors.ear.shakes.shake import get_ready
get_ready("accelerometer")
from sensors.ear.shakes.dome import compiled
print("numba" in sys.modules, compiled.cache_info().currsize)
"""

# a compiler as `dome_compiler` is, of an answer that stands in a file beside it, and quick
SMALL = """
import os, sys
from pathlib import Path
import llvmlite.binding as llvm
from sensors.ear.shakes.machine_code import ENTRY, machine

def made():
    with Path(__file__).with_name("made_by").open("a") as log:
        log.write(f"{os.getpid()}\\n")
    answer = Path(__file__).with_name("answer").read_text()
    source = f"define double @{ENTRY}(double %x) {{\\n %y = fmul double %x, {answer}\\n ret double %y\\n}}"
    return machine().emit_object(llvm.parse_assembly(source))

if __name__ == "__main__":
    sys.stdout.buffer.write(made())
"""


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a compiler, that every process finds, and an empty one for what is kept."""
    (tmp_path / "small_compiler.py").write_text(SMALL)
    (tmp_path / "answer").write_text("2.0")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "small_compiler", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kept"))
    return tmp_path


def loaded(folder: Path) -> float:
    """What the compiled function makes of 3."""
    address = machine_code.load("small_compiler", made_of=[str(folder / "answer")])
    return float(ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(address)(3.0))


def makers(folder: Path) -> list[int]:
    """The processes that compiled."""
    return [int(line) for line in (folder / "made_by").read_text().split()]


def test_an_ear_never_compiles_itself(tmp_path: Path) -> None:
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    seen = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", READY], env=env, capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == ["False", "1"]
        seen.append({path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()})
    assert seen[0] == seen[1]
    assert len(seen[0]) == 1


def test_ears_that_open_at_once_wait_for_one_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler takes 190 MB: those of four igloos' ports together are more than a small computer has."""
    load, others_wait = machine_code.load, list[bool]()

    def watched(compiler: str, **made_of: Any) -> int:
        others_wait.append(imagined.LOADING.locked())
        return load(compiler, **made_of)

    monkeypatch.setattr(machine_code, "load", watched)
    dome.compiled.cache_clear()
    ears = [threading.Thread(target=get_ready, args=("accelerometer",)) for _ in range(4)]
    for ear in ears:
        ear.start()
    for ear in ears:
        ear.join()
    assert others_wait == [True]


def test_it_is_made_once_and_by_another_process(small: Path) -> None:
    assert [loaded(small), loaded(small)] == [6.0, 6.0]
    (maker,) = makers(small)
    assert maker != os.getpid()


def test_a_change_of_what_it_is_made_of_makes_it_anew(small: Path) -> None:
    assert loaded(small) == 6.0
    (small / "answer").write_text("5.0")
    assert loaded(small) == 15.0


def test_another_processor_has_its_own(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that moves from one Raspberry Pi to the next takes what was kept along."""
    loaded(small)
    own = {path.name for path in (small / "kept").iterdir()}
    monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: "generic")
    assert loaded(small) == 6.0
    assert own < {path.name for path in (small / "kept").iterdir()}


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty"])
def test_what_was_damaged_is_never_run(small: Path, damage: str) -> None:
    loaded(small)
    (kept,) = (small / "kept").iterdir()
    code = bytearray(kept.read_bytes())
    if damage == "flipped":
        code[len(code) // 2] ^= 0xFF
    kept.write_bytes({"cut": code[:-7], "flipped": code, "empty": b""}[damage])
    assert loaded(small) == 6.0
    assert len(makers(small)) == 2


def test_nobody_else_can_be_asked(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that may start no other compiles by itself."""
    monkeypatch.setattr(sys, "executable", str(small / "gone"))
    assert loaded(small) == 6.0
    assert makers(small) == [os.getpid()]


def test_it_runs_where_nothing_may_be_written(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only container: there is nowhere to keep what was compiled."""
    (small / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(small / "file" / "kept"))
    assert [loaded(small), loaded(small)] == [6.0, 6.0]
    assert len(makers(small)) == 2


def test_a_user_without_a_home_finds_no_folder_of_that_name_here(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr(machine_code.platformdirs, "user_cache_path", lambda _: Path("~/.cache/polartable"))
    monkeypatch.chdir(small)
    assert loaded(small) == 6.0
    assert not (small / "~").exists()
