"""Limits BLAS to one thread for the length of a computation.

The matrices here are small. A second thread makes none of them faster, spins while it waits for the next one, and costs
several times the work on a busy machine. One thread also adds sums in the same order everywhere.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

_LOCK = threading.Lock()
_inside = 0  # computations that are running
_before: list[int] = []  # threads of each library before the first of them began


@cache
def _libraries() -> ThreadpoolController:
    import scipy.linalg  # noqa: F401 - it brings threads, and only loaded libraries are found

    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """One BLAS thread for the whole process inside this block; costs some 25 µs. Several threads may be inside at once:
    the first to enter remembers the numbers of threads, the last to leave restores them."""
    global _inside
    libraries = _libraries().lib_controllers
    with _LOCK:
        if _inside == 0:
            _before[:] = [library.num_threads or 1 for library in libraries]
        # where a library counts threads for each calling thread, everybody sets his own limit
        _set([1] * len(libraries))
        _inside += 1
    try:
        yield
    finally:
        with _LOCK:
            _inside -= 1
            if _inside == 0:
                _set(_before)


def _set(numbers: list[int]) -> None:
    # where limits overlap, threadpoolctl lets only the thread that set a limit of OpenBLAS lift it
    for library, number in zip(_libraries().lib_controllers, numbers, strict=True):
        _nobodys(library)
        library.set_num_threads(number)
        _nobodys(library)


def _nobodys(library: object) -> None:
    clear = getattr(library, "clear_controlling_thread", None)
    if clear is not None:
        clear(force=True)
