"""IGLOO on the page: choose a piece of the stash, tap where it shall lie; open pieces are captured by a tap.

For a piece that nobody measures there are buttons instead, one for each piece that it may be connected to.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from rules.looney.options import widths_of
from rules.looney.room import Rectangle
from table.page import looney_board, looney_places, looney_told
from table.page.buttons import PLAIN, QUIET, STRONG, Offer
from table.page.colours import PAINTS
from table.page.panel_plain import PlainPanel

_TAP = re.compile(r"place (\w+) ([SML]) near (-?\d+(?:\.\d+)?) (-?\d+(?:\.\d+)?)")


class LooneyPanel(PlainPanel):
    """The secret colour, the pieces left, the table from above."""

    hidden = "hand.secret"

    def body(self) -> None:
        self._kind: tuple[str, str] | None = None
        self._telling = False  # enter its connections although it could be measured
        self._linked: set[int] = set()  # connections entered so far for the next piece
        self._lying: list[int] = []  # the pieces that could be chosen from
        # cached for one state, by size
        self._rooms: tuple[Any, dict[str, tuple[Rectangle, ...]]] = (None, {})
        super().body()

    def name(self) -> str:
        return "IGLOO"

    def draw(self) -> None:
        view = self.view()
        kinds = self._kinds(view)
        lying = [piece["id"] for piece in view["pieces"]]
        if self._lying != lying:
            self._lying, self._linked = lying, set()
        self._telling = self._telling and bool(kinds)
        if self._kind not in kinds:
            self._kind = kinds[0] if kinds else None
        places, width = "", 0
        if self._kind is not None and not self._by_links():
            colour, size = self._kind
            widths = widths_of(view["options"])
            width, start = widths[size], f"place {colour} {size}"
            drawn = looney_places.drawn(self._areas(size), start, width, widths["S"], self.texts)
            places = "".join(drawn)
        self._board.show(looney_board.board(view, self.texts, self.legal(), places, width))
        self._beside.show(looney_told.listed(view, self.texts) + looney_board.stash(view, self.texts))

    def tapped(self, moves: list[str], at: int) -> None:
        tap = _TAP.fullmatch(moves[0]) if moves else None
        if tap is None:
            placing = [m for m in moves if m.startswith("place ")]
            if placing and self._kinds(self.view()):
                self.act(placing[0], at)
            else:
                super().tapped(moves, at)
            return
        colour, size, x, y = tap[1], tap[2], float(tap[3]), float(tap[4])
        held = (colour, size) in self._kinds(self.view())
        where = looney_places.meant(self.desk.sitting.state, size, x, -y) if held else None
        if where is not None:
            self.act(f"place {colour} {size} @ {where[0]},{where[1]}", at)
        elif not self._positions.shows(at, self.desk.sitting):
            self.tell_gone_on()

    def offers(self, legal: list[str]) -> list[Offer]:
        left = looney_places.kinds(self.view(), self.seat) if self._places() else []
        out = self._to_place(left) if left else []
        on_board = self.on_board(legal)
        return out + [self.button(move, STRONG) for move in legal if move not in on_board]

    def on_board(self, legal: list[str]) -> set[str]:
        hidden = {f"capture #{piece['id']}" for piece in looney_told.unplaced(self.view())}
        return {move for move in legal if move.startswith(("place ", "capture #"))} - hidden

    def words(self, move: str) -> str:
        parts = move.split()
        match parts[0]:
            case "commit":
                key = "looney.commit" if self.seat == parts[1] else "looney.commit_for"
                return self.texts(key, side=self._seat_name(parts[1]), colour=self._colour(parts[2]))
            case "capture" if parts[1] == "all":
                return self.texts["looney.capture_all"]
            case "capture":
                return self.texts("looney.capture", number=parts[1].removeprefix("#"))
            case "done" | "pass" | "reveal" as word:
                return self.texts[f"looney.{word}"]
        return move

    # inside

    def _places(self) -> bool:
        """Whether this viewer may place a piece."""
        return self.seat is not None or self.keeps()

    def _by_links(self) -> bool:
        """Whether the next piece is entered by its connections: always, once any piece was (D-84)."""
        return self._telling or not self.desk.sitting.state.measured

    def _areas(self, size: str) -> tuple[Rectangle, ...]:
        state = self.desk.sitting.state
        if self._rooms[0] is not state:
            self._rooms = (state, {})
        if size not in self._rooms[1]:
            self._rooms[1][size] = looney_places.areas(state, size)
        return self._rooms[1][size]

    def _kinds(self, view: dict[str, Any]) -> list[tuple[str, str]]:
        """What can be chosen now: those of the remaining pieces that fit anywhere."""
        left = looney_places.kinds(view, self.seat) if self._places() else []
        return [(colour, size) for colour, size, _ in left if self._by_links() or self._areas(size)]

    def _to_place(self, left: list[tuple[str, str, int]]) -> list[Offer]:
        """Buttons for the piece and its further properties; its place is tapped on the board."""
        by_links = self._by_links()
        able = self._kinds(self.view())
        out = [self._choice(*kind) for kind in left if kind[:2] in able]
        if out:
            key = "looney.choose_linked" if by_links else "looney.choose"
            out.insert(0, Offer(key, self.texts[key]))
        unable = [f"{self._colour(colour)} {size}" for colour, size, _ in left if (colour, size) not in able]
        if unable:
            names = ", ".join(unable)
            out.append(Offer("nowhere", self.texts("looney.nowhere", kinds=names)))
        if by_links:
            out += self._links()
        if able and self.desk.sitting.state.measured and self.view()["pieces"]:
            words = self.texts["looney.tell_place" if by_links else "looney.tell_links"]
            out.append(Offer("telling", words, self._tell, QUIET))
        return out

    def _links(self) -> list[Offer]:
        """Buttons for the pieces that the new one can be connected to, and one that places it."""
        out = []
        for piece in self.view()["pieces"]:
            number, chosen = piece["id"], piece["id"] in self._linked
            words = f"#{number} {self._colour(piece['colour'])} {piece['size']}"
            do, look = partial(self._link, number), STRONG if chosen else PLAIN
            out.append(Offer(f"link {number}", words, do, look, kind=f"#{number}", pressed=chosen))
        if self._kind is not None and self._linked:
            colour, size = self._kind
            ids = sorted(self._linked)
            move = f"place {colour} {size} ~ {','.join(f'#{number}' for number in ids)}"
            near = looney_told.numbers(ids)
            words = self.texts("looney.lay", colour=self._colour(colour), size=size, pieces=near)
            out.append(Offer(move, words, partial(self.act, move), STRONG, move, bound=True))
        return out

    def _tell(self) -> None:
        self._telling, self._linked = not self._telling, set()
        self.draw_again()

    def _link(self, number: int) -> None:
        self._linked ^= {number}
        self.draw_again()

    def _choice(self, colour: str, size: str, left: int) -> Offer:
        kind, chosen = f"{colour} {size}", (colour, size) == self._kind
        words = self.texts("looney.kind", colour=self._colour(colour), size=size, left=left)
        do, look = partial(self._choose, colour, size), STRONG if chosen else PLAIN
        return Offer(f"kind {kind}", words, do, look, kind=kind, pressed=chosen)

    def _choose(self, colour: str, size: str) -> None:
        self._kind = (colour, size)
        self.draw_again()

    def _colour(self, colour: str) -> str:
        return self.texts[f"colour.{colour}"] if colour in PAINTS else colour
