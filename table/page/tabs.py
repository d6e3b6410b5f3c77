"""Which page each browser tab shows: after a reload the new page continues where the tab's last one was.

NiceGUI draws a random tab id in the browser, keeps it for as long as the tab is open, and gives a duplicated tab a new
one. It is told to nobody else, so nobody else can take the seat with it.
"""

from __future__ import annotations

from table.page.chairs import Chairs


class Tabs:
    """The pages of one room, by tab id."""

    def __init__(self) -> None:
        self._shown: dict[str, Chairs] = {}

    def show(self, tab: str | None, chairs: Chairs) -> None:
        """A page is connected in that tab: for the first time, or again."""
        if tab is None:
            return
        before = self._shown.get(tab)
        self._shown[tab] = chairs
        if before is not None and before is not chairs:
            chairs.go_on_for(before)

    def close(self, chairs: Chairs) -> None:
        """A page has been disconnected for a while; its tab may show another one by now."""
        chairs.gone()
        for tab in [tab for tab, shown in self._shown.items() if shown is chairs]:
            del self._shown[tab]
