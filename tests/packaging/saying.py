"""What the steps of a set-up are told to."""

from __future__ import annotations


def unheard(step: str, what: str, text: str = "") -> None:
    """Nobody listens."""
