"""Igloo Igloo: who may know what (T-II-23), and physical play, where the table tells (II-24, II-25)."""

from __future__ import annotations

import json
import random

import pytest

from rules.core.refusal import PositionError, Refusal
from rules.igloo_igloo import mix
from rules.igloo_igloo.game import GAME
from tests.parts import proof

from .polar_board import CENTRE, all_of, events, floes, ice, moves, refused, table, tell, wander

FOUR = ["red", "blue", "yellow", "green"]
REDS = ("thaw", "stamina", "harpoon", "animals")


def test_t_ii_23_a_red_bordered_tile_is_its_holders_secret():
    state = table(phase="pre-melt", tiles={"c4": "stamina-3"})
    told = events(state, "melt c4")
    assert [event.to for event in told] == [None, ("red",)]
    assert told[0].to_json()["tile"] == "red"
    assert told[1].to_json()["tile"] == "stamina-3"
    state = tell(state, "melt c4")
    assert GAME.view(state, "red")["hands"] == {"red": ["stamina-3"], "blue": []}
    for other in ("blue", None):
        view = GAME.view(state, other)
        assert view["hands"] == {"red": [None], "blue": []}
        assert set(view["tiles"].values()) == {None}
        assert "chance" not in view
        assert view["supply"]["fish"] == [None] * len(all_of(state)["supply"]["fish"])


def hide_differently(state, seat, rng):
    """The same position for `seat`: everything it cannot know is dealt again, and the seed is another."""
    p = json.loads(json.dumps(all_of(state)))
    unseen = [square for square, what in p["ice"].items() if what == "hidden"]
    others = [(who, at) for who in p["players"] if who != seat for at in range(len(p["hands"][who]))]
    kinds = (
        [p["tiles"][square] for square in unseen]
        + p["out"]["thawed"]
        + [p["hands"][who][at] for who, at in others]
    )
    rng.shuffle(kinds)
    reds = [kind for kind in kinds if kind.split("-")[0] in REDS][: len(others)]
    for kind in reds:
        kinds.remove(kind)
    for (who, at), kind in zip(others, reds, strict=True):
        p["hands"][who][at] = kind
    for square in unseen:
        p["tiles"][square] = kinds.pop()
    p["out"]["thawed"] = kinds
    for tokens in ("fish", "foxes"):
        rng.shuffle(p["supply"][tokens])
    p.pop("chance")
    return GAME.setup(p, rng.randrange(10**9))


def all_that_is_said(state, seat, texts):
    """Everything that the referee answers to this seat."""
    said = [
        GAME.view(state, seat),
        list(GAME.moves(state, seat)),
        GAME.score(state, seat),
        GAME.to_act(state),
    ]
    for text in texts:
        try:
            GAME.read(state, text, seat)
            after, told = GAME.play(state, text, seat)
        except Refusal as why:
            said.append((type(why).__name__, why.to_json()))
        else:
            said.append([event.to_json() for event in told if event.to is None or seat in event.to])
            said.append(GAME.to_act(after))
    return json.dumps(said)


LINES = [
    "harpoon", "no harpoon", "stamina 1", "stamina", "thaw", "thaw c4", "animals", "end", "melt a1", "melt c4 fish-2",
    "melt c4 red", "draws 1", "igloo c4", "walk", "hunt d4 fish 3", "hunt d4 fish 3 harpoon", "kayak c4 f4",
    "flee red a1", "step bear c3 c4", "drift c4 N", "displace fish 2 d5", "place b1", "nonsense",
]  # fmt: skip


