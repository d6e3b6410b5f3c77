"""Simulated noises of a table, in pieces of one kind each: the negative examples for likenesses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from benchmarks.not_a_shake import PIECE_S, RATE, in_a_room, knocks
from benchmarks.worlds.other_noises import NOISES
from hw_mock.igloo import noises, table_noise

NOISE_S = 20.0
# a shake at another table is no noise: it is a shake, though nobody's here
OF_TABLE = tuple(kind for kind in table_noise.KINDS if kind != "far-shake")
BACKGROUNDS = ("babble", "music", "fan", "hum")
TIMES = 4.0  # how many times more often than at a usual table, if a kind of table noise is heard alone
# these are heard at every table, so they get SPOKEN_TIMES times as many pieces
SPOKEN = ("speech", "one voice", "table: talk", "behind: babble")
SPOKEN_TIMES = 3
Sound = npt.NDArray[np.float64]


def noise(kind: str, seed: int) -> Sound:
    """`NOISE_S` seconds of that noise at 48 kHz, float64[n]."""
    return np.clip(makers()[kind](np.random.default_rng([seed, *kind.encode()]), seed), -1, 1)


def makers() -> dict[str, Callable[[np.random.Generator, int], Sound]]:
    """Kind of noise → the function that makes `NOISE_S` of it, from a random generator and a number."""
    n, made = round(NOISE_S * RATE), {}

    def loud(of: Callable[[np.random.Generator], Sound], random: np.random.Generator, seed: int) -> Sound:
        return np.asarray(random.uniform(0.4, 3.0) * in_a_room(of(random), random))

    def alone(kind: str, random: np.random.Generator, seed: int) -> Sound:
        pieces = table_noise.table_noise(90000 + seed, NOISE_S, (kind,), TIMES)
        return np.concatenate([piece for piece, _ in pieces]).astype(np.float64)

    def behind(kind: str, random: np.random.Generator, seed: int) -> Sound:
        return np.asarray(0.05 * random.uniform(0.4, 3.0) * noises.background(kind, random, n))

    for family, make in NOISES.items():
        made[family] = partial(loud, lambda random, make=make: make(random, NOISE_S))
    made["knocks in pieces"] = partial(
        loud,
        lambda random: np.concatenate([knocks(random, round(PIECE_S * RATE)) for _ in range(8)]),
    )
    made["one voice"] = partial(loud, lambda random: noises.voice(random, n))
    for kind in OF_TABLE:
        made[f"table: {kind}"] = partial(alone, kind)
    for kind in BACKGROUNDS:
        made[f"behind: {kind}"] = partial(behind, kind)
    return made


def noises_of(pieces: float) -> list[tuple[str, int]]:
    """Kinds and numbers of `pieces` pieces of each noise."""
    return [
        (kind, k)
        for kind in makers()
        for k in range(round(pieces * (SPOKEN_TIMES if kind.startswith(SPOKEN) else 1)))
    ]
