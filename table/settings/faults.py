"""Faults of a settings file, each one sentence with its line and the nearest valid value."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterator
from datetime import date, time
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, SecretStr, ValidationError

from firmware_bridge.errors import PolartableError
from table.blanked import blanked

Keys = tuple[str, ...]

# by pydantic's error type: pydantic's own messages speak Python
WRITE = {
    "tuple_type": 'write a list: ["…", "…"]',
    "dict_type": "write a table: a line of its own for each",
    "path_type": "write a text in quotes",
    "string_type": "write a text in quotes",
    "int_type": "write a whole number",
    "int_parsing": "write a whole number",
    "bool_type": "write true or false",
    "bool_parsing": "write true or false",
}


class SettingsError(PolartableError, ValueError):
    """A settings file that makes no sense."""

    number = 102


class SettingsTooNew(SettingsError):
    """A settings file that was written for a later Polartable."""

    number = 103


def faults(
    error: ValidationError, model: type[BaseModel], file: Path | None, text: str
) -> list[SettingsError]:
    """Every fault that pydantic found, in the order of the file's lines."""
    found: dict[Keys, tuple[int, SettingsError]] = {}
    for one in error.errors():
        keys = tuple(str(part) for part in one.get("ctx", {}).get("keys", one["loc"]))
        while keys and _is_detail(keys):  # pydantic's names for the arms of a union are no keys
            keys = keys[:-1]
        line = line_of(text, keys)
        name = named_by(keys, inside=line is None or not _fields(model, keys))
        where = place(file, line) if name is None else f" in the environment ({name})"
        found.setdefault(keys, (line or 0, _sentence(dict(one), keys, model, where)))
    return [fault for _, fault in sorted(found.values(), key=lambda pair: pair[0])]


def variable(keys: Keys) -> str:
    """The environment variable that overrides a setting."""
    return "POLARTABLE_" + "__".join(keys).upper()


def named_by(keys: Keys, inside: bool = True) -> str | None:
    """The environment variable that sets a setting: its own, a section's around it, or (`inside`) a part's."""
    own = variable(keys)
    for name in sorted(os.environ, key=lambda name: (name.upper() != own, -len(name))):
        given = name.upper()
        if given == own or (inside and given.startswith(f"{own}__")):
            return name
        if own.startswith(f"{given}__") and _holds(os.environ[name], keys[given.count("__") + 1 :]):
            return name
    return None


def _holds(text: str, keys: Keys) -> bool:
    try:
        value = json.loads(text)
        for key in keys:
            value = value[key]
    except (ValueError, TypeError, LookupError, RecursionError):
        return False
    return True


def place(file: Path | None, line: int | None) -> str:
    """Where a fault is; to be appended to its sentence."""
    if file is None:
        return " in the environment"
    return f" in {file}" if line is None else f" in {file}, line {line}"


def _sentence(one: dict[str, Any], keys: Keys, model: type[BaseModel], where: str) -> SettingsError:
    name = ".".join(keys)
    if one["type"] == "extra_forbidden":
        known = list(_fields(model, keys[:-1]))
        return SettingsError(f"there is no setting {name!r}{where}", nearest(keys[-1], known, model, keys))
    if one["type"] == "no_seat":
        known = list(one["ctx"]["known"])
        mend = nearest(keys[-1], known, model, keys)
        return SettingsError(f"there is no seat {keys[-1]!r} ({'.'.join(keys[:-1])}){where}", mend)
    if one["type"] == "same_pin":
        pin, uses = one["ctx"]["pin"], " and ".join(one["ctx"]["uses"])
        return SettingsError(f"pin {pin} is named twice{where}: {uses}", "give each a pin of its own")
    if one["type"] == "same_wire":
        kind, wire, uses = one["ctx"]["kind"], blanked(one["ctx"]["wire"]), " and ".join(one["ctx"]["uses"])
        own = "an input of its own" if kind == "input" else "a port of its own"
        if all(use.startswith("ear.sources.") for use in one["ctx"]["uses"]):
            own += ", or name it once, for all seats: table"
        return SettingsError(f"{kind} {wire} is named twice{where}: {uses}", f"give each {own}")
    value, section = one["input"], section_of(annotation_of(model, keys))
    if section is not None and not isinstance(value, dict):
        first = variable((*keys, next(iter(section.model_fields))))
        mend = (
            f"one value each: {first}=…"
            if " in the environment" in where
            else f"write [{name}], and each value below"
        )
        return SettingsError(f"setting {name!r}{where} is no section", mend)
    allowed: list[str] = re.findall(r"'([^']*)'", str(one.get("ctx", {}).get("expected", "")))
    if one["type"] == "literal_error" and isinstance(value, str):
        near = difflib.get_close_matches(value, allowed, 1, 0.6)
        mend = f"did you mean {near[0]!r}?" if near else f"possible are {', '.join(allowed)}"
        return SettingsError(f"setting {name!r}{where} is {value!r}", mend)
    message = WRITE.get(one["type"]) or one["msg"].removeprefix("Value error, ")
    cause = f"setting {name!r}{where} {_is(value, annotation_of(model, keys))}"
    return SettingsError(cause, message[:1].lower() + message[1:])


