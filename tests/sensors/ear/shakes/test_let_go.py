"""A library whose work is done leaves memory, and still works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ASKED = """
from pathlib import Path
import llvmlite.binding as llvm
from sensors.ear.shakes.let_go import let_go

def resident():  # kB of the library in this process
    size, ours = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        first, *rest = line.split()
        if not first.endswith(":"):
            ours = "libllvmlite" in line
        elif ours and first == "Rss:":
            size += int(rest[0])
    return size

def doubled(x):
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly("define i32 @f(i32 %x) {\\n %y = add i32 %x, %x\\n ret i32 %y\\n}")
    engine = llvm.create_mcjit_compiler(module, llvm.Target.from_default_triple().create_target_machine())
    engine.finalize_object()
    import ctypes
    return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(engine.get_function_address("f"))(x)

first, before = doubled(3), resident()
let_go("no such library")
kept = resident()
let_go("llvmlite")
print(first, before, kept, resident(), doubled(4))
"""


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="only Linux tells what lies in memory")
def test_a_library_that_was_let_go_takes_little_memory_and_works_when_asked_again() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKED], capture_output=True, text=True, timeout=120, check=True
    )
    first, before, kept, after, again = map(int, done.stdout.split())
    assert (first, again) == (6, 8)
    assert kept == before
    assert after < before / 2
