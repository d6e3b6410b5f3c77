"""Training of the ear's networks (`shakes.net`) with PyTorch: AdamW, batch normalisation, augmented takes.

Loss: cross-entropy against a count smoothed over its neighbours on a logarithmic scale, and the simulator's number of
hits, which shows the first layers what to listen for. All engines have equal weight. The weights that ship are a
running mean, with the normalisation folded in. Training can continue from an earlier network.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from benchmarks.learning.net_batches import BATCH, batch, batches, spoiled
from benchmarks.learning.net_learner import Learner, Numbers
from benchmarks.learning.net_takes import Learned
from sensors.ear.frames.frontend import HAND_RATE, FrontEnd
from sensors.ear.shakes.net import MOST_READ, Net, steps_of

RATE = 4e-3
RATE_ON = 1.5e-3  # learning rate when training continues from a network
WARM = 0.1  # share of steps for warm-up
DECAY = 1e-2  # weight decay
SMEARED = 0.10  # label smoothing, standard deviation in ln N
HITS = 0.1  # weight of the hits in the loss
KEPT = 0.998  # decay of the running mean of the weights, per step


def learn(
    front: FrontEnd,
    takes: Sequence[Learned],
    shares: npt.NDArray[np.float64],
    epochs: int,
    seed: int,
    tell: Callable[[int, float], None] = lambda epoch, loss: None,
    start: Numbers | None = None,
) -> Numbers:
    """Train on `takes`, each drawn with its share; `tell` gets the mean loss of every epoch. `start`: weights of a
    network to continue from, at a lower learning rate and with its normalisation fixed. Either all takes are of company
    or none.

    Returns weights `w…` and biases `b…` as sensors.ear.shakes.net reads them.
    """
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    company = takes[0].beside is not None
    net = Learner(front, start, company)
    mean = Learner(front, start, company)
    net.train()
    mean.load_state_dict(net.state_dict())
    matrices = [p for p in net.parameters() if p.ndim > 1]
    others = [p for p in net.parameters() if p.ndim <= 1]
    adam = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": DECAY}, {"params": others, "weight_decay": 0.0}]
    )
    counts = np.log(np.arange(1, MOST_READ + 1))
    near = np.exp(-0.5 * np.square((counts - counts[:, None]) / SMEARED))
    near = torch.tensor(near / near.sum(axis=1, keepdims=True), dtype=torch.float32)
    beads = np.array([take.beads for take in takes])
    blows = np.log(np.array([take.hits for take in takes]) + 1.0)
    blows = torch.tensor((blows - blows.mean(axis=0)) / blows.std(axis=0), dtype=torch.float32)
    whole = max(1, len(takes) // BATCH)
    told = 0.0
    for t, (chosen, length) in enumerate(batches(front, takes, shares, random), 1):
        done = t / (epochs * whole)
        rate = (RATE if start is None else RATE_ON) * min(
            done / WARM, 0.5 * (1 + np.cos(np.pi * max(0.0, done - WARM) / (1 - WARM)))
        )
        for group in adam.param_groups:
            group["lr"] = rate
        x, hand = batch(front, [takes[i] for i in chosen], length, random)
        logits, heard = net(spoiled(x, front), hand)
        entropy = -(near[beads[chosen] - 1] * torch.log_softmax(logits, 1)).sum(1).mean()
        adam.zero_grad()
        (entropy + HITS * torch.square(heard - blows[chosen]).mean()).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        adam.step()
        _follow(mean, net, min(KEPT, (1 + t) / (10 + t)))
        told += entropy.item()
        if t % whole == 0:
            tell(t // whole - 1, told / whole)
            told = 0.0
        if t >= epochs * whole:
            break
    mean.eval()
    numbers = mean.folded()
    _check(front, mean, numbers, takes[:16])
    return numbers


def between(front: FrontEnd, start: Numbers, end: Numbers, kept: float) -> Numbers:
    """Weights interpolated between `start` and `end`, which was trained from it; `kept`: the share of `start`.

    An interpolation of two such networks often does better on foreign takes than either (Wortsman and others, Robust
    fine-tuning of zero-shot models, CVPR 2022).
    """
    grown = Learner(front, start).folded()  # with the inputs of `end`: new ones have weight 0
    return {
        name: (kept * grown[name].astype(np.float32) + (1 - kept) * value.astype(np.float32)).astype(
            np.float16
        )
        for name, value in end.items()
    }


@torch.no_grad()
def _follow(mean: Learner, net: Learner, kept: float) -> None:
    """Update the running mean of the weights; the normalisation's own running statistics are copied."""
    now = net.state_dict()
    for name, value in mean.state_dict().items():
        if "running" in name or not value.is_floating_point():
            value.copy_(now[name])
        else:
            value.mul_(kept).add_(now[name], alpha=1 - kept)


@torch.no_grad()
def _check(front: FrontEnd, mean: Learner, numbers: Numbers, takes: Sequence[Learned]) -> None:
    """Check that the shipped network in NumPy gives the same answers as here. Raises ValueError if not."""
    net = Net.of(numbers)
    whole = steps_of(front).whole
    for take in takes:
        length = len(take.log) // whole * whole
        beside = None if take.beside is None else take.beside[:length]
        hand = take.hand[: int(take.ahead + length * HAND_RATE / front.frame_rate) + 1]
        short = replace(take, log=take.log[:length], beside=beside, hand=hand)
        ours, _ = mean(*batch(front, [short], length, None))
        told = net.embedding(front, short.log.astype(np.float32), short.hand, short.ahead, beside)
        theirs = told @ net.weights["out"] + net.biases["out"]
        away = np.abs(ours.numpy()[0] - theirs).max()
        if not away < 0.1:
            raise ValueError(
                f"{front.name}: the network as it ships answers otherwise than as learned, by {away:.3f}"
            )
