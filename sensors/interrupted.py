"""Ctrl-C in the midst of compiled code comes out of numba wrapped in SystemErrors."""

from __future__ import annotations


def interrupted(error: BaseException | None) -> bool:
    """Was it a Ctrl-C, at the bottom of what caused it?"""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error is not None
