"""Igloo Igloo: islands and points (T-II-19 … T-II-21), and another library's connected components."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.igloo_igloo.game import GAME
from rules.igloo_igloo.score import doubled_totals, islands
from tests.parts import proof

from .polar_board import WATER, all_of, floes, table

FOUR = ["red", "blue", "yellow", "green"]


def points(ice, inuits, igloos=None, **more):
    return GAME.score(table(players=FOUR, ice=floes(*ice), inuits=inuits, igloos=igloos or {}, **more))[0]


def test_t_ii_19_the_scoring_example():
    state = table(
        players=FOUR,
        ice=floes("a7", "a6", "a5", "b6", "b5", "c5", "b8"),
        inuits={
            "a7": ["yellow"],
            "a6": ["blue", "blue"],
            "b6": ["blue"],
            "b5": ["red", "red"],
            "c5": ["green"],
            "b8": ["red"],
            "a8": ["yellow"],
        },
        igloos={"a5": "yellow"},
    )
    totals, parts = GAME.score(state)
    assert totals == {"red": 4, "blue": 6, "yellow": 6, "green": 0}
    assert [island["points"] for island in parts["red"]["islands"]] == [3, 1]
    assert [island["strength"] for island in parts["yellow"]["islands"]] == [3]


def test_t_ii_20_alone_on_an_island():
    four = ("c1", "c2", "c3", "c4")
    assert points(four, {"c1": ["red"]})["red"] == 16
    assert points(four, {"c1": ["red"]}, options={"hardcore": True})["red"] == 10
    assert points((*four, "c5", "c6"), {"c1": ["red"]})["red"] == 36
    assert points((*four, "c5", "c6"), {"c1": ["red"]}, options={"hardcore_scores": True})["red"] == 21
    nine = (*four, "c5", "c6", "c7", "c8", "d1")
    crowd = {"c1": ["red", "red"], "c2": ["blue", "blue"], "c3": ["green", "green"]}
    scores = points(nine, crowd, {"c4": "red"}, options={"hardcore": True})
    assert scores == {"red": 21, "blue": 10.5, "green": 10.5, "yellow": 0}
    assert points(four, {}, {"c1": "blue"})["blue"] == 16  # D-65: an igloo alone


def test_t_ii_21_second_place():
    five = ("c1", "c2", "c3", "c4", "c5")
    crowd = {"c1": ["red", "red"], "c2": ["blue", "blue"], "c3": ["yellow", "yellow"], "c4": ["green"]}
    assert points(five, crowd, {"c4": "red"}) == {"red": 5, "blue": 2.5, "yellow": 2.5, "green": 0}
    assert points(five, {"c1": ["red", "red"], "c2": ["blue", "blue"]})["blue"] == 5
    assert points(("c1",), {"c1": ["blue"]}, {"c1": "red"}) == {
        "red": 1,
        "blue": 0.5,
        "yellow": 0,
        "green": 0,
    }


@pytest.mark.parametrize(("rounding", "second"), [("exact", 2.5), ("down", 2), ("up", 3)])
def test_d_58_half_points(rounding, second):
    five = ("c1", "c2", "c3", "c4", "c5")
    scores = points(five, {"c1": ["red", "red"], "c2": ["blue"]}, options={"half_rounding": rounding})
    assert scores["blue"] == second
    assert type(scores["blue"]) is type(second)


def test_animals_count_and_ties_are_shared():
    prey = {"red": {"fish": [1, 3], "foxes": [2], "bears": 1}, "blue": {"fish": [2, 3, 3, 2]}}
    state = table(ice=floes("c1"), phase="over", prey=prey)
    assert GAME.over(state).scores == {"red": 10, "blue": 10}
    assert GAME.over(state).winners == ("red", "blue")
    assert GAME.score(state)[1]["red"]["animals"] == 10


@st.composite
def tables(draw):
    squares = draw(st.sets(st.sampled_from(WATER), max_size=45))
    ice = sorted(squares)
    inuits: dict[str, list[str]] = {}
    for colour in FOUR:
        for square in draw(st.lists(st.sampled_from((*ice, "a1", "h8")), max_size=3)):
            inuits.setdefault(square, []).append(colour)
    igloos = {}
    for colour in FOUR:
        for square in draw(st.lists(st.sampled_from(ice), max_size=2)) if ice else []:
            igloos.setdefault(square, colour)
    return ice, inuits, igloos


def by_networkx(ice, inuits, igloos):
    """Islands by networkx, points by the sentences of the rulebook."""
    sea_chart = nx.Graph()
    sea_chart.add_nodes_from(ice)
    sea_chart.add_edges_from(
        (a, b) for a in ice for b in ice if abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) == 1
    )
    totals = dict.fromkeys(FOUR, 0.0)
    groups = list(nx.connected_components(sea_chart))
    for island in groups:
        tribes = {
            colour: sum(inuits.get(s, []).count(colour) + 2 * (igloos.get(s) == colour) for s in island)
            for colour in FOUR
        }
        present = [colour for colour in FOUR if tribes[colour]]
        if len(present) == 1:
            totals[present[0]] += len(island) ** 2
            continue
        places = sorted({tribes[colour] for colour in present})
        for colour in present:
            totals[colour] += len(island) * (tribes[colour] == places[-1])
            totals[colour] += len(island) / 2 * (tribes[colour] == places[-2] if len(places) > 1 else 0)
    return totals, groups


@settings(max_examples=proof(60, 2000))
@given(tables())
def test_islands_by_another_library(drawn):
    ice, inuits, igloos = drawn
    state = table(players=FOUR, ice=floes(*ice), inuits=inuits, igloos=igloos, phase="over")
    totals, groups = by_networkx(*drawn)
    assert GAME.score(state)[0] == totals
    assert sorted(island.squares.bit_count() for island in islands(state)) == sorted(map(len, groups))
    assert [total / 2 for total in doubled_totals(state)] == list(totals.values())
    assert all_of(state)["over"]["scores"] == totals