def test_a_seat_sees_nothing_of_what_it_cannot_know():
    """Views, moves, refusals, nearest and events are the same bytes when only the hidden things differ."""
    rng = random.Random(5)
    compared = set()
    targets = ("action", "animals", "attack", "flee", "pre-melt", "drift", "displace")
    for seed in range(proof(140, 2100)):
        players = FOUR[: 2 + seed % 3]
        state = wander(GAME.new(players, seed, {})[0], rng, targets[seed % 7])
        for seat in (*players, None):
            other = hide_differently(state, seat, rng)
            # A melt turns a tile over, and a token drawn is new to all: only what is asked before may be compared.
            lines = [line for line in LINES if not (line.startswith("melt") and line in moves(state))]
            if seat is None:
                assert json.dumps(GAME.view(state, None)) == json.dumps(GAME.view(other, None))
            else:
                assert all_that_is_said(state, seat, lines) == all_that_is_said(other, seat, lines)
            compared.add(GAME.phase(state))
    assert {"pre-melt", "action", "animals", "attack", "flee", "drift", "displace"} <= compared


def test_a_view_set_up_again_deals_what_it_hides():
    state, _ = GAME.new(["red", "blue"], 5, {})
    for _ in range(60):
        state = tell(state, moves(state)[0])
    view = GAME.view(state, "red")
    dealt = GAME.setup(view, 11)
    assert GAME.view(dealt, "red") == view
    assert all_of(dealt) == all_of(GAME.setup(view, 11))
    assert all_of(dealt) != all_of(GAME.setup(view, 12))


PHYSICAL = {"mode": "physical"}


def test_physical_play_is_told_everything():
    state, _ = GAME.new(["red", "blue"], 1, PHYSICAL)
    assert GAME.phase(state) == "draws"
    assert refused(state, "draws 1 1 1").rule == "II-25"
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
    assert refused(state, "hunt c4 bear harpoon").rule == "II-12"


def test_a_supply_of_unknown_tokens_takes_what_can_be_in_it():
    given = {
        "phase": "pre-melt",
        "options": PHYSICAL,
        "fish": {"d4": [1] * 7},
        "prey": {"red": {"fish": [3]}},
    }
    state = tell(table(**given, supply={"fish": [None, None, 2]}), "melt c4 fish-3")
    assert "draws 1 1 2" not in moves(state)  # one of value 1 is left in the whole box
    assert refused(state, "draws 1 1 2").rule == "II-25"
    assert refused(state, "draws 1 3 3").rule == "II-25"  # two of these three are unknown, and one is a 2
    assert GAME.to_json(GAME.setup(all_of(state), 1)) == all_of(state)
    state = tell(state, "draws 3 2 1")
    assert all_of(state)["fish"] == {"c4": [1, 2, 3], "d4": [1] * 7}
    assert all_of(state)["supply"]["fish"] == []
    # When the unknown ones are all that is nowhere else, they are known.
    state = table(**given, supply={"fish": [None] * 20})
    assert sorted(all_of(state)["supply"]["fish"]) == [1] + [2] * 12 + [3] * 7


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


