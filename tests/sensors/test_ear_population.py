"""Devices and people that shift what is heard, drawn here: what is learned of them, and what one sweep is worth."""

from __future__ import annotations

import numpy as np
import pytest

from sensors.ear.occasion import occasion_costs
from sensors.ear.population import Populations
from sensors.ear.population_fit import enough, fit_populations, left_out_populations, log_score

COUNTS = tuple(range(2, 14))
FEATURES = 12


class World:
    """Igloos whose features rise with ln N, each device and each occasion with a shift and a tilt of its own."""

    def __init__(self, seed: int, middle: float, device: float = 0.6, occasion: float = 0.15) -> None:
        self.random = np.random.default_rng(seed)
        self.rise = np.random.default_rng(7).normal(0, 1, FEATURES)
        self.middle = middle * np.random.default_rng(8).normal(0, 1, FEATURES)
        self.device, self.occasion = device, occasion

    def sweeps(self, devices: int, sessions: int):
        """z, beads, occasions, devices."""
        z, beads, occasions, of = [], [], [], []
        for d in range(devices):
            shift = self.random.normal(0, self.device) * self.rise
            for s in range(sessions):
                own = self.random.normal(0, self.occasion) * self.rise
                for n in COUNTS:
                    noise = self.random.normal(0, 0.25, FEATURES)
                    z.append(self.middle + np.log(n) * self.rise + shift + own + noise)
                    beads.append(n)
                    occasions.append(d * sessions + s)
                    of.append(d)
        return np.array(z), *(np.array(x, dtype=np.intp) for x in (beads, occasions, of))


def learned(*worlds: World) -> Populations:
    parts = [world.sweeps(8, 3) for world in worlds]
    z = np.concatenate([p[0] for p in parts])
    beads = np.concatenate([p[1] for p in parts])
    occasions = np.concatenate([p[2] + 100 * i for i, p in enumerate(parts)])
    devices = np.concatenate([p[3] + 100 * i for i, p in enumerate(parts)])
    sources = np.repeat(np.arange(len(parts)), len(parts[0][0]))
    return fit_populations(z, beads, occasions, devices, ["loc"] * FEATURES, sources)


def test_one_source_is_one_population_and_two_are_three():
    assert len(learned(World(1, 0.0)).members) == 1
    assert len(learned(World(1, 0.0), World(2, 3.0)).members) == 3  # and one of all together


def test_a_sweep_of_the_device_tells_of_it_for_others_shakes():
    populations = learned(World(1, 0.0))
    z, beads, occasions, _ = World(3, 0.0).sweeps(1, 4)
    first = occasions == 0
    known = populations.adapted(z[first], beads[first], occasions[first])
    rest = ~first
    before = log_score(populations.log_likelihood(z[rest], COUNTS), beads[rest], COUNTS)
    after = log_score(known.log_likelihood(z[rest], COUNTS), beads[rest], COUNTS)
    assert after > before + 0.3


def test_what_is_the_hands_is_not_taken_for_the_devices():
    """Where occasions differ and devices do not, a sweep moves what is expected by little of its own shift."""
    populations = learned(World(1, 0.0, device=0.02, occasion=0.6))
    world = World(4, 0.0, device=0.0, occasion=0.0)
    z, beads, occasions, _ = world.sweeps(1, 1)
    moved = populations.adapted(z + 1.0 * world.rise, beads, occasions).members[0].shift
    away = populations.project(1.0 * world.rise[None] + populations.centre)[0]
    d = len(away)
    assert abs(moved[:d] @ away) / (away @ away) < 0.4


def test_recordings_of_a_device_settle_which_population_it_is_of():
    populations = learned(World(1, 0.0), World(2, 3.0))
    for number, middle in ((0, 0.0), (1, 3.0)):
        z, beads, occasions, _ = World(5, middle).sweeps(1, 1)
        known = populations.adapted(z, beads, occasions)
        wrong = populations.members[1 - number]
        assert not any(np.array_equal(m.curve, wrong.curve) for m in known.members)


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


def test_what_rattles_like_nothing_that_was_learned_is_strange():
    populations = learned(World(1, 0.0), World(2, 3.0))
    for middle in (0.0, 3.0):
        z, *_ = World(5, middle).sweeps(2, 1)
        assert np.quantile(populations.strangeness(z, COUNTS), 0.9) < 2.0
    clatter = np.random.default_rng(9).normal(0, 6, (20, FEATURES))
    assert np.median(populations.strangeness(clatter, COUNTS)) > 5.0
