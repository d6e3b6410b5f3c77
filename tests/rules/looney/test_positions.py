"""IGLOO: positions and how they are told: defects, connections (T-IG-18), measures, edges, numbers of pieces."""

from __future__ import annotations

from itertools import islice

import pytest

from rules.core.refusal import PositionError
from rules.looney.game import GAME
from rules.looney.notation import EXAMPLES, VERBS, parse

from .pyramids import DOUBLE, FULL, TEAM, TINY, all_of, pieces, refused, seats, stash_beside, table, tell


def test_t_ig_18_told_connections_give_the_same_as_coordinates():
    lying = pieces(DOUBLE)
    told = [{key: one[key] for key in ("id", "colour", "size")} for one in lying]
    by_place = tell(table(DOUBLE), "place red M @ 25,0")
    by_word = tell(
        table(pieces=told, links=all_of(table(DOUBLE))["links"], stash=stash_beside(lying)),
        "place red M ~ #1,#2,#3",
    )
    assert all_of(by_word)["open"] == all_of(by_place)["open"] == [1, 4]
    assert all_of(by_word)["links"] == all_of(by_place)["links"]
    assert "x" not in all_of(by_word)["pieces"][3]
    # A declared piece among measured ones: from then on the table is told.
    mixed = tell(table(DOUBLE), "place red M ~ #3,#1,#2")
    assert all_of(mixed)["open"] == [1, 4]
    mixed = tell(mixed, "capture all", "done")
    assert refused(mixed, "place blue S @ 0,20").rule == "D-84"
    assert next(GAME.moves(mixed)) == "pass"
    with pytest.raises(ValueError, match="not counted"):
        GAME.count_moves(mixed)
    assert refused(mixed, "capture").kind == "not-now"  # and no list of all that could be told is made for it
    assert GAME.to_json(GAME.setup(all_of(mixed), 3)) == all_of(mixed)


def test_links_and_open_need_not_be_said_but_must_agree():
    whole = all_of(table(DOUBLE))
    agreeing = {**whole, "links": [[b, a] for a, b in reversed(whole["links"])], "open": whole["open"][::-1]}
    assert all_of(GAME.setup(agreeing, 0)) == whole
    for wrong in ({"open": [1]}, {"links": [[1, 2]]}, {"links": [[1, 9]]}, {"to_act": ["B"]}):
        with pytest.raises(PositionError):
            GAME.setup({**whole, **wrong}, 0)


DEFECTS = [
    ({"pieces": pieces("A:L@0,0 B:S@31,31")}, "pieces #1 and #2 overlap"),
    ({"pieces": pieces("A:L@0,0"), "stash": FULL}, "there are 6 pieces red L"),
    ({"pieces": [{"id": 1, "colour": "white", "size": "L"}]}, "pieces[1].colour is 'white'"),
    ({"pieces": [{"id": 1, "colour": "red", "size": "L", "x": 0}]}, "both left out"),
    ({"pieces": [{"id": 1, "colour": "red", "size": "L", "x": 0.5, "y": 0}]}, "whole numbers"),
    ({"pieces": pieces("A:L@0,0") * 2}, "two pieces are called #1"),
    ({"prisoners": {"A": [{"colour": "red", "size": "L"}]}}, "the colour of a prisoner of A is 'red'"),
    ({"real": {"A": "blue"}}, "real.A is 'blue'"),
    ({"stash": {"red": {"S": 6}}}, "stash.red.S is 6"),
    ({"sides": {"A": ["red", "blue"], "B": ["blue", "green"]}}, "four different ones"),
    ({"seats": ["A", "red"]}, "IGLOO is for A and B, or for four colours"),
    (
        {
            "seats": ["red", "blue", "yellow", "green"],
            "sides": {"A": ["red", "blue"], "B": ["yellow", "green"]},
        },
        "opposite",
    ),
    ({"phase": "build"}, "phase is 'build'"),
    ({"turn": "C"}, "whose turn it is is 'C'"),
    ({"stsh": {}}, "did you mean stash?"),
    ({"options": {"widths": {"S": 3, "M": 2, "L": 4}}}, "S, M and L must rise"),
    ({"options": {"table": [0, 0, 10, 10]}}, "must fit onto the table"),
    ({"options": {"double_threat": "all"}}, "any, threatening or fresh"),
    ({"phase": "over", "over": {"winners": ["A"], "rule": "IG-17", "text": ""}}, "over does not agree"),
    ({"game": "igloo-igloo"}, "this is a position of igloo"),
]


@pytest.mark.parametrize(("wrong", "said"), DEFECTS)
def test_a_defect_is_named(wrong, said):
    with pytest.raises(PositionError) as refusal:
        table(**wrong)
    assert any(said in defect for defect in refusal.value.defects), refusal.value.defects


