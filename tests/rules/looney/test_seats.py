"""IGLOO: the team game (T-IG-19), and real colours that are committed in secret."""

from __future__ import annotations

from rules.looney.game import GAME

from .pyramids import FULL, TEAM, all_of, refused, table, tell


def test_t_ig_19_the_team_game():
    state, _ = GAME.new(TEAM, 1, {})
    assert all_of(state)["sides"] == {"A": ["red", "yellow"], "B": ["blue", "green"]}
    state = tell(state, "commit yellow red", "commit blue green")
    assert GAME.to_act(state) == ("red",)
    assert refused(state, "place yellow L @ 0,0").rule == "IG-9"
    state = tell(
        state, "place red S @ 0,0", "place blue S @ 20,0", "place yellow S @ -20,0", "place green S @ 40,0"
    )
    assert GAME.to_act(state) == ("red",)
    assert all_of(state)["open"] == []
    # red's S at 0,0 is supported by yellow's; green's next piece opens nothing of red's alone.
    state = table("red:S@0,0 yellow:S@-20,0 blue:S@40,40", turn="green", seats=TEAM)
    state = tell(state, "place green M @ 20,0")
    assert all_of(state)["open"] == []
    # After P1 (red) has placed, W2 is P2's (blue's).
    state = tell(
        table("blue:S@0,0 green:M@57,0 blue:M@25,32", turn="red", seats=TEAM), "place red M @ 25,0", "done"
    )
    assert (GAME.phase(state), GAME.to_act(state)) == ("before", ("blue",))
    state = tell(state, "capture all")
    assert all_of(state)["prisoners"]["B"] == [{"colour": "red", "size": "M"}]
    assert refused(state, "place green S @ 0,20", "green").kind == "not-now"


def test_committing_is_secret_and_final():
    state, told = GAME.new(["A", "B"], 1, {})
    assert [event.rule for event in told] == ["IG-1", "IG-3"]
    assert GAME.to_act(state) == ("A", "B")
    assert list(GAME.moves(state, "A")) == ["commit A red", "commit A yellow"]
    assert refused(state, "place red S @ 0,0").kind == "not-now"
    assert refused(state, "commit A blue").rule == "IG-2"
    assert refused(state, "commit A red", "B").rule == "IG-2"
    after, told = GAME.play(state, "commit A red", "A")
    assert [(event.event, event.to) for event in told] == [("committed", None), ("real", ("A",))]
    assert "red" not in told[0].text
    assert refused(after, "commit A yellow").rule == "D-83"
    assert refused(after, "commit A yellow", "A").kind == "not-now"
    assert GAME.phase(tell(after, "commit B green")) == "place"


def test_either_partner_tells_what_the_side_has_chosen():
    state, _ = GAME.new(TEAM, 1, {})
    assert GAME.read(state, "commit red red", "yellow") == "commit yellow red"
    after, told = GAME.play(state, "commit red red", "yellow")
    assert all_of(after)["real"] == {"A": "red", "B": None}
    assert told[1].to == ("red", "yellow")
    assert refused(after, "commit yellow yellow", "red").kind == "not-now"
    assert refused(state, "commit blue blue", "yellow").rule == "IG-2"


def test_ig_19_views_and_scores_keep_the_secret():
    prisoners = {"A": [{"colour": "blue", "size": "L"}], "B": [{"colour": "red", "size": "S"}]}
    state = table("A:L@0,0", prisoners=prisoners, stash=FULL | {"red": {"S": 1}, "blue": {"S": 1}})
    assert GAME.view(state, "A")["real"] == {"A": "red", "B": None}
    assert GAME.view(state, "B")["real"] == {"A": None, "B": "blue"}
    assert GAME.view(state, None)["real"] == {"A": None, "B": None}
    assert "chance" not in GAME.view(state, "A")
    assert GAME.score(state)[0] == {"A": 3, "B": 1}
    assert GAME.score(state, "A")[0] == {"A": None, "B": 1}
    assert GAME.score(state, "B")[0] == {"A": 3, "B": None}
    assert GAME.score(state, "A")[1]["A"]["if_real"] == {"blue": 3, "green": 0}
    before = GAME.new(["A", "B"], 1, {})[0]
    assert GAME.redact(before, "commit A red", "A") == "commit A red"
    for other in ("B", None):
        assert GAME.redact(before, "commit A red", other) == "commit A ?"
