"""IGLOO where connections are told (D-84): what may be told, of how many pieces ever, and a part of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import pytest

from rules.looney.game import GAME
from rules.looney.options import SIZES
from rules.looney.placing import in_harms_way
from rules.looney.state import State

from .pyramids import refused, table, tell


def told(colours: str, sizes: str, stash: dict[str, Any], links: str = "", **more: Any) -> State:
    """Pieces without coordinates, the first two letters of their colours told: `re bl`, `S L`, `1-2`."""
    names = {name[:2]: name for name in ("red", "yellow", "blue", "green")}
    lying = [
        {"id": number, "colour": names[colour], "size": size}
        for number, (colour, size) in enumerate(zip(colours.split(), sizes.split(), strict=True), 1)
    ]
    pairs = [[int(one) for one in pair.split("-")] for pair in links.split()]
    return table(pieces=lying, links=pairs, stash=stash, **more)


def many(stash: dict[str, Any], whose: str = "re ye bl gr") -> State:
    """Twenty-four pieces in a row."""
    colours = " ".join([whose] * (24 // len(whose.split())))
    return told(colours, "S M L " * 8, stash, " ".join(f"{n}-{n + 1}" for n in range(1, 24)))


def each_that_may_be_told(state: State) -> Iterator[str]:
    """The same by trying all sets."""
    for size_of_set in range(1, len(state.pieces) + 1):
        for chosen in combinations(state.pieces.values(), size_of_set):
            for colour, size in state.kinds_left():
                harmed, threat = in_harms_way(state, size, list(chosen))
                if threat or not harmed:
                    ids = ",".join(f"#{piece.id}" for piece in chosen)
                    yield f"place {state.setting.colours[colour]} {SIZES[size]} ~ {ids}"


@pytest.mark.parametrize("seed", range(40))
def test_every_set_that_the_graph_allows_and_no_other(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randrange(1, 8)
    colours = rng.choices(("re", "ye", "bl", "gr"), (1, 1, 4, 4) if seed % 2 else (1, 1, 1, 1), k=count)
    pairs = [pair for pair in combinations(range(1, count + 1), 2) if rng.random() < 0.4]
    state = told(
        " ".join(colours),
        " ".join(rng.choices("SML", k=count)),
        {colour: {size: rng.randrange(2) for size in "SML"} for colour in ("red", "yellow", "blue")},
        " ".join(f"{a}-{b}" for a, b in pairs),
        turn=rng.choice("AB"),
        options={"double_threat": rng.choice(("any", "threatening", "fresh"))},
    )
    assert list(GAME.moves(state)) == ["pass", *each_that_may_be_told(state)]


def test_who_has_no_piece_left_passes_at_once() -> None:
    """It went through all sets of twenty-four pieces first."""
    state = many({})
    assert list(GAME.moves(state)) == ["pass"]
    for text in ("place red L", "place", "place red L ~ #1"):
        why = refused(state, text)
        assert (why.kind, why.nearest) == ("not-now", ("pass",))
    assert refused(state, "place red L").text == "no red L is left in the stash"
    assert tell(state, "pass")


def test_the_few_that_may_be_told_among_very_many() -> None:
    """A small piece beside the other side's alone: next to one other small one, or it is open."""
    state = many({"red": {"S": 1}}, "bl gr")
    few = [f"place red S ~ #{number}" for number in range(1, 25, 3)]
    assert list(GAME.moves(state)) == ["pass", *few]
    assert refused(state, "place red").candidates == tuple(few[:5])
    great = "bl gr " * 10, "L M M L " * 5
    one = told("bl " + great[0], "S " + great[1], {"red": {"S": 1}})
    assert GAME.read(one, "place S") == "place red S ~ #1"
    none = told(*great, {"red": {"S": 1}})
    assert list(GAME.moves(none)) == ["pass"]
    why = refused(none, "place S")
    assert (why.kind, why.rule, why.text) == ("not-now", "IG-9", "no legal move fits 'place S' now")


@pytest.mark.parametrize("text", ["place red S", "place s", "place", "place red"])
def test_a_part_of_what_may_be_told_is_asked_for_its_connections(text: str) -> None:
    """Nobody counts millions of sets, and a number of those that were looked at would be none of them."""
    state = many({"red": {"S": 2, "M": 1}, "blue": {"S": 1}})
    why = refused(state, text)
    assert why.kind == "ambiguous"
    assert why.text == f"{text!r} fits several legal moves: say with ~ what the piece is connected to"
    assert len(why.candidates) == 5
    assert set(why.candidates) <= set(islice(GAME.moves(state), 200))
    assert refused(state, "place blue").text == "A places red and yellow, not blue"
    assert refused(state, text, "B").text == "it is A who may act now"
