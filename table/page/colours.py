"""Colours of the pieces. Every colour also has a mark, so that nothing depends on colour alone."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class Paint:
    """Fill, ink on it, and the mark: a shape drawn inside a unit circle."""

    fill: str
    ink: str
    mark: str


PAINTS: dict[str, Paint] = {
    "red": Paint("#c8322b", "#ffffff", "triangle"),
    "yellow": Paint("#f2bd1d", "#1d1600", "square"),
    "green": Paint("#1f8a4c", "#ffffff", "cross"),
    "blue": Paint("#1f63c4", "#ffffff", "diamond"),
    "white": Paint("#f7fafc", "#16222c", "ring"),
    "black": Paint("#1a1d21", "#ffffff", "bar"),
    "purple": Paint("#7a3fa0", "#ffffff", "ring"),
}

_MARKS = {
    "triangle": '<path d="M0 -.55L.52 .38L-.52 .38Z" fill="{ink}"/>',
    "square": '<rect x="-.4" y="-.4" width=".8" height=".8" fill="{ink}"/>',
    "cross": '<path d="M-.5 0H.5M0 -.5V.5" stroke="{ink}" stroke-width=".3"/>',
    "diamond": '<path d="M0 -.58L.5 0L0 .58L-.5 0Z" fill="{ink}"/>',
    "ring": '<circle r=".38" fill="none" stroke="{ink}" stroke-width=".22"/>',
    "bar": '<rect x="-.55" y="-.16" width="1.1" height=".32" fill="{ink}"/>',
}


def mark(colour: str) -> str:
    """The mark of a colour, for a group scaled to a radius."""
    paint = PAINTS[colour]
    return _MARKS[paint.mark].replace("{ink}", paint.ink)


def disc(colour: str, x: float, y: float, radius: float, title: str = "") -> str:
    """A piece of that colour with its mark, centred on x, y."""
    paint = PAINTS[colour]
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) scale({radius:.1f})">'
        f"{f'<title>{escape(title)}</title>' if title else ''}"
        f'<circle r="1" fill="{paint.fill}" class="rim"/>{mark(colour)}</g>'
    )


def chip(colour: str, size: int = 28) -> str:
    """A small picture of a colour and its mark, beside a name that says it in words."""
    frame = f'class="chip" width="{size}" height="{size}" viewBox="-1.2 -1.2 2.4 2.4"'
    return f'<svg {frame} aria-hidden="true">{disc(colour, 0, 0, 1)}</svg>'
