"""IGLOO: passing, the last pieces, the score (T-IG-17, T-IG-20)."""

from __future__ import annotations

from rules.looney.game import GAME

from .pyramids import TEAM, all_of, refused, table, tell


def test_t_ig_17_the_score():
    a = [("blue", "S"), ("blue", "L"), ("green", "M"), ("green", "M")]
    b = [("red", "L"), ("red", "M"), ("yellow", "L")]
    prisoners = {side: [{"colour": c, "size": s} for c, s in row] for side, row in (("A", a), ("B", b))}
    state = tell(table(phase="reveal", stash={}, prisoners=prisoners), "reveal")
    over = GAME.over(state)
    assert (over.winners, over.scores) == (("B",), {"A": 4, "B": 5})
    assert "B wins, 5 to 4" in over.text
    equal = tell(
        table(
            phase="reveal",
            stash={},
            prisoners={**prisoners, "B": [prisoners["B"][0], {"colour": "red", "size": "S"}]},
        ),
        "reveal",
    )
    assert (GAME.over(equal).winners, GAME.over(equal).rule) == ((), "D-80")


def test_t_ig_20_the_last_piece_and_the_last_windows():
    # B's last piece is a Double Threat: it opens A's S and is open itself.
    state = table("A:S@0,0 A:M@57,0 A:M@25,32", turn="B", stash={"blue": {"M": 1}})
    state = tell(state, "place blue M @ 25,0")
    assert (GAME.phase(state), GAME.to_act(state)) == ("after", ("B",))
    state = tell(state, "capture #1")
    assert (GAME.phase(state), GAME.to_act(state)) == ("before", ("A",))
    state = tell(state, "capture all")
    assert GAME.phase(state) == "reveal"
    assert GAME.to_act(state) == ("A", "B")
    state = tell(state, "reveal")
    assert GAME.over(state).scores == {"A": 2, "B": 1}


def test_d_78_who_can_place_nothing_passes_and_two_passes_end_the_game():
    # On this table only a small could be put beside the L, and A's small would be in harm's way.
    tight = {"options": {"table": [0, 0, 50, 32]}, "stash": {"red": {"S": 1}, "blue": {"L": 1}}}
    state = table("B:L@0,0", **tight)
    assert list(GAME.moves(state)) == ["pass"]
    refusal = refused(state, "place red S @ 32,0")
    assert (refusal.kind, refusal.rule) == ("not-now", "IG-12")
    state = tell(state, "pass")
    assert (GAME.to_act(state), all_of(state)["passes"]) == (("B",), 1)
    state = tell(state, "pass")
    assert GAME.phase(state) == "reveal"


def test_d_78_in_the_team_game_every_seat_is_asked():
    state = table(
        "red:S@0,0",
        turn="blue",
        seats=TEAM,
        stash={"red": {"S": 1}, "blue": {"S": 1}},
        options={"table": [0, 0, 32, 32]},
    )
    for count, seat in enumerate(["blue", "yellow", "green", "red"]):
        assert (GAME.to_act(state), all_of(state)["passes"]) == ((seat,), count)
        assert list(GAME.moves(state)) == ["pass"]
        state = tell(state, "pass")
    assert GAME.phase(state) == "reveal"


def test_a_side_without_pieces_passes_while_the_other_has_some():
    state = table("A:S@0,0", turn="B", stash={"red": {"S": 2}})
    assert list(GAME.moves(state)) == ["pass"]
    state = tell(state, "pass", "place red S @ 20,0")
    assert all_of(state)["passes"] == 0
    state = tell(state, "pass", "place red S @ 40,0")
    assert GAME.phase(state) == "reveal"
