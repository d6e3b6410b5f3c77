"""Devices and people that shift what is heard, drawn here: what is learned of them, and what one sweep is worth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy

from sensors.ear.models.curve import MIDDLE, powers_of
from sensors.ear.models.fitting import fit_model
from sensors.ear.models.labels import Labels
from sensors.ear.models.occasion import occasion_costs
from sensors.ear.models.population import MOST_HANDS, OWN_HAND, TAILS
from sensors.ear.models.population_fit import (
    PRINCIPAL,
    WITHIN_PENALTIES,
    enough,
    fit_populations,
    found_directions,
    left_out_populations,
    log_score,
)
from sensors.ear.models.populations import LEAST_MET, Populations, _likely, met
from tests.sensors.ear.models.population_world import COUNTS, FEATURES, MARK, World, days_of, learned


def test_one_source_is_one_population_and_two_are_three():
    assert len(learned(World(1, 0.0)).members) == 1
    assert len(learned(World(1, 0.0), World(2, 3.0)).members) == 3  # and one of all together


def test_a_count_is_as_likely_as_students_distribution_about_its_middle_has_it():
    """Broad tails, as of one covariance of take, occasion and device: whatever lies a long way off tells little."""
    populations = learned(World(1, 0.0))
    z, beads, occasions, _ = World(3, 0.0).sweeps(1, 1)
    member = populations.members[0].adapted(populations.project(z), beads, occasions, occasions)
    d = member.curve.shape[1]
    t = np.vstack([populations.project(z[:3]), 50 * np.ones(d)])
    expected = []
    for x in np.log(COUNTS) - MIDDLE:
        h = np.kron([1.0, x], np.eye(d))
        spread = member.takes + h @ (member.occasions + member.devices) @ h.T
        middle = powers_of(np.array([x]))[0] @ member.curve + h @ member.shift
        expected.append(scipy.stats.multivariate_t.logpdf(t, middle, spread, df=TAILS))
    off = np.array(expected).T - member.log_likelihood(t, COUNTS)
    np.testing.assert_allclose(off, off[0, 0], atol=1e-6)


def test_a_sweep_of_the_device_tells_of_it_for_others_shakes():
    populations = learned(World(1, 0.0))
    z, beads, occasions, _ = World(3, 0.0).sweeps(1, 4)
    first = occasions == 0
    known = populations.adapted(z[first], beads[first], occasions[first], occasions[first])
    rest = ~first
    before = log_score(populations.log_likelihood(z[rest], COUNTS), beads[rest], COUNTS)
    after = log_score(known.log_likelihood(z[rest], COUNTS), beads[rest], COUNTS)
    assert after > before + 0.3


def test_what_is_the_hands_is_not_taken_for_the_devices():
    """Where occasions differ and devices do not, a sweep moves what is expected by little of its own shift."""
    populations = learned(World(1, 0.0, device=0.02, occasion=0.6))
    world = World(4, 0.0, device=0.0, occasion=0.0)
    z, beads, occasions, _ = world.sweeps(1, 1)
    moved = populations.adapted(z + 1.0 * world.rise, beads, occasions, occasions).members[0].shift
    away = populations.project(1.0 * world.rise[None] + populations.centre)[0]
    d = len(away)
    assert abs(moved[:d] @ away) / (away @ away) < 0.4


def test_half_believed_takes_tell_as_much_as_half_as_many_and_unfelt_ones_little():
    populations = learned(World(1, 0.0))
    z, beads, occasions, _ = World(3, 0.0).sweeps(1, 1)
    member, t = populations.members[0], populations.project(z)
    whole = member.adapted(t, beads, occasions, occasions)
    twice = [np.concatenate([x, x]) for x in (t, beads, occasions, occasions)]
    assert np.allclose(member.adapted(*twice, believed=0.5).shift, whole.shift)
    felt, unfelt = (
        populations.adapted(z, beads, occasions, occasions, felt).members[0] for felt in (True, False)
    )
    assert np.allclose(felt.shift, whole.shift)
    assert np.trace(unfelt.devices) > 1.1 * np.trace(felt.devices)
    assert 0 < np.linalg.norm(unfelt.shift) < np.linalg.norm(felt.shift)
    like, unlike = (
        populations.beside(z, beads, occasions, occasions, felt).members[0] for felt in (True, False)
    )
    assert np.allclose(like.shift, member.beside(t, beads, occasions, occasions).shift)
    assert 0 < np.linalg.norm(unlike.shift) < np.linalg.norm(like.shift)


def test_recordings_of_a_device_settle_which_population_it_is_of():
    populations = learned(World(1, 0.0), World(2, 3.0))
    for number, middle in ((0, 0.0), (1, 3.0)):
        z, beads, occasions, _ = World(5, middle).sweeps(1, 1)
        known = populations.adapted(z, beads, occasions, occasions)
        wrong = populations.members[1 - number]
        assert not any(np.array_equal(m.curve, wrong.curve) for m in known.members)


def test_sets_settle_as_well_which_population_others_like_them_are_of():
    populations = learned(World(1, 0.0), World(2, 3.0))
    for number, middle in ((0, 0.0), (1, 3.0)):
        z, beads, occasions, devices = World(5, middle).sweeps(2, 1)
        known = populations.beside(z, beads, occasions, devices, felt=True)
        wrong = populations.members[1 - number]
        assert not any(np.array_equal(m.curve, wrong.curve) for m in known.members)


def test_only_a_population_that_is_out_of_the_question_is_left_away():
    populations = learned(World(1, 0.0), World(2, 3.0))
    told = np.array([30.0, 23.0, 19.0])
    members = _likely([replace(m, weight=w) for m, w in zip(populations.members, told, strict=True)])
    assert [m.weight for m in members] == [0.0, -7.0]  # at one to a thousand it is asked still


def test_devices_tell_of_another_one_what_they_have_in_common():
    """All igloos of a kind lie higher by the same; each also differs from the others, as those do that were learned."""
    populations = learned(World(1, 0.0))
    world = World(6, 0.0)
    z, beads, occasions, devices = world.sweeps(8, 2)
    z = z + 1.5 * world.rise
    known, as_one, unknown = [], [], []
    for one in range(8):
        new, old = devices == one, devices != one
        beside = populations.beside(z[old], beads[old], occasions[old], devices[old], felt=True)
        adapted = populations.adapted(z[old], beads[old], occasions[old], occasions[old], felt=True)
        for told, by in ((known, beside), (as_one, adapted), (unknown, populations)):
            told.append(log_score(by.log_likelihood(z[new], COUNTS), beads[new], COUNTS))
        assert np.trace(beside.members[0].devices) > np.trace(populations.members[0].devices)
    assert np.mean(known) > np.mean(unknown) + 0.3
    assert np.mean(known) > np.mean(as_one) + 0.3  # seven sets are not one that differs by the mean of them


def test_one_device_tells_little_of_others_and_all_of_itself():
    populations = learned(World(1, 0.0))
    z, beads, occasions, devices = World(3, 0.0).sweeps(1, 2)
    member, t = populations.members[0], populations.project(z)
    itself = member.adapted(t, beads, occasions, occasions)
    others = member.beside(t, beads, occasions, devices)
    assert 0.3 < np.linalg.norm(others.shift) / np.linalg.norm(itself.shift) < 0.7


def test_what_is_far_from_all_that_was_learned_is_believed_less(monkeypatch: pytest.MonkeyPatch):
    z, beads, occasions, devices = World(1, 0.0).sweeps(8, 3)
    names = tuple(f"loc.{i}" for i in range(FEATURES))
    model = fit_model(names, z, Labels(beads, occasions, devices, devices), COUNTS).model
    assert model.populations is not None

    def told(values: np.ndarray, counts: np.ndarray) -> float:
        return log_score(model.log_likelihood(values), counts, COUNTS)

    alike, counts, *_ = World(2, 0.0).sweeps(4, 2)
    strange, *_ = World(2, 0.5, device=1.5).sweeps(4, 2)  # igloos that lie elsewhere, and differ more
    believed = [
        met(model.populations.strangeness(model.scaling.apply(v), COUNTS))
        for v in (alike, strange, 50 * strange)
    ]
    assert believed[0].mean() > 0.9
    assert believed[1].mean() < 0.7
    assert np.all(believed[2] == LEAST_MET)
    now = told(alike, counts), told(strange, counts)
    monkeypatch.setattr("sensors.ear.models.populations.LEAST_MET", 1.0)
    assert abs(now[0] - told(alike, counts)) < 0.05
    assert now[1] > told(strange, counts) + 0.03


def test_who_calibrated_is_known_again_on_another_day_and_a_stranger_is_not_taken_for_him():
    populations = learned(World(1, 0.0, device=0.2, occasion=0.5, mark=MARK))
    z, beads, days = days_of(0.8, 9)
    stranger, theirs, _ = days_of(-0.6, 10)
    first = days == 0
    one = np.zeros(int(first.sum()), dtype=np.intp)
    known = populations.adapted(z[first], beads[first], one, one)
    forgotten = known.in_strangers_hands()
    assert not forgotten.members[0].hands
    again = ~first

    def score(of: Populations, z, beads) -> float:
        return log_score(of.log_likelihood(z, COUNTS), beads, COUNTS)

    assert score(known, z[again], beads[again]) > score(forgotten, z[again], beads[again]) + 0.03
    assert score(known, stranger, theirs) > score(forgotten, stranger, theirs) - 0.02


def test_every_hand_that_was_heard_is_remembered_and_two_days_of_one_are_one():
    populations = learned(World(1, 0.0))
    z, beads, occasions, _ = World(11, 0.0).sweeps(1, 4)
    people = np.array([0, 0, 1, 2])[occasions]
    known = populations.adapted(z, beads, occasions, people)
    assert [len(m.hands) for m in known.members] == [3]
    many, counts, of, _ = World(12, 0.0).sweeps(1, MOST_HANDS + 2)
    kept = populations.adapted(many, counts, of, of).members[0]
    assert len(kept.hands) == MOST_HANDS
    last = of == MOST_HANDS + 1  # who came last is remembered, and who came first is not
    alone = populations.members[0].adapted(populations.project(many), counts, of, np.where(last, 1, 0))
    away = [np.linalg.norm(hand.shift - alone.hands[1].shift) for hand in kept.hands]
    assert np.argmin(away) == MOST_HANDS - 1
    probabilities = np.exp([likely for likely, _ in kept.supposing()])
    assert probabilities.sum() == pytest.approx(1.0)
    assert probabilities[0] == pytest.approx(1 - OWN_HAND)


def test_a_round_by_who_calibrated_is_laid_with_his_hand():
    populations = learned(World(1, 0.0, device=0.2, occasion=0.5, mark=MARK))
    z, beads, days = days_of(0.9, 14)
    first = days == 0
    one = np.zeros(int(first.sum()), dtype=np.intp)
    known = populations.adapted(z[first], beads[first], one, one)
    laid = np.log(beads[~first].astype(float)).tolist()
    costs, evidence = occasion_costs(known, z[~first], laid, COUNTS)[0]
    _, less = occasion_costs(known.in_strangers_hands(), z[~first], laid, COUNTS)[0]
    assert evidence > less
    assert costs.shape == (len(laid), len(COUNTS))


def test_a_round_tells_of_its_own_hand():
    """A shift that no sweep ever had: laid out right, an igloo's own count costs least; laid out alike, it does not."""
    populations = learned(World(1, 0.0))
    world = World(6, 0.0)
    z, beads, _, _ = world.sweeps(1, 1)
    z = z + 1.5 * world.rise
    told, evidence = occasion_costs(populations, z, np.log(beads.astype(float)).tolist(), COUNTS)[0]
    alike, less = occasion_costs(populations, z, [float(np.log(beads).mean())] * len(z), COUNTS)[0]
    right = np.searchsorted(COUNTS, beads)
    assert (told.argmin(axis=1) == right).mean() > 0.5 > (alike.argmin(axis=1) == right).mean()
    assert evidence > less


