"""Recognises a Ctrl-C while a compiled module is being loaded: pybind11 (SciPy and others) makes it an ImportError."""

from __future__ import annotations


def interrupted(error: BaseException | None) -> bool:
    """Is a Ctrl-C at the root of this error's chain of causes?"""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error is not None
