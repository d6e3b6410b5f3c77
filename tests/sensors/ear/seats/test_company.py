"""A network that learned in company: what it says of a shake whose neighbours shake as well."""

from dataclasses import replace

import numpy as np
import pytest

from sensors.ear.frames.frontend import FRONT_ENDS, Frames
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.seats.company import in_company, in_company_of
from sensors.ear.seats.parted import Parted
from sensors.ear.shakes.net import net_for
from sensors.ear.shakes.shake import shake_of

FRONT = FRONT_ENDS[0]
RATE = FRONT.frame_rate


@pytest.fixture(scope="module")
def head():
    return load_shipped("microphone").head_for("microphone", 48000.0)


def rattle(seed, a_second, seconds=2.0):
    """Energies [frames, bands] of hits in strokes, with a floor."""
    random = np.random.default_rng(seed)
    n = round(seconds * RATE)
    strokes = np.clip(np.sin(2 * np.pi * 4.2 * np.arange(n) / RATE + random.uniform(0, 6)), 0, 1)
    at = np.flatnonzero(random.random(n) < 2 * a_second / RATE * strokes)
    out = np.zeros((n, len(FRONT.bands)))
    out[at] = np.exp(random.normal(0, 0.7, (len(at), 1))) * np.exp(random.normal(0, 0.3, (len(at), 6)))
    ring = np.exp(-np.arange(40) / 6)
    return np.stack([np.convolve(band, ring)[:n] for band in out.T], axis=1) + 1e-4


def parted(own, leak):
    plain = own + leak
    return Parted(own, plain, leak / plain.mean(axis=0), 0.9)


def asked(head, own, leak):
    shake = shake_of(FRONT, Frames((own + leak).astype(np.float32), np.zeros((0, 3), np.float32)))
    return in_company([head], shake, parted(own, leak))


def mean(p):
    return sum(n * v for n, v in p.items())


def test_it_ships_and_sees_the_neighbours_beside_the_sound():
    net = net_for(in_company_of(FRONT.name))
    assert net is not None
    assert net.weights["1"].shape[1] == 3 * len(FRONT.bands)
    assert net_for(in_company_of("accelerometer-1600")) is None  # on a shell nobody else is felt


def test_probabilities_are_those_of_the_profile_s_counts(head):
    p = asked(head, rattle(1, 150), 0.3 * rattle(2, 150))
    assert tuple(p) == head.model.counts
    assert sum(p.values()) == pytest.approx(1)


def test_known_neighbours_are_not_counted_as_its_own_beads(head):
    """Of the same sound fewer beads are told, by and large, when it is known what a neighbour adds."""
    told, untold = [], []
    for seed in range(8):
        own, leak = rattle(seed, 60), 0.4 * rattle(100 + seed, 400)
        told.append(mean(asked(head, own, leak)))
        untold.append(mean(asked(head, own + leak, np.full_like(leak, 1e-9))))
    assert np.mean(told) < np.mean(untold) - 0.3


def test_heads_that_count_together_do_so_in_company_too(head):
    own, leak = rattle(1, 150), 0.1 * rattle(2, 150)
    shake = shake_of(FRONT, Frames((own + leak).astype(np.float32), np.zeros((0, 3), np.float32)))
    leaning = replace(head, model=replace(head.model, offset=head.model.offset + 0.8))
    alone, other, both = (
        mean(in_company(heads, shake, parted(own, leak))) for heads in ([head], [leaning], [head, leaning])
    )
    assert min(alone, other) < both < max(alone, other)


def test_nobody_beside_or_a_profile_that_believes_no_network_is_counted_as_ever(head):
    own = rattle(3, 150)
    shake = shake_of(FRONT, Frames(own.astype(np.float32), np.zeros((0, 3), np.float32)))
    assert in_company([head], shake, Parted(own, own, None, 1.0)) is None
    deaf = replace(head, model=replace(head.model, reading=replace(head.model.reading, weight=0.0)))
    assert in_company([deaf], shake, parted(own, 0.2 * rattle(4, 150))) is None
