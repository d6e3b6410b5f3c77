"""A fold of the page: a title that opens what is below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nicegui import ui


def fold(title: str, part: str = "", *, opened: bool = False) -> ui.expansion:
    """A fold at NiceGUI's current position. It opens without animation.

    While a fold slides open the page scrolls under the finger: a tap on a button in it may go down on the button and up
    beside it, which is no tap.
    """
    from nicegui import ui

    data = f" data-part={part}" if part else ""
    expansion = ui.expansion(title, value=opened).classes("w-full").props(f"dense :duration=0{data}")
    expansion.props["toggle-aria-label"] = title  # else the toolkit puts an English “Expand” before it
    return expansion
