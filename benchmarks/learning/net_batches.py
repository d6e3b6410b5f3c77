"""Training batches of the ear's networks: takes cut at random, with data augmentation.

A take is cut at random, its noise floor raised, its depth and its bands' balance changed, because rooms, gains and
backgrounds differ more than simulators do. Takes of similar length form a batch, cut to the shortest of them, so that
nothing is learned from padding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import torch

from benchmarks.learning.net_takes import Learned
from sensors.ear.frames.frontend import HAND_RATE, FrontEnd
from sensors.ear.shakes.net import HAND_COLUMNS, columns_of, hand_columns, steps_of

LONGEST_S = 3.2  # longest part of a take that is used
SHORTEST_S = 0.8
BATCH = 32
POOL = 16  # batches that are drawn together and sorted by length
# Every band is made louder or softer by this much, ln energy, because how far hits exceed a band's mean differs between
# engines. Judgement: small networks that saw their accelerometer takes six times did best on unknown sets with 0.8, of
# 0.15, 0.4, 0.8 and 1.6; microphones, whose takes were seen two or three times, gained nothing from 0.4 or 0.8.
BALANCE = {"accelerometer": 0.8, "microphone": 0.3}
MISJUDGED = 0.3  # error of the neighbours' estimated part, ln
# In this share of takes, hits are spread more evenly over the axes: how far a shell moves in the direction of the hit
# differs between engines.
MIXED = 0.6


def batch(
    front: FrontEnd, takes: Sequence[Learned], length: int, random: np.random.Generator | None
) -> tuple[torch.Tensor, torch.Tensor]:
    """ln energy [takes, frames, columns] of `length` frames, cut at random or from the beginning, in company followed
    by ln of the neighbours' part; the hand [takes, points, 7]."""
    points = length // steps_of(front).whole
    length = points * steps_of(front).whole
    columns = columns_of(front)
    x = np.empty((len(takes), length, columns * (1 if takes[0].beside is None else 2)), np.float32)
    hand = np.zeros((len(takes), points, HAND_COLUMNS), np.float32)
    scale = HAND_RATE / front.frame_rate
    for i, take in enumerate(takes):
        begin = 0 if random is None else int(random.integers(0, len(take.log) - length + 1))
        x[i, :, :columns] = take.log[begin : begin + length]
        if take.beside is not None:
            x[i, :, columns:] = take.beside[begin : begin + length]
        if front.hand and points:
            ahead = begin * scale + take.ahead
            moved = take.hand[int(ahead) : int(ahead + length * scale) + 1]
            if random is not None:
                moved = moved * np.float32(random.uniform(0.95, 1.05))
            hand[i] = hand_columns(front, moved, points, ahead % 1.0)
    return torch.from_numpy(x), torch.from_numpy(hand)


def spoiled(x: torch.Tensor, front: FrontEnd) -> torch.Tensor:
    """Augmented data: another floor for half of the takes, another depth, another balance of the bands; axes mixed;
    errors in the neighbours' part."""
    one = (len(x), 1, 1)
    bands, columns, balance = len(front.bands), columns_of(front), BALANCE[front.sensor]
    own, beside = x[:, :, :columns], x[:, :, columns:]
    if columns > bands:
        much = torch.rand(one) * (torch.rand(one) < MIXED)
        alike = torch.exp(own[:, :, bands - 1 : bands])
        along = torch.log((1 - much) * torch.exp(own[:, :, bands:]) + much * alike)
        own = torch.cat([own[:, :, :bands], along], 2)
    floor = torch.exp(torch.empty(one).uniform_(-6, -2)) * (torch.rand(one) < 0.5)
    deep = torch.empty(one).uniform_(0.9, 1.1)
    own = torch.log(torch.exp(own) + floor) * deep + balance * torch.randn(len(x), 1, columns)
    return torch.cat([own, beside + MISJUDGED * torch.randn(one)], 2)


def batches(
    front: FrontEnd, takes: Sequence[Learned], shares: npt.NDArray[np.float64], random: np.random.Generator
) -> Iterator[tuple[npt.NDArray[np.intp], int]]:
    """Endless batches: which takes, and how many frames of each."""
    frames = np.minimum([len(take.log) for take in takes], LONGEST_S * front.frame_rate)
    while True:
        chosen = random.choice(len(takes), BATCH * POOL, p=shares / shares.sum())
        least = np.minimum(SHORTEST_S * front.frame_rate, frames[chosen])
        cut = np.clip(frames[chosen] * random.uniform(0.5, 1.15, len(chosen)), least, frames[chosen]).astype(
            int
        )
        order = np.argsort(cut).reshape(POOL, BATCH)
        for part in random.permutation(order):
            yield chosen[part], int(cut[part].min())
