"""A move of which no kind is open now: the refusal says what this one waits for, not what the turn waits for."""

from __future__ import annotations

import pytest

from tests.rules.igloo_igloo import polar_board
from tests.rules.igloo_igloo.polar_board import CENTRE, floes, ice, tell
from tests.rules.looney import pyramids

MELTING = {"phase": "pre-melt"}
ACTION = {"phase": "action", "ap": 3}
PLACING = {"phase": "place", "reserve": {"red": {"inuits": 1}}}


@pytest.mark.parametrize("when", [MELTING, ACTION], ids=["pre-melt", "action"])
@pytest.mark.parametrize(
    ("move", "rule", "part"),
    [
        ("step bear c3 c4", "D-45", "after the tile `animals`"),
        ("step fish 2 d4 d5", "D-45", "after the tile `animals`"),
        ("step", "D-45", "after the tile `animals`"),
        ("harpoon", "II-14", "nobody is attacked"),
        ("no harpoon", "II-14", "nobody is attacked"),
        ("flee red a1", "II-14", "no Inuit has to flee"),
        ("drift e3 N", "II-10", "no tile waits to be pushed"),
        ("displace fish 2 d5", "D-41", "no push waits"),
        ("draws 1", "II-25", "no tokens were laid"),
        ("place b1", "II-6", "before the first turn"),
    ],
)
def test_igloo_igloo_what_waits_for_something_else(when, move, rule, part):
    why = polar_board.refused(polar_board.table(**when), move)
    assert (why.kind, why.rule) == ("not-now", rule)
    assert part in why.text


@pytest.mark.parametrize(
    ("when", "move", "rule", "said"),
    [
        (MELTING, "walk b1 b2", "II-9", "first a tile must be melted"),
        (MELTING, "stamina 2", "II-9", "first a tile must be melted"),
        (MELTING, "end", "II-9", "first a tile must be melted"),
        (ACTION, "melt c4", "II-11", "a tile was melted in this turn already"),
        (PLACING, "step bear c3 c4", "II-6", "the tribes are being placed"),
    ],
)  # fmt: skip
def test_igloo_igloo_what_waits_for_the_turn_to_go_on(when, move, rule, said):
    why = polar_board.refused(polar_board.table(**when), move)
    assert (why.kind, why.rule, why.text) == ("not-now", rule, said)


def test_igloo_igloo_a_part_of_a_hand_tiles_move_names_what_is_missing():
    empty = polar_board.table(**ACTION)
    for part, whole in (("thaw", "thaw c4"), ("stamina", "stamina 2")):
        short, long = polar_board.refused(empty, part), polar_board.refused(empty, whole)
        assert (short.kind, short.rule) == (long.kind, long.rule) == ("not-now", "II-12")
    assert polar_board.refused(empty, "thaw").text == "red has no thaw tile to play"
    assert polar_board.refused(empty, "stamina").text == "red has no stamina tile to play"
    other = polar_board.table(**ACTION, ice=ice(*CENTRE, "g7"), hands={"red": ["harpoon"]})
    assert polar_board.refused(other, "thaw").text == "red has no thaw tile to play"
    assert polar_board.refused(polar_board.table(**MELTING), "thaw").rule == "II-12"
    hands = {"red": ["thaw", "thaw", "stamina-1", "stamina-2"]}
    rich = polar_board.table(**ACTION, ice=ice(*CENTRE, "c4", "c5", "f4", "f5"), hands=hands)
    state = tell(rich, "stamina 2", "thaw c3")
    assert polar_board.refused(state, "stamina").rule == "D-44"
    assert polar_board.refused(state, "thaw").rule == "D-44"
    why = polar_board.refused(polar_board.table(**ACTION, ice=floes("c4", pack=("c4",)), hands=hands), "thaw")
    assert (why.kind, why.rule, why.text) == (
        "not-now",
        "II-12",
        "no face-down tile that can thaw lies beside sea",
    )


HERE = {"ice": floes("c4", "c5"), "inuits": {"c4": ["red"]}, "reserve": {"red": {"inuits": 0, "igloos": 2}}}
PAID = "too few action points: that takes {}, and the turn has {} left"


