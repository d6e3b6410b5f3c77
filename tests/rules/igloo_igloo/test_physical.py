"""Igloo Igloo in physical play, where the table tells (II-24, II-25)."""

from __future__ import annotations

from rules.igloo_igloo import mix
from rules.igloo_igloo.game import GAME

from .polar_board import CENTRE, all_of, events, floes, ice, moves, refused, table, tell

PHYSICAL = {"mode": "physical"}


def test_physical_play_is_told_everything():
    state, _ = GAME.new(["red", "blue"], 1, PHYSICAL)
    assert GAME.phase(state) == "draws"
    assert refused(state, "place b1").text.endswith("must be said with draws, as in draws 1 3")
    assert refused(state, "draws 1 1 1").rule == "II-25"
    too_many = refused(state, "draws 1 2 1 2 3").text
    assert too_many == "draws needs a value for each token that is laid (4), and has 5"
    assert refused(state, "draws 1 1 1 4").text == "no fish is worth 4"  # all the ones are there
    state = tell(state, "draws 1 3 2 2")
    assert all_of(state)["fish"] == {"d4": [1], "e4": [3], "d5": [2], "e5": [2]}
    while GAME.phase(state) == "place":
        state = tell(state, "place a4")
    asked = refused(state, "melt c4")
    assert asked.kind == "ambiguous"
    assert asked.candidates[0] == "melt c4 fish-1"
    assert asked.candidates[-1] == "melt c4 red"
    state = tell(state, "melt c4 fish-2")
    assert (GAME.phase(state), GAME.to_act(state)) == ("draws", ("red",))
    state = tell(state, "draws 3 1")
    assert all_of(state)["fish"]["c4"] == [1, 3]
    assert sorted(all_of(state)["supply"]["fish"]) == [1] * 6 + [2] * 10 + [3] * 6
    state = tell(state, "end", "melt c5 red")
    assert all_of(state)["hands"]["blue"] == [None]
    assert {"stamina 1", "stamina 2", "stamina 3", "animals"} <= set(moves(state))
    state = tell(state, "stamina 2")
    p = all_of(state)
    assert (p["ap"], p["hands"]["blue"], p["out"]["open"]) == (5, [], ["fish-2", "stamina-2"])
    state = tell(state, "end", "melt d3 pack", "draws 2")
    assert all_of(state)["foxes"] == {"d3": [2]}
    assert GAME.to_json(GAME.setup(all_of(state), 3)) == all_of(state)


def test_physical_reports_keep_to_the_mix():
    gone = ["bear"] * 4 + ["harpoon"] * 6
    state = table(
        phase="pre-melt",
        ice=ice(*CENTRE, "g7", "g6", "g5", "g4", "g3", "g2", "f7", "f6", "f5", "f3", "f2"),
        out={"open": gone},
        hands={"red": [None]},
        options=PHYSICAL,
    )
    assert refused(state, "melt c4 bear").text == "all 4 bear tiles are out already"
    assert refused(state, "melt c4 thaw").rule == "II-9"
    assert refused(state, "melt c4 fish-9").rule == "II-25"
    assert "melt c4 bear" not in moves(state)
    state = tell(state, "melt c4 drift")
    assert GAME.phase(state) == "drift"
    state = table(
        ice=floes("c4"),
        inuits={"c4": ["red"]},
        bears=["c4"],
        hands={"red": [None]},
        out={"open": gone},
        options=PHYSICAL,
    )
    assert refused(state, "hunt c4 bear harpoon").rule == "II-25"


def test_who_holds_unknown_tiles_is_told_that_the_mix_has_no_more_not_that_he_has_none():
    """Which tiles he holds the referee does not know; and a box that is another mix may well have one more."""
    gone = ["stamina-3"] * 2 + ["thaw"] * 6 + ["animals"] * 6 + ["harpoon"] * 6
    given = {
        "ice": floes("c4", "c5", "d4"),
        "inuits": {"c4": ["red"], "d4": ["blue"]},
        "bears": ["c4"],
        "options": PHYSICAL,
    }
    state = table(**given, hands={"red": [None], "blue": [None]}, out={"open": gone})
    for move, words in {
        "stamina 3": "all 2 stamina-3 tiles are out already",
        "stamina 9": "there is no stamina-9 tile in this mix",
        "thaw c5": "all 6 thaw tiles are out already",
        "thaw": "all 6 thaw tiles are out already",
        "animals": "all 6 animals tiles are out already",
        "hunt c4 bear harpoon": "all 6 harpoon tiles are out already",
    }.items():
        why = refused(state, move)
        assert (move, why.rule, why.text) == (move, "II-25", words)
    staminas = ["stamina-1"] * 2 + ["stamina-2"] * 2
    none_left = table(**given, hands={"red": [None]}, out={"open": gone[:-1] + staminas})
    assert refused(none_left, "stamina").text == "all 6 stamina tiles are out already"
    empty = table(**given, out={"open": gone})
    assert refused(empty, "stamina 3").text == "red has no stamina-3 tile to play"


def test_who_is_attacked_with_unknown_tiles_is_told_that_the_mix_has_no_more_harpoons():
    attack = {
        "kind": "attack",
        "square": "c4",
        "mover": "red",
        "asked": ["blue"],
        "points": 2,
        "back": "action",
    }
    state = table(
        phase="attack",
        pending=attack,
        ice=floes("c4", "c5"),
        inuits={"c4": ["blue"]},
        bears=["c4"],
        hands={"blue": [None]},
        out={"open": ["harpoon"] * 6},
        played=["animals"],
        options=PHYSICAL,
    )
    why = refused(state, "harpoon")
    assert (why.rule, why.text) == ("II-25", "all 6 harpoon tiles are out already")


