"""Which position a tap was of, and what becomes of its move when the game went on meanwhile."""

from table.desk.desk import Desk
from table.page.positions import Positions
from tests.table.games import new_ice_cult
from tests.table.rooms import room
from tests.table.shakes import CARDS

TILTS = ("tilt n>S", "tilt s>S")


def make(page: Positions, desk: Desk, move: str) -> None:
    """Tapped at this page, and made."""
    begun = page.begin(move, desk.sitting)
    assert desk.play(move)
    page.end(begun, desk.sitting)


def test_a_move_is_made_at_the_position_that_is_shown_and_once() -> None:
    desk, mine, others = new_ice_cult(seed=11), Positions(), Positions()
    at, there = mine.number(desk.sitting), others.number(desk.sitting)
    assert mine.number(desk.sitting) == at
    assert mine.fate(at, TILTS[0], desk.sitting) == others.fate(there, TILTS[0], desk.sitting) == "stands"
    make(mine, desk, TILTS[0])
    assert mine.only_mine(at, desk.sitting)
    assert not others.only_mine(there, desk.sitting)
    # it could be made once more, and is only where it is shown that it can
    assert TILTS[0] in desk.sitting.game.moves(desk.sitting.state)
    assert mine.fate(at, TILTS[0], desk.sitting) == others.fate(there, TILTS[0], desk.sitting) == "made"
    assert others.fate(there, TILTS[1], desk.sitting) == "gone"
    for page in (mine, others):
        assert page.fate(page.number(desk.sitting), TILTS[0], desk.sitting) == "stands"


def test_whoever_is_quick_makes_the_next_move_of_the_same_seat() -> None:
    desk, page = new_ice_cult(seed=11), Positions()
    at = page.number(desk.sitting)
    make(page, desk, TILTS[0])
    assert page.fate(at, TILTS[1], desk.sitting) == "stands"
    make(page, desk, TILTS[1])
    at = page.number(desk.sitting)
    while desk.sitting.game.to_act(desk.sitting.state) == ("yellow",):
        make(page, desk, next(m for m in desk.sitting.game.moves(desk.sitting.state) if m != "abandon"))
    assert page.fate(at, TILTS[0], desk.sitting) == "gone"


def test_what_was_taken_back_put_right_or_begun_anew_is_another_position() -> None:
    table = room()
    desk, page = table.new_game("ice-cult", ("yellow", "red"), {"mode": "digital"}), Positions()
    start = page.number(desk.sitting)
    assert desk.play(TILTS[0])
    at = page.number(desk.sitting)
    assert desk.undo()
    assert page.fate(at, TILTS[1], desk.sitting) == "gone"
    assert page.only_mine(start, desk.sitting)
    assert desk.redo()
    assert page.fate(at, TILTS[1], desk.sitting) == "stands"
    assert not page.only_mine(start, desk.sitting)
    assert desk.correct(0, "tilt n>N")
    assert page.fate(at, TILTS[1], desk.sitting) == "gone"
    another = table.new_game("ice-cult", ("yellow", "red"), {"mode": "digital"})
    assert page.fate(start, TILTS[1], another.sitting) == "gone"
    assert page.fate(999, TILTS[1], another.sitting) == "gone"


def test_where_several_may_act_each_goes_on_for_himself() -> None:
    """In Igloo Pop everybody takes and places at once: nobody's tap is lost because somebody else was quicker."""
    desk, page = room().new_game("igloo-pop", ("red", "blue"), {}), Positions()
    for move in (*(f"deal {slot} {card}" for slot, card in enumerate(CARDS, 1)), "count"):
        assert desk.play(move)
    at = page.number(desk.sitting)
    assert desk.play("grab blue B")
    assert page.fate(at, "grab red A", desk.sitting) == "stands"
    assert desk.play("pass red")
    assert page.fate(at, "pass red", desk.sitting) == "made"


def test_what_somebody_else_made_is_not_ones_own() -> None:
    """Neither after one's own move of the same words was taken back, nor after it was refused."""
    desk, page = new_ice_cult(seed=11), Positions()
    page.number(desk.sitting)
    make(page, desk, TILTS[0])
    assert desk.undo()
    at = page.number(desk.sitting)
    assert desk.play(TILTS[0])
    assert not page.only_mine(at, desk.sitting)
    assert page.fate(at, TILTS[1], desk.sitting) == "gone"
    at = page.number(desk.sitting)
    page.end(page.begin(TILTS[1], desk.sitting), desk.sitting)
    assert desk.play(TILTS[1])
    assert not page.only_mine(at, desk.sitting)


def test_what_is_being_made_is_not_made_a_second_time() -> None:
    desk, page = new_ice_cult(seed=11), Positions()
    at = page.number(desk.sitting)
    begun = page.begin(TILTS[0], desk.sitting)
    assert page.fate(at, TILTS[0], desk.sitting) == "made"
    assert page.fate(at, TILTS[1], desk.sitting) == "stands"
    page.end(begun, desk.sitting)  # refused: it may be tried again
    assert page.fate(at, TILTS[0], desk.sitting) == "stands"
