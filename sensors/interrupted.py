"""Ctrl-C while a compiled module is being loaded comes out as an ImportError (pybind11, of SciPy and others)."""

from __future__ import annotations


def interrupted(error: BaseException | None) -> bool:
    """Was it a Ctrl-C, at the bottom of what caused it?"""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error is not None
