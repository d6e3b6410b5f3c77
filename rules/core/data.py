"""Data sets that ship with the rules (decks, cubes, tile mixes, widths): `rules/data/<kind>-<name>.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def names(kind: str) -> tuple[str, ...]:
    """The data sets of a kind, by name, sorted."""
    found = (entry.name for entry in files("rules.data").iterdir())
    return tuple(
        sorted(
            name.removeprefix(kind + "-").removesuffix(".toml")
            for name in found
            if name.startswith(kind + "-") and name.endswith(".toml")
        )
    )


@cache
def load(kind: str, name: str) -> dict[str, Any]:
    """One data set as in its file. Raises KeyError if there is none of that name."""
    if name not in names(kind):
        raise KeyError(name)
    return tomllib.loads(files("rules.data").joinpath(f"{kind}-{name}.toml").read_text(encoding="utf-8"))