def test_a_phase_that_is_told_stands_though_no_stash_is_told():
    """Who asks what is open need not count a stash; nothing that was told is changed in silence."""
    state = table("B:L@0,0", stash=None)
    assert GAME.phase(state) == "place"
    assert list(GAME.moves(state)) == ["pass"]
    assert GAME.phase(tell(state, "pass")) == "reveal"
    assert GAME.phase(table("B:L@0,0", stash=None, phase=None)) == "reveal"


@pytest.mark.parametrize("players", [["A", "B"], TEAM])
def test_a_view_of_a_choice_made_in_secret_can_be_set_up(players):
    """Whoever chose is told in `to_act`, and what he chose is not: it is drawn, and the game can go on from here."""
    state, _ = GAME.new(players, 1, {})
    first, second = (seat for seat, _ in seats(players))
    chosen = tell(state, f"commit {first} red")
    ended = table("A:L@0,0", players[0], "reveal", seats=players, stash={})
    for state in (chosen, tell(chosen, f"commit {second} blue"), ended):
        for seat in (None, *players):
            view = GAME.view(state, seat)
            imagined = GAME.setup(view, 3)
            assert (GAME.phase(imagined), GAME.to_act(imagined)) == (GAME.phase(state), GAME.to_act(state))
            if seat is not None:
                assert GAME.view(imagined, seat) == view
                assert list(islice(GAME.moves(imagined, seat), 9)) == list(islice(GAME.moves(state, seat), 9))
    drawn = {all_of(GAME.setup(GAME.view(chosen, second), seed))["real"]["A"] for seed in range(20)}
    assert drawn == {"red", "yellow"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"phase": "commit", "to_act": ["A"], "real": {"A": "red"}}, "to_act is ['A'], and must be ['B']"),
        (
            {"phase": "commit", "to_act": ["A", "B"], "real": {"A": "red"}},
            "to_act is ['A', 'B'], and must be ['B']",
        ),
        ({"phase": "commit", "to_act": [], "real": {}}, "to_act is [], and must be ['A', 'B']"),
        ({"phase": "reveal", "to_act": ["A"], "real": {"A": "red"}}, "to_act is ['A'], and must be ['B']"),
        ({"phase": "place", "to_act": ["A"], "turn": "B", "real": {}}, "to_act is ['A'], and must be ['B']"),
    ],
)
def test_to_act_that_no_secret_choice_explains_is_a_defect(changes, said):
    with pytest.raises(PositionError) as caught:
        table("A:L@0,0", **changes)
    assert said in caught.value.defects


def test_d_84_what_can_be_told():
    state = table("B:L@0,0")
    assert refused(state, "place red S ~ #1").rule == "IG-12"
    assert refused(state, "place red M ~ #9").rule == "D-84"
    assert refused(state, "place red M ~ #1,#1").rule == "D-84"
    assert refused(state, "place red M ~").rule == "IG-9"
    assert all_of(tell(table(), "place red M ~"))["pieces"] == [{"id": 1, "colour": "red", "size": "M"}]


@pytest.mark.parametrize(
    ("words", "x", "y"),
    [
        ("E of #1 gap 8 off 5", 40, 5),
        ("W of #1 gap 8 off -5", -33, -5),
        ("N of #1 gap 0 off 31", 31, 32),
        ("S of #1 gap 17 off -24", -24, -42),
    ],
)
def test_measuring_from_a_piece(words, x, y):
    state = table("A:L@0,0")
    assert GAME.read(state, f"place red M {words}") == f"place red M @ {x},{y}"
    assert tell(state, f"place red M {words}") == tell(state, f"place red M @ {x},{y}")


def test_d_76_the_first_piece_lies_at_the_origin():
    state = table()
    assert sorted(GAME.moves(state)) == sorted(
        f"place {c} {s} @ 0,0" for c in ("red", "yellow") for s in "SML"
    )
    assert refused(state, "place red L @ 1,0").rule == "D-76"


def test_d_77_a_table_with_edges():
    state = table("A:L@0,0", options={"table": [0, 0, 60, 40]})
    assert refused(state, "place red M @ 36,0").rule == "D-77"
    assert refused(state, "place red M @ 32,-1").rule == "D-77"
    state = tell(state, "place red M @ 35,0")
    assert all("@ -" not in move for move in GAME.moves(state))


@pytest.mark.parametrize("place", ["34,0", "-34,0", "0,34", "0,-34"])
def test_d_77_a_piece_that_hangs_over_an_edge_is_a_defect(place):
    lying = pieces(f"A:L@0,0 B:L@{place}")
    table(pieces=lying, stash=stash_beside(lying), options={"table": [-34, -34, 66, 66]})
    with pytest.raises(PositionError, match="#2 hangs over the edge"):
        table(pieces=lying, stash=stash_beside(lying), options={"table": [-33, -33, 65, 65]})


