"""The tiles of Igloo Igloo by their names."""

from __future__ import annotations

from table.page.texts import Texts


def tile(kind: str, texts: Texts) -> str:
    """`stamina-2` in words."""
    name, _, number = kind.partition("-")
    said = texts[f"term.{name}"]
    return f"{said} {number}" if number else said
