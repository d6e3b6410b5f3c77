"""IGLOO's notation: what the quick reading of a placement and the thorough one make of the same words."""

from __future__ import annotations

import pytest

from rules.looney.notation import COLOURS, Move, parse


@pytest.mark.parametrize("colour", COLOURS)
def test_a_placement_is_read_alike_however_its_words_are_spaced_and_spelled(colour: str) -> None:
    quick, slow = parse(f"place {colour} L @ -40,5"), parse(f"  Place {colour.upper()}  l @ -40,5 ")
    assert quick == slow == Move("place", colour=colour, size=2, at=(-40, 5))
    assert parse(str(quick)) == quick


@pytest.mark.parametrize("colour", ["purple", "red"])
def test_another_word_for_a_colour_is_read_alike_both_ways_too_and_another_size_is_none(colour: str) -> None:
    quick, slow = parse(f"place {colour} L @ 40,5"), parse(f"place {colour} l @ 40,5")
    assert quick is not None
    assert quick == slow
    assert parse(f"place {colour} XL @ 40,5") is None
