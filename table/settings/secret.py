"""Passwords in the settings: masked in output, and never left in a world-readable file."""

from __future__ import annotations

import contextlib
import grp
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, SecretStr

from firmware_bridge.host.durable import write_whole
from table.settings.faults import section_of

GROUP = "polartable"  # the table's own group on a machine that `polartable setup` has installed
STARS = str(SecretStr("x"))  # pydantic's mask for a password, and so that of `settings show`


def masked(value: Any, annotation: Any) -> Any:
    """A setting's value, or a section's values, with passwords masked. `annotation`: as in the model."""
    if value is not None and SecretStr in (annotation, *get_args(annotation)):
        return STARS
    section = section_of(annotation)
    if section is None or not isinstance(value, Mapping):
        return value
    kinds = {name: field.annotation for name, field in section.model_fields.items()}
    return {key: masked(inner, kinds.get(key)) for key, inner in value.items()}


def write(file: Path, text: str, model: type[BaseModel], table: Mapping[str, Any]) -> bool:
    """Write settings atomically; `table` is the parsed `text`. Returns whether it took read access from somebody.

    If the text holds a password, only the owner and the group may read the file; root's own group is replaced by the
    table's, which has to read it. Raises OSError.
    """
    secret, there = masked(table, model) != table, file.exists()
    closed = secret and there and _close(file)
    write_whole(file, text.encode(), 0o600 if secret else 0o644 & ~_umask())
    if secret and not there:
        _close(file)
    return closed


def _close(file: Path) -> bool:
    was = file.stat()
    mode = was.st_mode & 0o7770
    with contextlib.suppress(KeyError):
        if os.geteuid() == 0 and was.st_gid == 0:
            os.chown(file, -1, grp.getgrnam(GROUP).gr_gid)
            mode |= 0o040
    file.chmod(mode)
    return mode != was.st_mode & 0o7777


def _umask() -> int:
    mask = os.umask(0)  # the umask can only be read by setting it
    os.umask(mask)
    return mask
