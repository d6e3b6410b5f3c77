"""Which step of a game a question on the page is about, while others play on and take back."""

from table.page.history import stands
from tests.table.games import new_ice_cult, play_on


def test_a_question_stands_until_its_move_is_taken_back_or_is_another() -> None:
    desk = new_ice_cult(seed=11)
    play_on(desk, 7)
    moves = [step.move for step in desk.sitting.steps]
    play_on(desk, 2)
    assert all(stands(desk, at, move) for at, move in enumerate(moves))
    assert desk.correct(0, desk.choices_at(0)[0].text)
    assert not stands(desk, 0, moves[0])
    while desk.undo():
        pass
    assert not any(stands(desk, at, move) for at, move in enumerate(moves))