def test_left_out_scores_are_of_populations_that_never_heard_the_device():
    z, beads, occasions, devices = World(1, 0.0).sweeps(6, 3)
    z[devices == 2] += 40.0  # one device like no other: known to be odd only by those who heard it
    one = np.zeros_like(beads)
    whole, left_out = left_out_populations(
        z, beads, occasions, devices, ["loc"] * FEATURES, one, devices, COUNTS, most=6
    )
    odd = devices == 2
    heard = whole.log_likelihood(z[odd], COUNTS)
    assert log_score(left_out[odd], beads[odd], COUNTS) < log_score(heard, beads[odd], COUNTS) - 0.02
    # the others are heard as before, whoever else was there
    assert log_score(left_out[~odd], beads[~odd], COUNTS) > log_score(left_out[odd], beads[odd], COUNTS)


@pytest.mark.parametrize(
    ("devices", "sessions", "suffice"), [(3, 4, True), (2, 6, False), (3, 3, False), (12, 1, True)]
)
def test_how_many_sweeps_are_enough(devices, sessions, suffice):
    _, beads, occasions, of = World(1, 0.0).sweeps(devices, sessions)
    assert enough(beads, occasions, of) is suffice


def test_sources_of_too_few_devices_each_are_one_population_together():
    z, beads, occasions, of = World(1, 0.0).sweeps(3, 4)
    assert enough(beads, occasions, of)
    assert len(fit_populations(z, beads, occasions, of, ["loc"] * FEATURES, of).members) == 1


