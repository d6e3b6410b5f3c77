"""Ice Cult's moves as the page's buttons name them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.ice_cult.cubeset import ARC, CIRCLE
from rules.ice_cult.state import MOVE, State
from table.page.chairs import Chairs
from table.page.panel_ice_cult import IceCultPanel
from table.page.sentences import sentences
from table.page.texts import LANGUAGES, Texts
from tests.table.rooms import room


def panel(language: str = "en") -> IceCultPanel:
    table = room()
    table.new_game("ice-cult", ["yellow", "red"], {})
    return IceCultPanel(table, "ice-cult", Texts(language), Chairs(table, None, None, "", "this browser"))


def stand_on_north_3(cult: IceCultPanel, stack: str) -> None:
    """Pawns on the third space of the northern path; NW shows a red arrow along it, NE and SE a circle, SW an arc."""
    sitting = cult.desk.sitting
    state = sitting.state
    assert isinstance(state, State)
    paths = ("", "", stack, *[""] * (len(state.paths) - 3))
    start = state._replace(phase=MOVE, tops=(0, CIRCLE, CIRCLE, ARC), paths=paths)
    cult.desk.sitting = replace(sitting, start=start)


def test_a_pawn_within_a_stack_is_told_by_its_place() -> None:
    cult = panel()
    assert cult.words("use NE 3#2") == "Arrow NE: pawn 2 of space 3, counted from below"
    assert cult.words("use NE 3") == "Arrow NE: the pawn on space 3"


def test_the_topmost_pawn_of_a_stack_is_told_from_those_below_it() -> None:
    cult = panel()
    stand_on_north_3(cult, "RYR")
    assert cult.words("use NW 3") == "Arrow NW: the topmost pawn of the arrow’s colour on space 3"
    assert cult.words("copy NE NW 3").endswith("the topmost pawn of the arrow’s colour on space 3")
    stand_on_north_3(cult, "YR")
    assert cult.words("use NW 3") == "Arrow NW: the pawn on space 3"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_buttons_have_the_same_words(language: str) -> None:
    cult = panel(language)
    stand_on_north_3(cult, "RYR")
    words = [cult.words(move) for move in cult.legal()]
    assert len(words) > 4
    assert len(set(words)) == len(words)
    state = cult.desk.sitting.state
    assert isinstance(state, State)
    two_arcs = state._replace(tops=(0, CIRCLE, ARC, ARC))
    cult.desk.sitting = replace(cult.desk.sitting, start=two_arcs)
    words = [cult.words(move) for move in cult.legal()]
    assert len(set(words)) == len(words)


@pytest.mark.parametrize(
    ("language", "button", "sentence"),
    [
        ("de", "NW im Uhrzeigersinn drehen", "Der Würfel auf NW wurde im Uhrzeigersinn gedreht"),
        ("it", "Girare NW in senso orario", "Il cubo su NW è stato girato in senso orario"),
    ],
)
def test_a_sense_of_turning_is_said_alike_on_buttons_and_in_sentences(
    language: str, button: str, sentence: str
) -> None:
    assert panel(language).words("turn SW NW cw") == button
    assert sentences(language)("The cube on NW was turned clockwise") == sentence
