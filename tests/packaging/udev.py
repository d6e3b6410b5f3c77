"""A small reader of udev rules: refuses what udev would refuse, and follows a rules file for one device.

For the test machines whose udev has no `udevadm verify` (before 254). The grammar is udev(7)'s, as far as we use it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

_PART = re.compile(
    r'\s*(?P<key>[A-Z]+)(?:\{(?P<name>[^}]+)\})?\s*(?P<op>==|!=|\+=|=)\s*"(?P<value>[^"]*)"\s*'
)
_MATCH = {"ACTION", "KERNEL", "SUBSYSTEM", "SUBSYSTEMS", "ATTR", "ATTRS", "ENV"}
_NAMED = {"ATTR", "ATTRS", "ENV"}
_ASSIGN = {"ENV": "=", "SYMLINK": "+=", "GOTO": "=", "LABEL": "="}


@dataclass
class Device:
    """A device as udev sees it; `parents`: attributes of the devices above, the nearest first."""

    subsystem: str
    properties: dict[str, str]
    attributes: Mapping[str, str] = field(default_factory=dict)
    parents: tuple[tuple[str, Mapping[str, str]], ...] = ()
    links: list[str] = field(default_factory=list)


Part = tuple[str, str | None, str, str]


def read(text: str) -> list[list[Part]]:
    """The rules. Raises ValueError with the line that udev would not take."""
    rules: list[list[Part]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts: list[Part] = []
        at = 0
        while at < len(line):
            found = _PART.match(line, at)
            if found is None:
                raise ValueError(f"line {number}: cannot be read from {line[at:]!r}")
            key, name, op, value = found["key"], found["name"], found["op"], found["value"]
            matches = op in ("==", "!=")
            if (matches and key not in _MATCH) or (not matches and _ASSIGN.get(key) != op):
                raise ValueError(f"line {number}: {key}{op} is not possible")
            if (key in _NAMED) != (name is not None):
                raise ValueError(f"line {number}: {key} and its {{name}}")
            parts.append((key, name, op, value))
            at = found.end()
            if at < len(line):
                if line[at] != "," or not line[at + 1 :].strip():
                    raise ValueError(
                        f"line {number}: a comma and something after it are needed at {line[at:]!r}"
                    )
                at += 1
        rules.append(parts)
    labels = [value for rule in rules for key, _, _, value in rule if key == "LABEL"]
    gotos = {value for rule in rules for key, _, _, value in rule if key == "GOTO"}
    if gotos - set(labels) or len(labels) != len(set(labels)):
        raise ValueError(f"labels {labels}, but jumps to {sorted(gotos)}")
    return rules


def follow(rules: list[list[Part]], device: Device) -> Device:
    """What the rules do to a device: properties and links."""
    jump: str | None = None
    for rule in rules:
        if jump is not None:
            if ("LABEL", None, "=", jump) not in rule:
                continue
            jump = None
        if not _fits([part for part in rule if part[2] in ("==", "!=")], device):
            continue
        for key, name, _, value in (part for part in rule if part[2] in ("=", "+=")):
            if key == "ENV" and name is not None:
                device.properties[name] = value
            elif key == "SYMLINK":
                device.links.append(
                    re.sub(r"\$env\{(\w+)\}", lambda m: device.properties.get(m[1], ""), value)
                )
            elif key == "GOTO":
                jump = value
    return device


def _fits(parts: list[Part], device: Device) -> bool:
    """All of the device's own keys; and the keys of parents must all fit one and the same parent."""
    above = [part for part in parts if part[0] in ("SUBSYSTEMS", "ATTRS")]
    own = [part for part in parts if part not in above]
    values = {"SUBSYSTEM": device.subsystem, "ACTION": device.properties.get("ACTION", "add")}
    for key, name, op, value in own:
        table = {"ENV": device.properties, "ATTR": device.attributes}.get(key, values)
        if fnmatchcase(table.get(name or key, ""), value) != (op == "=="):
            return False
    if not above:
        return True
    line = ((device.subsystem, device.attributes), *device.parents)
    return any(
        all(
            fnmatchcase(subsystem if key == "SUBSYSTEMS" else attributes.get(name or "", ""), value)
            == (op == "==")
            for key, name, op, value in above
        )
        for subsystem, attributes in line
    )