def _is(value: Any, annotation: Any) -> str:
    """Describe a value without revealing a possible password: sentences are read aloud, photographed and forwarded."""
    secret = SecretStr in (annotation, *get_args(annotation))
    stray = isinstance(value, dict) and section_of(annotation) is None  # an unknown table may hold a password
    if secret or stray:
        return "cannot be used"
    moment = isinstance(value, date | time)  # TOML has dates and times, and no setting needs them
    shown = blanked(value.isoformat() if moment else repr(value))
    return f"is {shown if len(shown) <= 80 else shown[:77] + '…'}"


def nearest(key: str, known: list[str], model: type[BaseModel], keys: Keys) -> str:
    """The key that was probably meant: of the same section, else of another one."""
    near = difflib.get_close_matches(key, known, 1, 0.5)
    if near:
        return f"did you mean {near[0]!r}?"
    elsewhere = [dotted for dotted in _all(model) if dotted.split(".")[-1] == key]
    if elsewhere and elsewhere[0] != ".".join(keys):
        return f"did you mean {elsewhere[0]!r}?"
    return f"known are {', '.join(known)}"


def _fields(model: type[BaseModel], section: Keys) -> dict[str, Any]:
    for name in section:
        field = model.model_fields.get(name)
        below = None if field is None else section_of(field.annotation)
        if below is None:
            return {}
        model = below
    return dict(model.model_fields)


def annotation_of(model: type[BaseModel], keys: Keys) -> Any:
    """The type of the value at `keys`; None for a key of a table, and for an unknown key."""
    kind: Any = None
    section: type[BaseModel] | None = model
    for key in keys:
        if section is None or key not in section.model_fields:
            return None
        kind = section.model_fields[key].annotation
        section = section_of(kind)
    return kind


def section_of(annotation: Any) -> type[BaseModel] | None:
    """The section that a field holds; None for a field that is no section."""
    for kind in (annotation, *get_args(annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None


def _all(model: type[BaseModel], before: Keys = ()) -> Iterator[str]:
    for name, field in model.model_fields.items():
        below = section_of(field.annotation)
        yield ".".join((*before, name))
        if below is not None:
            yield from _all(below, (*before, name))


def _is_detail(keys: Keys) -> bool:
    """Whether the last part is not a key of the file but pydantic's name for one arm of a type."""
    return keys[-1] in ("int", "str", "float", "bool", "none", "function-after") or "[" in keys[-1]


# where a key is: TOML's own parser keeps no line numbers, and a sentence without one sends people searching

_HEADER = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(
    r"""^\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*="""
)


def line_of(text: str, keys: Keys) -> int | None:
    """The line (from 1) of a dotted key, or of the closest table above it; None if the text has neither."""
    best: tuple[int, int] | None = None
    section: Keys = ()
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header is not None:
            here = section = _split(header[1])
        elif key is not None:
            here = (*section, *_split(key[1]))
        else:
            continue
        if keys[: len(here)] == here and (best is None or len(here) > best[0]):
            best = (len(here), number)
    return None if best is None else best[1]


def _split(dotted: str) -> Keys:
    return tuple(part.strip().strip("\"'") for part in re.findall(r""""[^"]*"|'[^']*'|[^.]+""", dotted))
