"""Text files that Windows saved as “Unicode”, two bytes a letter: of ours none is."""

from __future__ import annotations

import codecs

AS_UTF8 = "save it as UTF-8"  # the mend of its sentence


def is_utf16(begins: bytes) -> bool:
    """Whether a file that begins so says of itself that it is: editors and shells write the mark."""
    return begins.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
