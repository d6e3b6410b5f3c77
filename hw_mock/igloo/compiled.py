"""Functions that numba compiles when they are first called, kept for the next process where there is a place for it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from numba import njit, typeof

from firmware_bridge.host.uninterrupted import uninterrupted


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator; `options` are those of `njit`. Functions and constants that are compiled in come from modules of the
    same folder.

    What was compiled is kept beside the package or in the user's cache, until a module of that folder changes. A user
    without a home, a read-only disk: numba refuses such a function as soon as it is defined, so that not even the
    import would succeed. Then every process compiles its own.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            made = njit(cache=True, **options)(function)
        except RuntimeError:
            return njit(**options)(function)
        _keep_by_content(made, Path(function.__code__.co_filename).parent)
        return made

    return decorate


def _keep_by_content(made: Any, folder: Path) -> None:
    """Have numba ask all of `folder` whether what it kept of `made` still holds. It asks when the one file changed in
    which `made` stands, though of other files there is code and numbers in it. A numba that has no such place to say
    it goes on as it does."""
    try:
        index = made._cache._cache_file
        by_numba = index._source_stamp
        index._source_stamp = _content(folder) or by_numba
    except (AttributeError, OSError):
        pass


@lru_cache
def _content(folder: Path) -> str | None:
    """A hash of all modules of `folder`: neither another checkout of the same nor another install of it differs, as
    their times do. None where no source lies in files of its own."""
    digest = hashlib.sha256()
    modules = sorted(folder.glob("*.py"))
    for module in modules:
        source = module.read_bytes()
        digest.update(f"{module.name} {len(source)}\n".encode() + source)
    return digest.hexdigest() if modules else None


def run_whole(function: Any, *arguments: Any) -> Any:
    """Call a `compiled` function; Ctrl-C waits until it is through. To compile it may take a minute: that may be broken
    off."""
    if not function.signatures:
        function.compile(tuple(map(typeof, arguments)))
    with uninterrupted():
        return function(*arguments)
