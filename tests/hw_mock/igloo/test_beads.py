"""Beads in a dome obey mechanics: they stay inside, lose what they should, and hit as often as their number says."""

import math
from dataclasses import replace

import numpy as np
import pytest

from hw_mock.igloo import beads, traces
from hw_mock.igloo.constants import GRAVITY
from hw_mock.igloo.device import PLASTICS, Device, Igloo
from hw_mock.igloo.gestures import gesture
from hw_mock.igloo.hand import RATE, Player, shaking
from hw_mock.igloo.played import laid_out, move, play
from tests.parts import proof

LOSSLESS = np.array([[3e8, 0.0, 0.0, 0.0, 0.0]] * 3)


def _run(
    positions, velocities, laws, seconds, force=(0.0, 0.0, 0.0), shell_mass=1e6, radius=0.0025, out=None
):
    """A dome of 24 mm with beads of 5 mm, glass; nothing else moves. Returns positions, velocities and traces."""
    position, velocity = np.array(positions, float), np.array(velocities, float)
    n = len(position)
    steady, none = np.tile(np.array(force, float), (4, 1)), np.zeros((4, 3))
    shell = np.array([shell_mass, 0, 0, 0, 0, 0, 0, 0, 0], float)
    samples = round(seconds * 48000)
    mass = 2500 * 4 / 3 * math.pi * radius**3
    out = beads.run(
        position, velocity, np.zeros((n, 3)), np.full(n, radius), np.full(n, mass), (0.024, 0.0), laws, shell,
        (steady, none, none, np.zeros(0)), np.zeros(5), (48000.0, RATE), 16, samples, 20, out or traces.traces(samples),
    )  # fmt: skip
    return position, velocity, out


def test_a_bead_in_flight_follows_the_parabola():
    position, velocity, _ = _run([[0, 0, 0.012]], [[0.1, 0, 0.2]], LOSSLESS, 0.02, (0, 0, -GRAVITY))
    assert position[0] == pytest.approx([0.002, 0, 0.012 + 0.004 - GRAVITY * 0.0002], abs=1e-7)
    assert velocity[0, 2] == pytest.approx(0.2 - GRAVITY * 0.02)


def test_without_losses_the_energy_of_thirteen_beads_stays():
    r = np.random.default_rng(5)
    grid = [
        [x, y, z]
        for z in (0.004, 0.010)
        for x in (-0.009, -0.003, 0.003, 0.009)
        for y in (-0.006, 0.0, 0.006)
    ]
    _, velocity, out = _run(grid[:13], r.normal(0, 0.5, (13, 3)), LOSSLESS, 0.3)
    before = np.random.default_rng(5).normal(0, 0.5, (13, 3))
    assert out.counts[1] > 200
    assert (velocity**2).sum() == pytest.approx((before**2).sum(), rel=0.02)


def test_two_beads_that_meet_keep_their_momentum_and_lose_what_the_restitution_says():
    device = replace(Device.draw(1), bead_restitution=0.8, bead_diameter=0.005, bead_spread=0.0)
    pair = Igloo.of(device, 2).pair
    laws = np.array([[3e8, 0, 0, 0, 0]] * 2 + [[pair.stiffness, pair.damping, 0, 0, pair.friction]])
    _, velocity, _ = _run([[-0.004, 0, 0.01], [0.004, 0, 0.01]], [[0.5, 0, 0], [-0.1, 0, 0]], laws, 0.012)
    assert velocity.sum(axis=0) == pytest.approx([0.4, 0, 0], abs=1e-6)
    assert velocity[1, 0] - velocity[0, 0] == pytest.approx(0.8 * 0.6, rel=0.05)


def test_the_wall_gives_back_less_of_a_heavy_bead_and_holds_it_longer():
    kept, lasted = [], []
    for diameter in (0.003, 0.005, 0.008):
        device = replace(
            Device.draw(3), plastic=PLASTICS[0], bead_diameter=diameter, bead_spread=0.0,
            floor_thickness=0.0018, igloo_spread=0.0, edge_fixity=0.5, centre_height=0.0,
        )  # fmt: skip
        igloo = Igloo.of(device, 1)
        floor = igloo.floor
        laws = np.array(
            [[floor.stiffness, floor.damping, 1 / floor.impedance, 1 / floor.relaxation, floor.friction]] * 3
        )
        radius = diameter / 2
        _, velocity, out = _run([[0, 0, radius + 1e-3]], [[0, 0, -1.0]], laws, 0.004, radius=radius)
        kept.append(velocity[0, 2])
        lasted.append(out.impacts[0, 5])
    assert 0.9 > kept[0] > kept[1] > kept[2] > 0.1
    assert 20e-6 < lasted[0] < lasted[1] < lasted[2] < 300e-6


def test_beads_at_rest_press_with_their_weight():
    device = Device.draw(4)
    igloo = Igloo.of(device, 3)
    floor = igloo.floor
    laws = np.array([[floor.stiffness, floor.damping, 1 / floor.impedance, 1 / floor.relaxation, 0.3]] * 3)
    start = [[-0.006, 0, 0.0026], [0, 0, 0.0026], [0.006, 0, 0.0026]]
    _, _, out = _run(start, np.zeros((3, 3)), laws, 0.5, (0, 0, -GRAVITY))
    weight = 3 * 2500 * 4 / 3 * math.pi * 0.0025**3 * GRAVITY
    assert out.force[-4800:, 2].mean() == pytest.approx(-weight, rel=0.01)