DEFECTS = [
    ({"ice": {"a1": "hidden"}}, "the corners are land"),
    ({"ice": {"b2": "water"}}, "must be one of hidden, pack"),
    ({"ice": {"z9": "hidden"}}, "'z9' is no square"),
    ({"tiles": {"d4": "bear"}}, "tiles: there is no ice on d4"),
    ({"tiles": {"c4": "beer"}}, "did you mean bear?"),
    (
        {"tiles": dict.fromkeys(("b1", "b2", "b3", "b4", "b5"), "bear")},
        "there are 5 bear tiles, and the mix has 4",
    ),
    ({"ice": ice("d4")}, "there are 59 tiles, and the box has 56"),
    ({"inuits": {"d4": ["red"]}}, "inuits: d4 is sea"),
    ({"inuits": {"c4": ["red"] * 4, "c5": ["red"] * 2}}, "there are 6 Inuits of red"),
    ({"inuits": {"c4": ["green"]}}, "an Inuit on c4 is 'green'"),
    ({"reserve": {"red": {"inuits": 3}}, "inuits": {"c4": ["red"] * 3}}, "there are 6 Inuits of red"),
    (
        {"hands": {"red": [None] * 20, "blue": [None] * 5}, "ice": floes("c4")},
        "25 red-bordered tiles, and the mix has 24",
    ),
    ({"igloos": {"d4": "red"}}, "igloos: there is no ice on d4"),
    ({"igloos": {"a1": "red"}}, "igloos: there is no ice on a1"),
    ({"igloos": {"c4": "red", "c5": "red", "c6": "red"}}, "there are 3 igloos of red"),
    ({"fish": {"c4": [1]}}, "fish on c4: there is no sea"),
    ({"fish": {"d4": [4]}}, "must be from 1 to 3"),
    ({"fish": {"d4": [1] * 9}}, "there are 9 fish of value 1, and the box has 8"),
    ({"supply": {"foxes": [3] * 4}}, "there are 4 foxes of value 3, and the box has 3"),
    ({"foxes": {"d4": [1]}}, "foxes on d4: there is no ice"),
    ({"foxes": {"a1": [1]}}, "foxes on a1: there is no ice"),
    ({"bears": ["a1"]}, "no bear goes on the land of a1"),
    ({"bears": ["c4", "c4"]}, "there are two bears on c4"),
    ({"bears": ["c4", "c5", "c6"], "supply": {"bears": 2}}, "there are 5 bears, and the box has 4"),
    ({"hands": {"red": ["bear"]}}, "bear has no red border"),
    ({"turn": "green"}, "turn is 'green'"),
    ({"to_act": ["blue"]}, "to_act is ['blue'], and must be ['red']"),
    ({"phase": "melt"}, "phase is 'melt'"),
    ({"phase": "attack"}, "pending is missing, which phase attack needs"),
    ({"pending": {"kind": "drift"}}, "nothing is pending in phase action"),
    ({"inuit": {}}, "unknown key 'inuit' (did you mean inuits?)"),
    ({"ap": -1}, "ap is -1"),
    ({"chance": "dice"}, "chance is not one that this referee wrote"),
    ({"phase": "over", "over": {"winners": ["red"], "rule": "II-7", "text": ""}}, "over does not agree"),
    ({"players": ["red"]}, "players must be 2 to 4"),
    ({"options": {"hardcor": True}}, "unknown key 'hardcor' (did you mean hardcore?)"),
    ({"game": "igloo"}, "game is 'igloo'"),
]


@pytest.mark.parametrize(("wrong", "said"), DEFECTS)
def test_a_defect_is_named(wrong, said):
    with pytest.raises(PositionError) as refusal:
        table(**wrong)
    assert any(said in defect for defect in refusal.value.defects), refusal.value.defects


def test_all_defects_are_named_at_once():
    with pytest.raises(PositionError) as refusal:
        table(bears=["a1", "c4", "c4"], fish={"c4": [1]}, igloos={"d4": "red"}, turn="green", ap="three")
    assert len(refusal.value.defects) == 6


def test_what_is_left_out_is_empty_and_what_follows_need_not_be_said():
    state = GAME.setup(
        {"players": ["red", "blue"], "to_act": ["blue"], "ice": floes("c4"), "phase": "pre-melt"}, 1
    )
    p = all_of(state)
    assert (p["turn"], p["fish"], p["bears"], p["prey"]["red"]["bears"], p["supply"]["fish"]) == (
        "blue",
        {},
        [],
        0,
        [],
    )
    attack = {
        "players": ["red", "blue"], "turn": "red", "ice": floes("c4", "c5"), "bears": ["c4"],
        "inuits": {"c4": ["red", "blue"]}, "pending": {"kind": "attack", "square": "c4", "points": 1, "back": "action"},
    }  # fmt: skip
    state = GAME.setup(attack, 1)
    assert (GAME.phase(state), GAME.to_act(state)) == ("attack", ("blue",))
    # What nobody can do is passed over: no push, no animal to move.
    drift = {"players": ["red", "blue"], "turn": "red", "phase": "drift"}
    assert (all_of(GAME.setup(drift, 1))["phase"], all_of(GAME.setup(drift, 1))["ap"]) == ("action", 3)
    still = {
        **drift,
        "phase": "animals",
        "ap": 1,
        "pending": {"kind": "animals", "points": 2, "back": "action"},
    }
    assert (all_of(GAME.setup(still, 1))["phase"], all_of(GAME.setup(still, 1))["ap"]) == ("action", 1)
