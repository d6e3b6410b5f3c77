"""IGLOO with pyramids of another make: the page draws and reads taps by the widths that the game has."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rules.looney.game import GAME
from rules.looney.options import widths_of
from table.page import looney_board, looney_places
from table.page.chairs import Chairs
from table.page.panel_looney import LooneyPanel
from table.page.panel_plain import PlainPanel
from table.page.texts import Texts
from table.terminal import igloo as terminal
from tests.table.rooms import room

MILLIMETRES = {"S": 143, "M": 198, "L": 254}  # tenths of them


def begun(widths: Any, *pieces: str) -> Any:
    state, _ = GAME.new(["A", "B"], 1, {"widths": widths})
    for move in ("commit A red", "commit B blue", *pieces):
        state, _ = GAME.play(state, move, move.split()[1] if move.startswith("commit") else None)
    return state


def test_a_piece_is_drawn_as_wide_as_it_is() -> None:
    state = begun(MILLIMETRES, "place red L @ 0,0")
    svg = looney_board.board(GAME.view(state, None), Texts("en"))
    assert re.findall(r'<rect width="(\d+)" height="(\d+)"', svg) == [("254", "254")]
    left, top, width, height = map(float, re.findall(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', svg)[0])
    assert left < 0 < 254 < left + width
    assert top < -254 < 0 < top + height


@pytest.mark.parametrize("size", ["S", "M", "L"])
@pytest.mark.parametrize("apart", [20, 60, 400])
def test_a_number_leaves_the_mark_of_the_colour_uncovered(size: str, apart: int) -> None:
    """Else a piece is told by its colour alone. The farther pieces lie apart, the higher are numbers on a phone."""
    here = [{"id": n, "colour": "blue", "size": size, "x": n * apart, "y": 0} for n in (10, 12)]
    view = {"pieces": here, "links": [], "open": [], "options": {"widths": "standard"}}
    svg = looney_board.board(view, Texts("en"))
    of_mark = re.findall(r'<g transform="translate\([\d.]+ ([\d.]+)\) scale\(([\d.]+)\)">', svg)
    of_number = re.findall(r' y="([\d.]+)" class="number" font-size="([\d.]+)"', svg)
    (middle, radius), (foot, height) = (map(float, found[0]) for found in (of_mark, of_number))
    assert middle + 0.58 * radius <= foot - 0.73 * height  # a diamond, the highest of marks, and a digit
    assert middle > 0.58 * radius


def test_a_tap_means_the_middle_of_a_piece_of_that_width() -> None:
    state = begun(MILLIMETRES, "place red L @ 0,0")
    assert looney_places.meant(state, "L", 294 + 127, 127) == (294, 0)


@pytest.mark.parametrize("scale", [1, 3, 10])
def test_the_picture_is_the_same_in_every_unit(scale: int) -> None:
    standard = {"S": 18, "M": 25, "L": 32}
    svg = [
        looney_board.board(
            GAME.view(begun({s: w * by for s, w in standard.items()}, "place red S @ 0,0"), None), Texts("en")
        )
        for by in (1, scale)
    ]
    for one in (r'viewBox="\S+ \S+ (\S+)', r'font-size="(\S+)"', r"--unit:([\d.]+)", r'<text x="(\S+)"'):
        small, large = (float(re.findall(one, s)[0]) for s in svg)
        assert large == pytest.approx(scale * small, rel=1e-5), one


def test_a_finger_finds_a_place_from_as_far_in_every_unit() -> None:
    found = []
    for by in (1, 10):
        state = begun({"S": 18 * by, "M": 25 * by, "L": 32 * by}, "place red L @ 0,0")
        found.append([looney_places.meant(state, "M", x * by, 16 * by) is None for x in range(-105, 140, 10)])
    assert found[0] == found[1]
    assert True in found[0]
    assert False in found[0]


def test_the_standard_widths_are_those_of_the_rules() -> None:
    view = GAME.view(begun("standard"), None)
    assert widths_of(view["options"]) == {"S": 18, "M": 25, "L": 32}


def test_the_terminal_draws_another_make_to_the_same_scale() -> None:
    drawn = [
        str(terminal._field(view, view["pieces"]))
        for by in (1, 10)
        for view in [
            GAME.view(
                begun({"S": 18 * by, "M": 25 * by, "L": 32 * by}, "place red S @ 0,0"),
                None,
            )
        ]
    ]
    assert drawn[0] == drawn[1]


_PLACE = re.compile(
    r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)" class="place"[^>]* '
    r'data-place="place (\w+ \w)" data-moves="place \w+ \w @ (-?\d+),(-?\d+)"'
)


class Shown:
    """A picture that nobody sees."""

    def show(self, html: str) -> None:
        self.html = html


@pytest.mark.parametrize("widths", ["standard", MILLIMETRES])
async def test_the_panel_draws_the_places_where_a_piece_of_that_make_can_lie(
    monkeypatch: pytest.MonkeyPatch, widths: Any
) -> None:
    """A tap on the middle of a place that is drawn means the move that is written there."""

    def body(panel: Any) -> None:
        panel._board, panel._beside = Shown(), Shown()

    monkeypatch.setattr(PlainPanel, "body", body)
    table = room()
    table.new_game("igloo", ["A", "B"], {"widths": widths})
    for move, seat in (("commit A red", "A"), ("commit B blue", "B"), ("place red L @ 0,0", "A")):
        assert table.desk.play(move, seat)
    panel: Any = LooneyPanel(table, "igloo", Texts("en"), Chairs(table, None, None, "", "this browser"))
    panel.body()
    kinds = panel._kinds(panel.view())
    assert kinds
    for colour, size in kinds:
        panel._kind = colour, size
        panel.draw()
        places = _PLACE.findall(panel._board.html)
        assert places
        for *area, drawn, x, y in places:
            left, top, wide, high = map(float, area)
            corner = looney_places.meant(table.desk.sitting.state, size, left + wide / 2, -(top + high / 2))
            assert drawn == f"{colour} {size}"
            assert corner is not None
            assert corner == pytest.approx((int(x), int(y)), abs=1)


@pytest.mark.parametrize("by", [1, 10])
def test_a_place_of_one_unit_is_drawn_as_large_in_every_unit(by: int) -> None:
    (area,) = looney_places.drawn(((0, 0, 1, 1),), "place blue S", 18 * by, 18 * by, Texts("en"))
    (drawn,) = _PLACE.findall(area)
    assert tuple(map(float, drawn[2:4])) == (5.0 * by, 5.0 * by)
