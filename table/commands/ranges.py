"""Ranges as people type them or copy them from a text: `2-13`, and `2–13` with the dash that our own sentences have."""

from __future__ import annotations

# hyphen, no-break hyphen, figure dash, en dash, minus sign
DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"))


def with_hyphens(text: str) -> str:
    """The same text with a hyphen for each dash that may stand in a range."""
    return text.translate(DASHES)
