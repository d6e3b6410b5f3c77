"""A row of buttons with minimal updates: an offer that stays keeps its button, so that no tap is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

PLAIN, STRONG, QUIET = "outline", "unelevated", "flat"
_AT = "(event) => emit(Number(event.target.closest('[data-at]').dataset.at))"


@dataclass(frozen=True, slots=True)
class Offer:
    """A button (identified by `key`), or a hint if there is nothing to do."""

    key: str
    words: str
    do: Callable[..., Any] | None = None
    look: str = PLAIN
    move: str = ""  # the move's notation, if the button makes a move: for scripts that play at the page
    kind: str = ""  # the kind of piece, if the button chooses one
    # it belongs to the position in which it was tapped: `do` gets that position's number (`data-at` around the row)
    bound: bool = False
    pressed: bool | None = None  # whether it is chosen, for a toggle button (`aria-pressed`)
    off: bool = False  # it cannot be tapped now, but keeps the others in their places


class Buttons:
    """A row in which offers come and go."""

    def __init__(self) -> None:
        from nicegui import ui

        self.element = ui.element("div").classes("hands")
        self._shown: dict[Offer, Any] = {}

    def show(self, offers: Sequence[Offer]) -> None:
        """Show these offers in this order. What an offer *does* is fixed when it is first shown."""
        from nicegui import ui

        wanted = {self._key(offer): offer for offer in offers}
        kept = {self._key(offer): element for offer, element in self._shown.items()}
        for key, element in kept.items():
            if key not in wanted:
                element.delete()
        shown: dict[Offer, Any] = {}
        with self.element:
            for index, (key, offer) in enumerate(wanted.items()):
                element = kept.get(key)
                if element is None:
                    if offer.do is None:
                        element = ui.html(hint(offer.words), sanitize=False).classes("w-full")
                    else:
                        element = ui.button(offer.words, on_click=None if offer.bound else offer.do)
                        if offer.bound:
                            element.on("click", partial(_of_position, offer.do), js_handler=_AT)
                        element.props(_props(offer))
                    element.move(self.element, index)
                else:
                    self._look_anew(element, offer)
                shown[offer] = element
        self._shown = shown

    def _look_anew(self, element: Any, offer: Offer) -> None:
        """Update a button that is chosen now, or no longer, in place: keyboard focus stays on it."""
        before = next(one for one, shown in self._shown.items() if shown is element)
        if offer.do is not None and _props(before) != _props(offer):
            element.props(_props(offer), remove=_props(before))

    def _key(self, offer: Offer) -> tuple[str, str]:
        return offer.key, offer.words


def hint(words: str) -> str:
    """A hint as HTML; a rule's number in it, such as IG-12, is not broken at its hyphen."""
    return re.sub(r"\b(?:IC|IG|II|IP)-\d+\b", r'<span class="rule">\g<0></span>', escape(words))


def _props(offer: Offer) -> str:
    """A button's look, and its attributes for scripts and screen readers."""
    out = f"no-caps {offer.look}"
    if offer.pressed is not None:
        out += f" aria-pressed={str(offer.pressed).lower()}"
    if offer.off:
        return f"{out} disable"
    out += f' data-moves="{offer.move}"' if offer.move else ""
    return out + (f' data-kind="{offer.kind}"' if offer.kind else "")


def _of_position(do: Callable[[int], Any], event: Any) -> None:
    do(int(event.args))
