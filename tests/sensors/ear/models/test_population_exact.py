"""What is reckoned of populations, against the same model written as one covariance of all that is heard and asked."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from sensors.ear.models.curve import MIDDLE, powers_of
from sensors.ear.models.occasion import occasion_costs
from sensors.ear.models.population import EVIDENCE, HANDS, KINDS
from sensors.ear.models.population_fit import (
    _expect,
    _Sums,
)
from tests.sensors.ear.models.population_world import COUNTS, MARK, World, days_of, learned


def test_device_hands_and_days_are_told_apart_as_in_one_great_gaussian():
    """Against the same model written as one covariance of everything that was heard and asked."""
    member = learned(World(1, 0.0)).members[0]
    d = member.curve.shape[1]
    z, beads, occasions, _ = World(13, 0.0).sweeps(1, 3)
    t = np.random.default_rng(5).normal(0, 1, (len(z), d)) @ np.linalg.cholesky(member.takes).T
    people = np.array([0, 1, 0])[occasions]
    known = member.adapted(t, beads, occasions, people)
    x = np.log(beads) - MIDDLE
    h = np.stack([np.kron([1.0, at], np.eye(d)) for at in x]).reshape(-1, 2 * d)
    rows = np.repeat(np.arange(len(t)), d)
    same_hand = (people[rows][:, None] == people[rows]).astype(float)
    same_day = (occasions[rows][:, None] == occasions[rows]).astype(float)
    device = member.devices
    whole = h @ device @ h.T + HANDS * (h @ member.occasions @ h.T) * same_hand
    whole += (1 - HANDS) * (h @ member.occasions @ h.T) * same_day + np.kron(np.eye(len(t)), member.takes)
    left = (t - powers_of(x) @ member.curve).ravel()
    gain = device @ h.T
    np.testing.assert_allclose(known.shift, gain @ np.linalg.solve(whole, left), atol=1e-6)
    np.testing.assert_allclose(known.devices, device - gain @ np.linalg.solve(whole, gain.T), atol=1e-6)
    told = -0.5 * (left @ np.linalg.solve(whole, left) + np.linalg.slogdet(whole)[1])
    assert known.weight == pytest.approx(EVIDENCE * told)
    for person, hand in enumerate(known.hands):
        gain = (device + HANDS * member.occasions) @ h.T
        gain[:, people[rows] != person] = (device @ h.T)[:, people[rows] != person]
        np.testing.assert_allclose(hand.shift, gain @ np.linalg.solve(whole, left), atol=1e-6)
        unsure = device + HANDS * member.occasions - gain @ np.linalg.solve(whole, gain.T)
        np.testing.assert_allclose(hand.devices, unsure, atol=1e-6)


def test_what_sets_have_in_common_is_told_apart_as_in_one_great_gaussian():
    member = learned(World(1, 0.0)).members[0]
    d = member.curve.shape[1]
    z, beads, occasions, devices = World(13, 0.0).sweeps(2, 2)
    t = np.random.default_rng(5).normal(0, 1, (len(z), d)) @ np.linalg.cholesky(member.takes).T
    kind = member.beside(t, beads, occasions, devices)
    x = np.log(beads) - MIDDLE
    h = np.stack([np.kron([1.0, at], np.eye(d)) for at in x]).reshape(-1, 2 * d)
    rows = np.repeat(np.arange(len(t)), d)
    same_set = (devices[rows][:, None] == devices[rows]).astype(float)
    same_day = (occasions[rows][:, None] == occasions[rows]).astype(float)
    common = KINDS * member.devices
    whole = h @ common @ h.T + (h @ member.devices @ h.T) * same_set + (h @ member.occasions @ h.T) * same_day
    whole += np.kron(np.eye(len(t)), member.takes)
    left = (t - powers_of(x) @ member.curve).ravel()
    gain = common @ h.T
    np.testing.assert_allclose(kind.shift, gain @ np.linalg.solve(whole, left), atol=1e-6)
    unsure = common - gain @ np.linalg.solve(whole, gain.T)
    np.testing.assert_allclose(kind.devices, member.devices + unsure, atol=1e-6)
    told = -0.5 * (left @ np.linalg.solve(whole, left) + np.linalg.slogdet(whole)[1])
    assert kind.weight == pytest.approx(EVIDENCE * told)


def test_a_round_is_laid_as_in_one_great_gaussian():
    populations = learned(World(1, 0.0, device=0.2, occasion=0.5, mark=MARK))
    z, beads, days = days_of(0.9, 14)
    first = days == 0
    one = np.zeros(int(first.sum()), dtype=np.intp)
    known = populations.adapted(z[first], beads[first], one, one)
    t, laid = known.project(z[~first]), np.log(beads[~first].astype(float))
    x, d = laid - MIDDLE, t.shape[1]
    h = np.stack([np.kron([1.0, at], np.eye(d)) for at in x]).reshape(-1, 2 * d)
    each = []
    for likely, member in known.members[0].supposing():
        tilts = member.occasions + member.devices
        whole = h @ tilts @ h.T + np.kron(np.eye(len(t)), member.takes)
        left = (t - powers_of(x) @ member.curve).ravel() - h @ member.shift
        gain = tilts @ h.T
        tilted = member.shift + gain @ np.linalg.solve(whole, left)
        unsure = tilts - gain @ np.linalg.solve(whole, gain.T)
        evidence = -0.5 * (left @ np.linalg.solve(whole, left) + np.linalg.slogdet(whole)[1])
        costs = []
        for at in np.log(COUNTS) - MIDDLE:
            of = np.kron([1.0, at], np.eye(d))
            away = t - powers_of(np.array([at]))[0] @ member.curve - of @ tilted
            spread = member.takes + of @ unsure @ of.T
            costs.append(
                0.5
                * (
                    np.einsum("ij,ij->i", away, np.linalg.solve(spread, away.T).T)
                    + np.linalg.slogdet(spread)[1]
                )
            )
        each.append((evidence + likely, np.array(costs).T))
    assert len(each) == 2
    best = max(each, key=lambda one: one[0])
    costs, evidence = occasion_costs(known, z[~first], laid.tolist(), COUNTS)[0]
    assert evidence == pytest.approx(best[0])
    np.testing.assert_allclose(costs, best[1], rtol=1e-6, atol=1e-6)


def test_what_is_expected_of_a_device_and_its_occasions_is_as_in_one_great_gaussian():
    random = np.random.default_rng(3)
    d, sizes = 2, (5, 4)
    takes, of_occasions, of_devices = (
        (lambda a: a @ a.T + 0.2 * np.eye(n))(random.normal(0, 0.5, (n, n))) for n in (d, 2 * d, 2 * d)
    )
    number = sum(sizes)
    x, t = random.normal(0, 0.6, number), random.normal(0, 1, (number, d))
    powers = powers_of(x)
    left = t - powers @ random.normal(0, 1, (powers.shape[1], d))
    groups = np.split(np.arange(number), [sizes[0]])
    sums = _Sums.none(d)
    inverses = tuple(np.linalg.inv(c) for c in (takes, of_occasions, of_devices))
    _expect(groups, x, left, powers, t, inverses, sums)

    h = np.stack([np.kron([1.0, at], np.eye(d)) for at in x])  # [recordings, d, 2d]
    which = np.repeat(np.arange(len(sizes)), sizes)
    # device, first and second occasion
    design = np.stack(
        [np.hstack([one, *(one * (o == k) for k in range(2))]) for one, o in zip(h, which, strict=True)]
    )
    before = scipy.linalg.block_diag(of_devices, of_occasions, of_occasions)
    flat = design.reshape(-1, 6 * d)
    precision = np.linalg.inv(before) + flat.T @ np.kron(np.eye(number), inverses[0]) @ flat
    unsure = np.linalg.inv(precision)
    mean = unsure @ flat.T @ np.kron(np.eye(number), inverses[0]) @ left.ravel()
    second = np.outer(mean, mean) + unsure
    parts = [slice(2 * d * k, 2 * d * (k + 1)) for k in range(3)]
    np.testing.assert_allclose(sums.devices, second[parts[0], parts[0]])
    np.testing.assert_allclose(sums.occasions, sum(second[p, p] for p in parts[1:]))
    away = left - design @ mean
    np.testing.assert_allclose(sums.takes, away.T @ away + sum(one @ unsure @ one.T for one in design))
    np.testing.assert_allclose(sums.curve, powers.T @ (t - design @ mean))