def test_a_shell_that_nobody_holds_takes_the_momentum_that_beads_lose():
    velocity = [[0.3, 0.1, 0.4], [-0.2, 0.3, 0.1]]
    laws = np.array([[3e8, 5.0, 0.1, 4000.0, 0.3]] * 3)
    bead = 2500 * 4 / 3 * math.pi * 0.0025**3
    mass, start = 0.02, np.array(velocity).sum(axis=0) * bead
    _, after, out = _run([[-0.005, 0, 0.008], [0.005, 0, 0.008]], velocity, laws, 0.3, shell_mass=mass)
    shell_speed = out.recoil.sum(axis=0) / 48000
    assert out.counts[1] >= 4
    assert after.sum(axis=0) * bead + mass * shell_speed == pytest.approx(start, abs=2e-8)
    assert out.force.sum(axis=0) / 48000 == pytest.approx(mass * shell_speed, abs=2e-8)


@pytest.mark.parametrize(
    ("name", "beads_in_it"), [("still", 13), ("still", 20), ("swirl", 13), ("swirl", 20)]
)
def test_what_presses_on_the_shell_is_written_down_to_the_end(name, beads_in_it):
    """Thirteen beads on the floor, some at the wall too, make more than one entry a bead and sample."""
    person = Player.draw(1).take(1)
    device = replace(Device.draw(1), bead_diameter=0.004)
    igloo, motion = Igloo.of(device, beads_in_it), gesture(name, person, 1, 0.5)
    told, _ = move(igloo, person, motion, np.random.default_rng(1))
    samples, entries = len(told.click), int(told.counts[0])
    assert entries > 8 * samples  # which was all the room there once was
    pressed = np.bincount(told.entry_sample[:entries], told.entry_impulse[:entries], samples) * 48000
    # what the floor alone carries in the last tenth of a second, and more where the wall pushes back
    weight = sum(igloo.masses) * GRAVITY
    assert pressed[-4800:].mean() > 0.9 * weight
    assert (np.diff(told.entry_sample[:entries]) >= 0).all()


def test_impacts_find_room_however_many_there_are():
    r = np.random.default_rng(3)
    at = laid_out(Igloo.of(replace(Device.draw(1), bead_diameter=0.004), 13), r)
    short = traces.traces(0)
    _, _, out = _run(at, r.normal(0, 0.7, (13, 3)), LOSSLESS, 0.3, radius=0.002, out=short)
    hits = out.impacts[: out.counts[1]]
    assert len(hits) > 2 * len(short.impacts)
    assert (
        np.diff(hits[:, 0] + hits[:, 5]) >= -1e-9
    ).all()  # in the order in which they ended, none left out
    assert (hits[:, 1] > 0).all()


@pytest.mark.parametrize("seed", range(proof(4, 60)))
def test_nobody_leaves_the_dome_however_it_is_shaken(seed):
    device, person = Device.draw(seed), Player.draw(seed).take(1)
    igloo = Igloo.of(device, 2 + seed % 15)
    played = play(device, igloo, replace(person, strength_g=5.0), shaking(person, seed, 0.6), seed)
    assert np.isfinite(played.ring).all()
    # a blow at the top speed that a shake can give dents no wall by more than a tenth of a bead
    assert played.impacts[:, 6].max() < 6.0
    assert played.impacts[:, 5].min() > 0


def test_many_large_beads_are_laid_out_beside_each_other():
    cramped = replace(Device.draw(1), bead_diameter=0.009, outer_diameter=0.045, centre_height=-0.003)
    igloo = Igloo.of(cramped, 16)
    at, radius = laid_out(igloo, np.random.default_rng(1)), np.array(igloo.radii)
    apart = np.linalg.norm(at[:, None] - at[None, :], axis=2) + np.eye(16)
    assert (apart - radius[:, None] - radius[None, :])[~np.eye(16, dtype=bool)].min() > -1e-6
    assert (at[:, 2] >= radius - 1e-9).all()
    with pytest.raises(ValueError, match=r"40 beads of 9\.0 mm do not fit this igloo"):
        laid_out(Igloo.of(cramped, 40), np.random.default_rng(1))


def test_a_rolling_bead_ends_its_slip():
    laws = LOSSLESS.copy()
    laws[1] = [3e8, 20.0, 0, 0, 0.3]
    _, velocity, _ = _run([[-0.01, 0, 0.0025]], [[0.1, 0, 0]], laws, 0.1, (0, 0, -GRAVITY))
    assert velocity[0, 0] == pytest.approx(
        0.1 * 5 / 7, rel=0.03
    )  # a solid sphere: 2/7 of the way goes into spin


def test_hits_grow_as_theory_says():
    """On the wall about as N, on each other as N(N−1)."""
    walls, pairs, counts = [], [], (2, 4, 8, 13)
    for n in counts:
        wall = pair = 0
        for seed in range(proof(3, 30)):
            device, person = Device.draw(seed), Player.draw(seed).take(1)
            played = play(device, Igloo.of(device, n), person, shaking(person, 7, 1.2), seed)
            hits = played.impacts[played.impacts[:, 6] > 0.05]
            wall += int(np.sum(hits[:, 2] < traces.PAIR))
            pair += int(np.sum(hits[:, 2] == traces.PAIR))
        walls.append(wall)
        pairs.append(pair)
    n = np.array(counts)
    assert np.polyfit(np.log(n), np.log(walls), 1)[0] == pytest.approx(1.1, abs=0.3)
    assert np.polyfit(np.log(n * (n - 1)), np.log(pairs), 1)[0] == pytest.approx(1.0, abs=0.25)
