"""Functions that numba compiles at their first call, cached on disk for the next process wherever that is possible."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from numba import njit, typeof

from firmware_bridge.host.uninterrupted import uninterrupted


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator; `options` are those of `njit`. All functions and constants that the function uses must come from
    modules of its own folder.

    The compiled code is cached beside the package or in the user's cache, until a module of that folder changes.
    Without a writable place (a user without a home, a read-only disk) numba raises an error as soon as a cached
    function is defined, so that even the import would fail. In that case every process compiles for itself.
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
    """Make numba's cache of `made` depend on all of `folder`. By default it depends only on the file that defines
    `made`, although code and constants of other files are compiled into it. A numba without the hook that this needs
    keeps its default."""
    try:
        index = made._cache._cache_file
        by_numba = index._source_stamp
        index._source_stamp = _content(folder) or by_numba
    except (AttributeError, OSError):
        pass


@lru_cache
def _content(folder: Path) -> str | None:
    """A hash of all modules of `folder`. Unlike file times, it is the same for every checkout and installation of one
    version. None if the sources are not plain files."""
    digest = hashlib.sha256()
    modules = sorted(folder.glob("*.py"))
    for module in modules:
        source = module.read_bytes()
        digest.update(f"{module.name} {len(source)}\n".encode() + source)
    return digest.hexdigest() if modules else None


def run_whole(function: Any, *arguments: Any) -> Any:
    """Call a `compiled` function; Ctrl-C waits until the call is finished. Compiling may take a minute, and Ctrl-C may
    interrupt that."""
    if not function.signatures:
        function.compile(tuple(map(typeof, arguments)))
    with uninterrupted():
        return function(*arguments)
