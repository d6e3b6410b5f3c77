"""Settings from environment variables: reports invalid ones by their variable, before pydantic reads them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from table.settings.faults import Keys, SettingsError, annotation_of, nearest, section_of, variable

PREFIX, BETWEEN = "POLARTABLE_", "__"


def environment_faults(model: type[BaseModel]) -> list[SettingsError]:
    """Unknown settings in `POLARTABLE_…__…`, and values that should be JSON and are not.

    Variables without `__` that name no section belong to others (`POLARTABLE_DATA`, and whatever people keep there).
    """
    found: list[SettingsError] = []
    for name, keys in _variables():
        if keys[0] not in model.model_fields:
            if len(keys) > 1:
                mend = nearest(keys[0], list(model.model_fields), model, keys[:1])
                found.append(SettingsError(f"there is no setting {'.'.join(keys)!r} {_in(name)}", mend))
        elif (annotation := _annotation(model, keys)) is not None and not _is_json(os.environ[name]):
            # a section may hold a password
            shown = "" if section_of(annotation) else f": {os.environ[name][:80]!r}"
            text = f"setting {'.'.join(keys)!r} {_in(name)} is no JSON{shown}"
            found.append(SettingsError(text, f"write {_example(annotation, keys, os.environ[name])}"))
    return found


def _variables() -> Iterator[tuple[str, Keys]]:
    """Name and keys of every variable that may be a setting; case does not matter."""
    for name in sorted(os.environ):
        if name.upper().startswith(PREFIX):
            keys = tuple(name[len(PREFIX) :].lower().split(BETWEEN))
            if all(keys):
                yield name, keys


def _in(name: str) -> str:
    return f"in the environment ({name})"


def _annotation(model: type[BaseModel], keys: Keys) -> Any:
    """The setting's type if it is a section, a list or a table: these are JSON. None for anything else."""
    field = annotation_of(model, keys)
    kinds = (field, *get_args(field))
    return next((k for k in kinds if get_origin(k) in (tuple, list, dict) or section_of(k) is not None), None)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _example(annotation: Any, keys: Keys, text: str) -> str:
    if get_origin(annotation) in (tuple, list):
        inner = text.strip().removeprefix("[").removesuffix("]")
        parts = [part.strip().strip("\"'") for part in inner.split(",")]  # it may have been almost JSON
        return json.dumps([part for part in parts if part] or ["…", "…"], ensure_ascii=False)[:160]
    section = section_of(annotation)
    key = "SEAT" if section is None else next(iter(section.model_fields)).upper()
    return f"an object, or one value each: {variable((*keys, key))}=…"
