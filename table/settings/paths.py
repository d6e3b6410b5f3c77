"""Files that a settings file names are looked for from where that file is: whoever starts the table stands elsewhere
than whoever tried it, and a service stands nowhere in particular."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from table.settings.faults import section_of


def from_there(table: Mapping[str, Any], model: type[BaseModel], folder: Path) -> dict[str, Any]:
    """The table of a settings file in `folder`, with whole paths."""
    whole = dict(table)
    for key, field in model.model_fields.items():
        value, section = whole.get(key), section_of(field.annotation)
        if section is not None and isinstance(value, Mapping):
            whole[key] = from_there(value, section, folder)
        elif isinstance(value, str) and value and names_file(field.annotation):
            whole[key] = str(folder / value)
    return whole


def names_file(annotation: Any) -> bool:
    """Whether a setting of that kind is a path."""
    return annotation is Path or any(names_file(part) for part in get_args(annotation))
