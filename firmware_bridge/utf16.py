"""Text files that Windows saved as “Unicode”, two bytes a letter: of ours none is."""

from __future__ import annotations

import codecs

MEND = "save it as UTF-8"


def is_utf16(begins: bytes) -> bool:
    """Whether a file that begins so says of itself that it is: editors and shells write the mark."""
    return begins.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
