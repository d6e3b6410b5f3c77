"""When two sensors of one shake are sure together."""

from __future__ import annotations

import pytest

from sensors.ear.models.sets import add_up
from sensors.ear.verdicts.pair import IN_COMMON, for_sure
from tests.sensors.ear.verdicts.two_sensors import heads_of


def test_two_sensors_that_agree_are_sure_as_if_they_erred_alike() -> None:
    """A gentle hand's few beads are two to both: what agrees says less than its odds."""
    felt, heard = {2: 0.88, 3: 0.12}, {2: 0.985, 3: 0.015}
    slow, fast = heads_of("contact", 0.96)
    odds, sure_from = for_sure([(felt, slow), (heard, fast)])
    assert odds[2] < sure_from < add_up([felt, heard])[2]
    odds, sure_from = for_sure([({2: 0.98, 3: 0.02}, slow), (heard, fast)])
    assert odds[2] >= sure_from == pytest.approx(0.96)


def test_a_contact_microphone_counts_as_one_view_and_both_have_a_say_in_when_to_be_sure() -> None:
    felt, heard = {2: 0.9, 3: 0.1}, {2: 0.98, 3: 0.02}
    (slow, fast), (_, table) = heads_of("contact", 0.96), heads_of("microphone", 0.99)
    odds, sure_from = for_sure([(felt, slow), (heard, fast)])
    views = 49 ** (1 / 1.4)  # times likelier than three
    assert odds == pytest.approx(add_up([felt, {2: views / (views + 1), 3: 1 / (views + 1)}], IN_COMMON))
    assert sure_from == pytest.approx(0.96)
    odds, sure_from = for_sure([(felt, slow), (heard, table)])
    assert odds == pytest.approx(add_up([felt, {2: 0.98, 3: 0.02}], IN_COMMON))
    assert sure_from == pytest.approx(0.98)


def test_two_profiles_that_share_one_count_are_not_sure_of_it_for_that() -> None:
    slow, fast = heads_of("contact", 0.96)
    odds, sure_from = for_sure([({2: 0.3, 3: 0.4, 4: 0.3}, slow), ({3: 0.9, 6: 0.08, 9: 0.02}, fast)])
    assert list(odds) == [2, 3, 4, 6, 9]
    assert odds[3] < 0.5 < sure_from
