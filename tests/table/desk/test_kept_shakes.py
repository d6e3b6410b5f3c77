"""What was heard of an igloo counts for as long as its taking stands, by the sensor that is its own first."""

from __future__ import annotations

from table.desk.in_hand import Held
from table.desk.kept_shakes import KeptShakes
from tests.table.shakes import heard


def held(letter: str) -> Held:
    return Held("red", letter, 0.0, 1)


def test_what_was_heard_of_a_taking_that_was_taken_back_does_not_count_until_it_is_made_again() -> None:
    kept, first, again = KeptShakes(), held("A"), held("A")
    kept.keep(first, heard("red", {9: 0.9}, doubt="strange"), shared=False)
    kept.keep(again, heard("red", {4: 0.9}), shared=False)
    again.stands = False
    assert kept.alone("A") == 9
    assert not kept.well_heard("A")
    again.stands, first.stands = True, False
    assert kept.alone("A") == 4
    assert kept.well_heard("A")
    again.stands = False
    assert kept.letters() == kept.counting("A") == []
    assert not kept.well_heard("A")


def test_letters_come_in_the_order_in_which_igloos_were_heard() -> None:
    kept = KeptShakes()
    for letter in "CABC":
        kept.keep(held(letter), heard("red", {5: 0.9}), shared=False)
    assert kept.letters() == ["C", "A", "B"]
    kept.forget()
    assert kept.letters() == []