@pytest.mark.parametrize(
    ("when", "move", "said"),
    [
        ({"ap": 0}, "walk", PAID.format(1, 0)),
        ({"ap": 0}, "walk c5", PAID.format(1, 0)),
        ({"ap": 2}, "kayak c4", PAID.format(3, 2)),
        ({"ap": 2}, "igloo", PAID.format(3, 2)),
        ({"reserve": {}}, "igloo", "red has no igloo left"),
        (
            {"inuits": {"c4": ["red", "blue"]}},
            "igloo",
            "no Inuit of red stands where an igloo can be built: on ice, without an igloo and without another tribe",
        ),
        ({"ice": floes("c4")}, "walk", "no Inuit of red can walk anywhere now"),
        ({"ice": floes("c4")}, "kayak", "no Inuit of red can reach another tile by kayak now"),
        (
            {"fish": {"d4": [3]}, "ap": 2},
            "hunt fish",
            "nothing can be hunted now: an animal must be in reach of an Inuit of red, "
            "and costs its value in action points, or a harpoon",
        ),
    ],
)  # fmt: skip
def test_igloo_igloo_a_part_of_an_action_that_is_impossible_says_why(when, move, said):
    why = polar_board.refused(polar_board.table(**{**ACTION, **HERE, **when}), move)
    assert (why.kind, why.rule, why.text) == ("not-now", "II-11", said)


@pytest.mark.parametrize(
    ("move", "rule", "part"),
    [
        ("commit A yellow", "D-83", "before the first piece"),
        ("commit", "D-83", "before the first piece"),
        ("capture all", "IG-10", "no piece of the other side is open"),
        ("capture #1", "IG-10", "no piece of the other side is open"),
        ("done", "IG-10", "no piece of the other side is open"),
        ("reveal", "IG-17", "when all pieces are placed"),
    ],
)
def test_igloo_while_a_piece_is_to_be_placed(move, rule, part):
    why = pyramids.refused(pyramids.table("A:L@0,0", turn="B"), move)
    assert (why.kind, why.rule) == ("not-now", rule)
    assert part in why.text


def test_igloo_around_a_window():
    state = pyramids.table("A:S@0,0 B:M@20,0", turn="B", phase="before")
    assert pyramids.refused(state, "place blue S @ 0,20").rule == "IG-14"
    assert pyramids.refused(state, "commit A yellow").rule == "D-83"
    assert pyramids.refused(state, "reveal").rule == "IG-17"
    why = pyramids.refused(pyramids.tell(state, "done"), "capture all")
    assert (why.kind, why.rule) == ("not-now", "IG-14")
    assert why.text == "no window for captures is open now: a piece is to be placed"
    ended = pyramids.table("A:L@0,0", phase="reveal", stash={})
    assert pyramids.refused(ended, "capture all").rule == "IG-17"
    begun = pyramids.GAME.new(["A", "B"], 1, {})[0]
    for move in ("capture all", "done", "reveal"):
        assert pyramids.refused(begun, move).rule == "IG-2"


def test_igloo_in_a_window_that_must_be_played_out_nobody_is_sent_to_done():
    state = pyramids.table("A:S@0,0 B:M@20,0", turn="B", phase="before", options={"captures_optional": False})
    assert pyramids.refused(state, "done").rule == "D-71"
    for move in ("place blue S @ 0,20", "pass"):
        why = pyramids.refused(state, move)
        assert (why.kind, why.rule, why.text) == ("not-now", "IG-14", "first the open pieces are captured")
    free = pyramids.table("A:S@0,0 B:M@20,0", turn="B", phase="before")
    assert pyramids.refused(free, "pass").text.endswith("or the window is ended with `done`")


def test_igloo_that_two_passes_ended_does_not_say_that_all_pieces_are_placed():
    state = pyramids.tell(
        pyramids.table("A:L@0,0", turn="B", options={"table": [0, 0, 32, 32]}), "pass", "pass"
    )
    assert pyramids.GAME.phase(state) == "reveal"
    for move in ("place red S @ 40,0", "pass", "done", "capture all"):
        why = pyramids.refused(state, move)
        assert (why.kind, why.rule) == ("not-now", "IG-17")
        assert why.text == "no more pieces are placed: the real colours are to be revealed"


def test_igloo_in_the_last_windows_whoever_reveals_is_told_what_the_reveal_waits_for():
    state = pyramids.table("A:S@0,0 B:M@20,0", turn="B", phase="before", stash={})
    why = pyramids.refused(state, "reveal")
    assert (why.kind, why.rule) == ("not-now", "IG-17")
    assert (
        why.text == "the real colours are revealed when all pieces are placed and the last windows are over"
    )
