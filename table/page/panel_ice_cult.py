"""Ice Cult on the page: the board, the cubes in 3-D and unfolded, moves by tapping."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Any

from rules.ice_cult.notation import TILTS
from table.desk.said import spoken
from table.page import ice_cult_board
from table.page.buttons import PLAIN, STRONG, Offer
from table.page.colours import chip
from table.page.cube_net import arc_turns, nets
from table.page.cubes_3d import CubeScene, resting
from table.page.panel import Panel
from table.page.picture import Picture
from table.page.sentences.grammar import Places


class IceCultPanel(Panel):
    def name(self) -> str:
        return self.texts["cult.title"]

    def body(self) -> None:
        from nicegui import ui

        self._before: dict[str, Any] = {}
        self._fresh: list[str] = []
        with ui.element("div").classes("cult"):
            with ui.element("div").classes("boardside"):
                self._board = Picture(self.tapped)
                self._owed = Picture(classes="owed")
                self.build_hands()
            with ui.element("div"):
                with ui.element("div").classes("solid"):
                    if self.room.simulated or self.room.cubes.turns:
                        ui.html(f"<h3>{escape(self.texts['cult.three_d'])}</h3>", sanitize=False)
                    cubes = {slot: cube["cube"] for slot, cube in self.view()["cubes"].items()}
                    self._scene = CubeScene(cubes, self.room.faces)
                    self._scene.scene.props(f'role=img aria-label="{self.texts["cult.three_d"]}"')
                self._nets = Picture()

    def refresh(self) -> None:
        super().refresh()
        self._scene.show(self.room.cubes)

    def draw(self) -> None:
        view = self.view()
        if view != self._before:
            self._fresh = ice_cult_board.changed(self._before, view)
            self._before = view
        self._owed.show(escape(self._still_owed(view)))
        cubes, faces = view["cubes"], self.room.faces
        arcs = arc_turns(cubes, faces)
        self._board.show(ice_cult_board.board(view, self.texts, self.legal(), self._fresh, arcs))
        self._nets.show(nets(cubes, faces, self.texts))
        if not self.room.cubes.turns:  # no cube is felt: draw them as the position says
            for slot, cube in cubes.items():
                self._scene.lay(slot, resting(cube["up"], cube["north"]))

    def _still_owed(self, view: dict[str, Any]) -> str:
        """The arrows and circles that must still be used before the turn may end (IC-11)."""
        sitting = self.desk.sitting
        if view["phase"] != "move":
            return ""
        moves = list(sitting.game.moves(sitting.state))
        if "end" in moves:
            return ""
        slots = dict.fromkeys(move.split()[1] for move in moves if move.startswith(("use", "copy")))
        arrows = ", ".join(spoken(f"{slot} {self._top(view['tops'][slot])}").rstrip(".") for slot in slots)
        return self.texts("cult.owed", arrows=arrows)

    def _top(self, top: str) -> str:
        return top if self.texts.language == "en" else Places(self.texts, self.say).shown(top)

    def whose(self) -> str:
        acting = self.view()["to_act"]
        if not acting:
            return ""
        words = self.texts("cult.turn", colour=self.texts[f"colour.{acting[0]}"])
        return f"{chip(acting[0], 24)} {escape(words)}"

    def words(self, move: str) -> str:
        texts, parts = self.texts, move.split()
        match parts[0]:
            case "tilt":
                pair, side = parts[1].split(">")
                return texts("hand.tilt", pair=texts[f"hand.pair_{pair}"], side=texts[f"hand.side_{side}"])
            case "turn":
                key = "hand.turn_cube_by" if self._several_arcs() else "hand.turn_cube"
                return texts(key, arc=parts[1], slot=parts[2], sense=texts[f"hand.{parts[3]}"])
            case "use":
                return texts("hand.use_arrow", slot=parts[1], pawn=self._pawn(move, parts[2]))
            case "copy":
                return texts(
                    "hand.copy_arrow", slot=parts[1], arrow=parts[2], pawn=self._pawn(move, parts[3])
                )
            case "correct":
                return texts("hand.lies", slot=parts[1], cube=parts[2], up=parts[3], north=parts[4])
            case "end":
                return texts["hand.end"]
        return move

    def _several_arcs(self) -> bool:
        """Whether several arcs are still open: two may turn the same cube, so the buttons name the arc."""
        sitting = self.desk.sitting
        turns = (move for move in sitting.game.moves(sitting.state) if move.startswith("turn "))
        return len({move.split()[1] for move in turns}) > 1

    def _pawn(self, move: str, where: str) -> str:
        if where == "pool":
            return self.texts["hand.pool_pawn"]
        space, _, number = where.partition("#")
        if number:
            return self.texts("hand.stack_pawn", space=space, number=number)
        sitting = self.desk.sitting
        # if the arrow can move another pawn of that stack as well, the button must name this one
        several = any(other.startswith(f"{move}#") for other in sitting.game.moves(sitting.state))
        return self.texts("hand.top_pawn" if several else "hand.space_pawn", space=space)

    def offers(self, legal: list[str]) -> list[Offer]:
        hint = [Offer("choose", self.texts["hand.choose"])] if legal else []
        strong = ("end", "tilt")
        return hint + [
            replace(self.button(move, STRONG if move.split()[0] in strong else PLAIN), off=move not in legal)
            for move in _in_their_places(legal)
            if move != "abandon"
        ]


def _in_their_places(legal: list[str]) -> list[str]:
    """The moves, with the one tilt that may not be made a second time kept in its place (IC-5).

    Otherwise the other tilts would close up after the first, under the finger that makes the second.
    """
    tilts = [f"tilt {how}" for how in TILTS]
    return [*tilts, *(m for m in legal if m not in tilts)] if set(tilts) & set(legal) else legal
