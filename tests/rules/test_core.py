"""What the four referees share: chance as a value, parts of moves, nearest moves, reading what anybody wrote."""

from __future__ import annotations

import re
from functools import cache
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core import notation
from rules.core.chance import Chance
from rules.core.game import Event, Option, Over
from rules.core.reading import Reader
from rules.core.refusal import Ambiguous, Illegal, NotNow, PositionError, Unreadable
from rules.ice_cult import notation as ice_cult
from rules.igloo_pop import notation as igloo_pop


@given(st.integers(), st.integers(0, 10**6))
def test_chance_is_printed_and_read_again(seed: int, used: int) -> None:
    chance = Chance(Chance.of(seed).seed, used)
    assert Chance.parse(str(chance)) == chance
    assert chance.below(10) == chance.below(10)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "c1.",
        "c1.ff.1",
        "c1." + "0" * 32 + ".-1",
        "c1." + "g" * 32 + ".1",
        "c2." + "0" * 32 + ".0",
        "c1." + "0" * 32 + ".01",
    ],
)
def test_what_is_no_chance(text: str) -> None:
    with pytest.raises(ValueError, match=r"chance|literal"):
        Chance.parse(text)


@given(st.integers(0, 10**9), st.lists(st.integers(), max_size=30))
def test_a_shuffle_loses_nothing(seed: int, things: list[int]) -> None:
    mixed, after = Chance.of(seed).shuffled(things)
    assert sorted(mixed) == sorted(things)
    assert after.used == max(0, len(things) - 1)


def test_draws_are_even() -> None:
    """A die of twelve sides, 12,000 throws (chi square, 11 degrees of freedom)."""
    counts, chance = [0] * 12, Chance.of(7)
    for _ in range(12_000):
        side, chance = chance.below(12)
        counts[side] += 1
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 35


def test_seeds_do_not_share_their_draws() -> None:
    firsts = {Chance.of(seed).below(10**6)[0] for seed in range(200)}
    assert len(firsts) > 190


@given(st.text("abc#> 1", max_size=9), st.text("abc#> 1", max_size=9))
def test_edits_are_levenshteins(a: str, b: str) -> None:
    @cache
    def slow(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        return min(slow(i - 1, j) + 1, slow(i, j - 1) + 1, slow(i - 1, j - 1) + (a[i - 1] != b[j - 1]))

    assert notation.edits(a, b) == slow(len(a), len(b))


MOVES = ["tilt n>N", "tilt n>S", "use NE pool", "use NE 3", "use NE 3#1", "use SW 1", "end"]
VERBS = {"tilt": (("[nswe]", ">[NSEW]"),), "use": (("NE|SW", "pool|[0-9]", "#[0-9]"),), "end": ((),)}


@pytest.mark.parametrize(
    ("text", "move"),
    [("tilt >s", "tilt n>S"), ("use sw", "use SW 1"), ("USE 1", "use SW 1"), ("use #1", "use NE 3#1")],
)
def test_a_part_that_fits_one_move_is_that_move(text: str, move: str) -> None:
    assert notation.complete(text, VERBS, MOVES, "X-1", "nothing fits") == move


def test_a_part_that_fits_several_is_ambiguous_and_one_that_fits_none_is_refused() -> None:
    with pytest.raises(Ambiguous) as several:
        notation.complete("use ne", VERBS, MOVES, "X-1", "nothing fits")
    assert several.value.candidates == ("use NE pool", "use NE 3", "use NE 3#1")
    with pytest.raises(Illegal) as none:
        notation.complete("use 9", VERBS, MOVES, "X-1", "nothing fits")
    assert none.value.rule == "X-1"
    with pytest.raises(NotNow):
        notation.complete("tilt n", VERBS, ["end"], "X-1", "nothing fits")
    for text in ("", "  ", "tilt up", "use NE SW", "jump", "x" * 10_000):
        with pytest.raises(Unreadable):
            notation.complete(text, VERBS, MOVES, "X-1", "nothing fits")


def test_nearest_moves_share_their_words_first() -> None:
    assert notation.nearest("use NE 4", MOVES)[:2] == ("use NE 3", "use NE pool")
    assert notation.nearest("tilt n>E", MOVES, most=2) == ("tilt n>N", "tilt n>S")
    assert notation.nearest("", MOVES)


def test_a_verb_is_hinted_at() -> None:
    assert "did you mean tilt?" in notation.unreadable("tlit n>N", VERBS).text


@pytest.mark.parametrize("language", [ice_cult, igloo_pop])
def test_every_verb_is_explained_by_a_move_that_can_be_read(language: ModuleType) -> None:
    assert set(language.EXAMPLES) == set(language.VERBS)
    for verb, how in language.EXAMPLES.items():
        first = re.split(r" \(|, | or ", how)[0]
        assert str(language.parse(first)) == first
        assert first.split()[0] == verb


def test_options_name_every_wrong_value() -> None:
    known = [
        Option("length", 5, "4 to 9", "spaces", least=4, most=9),
        Option("hard", False, "true or false", "harder", (True, False)),
        Option("first", "a", "a or b", "who", ("a", "b")),
    ]
    read = Reader()
    assert read.options({"length": 6, "hard": True}, known) == {"length": 6, "hard": True, "first": "a"}
    # whichever way options come: to JSON 6.0 is 6
    assert str(read.options({"length": 6.0}, known)["length"]) == "6"
    assert not read.defects
    for wrong in (
        {"length": 10},
        {"length": 6.5},
        {"length": True},
        {"hard": 1},
        {"first": []},
        {"frist": "a"},
        3,
    ):
        read = Reader()
        assert read.options(wrong, known) == {"length": 5, "hard": False, "first": "a"}
        with pytest.raises(PositionError):
            read.finish()


def test_what_goes_out_is_json() -> None:
    assert Event("moved", "X-1", "so", ("red",), {"n": 1}).to_json() == {
        "event": "moved",
        "rule": "X-1",
        "to": ["red"],
        "text": "so",
        "n": 1,
    }
    over = Over(("red",), "X-2", "done", {"red": 1.5}).to_json()
    assert over == {"winners": ["red"], "rule": "X-2", "text": "done", "scores": {"red": 1.5}}
    assert Illegal("X-3", "no", ("a",)).to_json() == {
        "kind": "illegal",
        "rule": "X-3",
        "text": "no",
        "nearest": ["a"],
    }
    assert "nearest" not in Unreadable("what?").to_json()
