"""The version of this Polartable."""

from __future__ import annotations

from functools import cache
from importlib import metadata


@cache
def version() -> str:
    try:
        return metadata.version("polartable")
    except metadata.PackageNotFoundError:
        return "unpacked"
