"""BLAS with one thread, for as long as something is worked out.

Matrices here are small: a second thread makes none of them faster, waits for the next by spinning, and on a busy
machine costs several times what the work does. Sums are also added in the same order everywhere.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

_LOCK = threading.Lock()
_inside = 0  # how many are at work
_before: list[int] = []  # of each library, before the first of them came


@cache
def _libraries() -> ThreadpoolController:
    import scipy.linalg  # noqa: F401 - it brings threads, and only what is loaded is seen

    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread for the whole process until the end; some 25 µs. Several may be at work at once, in threads of their
    own: the first to come remembers how many there were, the last to leave gives them back."""
    global _inside
    libraries = _libraries().lib_controllers
    with _LOCK:
        if _inside == 0:
            _before[:] = [library.num_threads or 1 for library in libraries]
        # where threads of a library are counted for each caller, everybody sets his own
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
    # threadpoolctl lets a limit of OpenBLAS be lifted by the thread alone that set it, where its own limits overlap
    for library, number in zip(_libraries().lib_controllers, numbers, strict=True):
        _nobodys(library)
        library.set_num_threads(number)
        _nobodys(library)


def _nobodys(library: object) -> None:
    clear = getattr(library, "clear_controlling_thread", None)
    if clear is not None:
        clear(force=True)
