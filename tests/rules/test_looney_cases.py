"""IGLOO: the twenty cases of the digest (T-IG-1 … T-IG-20) and the decisions beside them."""

from __future__ import annotations

import pytest

from rules.core.refusal import PositionError
from rules.looney.game import GAME

from .pyramids import FULL, all_of, links_in, open_in, pieces, refusal_of, refused, stash_beside, table, tell


def test_t_ig_1_two_connected_pieces():
    assert links_in("A:L@0,0 B:M@40,5") == [[1, 2]]
    assert links_in("A:L@0,0 B:S@10,42") == [[1, 2]]


def test_t_ig_2_connected_to_one_and_too_far_from_the_other():
    assert links_in("A:L@0,0 B:M@-33,0 B:M@40,0") == [[1, 2], [1, 3]]
    assert links_in("A:L@0,0 B:M@50,0") == []
    assert links_in("A:L@0,0 B:M@49,0") == [[1, 2]]


@pytest.mark.parametrize(
    ("place", "linked"),
    [("40,40", False), ("40,32", False), ("40,31", True), ("32,0", True), ("32,32", False)],
)
def test_t_ig_3_sides_must_face_each_other(place, linked):
    assert links_in(f"A:L@0,0 B:M@{place}") == ([[1, 2]] if linked else [])


OPEN = {
    "T-IG-4 one point is not more than one": ("A:S@0,0 B:S@20,0", False),
    "T-IG-4 two points are": ("A:S@0,0 B:M@20,0", True),
    "T-IG-5 two smalls on a medium": ("A:M@0,0 B:S@27,0 B:S@-20,0", False),
    "T-IG-5 a small and a medium on it": ("A:M@0,0 B:S@27,0 B:M@-27,0", True),
    "T-IG-6 three smalls on a large": ("A:L@0,0 B:S@34,0 B:S@-20,0 B:S@0,34", False),
    "T-IG-6 one of them a medium": ("A:L@0,0 B:S@34,0 B:S@-20,0 B:M@0,34", True),
    "T-IG-7 a supported small and one large": ("A:S@0,0 A:S@0,20 B:L@20,-16", False),
    "T-IG-7 two smalls on it": ("A:S@0,0 A:S@0,20 B:S@20,-16 B:S@-20,-16", True),
    "T-IG-8 a supported medium and two": ("A:M@0,0 A:S@4,27 B:M@27,0 B:M@-27,0", False),
    "T-IG-8 three smalls on it": ("A:M@0,0 A:S@4,27 B:S@27,0 B:S@-20,0 B:S@0,-20", True),
    "T-IG-9 a supported large and three": ("A:L@0,0 A:S@6,34 B:L@34,0 B:L@-34,0 B:L@0,-34", False),
    "T-IG-9 four smalls on it": ("A:L@0,0 A:S@14,34 B:S@34,0 B:S@-20,0 B:S@0,-20 B:S@-8,34", True),
}


@pytest.mark.parametrize(("text", "captured"), OPEN.values(), ids=OPEN)
def test_t_ig_4_to_9_when_a_piece_is_open(text, captured):
    assert (1 in open_in(text)) == captured


def test_t_ig_10_harms_way():
    state = table("B:L@0,0")
    refusal = refused(state, "place red S @ 34,0")
    assert (refusal.kind, refusal.rule) == ("illegal", "IG-12")
    assert refusal.nearest[0].startswith("place red M @")  # a lone S is nowhere safe beside an L
    tell(state, "place red M @ 34,0")
    tell(table("B:L@0,0 A:M@62,0"), "place red S @ 40,0")


def test_t_ig_11_double_threat():
    state = tell(table("B:S@0,0 B:M@57,0"), "place red M @ 25,0")
    assert GAME.phase(state) == "after"
    assert all_of(state)["open"] == [1, 3]
    assert list(GAME.moves(state)) == ["capture #1", "capture all", "done"]
    state = tell(state, "capture #1")
    p = all_of(state)
    assert p["prisoners"]["A"] == [{"colour": "blue", "size": "S"}]
    assert p["open"] == []
    assert (p["phase"], p["to_act"]) == ("place", ["B"])  # W2 has nothing to take and is not entered


DOUBLE = "B:S@0,0 B:M@57,0 B:M@25,32"


def test_t_ig_12_the_aftermath():
    state = tell(table(DOUBLE), "place red M @ 25,0", "capture #1")
    assert (GAME.phase(state), GAME.to_act(state)) == ("before", ("B",))
    assert all_of(state)["open"] == [4]
    state = tell(state, "capture #4")
    assert (GAME.phase(state), GAME.to_act(state)) == ("place", ("B",))
    assert all_of(state)["prisoners"] == {
        "A": [{"colour": "blue", "size": "S"}],
        "B": [{"colour": "red", "size": "M"}],
    }


