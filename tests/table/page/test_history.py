"""Which step of a game a question on the page is about, while others play on and take back."""

import pytest

from table.desk.choices import choices_at
from table.desk.ending import abandon
from table.page.history import may_be_listed, stands, ways_back
from table.page.moves_told import in_words
from tests.table.games import new_ice_cult, play_on
from tests.table.rooms import room


def test_a_question_stands_until_its_move_is_taken_back_or_is_another() -> None:
    desk = new_ice_cult(seed=11)
    play_on(desk, 7)
    moves = [step.move for step in desk.sitting.steps]
    play_on(desk, 2)
    assert all(stands(desk, at, move) for at, move in enumerate(moves))
    assert desk.correct(0, choices_at(desk.sitting, 0)[0].text)
    assert not stands(desk, 0, moves[0])
    while desk.undo():
        pass
    assert not any(stands(desk, at, move) for at, move in enumerate(moves))


@pytest.mark.parametrize("moves", [0, 2])
def test_what_the_host_is_offered_is_taken(moves: int) -> None:
    """Also of a game that was ended before its first move: that it was ended can be taken back, nothing else can."""
    desk = room().new_game("igloo-igloo", ("red", "blue"), {"mode": "digital"})
    for _ in range(moves):
        assert desk.play(next(iter(desk.sitting.game.moves(desk.sitting.state))))
    assert ways_back(desk) == (["undo"] if moves else [])
    if moves:
        assert desk.undo()
        assert ways_back(desk) == ["undo", "redo"]
    assert abandon(desk, "host")
    assert ways_back(desk) == ["undo"]
    assert desk.undo()
    assert ways_back(desk) == (["undo", "redo"] if moves else [])
    assert not moves or desk.redo()


def test_what_is_no_secret_may_be_put_right_in_the_games_without_sensors_too() -> None:
    """The list was empty in both, also of placings, and of a real table whose hands the referee does not know."""
    table = room()
    desk = table.new_game("igloo", ("A", "B"), {})
    for seat, move in (("A", "commit A red"), ("B", "commit B green"), ("A", "place red L @ 0,0")):
        assert desk.play(move, seat)
    assert [may_be_listed(desk, at) for at in range(3)] == [False, False, True]
    for mode in ("physical", "digital"):
        desk = table.new_game("igloo-igloo", ("red", "blue"), {"mode": mode})
        assert desk.play(next(iter(desk.sitting.game.moves(desk.sitting.state))))
        assert may_be_listed(desk, 0) is (mode == "physical")


def test_what_is_offered_instead_is_first_what_is_most_like_it() -> None:
    desk = room().new_game("igloo-igloo", ("red", "blue"), {"mode": "physical"})
    assert desk.play("draws 1 3 2 2")
    assert desk.play("place c1")
    while desk.view(None)["phase"] == "place":
        assert desk.play(next(iter(desk.sitting.game.moves(desk.sitting.state))))
    assert desk.play("melt f4 fish-2")
    at = len(desk.sitting.steps) - 1
    assert all(choice.text.split()[1] == "f4" for choice in choices_at(desk.sitting, at)[:6])
    assert all(choice.text.startswith("draws") for choice in choices_at(desk.sitting, 0)[:8])
    assert sum(a != b for a, b in zip("1 3 2 2", choices_at(desk.sitting, 0)[0].text[6:], strict=True)) == 1


def test_what_is_typed_to_put_a_move_right_is_written_as_moves_are() -> None:
    """In another letter case it was no word of the page's, and the page that should have said it ended."""
    desk = new_ice_cult(seed=11)
    assert desk.play("tilt n>S")
    assert desk.correct(0, " TILT  s>n ")
    assert desk.sitting.steps[0].move == "tilt s>N"
    assert desk.said[-1].text == "Corrected: step 1 is “tilt s>N”, not “tilt n>S”."
    with pytest.raises(IndexError):
        desk.correct(7, "tilt s>N")

    def unknown(move: str) -> str:
        raise KeyError(move)

    assert in_words(desk.said[-1].text, unknown) == desk.said[-1].text  # as an older journal may hold it
