"""Which step of a game a question on the page is about, while others play on and take back."""

import pytest

from table.desk.choices import choices_at
from table.desk.ending import abandon
from table.page.history import stands, ways_back
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
