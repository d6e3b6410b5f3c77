"""Addresses without their passwords: sentences are read aloud, photographed and sent to others."""

from __future__ import annotations

import re

# user:password@ up to the last @, for a password may have one
_CREDENTIALS = re.compile(r"((?:[a-z]+://)?[^\s/:@'\"]*):.*@", re.IGNORECASE)


def blanked(text: str) -> str:
    """`mqtt://club:secret@host` as `mqtt://club:…@host`; anything else as it is."""
    return _CREDENTIALS.sub(r"\1:…@", text)
