"""Text of others – a file's name, above all – as part of one line: it may hold signs that steer a terminal."""

from __future__ import annotations

import re

_STEERS = re.compile("[\x00-\x1f\x7f-\x9f]")


def shown(text: object) -> str:
    r"""The text with escapes, as Python writes them (`\x1b`, `\n`), for control characters and for bytes of a name that
    are not UTF-8, which can be neither sent nor written."""
    return (
        _STEERS.sub(lambda sign: repr(sign[0])[1:-1], str(text)).encode("utf-8", "backslashreplace").decode()
    )
