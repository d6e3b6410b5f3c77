"""IGLOO: connections, open pieces, placements that are refused, and captures (T-IG-1 … T-IG-16)."""

from __future__ import annotations

import pytest

from rules.looney.game import GAME

from .pyramids import DOUBLE, all_of, links_in, open_in, refusal_of, refused, table, tell


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


@pytest.mark.parametrize(
    ("reading", "said"),
    [
        ("any", "none of the other side's pieces is"),
        ("threatening", "no piece of the other side that it is connected to is (option double_threat)"),
        ("fresh", "it opens none of the other side's pieces (option double_threat)"),
    ],
)
def test_d_74_who_may_not_place_in_harms_way_is_told_what_is_missing_by_the_table_s_reading(reading, said):
    elsewhere = "" if reading == "any" else " B:S@100,0 A:M@120,0"  # an open piece of B's that does not count
    state = table("B:L@0,0" + elsewhere, options={"double_threat": reading})
    assert all_of(state)["open"] == ([2] if elsewhere else [])
    why = refused(state, "place red S @ -18,0")
    assert (why.kind, why.rule) == ("illegal", "IG-12")
    assert why.text == f"it would be open to capture at once, and {said}"
    if reading == "fresh":  # B's S is connected to the new piece, but lay open before
        beside = table("B:S@0,0 A:M@-27,0 B:M@57,0", options={"double_threat": reading})
        assert refused(beside, "place red M @ 25,0").text == why.text
