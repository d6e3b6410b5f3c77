"""Compiles `dome.loop` and writes the machine code to standard output: `machine_code` runs this as a process.

numba and LLVM's optimizer take 50 MB of memory, which an ear that listens for hours would hold in vain.
"""

from __future__ import annotations

import sys
from typing import Any

import llvmlite.binding as llvm
from numba import carray, cfunc, njit, types

from sensors.ear.shakes import dome
from sensors.ear.shakes.machine_code import ENTRY, machine

# LLVM calls these for loops that fill or copy; the C library has them
OF_C = ("memset", "memcpy", "memmove")

loop = njit(fastmath=True, error_model="numpy")(dome.loop)


def entry(
    frames: int,
    beads: int,
    force: Any,
    floor: Any,
    p: Any,
    v: Any,
    pushes: Any,
    sums: Any,
    spare: Any,
    rate: float,
    felt_rate: float,
) -> None:
    """`dome.SIGNATURE`: calls `dome.loop` on the arrays that the pointers point to."""
    loop(
        carray(force, (frames, 3)),
        carray(floor, (3,)),
        carray(p, (beads, 3)),
        carray(v, (beads, 3)),
        carray(pushes, (frames, 3)),
        carray(sums, (frames, 6)),
        carray(spare, (3, 3)),
        rate,
        felt_rate,
    )


def made() -> bytes:
    """An object file that defines `ENTRY` and depends on nothing of numba's or Python's.

    Raises RuntimeError where it would depend on something.
    """
    array = types.CPointer(types.float64)
    signature = types.void(types.intp, types.intp, *[array] * 7, types.float64, types.float64)
    by_numba = cfunc(signature, fastmath=True, error_model="numpy")(entry)
    module = llvm.parse_assembly(by_numba.inspect_llvm())
    module.get_function(by_numba.native_name).name = ENTRY
    # what is internal LLVM knows all calls of: it finds that no error is ever returned, and drops what handles one
    for function in module.functions:
        if not function.is_declaration and function.name != ENTRY:
            function.linkage = "internal"
    target = machine()
    passes = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    lacking = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    if lacking := [name for name in lacking if name not in OF_C]:
        raise RuntimeError(f"the machine code of {dome.__name__} needs {', '.join(lacking)}")
    found: list[bytes] = []
    engine = llvm.create_mcjit_compiler(module, target)
    engine.set_object_cache(lambda _, code: found.append(bytes(code)))
    engine.finalize_object()
    return found[0]


if __name__ == "__main__":
    sys.stdout.buffer.write(made())