def test_t_ig_13_refused_double_threat():
    refusal = refused(table("B:M@57,0 B:M@25,32"), "place red M @ 25,0")
    assert (refusal.kind, refusal.rule) == ("illegal", "IG-12")


def test_t_ig_14_a_chain():
    state = table("B:S@0,0 B:S@-25,0 A:M@25,0 A:S@-25,25")
    assert all_of(state)["open"] == []
    state = tell(state, "place red S @ -25,-25")
    assert list(GAME.moves(state)) == ["capture #2", "capture all", "done"]
    assert "not open" in refused(state, "capture #1").text
    one_by_one = tell(state, "capture #2", "capture #1")
    assert all_of(one_by_one) == all_of(tell(state, "capture all"))
    assert all_of(one_by_one)["to_act"] == ["B"]


def test_t_ig_15_placement_refusals():
    state = table("A:L@0,0 A:L@0,34 A:L@0,68 A:L@0,102 A:L@0,136")
    assert "overlap piece #1" in refused(state, "place red M @ 20,0").text
    assert "connected to no piece" in refused(state, "place red M @ 60,0").text
    sixth = refused(state, "place red L @ 34,0")
    assert sixth.rule == "IG-9"
    assert sixth.nearest[0] == "place yellow L @ 34,0"
    assert refused(state, "place blue L @ 34,0").rule == "IG-9"
    assert refused(state, "place white L @ 34,0").kind == "illegal"
    assert refused(state, "pass").rule == "D-78"


def test_t_ig_16_a_capture_may_be_declined_and_stays_possible():
    state = tell(table(DOUBLE), "place red M @ 25,0", "done")
    assert list(GAME.moves(state)) == ["capture #4", "capture all", "done"]
    state = tell(state, "done", "place green S @ 75,40")
    assert GAME.phase(state) == "after"  # still open, and B has just placed
    state = tell(state, "done")
    assert (GAME.phase(state), GAME.to_act(state)) == ("before", ("A",))
    assert "capture #1" in list(GAME.moves(state))


def test_d_71_captures_may_be_compulsory():
    state = tell(table(DOUBLE, options={"captures_optional": False}), "place red M @ 25,0")
    assert list(GAME.moves(state)) == ["capture #1", "capture all"]
    assert (refused(state, "done").rule, refused(state, "done").kind) == ("D-71", "not-now")


def test_d_72_captures_before_placing_only_in_the_aftermath():
    options = {"aftermath_only": True}
    state = tell(table(DOUBLE, options=options), "place red M @ 25,0", "capture #1")
    assert GAME.phase(state) == "before"
    # B declines, A places far from it; B's M is still open to nobody, and A's M is not offered before B places.
    state = tell(state, "done", "place green S @ 84,0", "done", "place yellow S @ 104,0")
    assert (GAME.phase(state), GAME.to_act(state)) == ("place", ("B",))
    assert 4 in all_of(state)["open"]
    state = tell(state, "place green S @ 124,0")
    assert GAME.phase(state) == "after"


@pytest.mark.parametrize(
    ("reading", "elsewhere", "beside_it", "opened_now"),
    [("any", True, True, True), ("threatening", False, True, True), ("fresh", False, False, True)],
)
def test_d_74_what_makes_a_double_threat(reading, elsewhere, beside_it, opened_now):
    options = {"double_threat": reading}

    def takes(text, move):
        state = table(text, options=options)
        why = refusal_of(state, move)
        assert why is None or why.rule == "IG-12"
        assert (move in set(GAME.moves(state))) == (why is None)
        return why is None

    far = "B:S@200,0 A:M@220,0"  # an open piece of B's that the new one does not touch
    assert takes(f"B:M@57,0 B:M@25,32 {far}", "place red M @ 25,0") == elsewhere
    # B's S was open already (A's M at its other side), and the new piece touches it.
    assert takes("B:S@0,0 A:M@-27,0 B:M@57,0", "place red M @ 25,0") == beside_it
    assert takes("B:S@0,0 B:M@57,0", "place red M @ 25,0") == opened_now


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


TEAM = ["red", "blue", "yellow", "green"]


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


def test_a_side_without_pieces_passes_while_the_other_has_some():
    state = table("A:S@0,0", turn="B", stash={"red": {"S": 2}})
    assert list(GAME.moves(state)) == ["pass"]
    state = tell(state, "pass", "place red S @ 20,0")
    assert all_of(state)["passes"] == 0
    state = tell(state, "pass", "place red S @ 40,0")
    assert GAME.phase(state) == "reveal"


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


def test_readable_and_ambiguous():
    state = table(DOUBLE)
    for text in ("", "place", "place red", "place red L"):
        assert refused(state, text).kind == "unreadable"
    refusal = refused(state, "place M @ 25,0")
    assert (refusal.kind, refusal.candidates) == (
        "ambiguous",
        ("place red M @ 25,0", "place yellow M @ 25,0"),
    )
    for text in (
        "build",
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
