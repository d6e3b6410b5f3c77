"""Files that a settings file names are looked for from where that file is: whoever starts the table stands elsewhere
than whoever tried it, and a service stands nowhere in particular. What the table writes itself goes with its data, for
on an installed table it may write nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from table.settings.faults import section_of

WRITTEN = object()  # marks a setting that names a file which the table writes


def from_there(
    table: Mapping[str, Any], model: type[BaseModel], folder: Path, data: Callable[[], Path]
) -> dict[str, Any]:
    """The table of a settings file in `folder`, with whole paths; those of `WRITTEN` files from `data`."""
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
