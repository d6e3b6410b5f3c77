"""Masks passwords in addresses: sentences are read aloud, photographed and forwarded."""

from __future__ import annotations

import re

# user:password@ up to the last @, since a password may contain one
_CREDENTIALS = re.compile(r"((?:[a-z]+://)?[^\s/:@'\"]*):.*@", re.IGNORECASE)


def blanked(text: str) -> str:
    """`mqtt://club:secret@host` as `mqtt://club:…@host`; anything else as it is."""
    return _CREDENTIALS.sub(r"\1:…@", text)
