"""Characters that standard output cannot encode: people get the character's number, programs still get valid JSON."""

from __future__ import annotations

import codecs
import io
import json

_AS_IN_JSON = "polartable-as-in-json"


def for_people(stream: object) -> None:
    """Print the number of a character that the terminal cannot encode."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def for_programs(stream: object) -> None:
    """JSON is UTF-8 (RFC 8259, 8.1), or ASCII with its own escapes: what Python writes otherwise, \\xe9, is none."""
    if not isinstance(stream, io.TextIOWrapper):
        return
    if codecs.lookup(stream.encoding).name == "utf-8":
        stream.reconfigure(errors=_AS_IN_JSON)
    else:
        stream.reconfigure(encoding="ascii", errors=_AS_IN_JSON)


def _as_in_json(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(_AS_IN_JSON, _as_in_json)