def test_directions_are_of_unit_variance():
    z, beads, occasions, _ = World(1, 0.0).sweeps(4, 3)
    z, y = z - z.mean(axis=0), np.log(beads) - np.log(beads).mean()
    names = ["loc.a"] * 6 + ["hand.b", "ons.c"] + ["ons.d"] * 4
    found = found_directions(z, y, occasions, names)
    np.testing.assert_allclose((z @ found).std(axis=0), 1.0)
    assert found.shape[1] == PRINCIPAL + 1 + len(WITHIN_PENALTIES) + 1 + 2  # as it is, and of each group


def test_a_count_that_nobody_asks_for_has_no_score():
    scores = np.random.default_rng(1).normal(0, 1, (3, len(COUNTS)))
    three, two = (np.array(beads, dtype=np.intp) for beads in ((4, 9, 20), (4, 9)))
    assert log_score(scores, three, COUNTS) == log_score(scores[:2], two, COUNTS)


def test_what_rattles_like_nothing_that_was_learned_is_strange():
    populations = learned(World(1, 0.0), World(2, 3.0))
    for middle in (0.0, 3.0):
        z, *_ = World(5, middle).sweeps(2, 1)
        assert np.quantile(populations.strangeness(z, COUNTS), 0.9) < 2.0
    clatter = np.random.default_rng(9).normal(0, 6, (20, FEATURES))
    assert np.median(populations.strangeness(clatter, COUNTS)) > 5.0
