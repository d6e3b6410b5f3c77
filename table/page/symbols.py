"""The symbols on the faces of the Ice Cult cubes: arrows in four colours, the purple circle, the black quarter arc."""

from __future__ import annotations

from table.page.colours import PAINTS, mark

SHEET = "#f4fafd"  # the ice of the cube
_DEGREES = {"N": 0, "E": 90, "S": 180, "W": 270}


def symbol(top: str, turn: float | None = None) -> str:
    """The SVG of a face in a box of −50…50, north up: `red>E`, `arc`, `circle`.

    `turn` in degrees clockwise overrides the arrow's direction and gives the arc's (0: its centre in the SE corner).
    """
    if top == "circle":
        return f'<circle r="27" fill="none" stroke="{PAINTS["purple"].fill}" stroke-width="13"/>'
    if top == "arc":
        turned = 0.0 if turn is None else turn
        arc = '<path d="M-34 50A84 84 0 0 1 50 -34" fill="none" stroke="#16202a" stroke-width="15"/>'
        return f'<g transform="rotate({turned:g})">{arc}</g>'
    colour, _, direction = top.partition(">")
    degrees = _DEGREES.get(direction, 0) if turn is None else turn
    fill = PAINTS[colour].fill
    line = 'stroke="#16202a" stroke-width="2.5" stroke-linejoin="round"'
    arrow = f'<path d="M0 -42L34 -2H15V40H-15V-2H-34Z" fill="{fill}" {line}/>'
    return (
        f'<g transform="rotate({degrees:g})">{arrow}</g>'
        f'<g transform="rotate({degrees:g}) translate(0 8) rotate({-degrees:g}) scale(15)">{mark(colour)}</g>'
    )


def face(top: str, turn: float | None = None) -> str:
    """A whole face on its sheet of ice, as a stand-alone picture (for the 3-D view)."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="-50 -50 100 100">'
        f'<rect x="-50" y="-50" width="100" height="100" fill="{SHEET}"/>'
        '<rect x="-48" y="-48" width="96" height="96" rx="7" fill="none" stroke="#8fb6cc" stroke-width="3"/>'
        f"{symbol(top, turn)}</svg>"
    )
