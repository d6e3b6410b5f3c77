"""IGLOO on the page: choose a piece of the stash, tap where it shall lie; open pieces are captured by a tap."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from table.page import looney_board, looney_places
from table.page.buttons import PLAIN, STRONG, Offer
from table.page.colours import PAINTS
from table.page.panel_plain import PlainPanel

_TAP = re.compile(r"place (\w+) ([SML]) near (-?\d+(?:\.\d+)?) (-?\d+(?:\.\d+)?)")


class LooneyPanel(PlainPanel):
    """The secret colour, the pieces left, the table from above."""

    def body(self) -> None:
        self._kind: tuple[str, str] | None = None
        super().body()

    def name(self) -> str:
        return "IGLOO"

    def draw(self) -> None:
        view = self.view()
        kinds = self._kinds(view)
        if self._kind not in kinds:
            self._kind = kinds[0] if kinds else None
        places, width = "", 0
        if self._kind is not None:
            colour, size = self._kind
            width = looney_board.WIDTHS[size]
            areas = looney_places.areas(self.desk.sitting.state, size)
            places = "".join(looney_places.drawn(areas, f"place {colour} {size}", width, self.texts))
        self._board.show(looney_board.board(view, self.texts, self.legal(), places, width))
        self._beside.show(looney_board.stash(view, self.texts))

    def tapped(self, moves: list[str]) -> None:
        tap = _TAP.fullmatch(moves[0]) if moves else None
        if tap is None:
            placing = [m for m in moves if m.startswith("place ")]
            if placing and self._kinds(self.view()):
                self.act(placing[0])
            else:
                super().tapped(moves)
            return
        colour, size, x, y = tap[1], tap[2], float(tap[3]), float(tap[4])
        if (colour, size) in self._kinds(self.view()):
            width = looney_board.WIDTHS[size]
            at = looney_places.meant(self.desk.sitting.state, size, x, -y, width)
            if at is not None:
                self.act(f"place {colour} {size} @ {at[0]},{at[1]}")

    def offers(self, legal: list[str]) -> list[Offer]:
        view = self.view()
        out = [self._choice(*kind) for kind in looney_places.kinds(view, self.seat) if self._places()]
        if out:
            out.insert(0, Offer("kind", self.texts["looney.choose"]))
        on_board = self.on_board(legal)
        return out + [self.button(move, STRONG) for move in legal if move not in on_board]

    def on_board(self, legal: list[str]) -> set[str]:
        return {move for move in legal if move.startswith(("place ", "capture #"))}

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
        """Whether whoever looks may place."""
        return self.seat is not None or self.keeps()

    def _kinds(self, view: dict[str, Any]) -> list[tuple[str, str]]:
        left = looney_places.kinds(view, self.seat) if self._places() else []
        return [(colour, size) for colour, size, _ in left]

    def _choice(self, colour: str, size: str, left: int) -> Offer:
        look = STRONG if (colour, size) == self._kind else PLAIN
        words = self.texts("looney.kind", colour=self._colour(colour), size=size, left=left)
        return Offer(
            f"kind {colour} {size}", words, partial(self._choose, colour, size), look, kind=f"{colour} {size}"
        )

    def _choose(self, colour: str, size: str) -> None:
        self._kind = (colour, size)
        self.draw_again()

    def _colour(self, colour: str) -> str:
        return self.texts[f"colour.{colour}"] if colour in PAINTS else colour
