"""Functions that numba compiles when they are first called, kept for the next process where there is a place for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit, typeof

from firmware_bridge.uninterrupted import uninterrupted


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator; `options` are those of `njit`.

    What was compiled is kept beside the package or in the user's cache. A user without a home, a read-only disk: numba
    refuses such a function as soon as it is defined, so that not even the import would succeed. Then every process
    compiles its own.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError:
            return njit(**options)(function)

    return decorate


def run_whole(function: Any, *arguments: Any) -> Any:
    """Call a `compiled` function; Ctrl-C waits until it is through. To compile it may take a minute: that may be broken
    off."""
    if not function.signatures:
        function.compile(tuple(map(typeof, arguments)))
    with uninterrupted():
        return function(*arguments)
