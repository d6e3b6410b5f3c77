"""Who plays which seat from which browser: by a session token on the network, by the browser tab on this machine."""

from __future__ import annotations

from collections.abc import Sequence

from table.door.access import HOST, Access, Who
from table.page.room import Room


class Chairs:
    """The chairs as one browser sees them. `token` None: pairing is not used (loopback, or the demo)."""

    def __init__(
        self, room: Room, access: Access | None, token: str | None, address: str, browser: str
    ) -> None:
        self._room, self._access, self._token = room, access, token
        self._address, self._browser = address, browser

    def who(self) -> Who | None:
        """The present role of this browser; None if it has to pair again."""
        return HOST if self._access is None else self._access.who(self._token, self._address)

    def seat(self, game: str) -> str | None:
        """The seat that this browser plays; None: none."""
        who = self.who()
        if who is not None and who.role == "player":
            return who.seat
        mine = [s for (g, s), browser in self._room.by_hand.items() if g == game and browser == self._browser]
        return mine[0] if mine else None

    def free(self, game: str) -> list[str]:
        """The seats that nobody plays."""
        taken = self._taken(game) | set(self._room.giants(game))
        return [seat for seat in self._seats(game) if seat not in taken]

    def sit(self, game: str, seat: str) -> None:
        who = self.who()
        if seat not in self.free(game) or who is None:
            return
        if who.role == "host":
            self._room.take(game, seat, self._browser)
        elif self._access is not None and self._token is not None:
            self._access.sit(self._token, seat)
            self._room.desks[game].seat(seat, "taken")

    def stand_up(self, game: str, seat: str) -> None:
        who = self.who()
        if who is not None and who.role == "player" and self._access is not None and self._token is not None:
            self._access.stand_up(self._token)
            self._room.desks[game].seat(seat, "left")
        else:
            self._room.take(game, seat, None)

    def hand_on(self, game: str) -> str | None:
        """A code that hands this browser's seat to another phone; None if it has no seat."""
        who = self.who()
        if who is None or who.role != "player" or self._access is None or self._token is None:
            return None
        return self._access.hand_on(self._token)

    def occupied(self, game: str) -> list[str]:
        """The seats played from elsewhere, on phones or another page of the host: the host can free them."""
        taken, mine = self._taken(game), self.seat(game)
        return [seat for seat in self._seats(game) if seat in taken and seat != mine]

    def free_seat(self, game: str, seat: str) -> None:
        """Make whoever plays that seat a spectator (the host)."""
        who = self.who()
        if who is None or who.role != "host" or seat not in self.occupied(game):
            return
        if self._access is not None:
            self._access.free(seat)
        self._room.by_hand.pop((game, seat), None)
        self._room.desks[game].seat(seat, "freed")

    def go_on_for(self, before: Chairs) -> None:
        """This page replaces another one in the same tab: take over its seat."""
        who = self.who()
        if who is None or who.role != "host":
            return
        for seat, browser in self._room.by_hand.items():
            if browser == before._browser:
                self._room.by_hand[seat] = self._browser

    def gone(self) -> None:
        """The page was closed: free the seats that were played from it without a token."""
        for (game, seat), browser in list(self._room.by_hand.items()):
            if browser == self._browser:
                self._room.take(game, seat, None)

    def _seats(self, game: str) -> Sequence[str]:
        sitting = self._room.desks[game].sitting
        return sitting.game.seats(sitting.state)

    def _taken(self, game: str) -> set[str]:
        """The seats that people play: at a page of the host, or with their own token."""
        here = {seat for g, seat in self._room.by_hand if g == game}
        return here if self._access is None else here | self._access.taken()
