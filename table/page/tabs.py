"""Which page each tab of a browser shows: a page that is loaded anew goes on where the tab's last one was.

NiceGUI draws a tab's name at random in the browser, keeps it there for as long as the tab is open, and gives another
one to a tab that was duplicated. Nobody else is told it, so nobody else can sit down with it.
"""

from __future__ import annotations

from table.page.chairs import Chairs


class Tabs:
    """The pages of one room, by the names of their tabs."""

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
        """A page has not been connected for a while; its tab may long show another one."""
        chairs.gone()
        for tab in [tab for tab, shown in self._shown.items() if shown is chairs]:
            del self._shown[tab]
