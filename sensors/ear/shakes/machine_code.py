"""Machine code that another process compiled: stored on disk, and loaded by LLVM's linker alone.

It is valid for one processor, one version of the libraries that made it, and one source.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import subprocess
import sys
from collections.abc import Iterable
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import llvmlite.binding as llvm
import platformdirs

from sensors.ear.shakes.let_go import let_go

ENTRY = "polartable_entry"
COMPILE_S = 300.0  # far more than the slowest Raspberry Pi takes
_engines: list[llvm.ExecutionEngine] = []  # machine code lives only as long as its engine


def load(compiler: str, made_of: Iterable[str]) -> int:
    """The address of `ENTRY` in the object file made by the module `compiler`: its function `made` returns the file,
    and run as a program it writes the file to standard output.

    made_of: further source files that the result depends on, beside the compiler's own. Raises whatever `made` raises.
    """
    kept = _place(compiler, made_of)
    code = _kept(kept)
    if code is None:
        # a process that may not start another one compiles by itself
        code = _elsewhere(compiler) or bytes(importlib.import_module(compiler).made())
        _keep(kept, code)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    address = int(engine.get_function_address(ENTRY))
    let_go("llvmlite")  # its work is done
    return address


def machine() -> llvm.TargetMachine:
    """The target machine: this processor with all its features, addressed as numba does for code that is placed
    anywhere."""
    _begin()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="static" if target.name.startswith("x86") else "default",
        codemodel="jitdefault",
        jit=True,
    )


@lru_cache(maxsize=1)
def _begin() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _place(compiler: str, made_of: Iterable[str]) -> Path:
    """The file for this code, named by the hash of everything that it depends on."""
    spec = find_spec(compiler)
    own = [spec.origin] if spec and spec.origin else []
    parts = [
        *(Path(file).read_bytes() for file in (*own, *made_of, __file__)),
        *(version(library).encode() for library in ("numba", "llvmlite")),
        llvm.get_default_triple().encode(),
        llvm.get_host_cpu_name().encode(),
        llvm.get_host_cpu_features().flatten().encode(),
    ]
    digest = hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()
    return _folder() / f"{compiler.rpartition('.')[2]}-{digest[:32]}.o"


def _folder() -> Path:
    """numba's cache folder where one is set, else the user's cache."""
    return Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("polartable"))


def _kept(file: Path) -> bytes | None:
    """The stored code; None where there is none or it is damaged, because the linker trusts its input."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    code = content[32:]
    return code if code and hashlib.sha256(code).digest() == content[:32] else None


def _keep(file: Path, code: bytes) -> None:
    """Store the code. Where nothing may be written, as in a read-only container, every process has it compiled anew."""
    if not file.is_absolute():  # a user without a home
        return
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        aside = file.with_suffix(f".{os.getpid()}")
        aside.write_bytes(hashlib.sha256(code).digest() + code)
        aside.replace(file)


def _elsewhere(compiler: str) -> bytes | None:
    """The code as compiled by another process; None where that fails, and the same failure then shows in this
    process."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    try:
        done = subprocess.run(
            [sys.executable, "-m", compiler],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=COMPILE_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout or None
