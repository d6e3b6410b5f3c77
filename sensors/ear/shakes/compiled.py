"""Compiled functions, kept between processes; the first time on a machine a process of its own compiles them.

A compiler that worked once holds some 25 MB more for as long as its process lives, and an ear listens for hours.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numba import config, njit
from numba.core.compiler_lock import global_compiler_lock

COMPILE_S = 300.0  # far more than the slowest Raspberry Pi takes


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compiled when first called, and kept beside the package or in the user's cache; where neither may be written, as
    in a read-only container, compiled anew by every process."""
    try:
        return njit(cache=True, fastmath=True)(function)  # type: ignore[no-any-return]
    except RuntimeError:
        return njit(fastmath=True)(function)  # type: ignore[no-any-return]


def kept(function: Any) -> bool:
    """Was a `compiled` function compiled since its source was last changed, by this Python?"""
    where = function.stats.cache_path
    if where is None:
        return False
    code = function.py_func.__code__
    source = Path(code.co_filename)
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    try:
        since = source.stat().st_mtime
        found = Path(where).glob(f"{source.stem}.{code.co_name}-{code.co_firstlineno}.{python}*.nbi")
        return any(index.stat().st_mtime >= since for index in found)
    except OSError:
        return False


def make_ready(function: Any, call: str) -> None:
    """Have a `compiled` function at hand without having compiled it here, if that can be had.

    call: `module:name` of what calls it once, without arguments, as it will be called.
    """
    if function.signatures:  # it is at hand
        return
    module, _, name = call.partition(":")
    call_it = getattr(sys.modules[module], name)
    if function.stats.cache_path is not None and not kept(function):
        _elsewhere(f"from {module} import {name}; {name}()")
    if not kept(function):
        call_it()
        return
    with _no_optimizing():
        call_it()
    if function.stats.cache_misses:  # kept for another processor: what was made in its place is slow
        function.recompile()


def _elsewhere(code: str) -> None:
    """Run this in a process of its own; whatever goes wrong there is seen again here."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            [sys.executable, "-c", code],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=COMPILE_S,
            check=False,
        )


@contextlib.contextmanager
def _no_optimizing() -> Iterator[None]:
    """What is kept is fast already; numba's own few functions beside it need not be, and its optimizer stays out."""
    with global_compiler_lock:  # what other threads compile meanwhile would be kept slow
        before = config.OPT
        config.OPT = type(before)(0)
        try:
            yield
        finally:
            config.OPT = before