def test_a_supply_of_unknown_tokens_takes_what_can_be_in_it():
    given = {
        "phase": "pre-melt",
        "options": PHYSICAL,
        "fish": {"d4": [1] * 7},
        "prey": {"red": {"fish": [3]}},
    }
    state = tell(table(**given, supply={"fish": [None, None, 2]}), "melt c4 fish-3")
    assert "draws 1 1 2" not in moves(state)  # one of value 1 is left in the whole box
    ones = refused(state, "draws 1 1 2")
    assert (ones.rule, ones.text) == (
        "II-25",
        "no more than 1 fish of value 1 can be left in the supply, not 2",
    )
    # two of these three are unknown, and one is a 2
    assert refused(state, "draws 1 3 3").text == "the supply cannot have fish of values 1, 3, 3 together"
    assert GAME.to_json(GAME.setup(all_of(state), 1)) == all_of(state)
    state = tell(state, "draws 3 2 1")
    assert all_of(state)["fish"] == {"c4": [1, 2, 3], "d4": [1] * 7}
    assert all_of(state)["supply"]["fish"] == []
    # When the unknown ones are all that is nowhere else, they are known.
    state = table(**given, supply={"fish": [None] * 20})
    assert sorted(all_of(state)["supply"]["fish"]) == [1] + [2] * 12 + [3] * 7


def test_what_is_left_in_a_supply_is_known_to_everybody():
    """It has no order there; and eaten animals stand nowhere, so a view that hid it forgot which are gone."""
    given = {"phase": "draws", "pending": {"kind": "draws", "square": "c4", "mover": "red", "points": 3}}
    fish = [2] * 12 + [3] * 7  # all ones were eaten
    state = table(**given, ice=ice(*CENTRE, "c4"), supply={"fish": fish, "foxes": [2, 1]}, options=PHYSICAL)
    for seat in ("red", "blue", None):
        view = GAME.view(state, seat)
        assert view["supply"] == {"fish": fish, "foxes": [1, 2], "bears": all_of(state)["supply"]["bears"]}
        assert moves(GAME.setup(view, 5)) == moves(state)
    assert "draws 2 2 3" in moves(state)
    assert "draws 1 2 3" not in moves(state)
    some = table(**given, ice=ice(*CENTRE, "c4"), supply={"fish": [None, 3, None]}, options=PHYSICAL)
    assert GAME.view(some, "red")["supply"]["fish"] == [None, None, 3]


def test_physical_play_with_everything_red_out_and_a_supply_run_short():
    reds = [
        kind for kind, count in mix.load("assumed-v1").tiles.items() for _ in range(count) if mix.is_red(kind)
    ]
    given = {"phase": "pre-melt", "ice": floes("c4", "c5"), "supply": {"fish": [3]}, "options": PHYSICAL}
    state = table(**given, out={"open": reds[2:]}, hands={"blue": [None, None]})
    assert refused(state, "melt c4 red").text == "all red-bordered tiles are out already"
    assert "melt c4 red" not in moves(state)
    assert moves(tell(state, "melt c4 fish-2")) == ["draws 3"]
    bare = table(**{**given, "supply": {}})
    assert GAME.phase(tell(bare, "melt c4 fish-2")) == "action"


def test_physical_play_gives_away_no_hand_that_was_told():
    """The host may know red's tiles; blue's moves and refusals must not depend on them."""
    answers = []
    for told in (["stamina-1", "stamina-1"], ["thaw", None]):
        hands = {"red": told, "blue": [None]}
        state = table(turn="blue", ice=ice(*CENTRE, "g7", "g6", "f7"), hands=hands, options=PHYSICAL)
        answers.append((moves(state, seat="blue"), events(state, "stamina 1", "blue")))
    assert answers[0] == answers[1]
    # What was laid open is true, so what was believed of red's hand is not.
    state = table(
        turn="blue",
        ice=ice(*CENTRE, "g7", "g6", "f7"),
        hands={"red": ["stamina-1"] * 2, "blue": [None]},
        options=PHYSICAL,
    )
    state = tell(state, "stamina 1")
    assert all_of(state)["hands"] == {"red": [None, None], "blue": []}
    assert GAME.to_json(GAME.setup(all_of(state), 1)) == all_of(state)


def test_physical_play_knows_no_face_down_tile_even_if_it_is_written_down():
    told = table(tiles={"c4": "fish-2"}, options=PHYSICAL)
    assert all_of(told)["tiles"]["c4"] is None
    assert "red" in refused(table(phase="pre-melt", options=PHYSICAL), "melt c4 stamina-1").text


def test_digital_play_takes_no_reports():
    state = table(phase="pre-melt", tiles={"c4": "fish-2"})
    for report in ("melt c4 fish-2", "melt c4 red"):
        refusal = refused(state, report)
        assert (refusal.kind, refusal.rule) == ("illegal", "II-25")
        assert "melt c4" in refusal.nearest
    assert refused(state, "draws 1").kind == "not-now"


def test_d_49_in_physical_play_everybody_may_hold_a_harpoon():
    state = table(
        ice=ice(*CENTRE, "g7", "g6", "f7"),
        inuits={"c4": ["blue"]},
        bears=["d4"],
        hands={"red": [None], "blue": [None]},
        options=PHYSICAL,
    )
    state = tell(state, "animals", "step bear d4 c4")
    assert moves(state, seat="blue") == ["harpoon", "no harpoon"]
    state = tell(state, "harpoon")
    assert all_of(state)["hands"] == {"red": [], "blue": []}
    assert all_of(state)["out"]["open"] == ["animals", "harpoon"]
