"""Detects text files that Windows saved as “Unicode”, two bytes a letter: none of ours is."""

from __future__ import annotations

import codecs

AS_UTF8 = "save it as UTF-8"  # the remedy of its sentence


def is_utf16(begins: bytes) -> bool:
    """Whether a file that begins so is marked as UTF-16: editors and shells write the byte order mark."""
    return begins.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