def test_the_number_of_the_next_piece():
    few = [{**one, "id": number} for one, number in zip(pieces("A:L@0,0 B:L@34,0"), (3, 7), strict=True)]
    assert (
        max(
            one["id"]
            for one in all_of(tell(table(pieces=few, stash=stash_beside(few)), "place red L @ 0,34"))[
                "pieces"
            ]
        )
        == 8
    )
    taken = {"A": [{"colour": "blue", "size": size} for size in "SSMM"]}
    state = table("A:L@0,0", prisoners=taken, stash={"red": {"L": 1}})
    assert all_of(tell(state, "place red L @ 34,0"))["pieces"][-1]["id"] == 6


def test_readable_and_ambiguous():
    state = table(DOUBLE)
    refusal = refused(state, "place M @ 25,0")
    assert (refusal.kind, refusal.candidates) == (
        "ambiguous",
        ("place red M @ 25,0", "place yellow M @ 25,0"),
    )
    for text in (
        "",
        "build",
        "place L red",
        "place red L @",
        "place red L @ 0",
        "place red X @ 0,0",
        "place red L @ 0.5,0",
        "capture 4 5",
        "place red L N of 7 gap x off 1",
        "done now",
    ):
        assert refused(state, text).kind == "unreadable", text
    assert GAME.read(state, "PLACE Red l @ -3 , 7") == "place red L @ -3,7"
    assert GAME.read(state, "place red L ~ #2, #3") == "place red L ~ #2,#3"
    state = tell(state, "place red M @ 25,0")
    assert GAME.read(state, "capture 1") == "capture #1"
    assert refused(state, "capture").kind == "ambiguous"


def test_a_placement_without_its_place_is_one_where_it_fits_one():
    state = table()  # the first piece lies at the origin
    assert GAME.read(state, "place red L") == "place red L @ 0,0"
    assert refused(state, "place l", "A").candidates == ("place red L @ 0,0", "place yellow L @ 0,0")


@pytest.mark.parametrize(
    ("text", "fitting"),
    [("place", ""), ("place red", "place red "), ("PLACE L", " L @"), ("place yellow m", "place yellow M ")],
)
def test_a_placement_without_its_place_is_asked_for_it(text, fitting):
    tiny = table("A:L@0,0 B:L@4,0", options=TINY)
    legal = [move for move in GAME.moves(tiny) if fitting in move]
    why = refused(tiny, text)
    assert why.kind == "ambiguous"
    assert why.text == f"{text!r} fits {len(legal)} legal moves: say which"
    assert len(why.candidates) == 5
    assert set(why.candidates) <= set(legal)
    kinds = {move.partition(" @")[0] for move in legal}
    assert len({move.partition(" @")[0] for move in why.candidates}) == min(5, len(kinds))


def test_a_placement_without_its_place_that_fits_none():
    lying = pieces("A:L@0,0 B:L@34,0")
    few = {"red": {"S": 5, "L": 1}, "blue": {"S": 5}}
    state = table(pieces=lying, stash=few)
    why = refused(state, "place red M")
    assert (why.kind, why.rule, why.text) == ("illegal", "IG-9", "no red M is left in the stash")
    assert refused(state, "place M").rule == refused(state, "place yellow").rule == "IG-9"
    assert refused(state, "place blue").text == "A places red and yellow, not blue"
    assert refused(state, "place red L", "B").text == "it is A who may act now"
    tight = table(pieces=lying, stash=few, options={"table": [0, 0, 70, 32]})
    assert (refused(tight, "place red S").kind, refused(tight, "place red S").nearest) == (
        "not-now",
        ("pass",),
    )
    narrow = table(pieces=lying, stash=few, options={"table": [0, 0, 70, 55]})
    why = refused(narrow, "place red L")
    assert (why.kind, why.rule, why.text) == ("illegal", "IG-9", "no legal move fits 'place red L' now")
    assert refused(narrow, "place blue L").text == "A places red and yellow, not blue"
    told = table(pieces=[{"colour": "red", "size": "L"}], stash=few)
    assert GAME.read(told, "place S") == "place red S ~ #1"
    assert refused(told, "place blue").rule == "IG-9"


def test_a_text_that_is_no_move_is_told_how_it_is_written():
    assert refused(table(), "place red L @ 0").text.endswith(": it is written " + EXAMPLES["place"])
    assert set(EXAMPLES) == set(VERBS)
    for example in ("place red L @ 40,5", "place red L E of #7 gap 8 off 5", "place red L ~ #7,#9"):
        assert example in EXAMPLES["place"]
        assert str(parse(example)) == example
