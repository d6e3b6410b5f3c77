"""Sweeps by one hand that speak against all that was learned: the maker is told, and asked for another person's."""

from __future__ import annotations

from dataclasses import replace

from calibration.traps.strange_sweep import SECOND_PERSON, strange_sweep
from sensors.ear.profiles.profile import load, load_shipped, save
from tests.calibration.traps.strange_hands import put_down_to_the_hand


def test_what_ships_is_of_many_hands_and_says_nothing() -> None:
    assert strange_sweep(load_shipped("contact")) is None


def test_where_nobody_says_who_shook_on_which_occasion_that_is_asked_for() -> None:
    shipped = load_shipped("contact")
    strange = put_down_to_the_hand(shipped, len(shipped.heads))
    for missing, said in ((["session"], False), (["player"], False), (["session", "player"], True)):
        bare = replace(strange, fitted_on=replace(strange.fitted_on, unnamed=tuple(missing)))
        assert ("recordings.jsonl" in (strange_sweep(bare) or "")) == said


def test_it_is_said_where_most_heads_heard_it(tmp_path) -> None:
    shipped = load_shipped("contact")
    assert strange_sweep(put_down_to_the_hand(shipped, 1)) is None
    strange = put_down_to_the_hand(shipped, len(shipped.heads))
    assert strange_sweep(strange) == SECOND_PERSON
    assert (
        strange_sweep(load(save(strange, tmp_path / "own.profile") and tmp_path / "own.profile"))
        == SECOND_PERSON
    )
