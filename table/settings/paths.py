"""Resolves relative paths in a settings file against that file's folder.

Whoever starts the table has another working directory than whoever tried it, and a service has none in particular.
Files that the table itself writes go to its data directory: an installed table may write nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from table.settings.faults import section_of

WRITTEN = object()  # marks a setting for a file that the table writes


def from_there(
    table: Mapping[str, Any], model: type[BaseModel], folder: Path, data: Callable[[], Path]
) -> dict[str, Any]:
    """The table of a settings file in `folder`, with absolute paths. `WRITTEN` files are relative to `data`."""
    whole = dict(table)
    for key, field in model.model_fields.items():
        value, section = whole.get(key), section_of(field.annotation)
        if section is not None and isinstance(value, Mapping):
            whole[key] = from_there(value, section, folder, data)
        elif isinstance(value, str) and value and names_file(field.annotation):
            whole[key] = str((data() if WRITTEN in field.metadata else folder) / value)
    return whole


def names_file(annotation: Any) -> bool:
    """Whether a setting of that kind is a path."""
    return annotation is Path or any(names_file(part) for part in get_args(annotation))
