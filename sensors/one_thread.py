"""BLAS with one thread, for as long as something is worked out.

Matrices here are small: a second thread makes none of them faster, waits for the next by spinning, and on a busy
machine costs several times what the work does. Sums are also added in the same order everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]


@cache
def _libraries() -> ThreadpoolController:
    import scipy.linalg  # noqa: F401 - it brings threads, and only what is loaded is seen

    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread for the whole process until the end; some 25 µs. Where two overlap, whoever began first decides."""
    with _libraries().limit(limits=1):
        yield
