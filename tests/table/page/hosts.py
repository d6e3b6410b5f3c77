"""Pages of whoever keeps a game for everybody, and games that are begun at them."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, Locator, WebSocketRoute, expect

from tests.table.pages import Watched
from tests.table.shakes import CARDS

SAYS = "[data-part=says]"
# which position the page shows: a game of another kind has a card of its own, and each card counts anew
_POSITION = (
    "(() => { const card = document.querySelector('[data-at]'); return card?.id + ' ' + card?.dataset.at })()"
)


class Host(Watched):
    """A page that keeps the game for everybody. `held`: what the table says to it waits until that is empty again."""

    def __init__(self, browser: Browser, address: str, **more: Any) -> None:
        super().__init__(browser, **more)
        self.held: list[Any] | None = None
        self._route: WebSocketRoute | None = None
        self.page.route_web_socket(re.compile("/_nicegui_ws/"), self._between)
        self.page.goto(address)
        expect(self.page.locator(SAYS)).to_be_visible()

    def _between(self, route: WebSocketRoute) -> None:
        table = route.connect_to_server()
        table.on_message(lambda told: route.send(told) if self.held is None else self.held.append(told))
        self._route = route

    def catch_up(self) -> None:
        told, self.held = self.held or [], None
        assert self._route is not None
        for message in told:
            self._route.send(message)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)


def new_game(host: Host, address: str, game: str, players: list[str], **options: Any) -> None:
    """Begin it, and wait until the page shows it."""
    before = host.page.evaluate(_POSITION)
    new = {"game": game, "players": players, "options": options}
    assert host.page.request.post(f"{address}api/new", data=new).ok
    # the game before may say the same, and what is tapped there is done in neither
    host.page.wait_for_function(f"before => {_POSITION} !== before", arg=before)


def begin(host: Host, address: str, *moves: str) -> None:
    """A new game of Ice Cult, in which these were made."""
    new_game(host, address, "ice-cult", ["yellow", "red"], mode="digital")
    for move in moves:
        assert host.page.request.post(f"{address}api/play", data={"move": move}).ok
    expect(host.page.locator(SAYS)).to_contain_text(re.compile("tilts|ends the turn" if moves else "begins"))


def counted_in(host: Host, address: str) -> Locator:
    """A round of Igloo Pop: the igloo A, which either player may take."""
    new_game(host, address, "igloo-pop", ["red", "blue"])
    for move in (*(f"deal {slot} {card}" for slot, card in enumerate(CARDS, 1)), "count"):
        assert host.page.request.post(f"{address}api/play", data={"move": move}).ok
    igloo = host.page.locator("[data-moves='grab red A|grab blue A']").first
    expect(igloo).to_be_visible()
    return igloo
