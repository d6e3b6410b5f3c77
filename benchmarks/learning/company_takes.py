"""Training takes of several people who shake at once, for the network of company (sensors.ear.seats.company).

Recordings of one igloo each are added as energies: a microphone gets its own player's sound, and every neighbour's
later, weaker and smeared by the room; these amounts are drawn far wider than tables differ. The product's own code
estimates the crosstalk between seats. All ranges are judgement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.signal import lfilter

from benchmarks.learning.net_takes import Learned
from sensors.ear.frames.frontend import Floats, Frames, FrontEnd
from sensors.ear.seats.company import LEAST_LEAK
from sensors.ear.seats.neighbours import leak_at, take_off, weights
from sensors.ear.seats.together import without_floor
from sensors.ear.shakes.takes import between

PEOPLE = (2, 3, 4, 4, 4)
ALIKE = 0.6  # share of tables where all igloos are of one maker
START_S = (0.3, 1.1)
AFTER_S = 0.4
NEAREST_DB = (2.0, 20.0)  # attenuation of a table's nearest neighbour
DIFFUSE = (0.15, 4.0)  # ratio of a neighbour's diffuse to its direct sound
SMEAR_S = (0.008, 0.05)
FLOOR_DB = (25.0, 50.0)


def company(front: FrontEnd, takes: Sequence[Learned], tables: int, seed: int) -> Iterator[Learned]:
    """The takes of each microphone at `tables` tables of two to four people; `takes` must have `raw`."""
    random = np.random.default_rng([seed, 71])
    long = [take for take in takes if take.raw is not None and len(take.log) > 0.6 * front.frame_rate]
    by_maker: dict[tuple[str, str], list[Learned]] = {}
    for take in long:
        by_maker.setdefault((take.folder, take.maker), []).append(take)
    for _ in range(tables):
        first = long[random.integers(len(long))]
        some = by_maker[first.folder, first.maker] if random.random() < ALIKE else long
        people = min(int(random.choice(PEOPLE)), len(some))
        yield from _table(front, [some[i] for i in random.choice(len(some), people, replace=False)], random)


def alone(takes: Sequence[Learned], most: int) -> list[Learned]:
    """Some of the takes as they are heard when nobody else shakes."""
    nobody = np.log(LEAST_LEAK)
    random = np.random.default_rng(72)
    some = [takes[i] for i in random.permutation(len(takes))[:most]]
    return [replace(take, raw=None, beside=np.full_like(take.log, nobody)) for take in some]


def _table(front: FrontEnd, takes: Sequence[Learned], random: np.random.Generator) -> Iterator[Learned]:
    rate = front.frame_rate
    starts = (random.uniform(*START_S, len(takes)) * rate).astype(int)
    heard = _mixed(front, takes, starts, random)
    clear = without_floor(heard)
    weight = weights(clear, rate)
    for i, take in enumerate(takes):
        first = max(0, starts[i] + int(random.uniform(-0.02, 0.03) * rate))
        end = min(heard.shape[1], starts[i] + len(take.log) + int(random.uniform(-0.02, 0.1) * rate))
        cut = between(front, Frames(heard[i].astype(np.float32), np.zeros((0, 3), np.float32)), first, end)
        if cut is None:
            continue
        leak = leak_at(i, take_off(clear, weight, rate), weight, rate)[first:end]
        beside = np.log(leak / clear[i, first:end].mean(axis=0) + LEAST_LEAK)
        yield replace(take, log=cut.log.astype(np.float16), raw=None, beside=beside.astype(np.float16))


def _mixed(
    front: FrontEnd, takes: Sequence[Learned], starts: npt.NDArray[np.int_], random: np.random.Generator
) -> Floats:
    """Energy at the seats' microphones, float64[seats, frames, bands]."""
    rate, bands = front.frame_rate, len(front.bands)
    people, frames = len(takes), max(s + len(t.log) for s, t in zip(starts, takes, strict=True))
    own = np.zeros((people, frames + int(AFTER_S * rate), bands))
    for k, take in enumerate(takes):
        assert take.raw is not None
        energy = np.exp(take.raw.astype(float))
        energy = np.maximum(energy - np.quantile(energy, 0.05, axis=0), 0)
        loud = np.exp(random.normal(0, 0.5)) / energy[:, -1].mean()
        own[k, starts[k] : starts[k] + len(energy)] = loud * energy
    nearest, tilt = random.uniform(*NEAREST_DB), random.normal(0, 1.5, bands)
    diffuse, smear_s = (float(np.exp(random.uniform(*np.log(x)))) for x in (DIFFUSE, SMEAR_S))
    # noise of this bandwidth fluctuates in so short a frame: shape parameter of its gamma distribution
    even = np.maximum(0.5, [(high - low) / rate for low, high in front.bands])
    out = own.copy()
    for i in range(people):
        for j in range(people):
            if i == j:
                continue
            far = 0.0 if abs(i - j) in (1, 3) else random.uniform(0, 3)
            gain = 10 ** (-(nearest + far + random.normal(0, 2) + tilt + random.normal(0, 1.5, bands)) / 10)
            late = round(random.uniform(0.0004, 0.0022) * rate)
            straight = np.concatenate([np.zeros((late, bands)), own[j]])[: own.shape[1]]
            if random.random() < 0.5:
                straight = straight * random.gamma(2 * even, 1 / (2 * even), straight.shape)
            kept = np.exp(-1 / (smear_s * rate))
            room = lfilter([1 - kept], [1, -kept], own[j], axis=0) * random.gamma(
                even, 1 / even, straight.shape
            )
            out[i] += gain * (straight + diffuse * room) / (1 + diffuse)
    floor = 10 ** (-random.uniform(*FLOOR_DB) / 10) * np.exp(random.normal(0, 1, bands))
    return np.asarray(out + floor * random.gamma(even, 1 / even, out.shape))
