"""What a score is made of, in words: a referee tells programs the same as JSON."""

from __future__ import annotations

from typing import Any


def in_words(part: Any) -> str:
    """`cards 0, own 10`; what is inside another part stands in brackets, and null is what nobody knows yet."""
    if part is None:
        return "not known yet"
    if isinstance(part, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_inside(value)}" for name, value in part.items())
    if isinstance(part, list):
        return ", ".join(map(_inside, part))
    return str(part)


def _inside(part: Any) -> str:
    if isinstance(part, dict | list):
        return f"({in_words(part)})" if part else "none"
    return in_words(part)
