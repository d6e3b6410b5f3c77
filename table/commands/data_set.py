"""Input files of `polartable play`: a person's own data set, the text of a record, JSON."""

from __future__ import annotations

import json
import re
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

from firmware_bridge.errors import UsageError
from firmware_bridge.host.utf16 import AS_UTF8, is_utf16
from rules.core.reading import whole_numbers
from rules.protocol.lines import once_each

_JSON = re.compile(r"\s*(\{|\[\s*\{)")  # no TOML begins like this, whatever the file's name is


def data_set(path: Path) -> Any:
    """A person's own deck, cubes, … from a TOML or JSON file. Raises UsageError."""
    try:
        text = text_of(path)
        if path.suffix.lower() == ".json" or _JSON.match(text):
            return json_of(text, str(path))
        return json.loads(json.dumps(tomllib.loads(text)))
    except UsageError:  # UsageError is a ValueError, too
        raise
    except TypeError:  # the one type that TOML has and JSON has not; a record holds the set as JSON
        raise UsageError(
            f"{path} cannot be read: it has a date, or a time of day, without quotes",
            "a data set has texts, numbers and lists",
        ) from None
    except RecursionError as wrong:
        raise UsageError(
            f"{path} cannot be read: {why(wrong)}", "a data set has texts, numbers and lists"
        ) from None
    except (OSError, ValueError) as wrong:
        raise UsageError(
            f"{path} cannot be read: {why(wrong)}", "name a TOML or JSON file of a data set"
        ) from None


def json_of(text: str, where: str) -> Any:
    """Parse JSON.

    Raises ValueError, RecursionError, or UsageError for a key that appears twice in one object with two values: nobody
    knows which is meant.
    """
    doubled: list[str] = []
    value = json.loads(text, object_pairs_hook=partial(once_each, doubled))
    if doubled:
        raise UsageError(f"{where} has {doubled[0]}", "keep the one that is right")
    return whole_numbers(value)


def text_of(path: Path) -> str:
    """The file's text without a byte order mark. Raises OSError, UnicodeDecodeError, UsageError."""
    data = path.read_bytes()
    if is_utf16(data):
        raise UsageError(f"{path} is written in UTF-16", AS_UTF8)
    return data.decode("utf-8-sig")


def why(error: OSError | ValueError | RecursionError) -> str:
    """The reason without the file's name, which the sentence has already."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        line = error.object[: error.start].count(b"\n") + 1
        return f"line {line} is not UTF-8"
    return (isinstance(error, OSError) and error.strerror) or str(error)
