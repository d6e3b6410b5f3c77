"""Learning the ear's networks (sensors.ear.net) with PyTorch: AdamW, batch normalisation, takes cut short and spoiled.

Loss: cross-entropy against a count smeared over its neighbours on a logarithmic scale, and how many blows the simulator
counted, which tells the first layers what to listen for. Folders of each engine weigh alike. A take is cut at random,
its floor raised, its depth and its bands' balance changed: rooms, gains and backgrounds differ more than simulators do.
Takes of about one length make a batch, cut to the shortest of them, so that nothing is learned from padding. The
weights that ship are a running mean, with the normalisation folded in.

A network can go on from one that was learned before; it keeps the normalisation that is folded into its weights. A
network of company (sensors.ear.company) sees ln of what neighbours add beside the envelopes.

Convolutions are learned in bfloat16, which processors with matrix units do several times faster; the rest is float32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from benchmarks.net_takes import Learned
from sensors.ear.frontend import HAND_RATE, FrontEnd
from sensors.ear.net import DILATION, HAND_COLUMNS, MOST_READ, Net, columns_of, hand_columns, steps_of

LONGEST_S = 3.2  # of a take that is learned from
SHORTEST_S = 0.8
CHANNELS = (32, 64, 128)
DENSE = 64
BATCH = 32
POOL = 16  # batches that are drawn together and sorted by length
RATE = 4e-3
RATE_ON = 1.5e-3  # where a network is gone on with
WARM = 0.1  # of all steps
DECAY = 1e-2  # of the weights
DROPPED = 0.3
SMEARED = 0.10  # of ln N
HITS = 0.1  # weight of the blows in the loss
# Every band is made louder or softer by so much, ln energy: how far hits stand above a band's mean differs between
# engines. Judgement: small networks that saw their accelerometer takes six times heard sets they had not learned from
# best with 0.8, of 0.15, 0.4, 0.8 and 1.6; microphones, seen two or three times, gained nothing from 0.4 or 0.8.
BALANCE = {"accelerometer": 0.8, "microphone": 0.3}
MISJUDGED = 0.3  # ln of what neighbours add
# Of takes, so many are heard as if hits went along all axes more alike than they do: how far a shell keeps to the way
# it was struck differs between engines.
MIXED = 0.6
KEPT = 0.998  # of the running mean of the weights, a step
NORM_KEPT = 0.98
EPSILON = 1e-3

Numbers = dict[str, npt.NDArray[np.float16]]


def _norm(channels: int) -> nn.BatchNorm1d:
    return nn.BatchNorm1d(channels, eps=EPSILON, momentum=1 - NORM_KEPT)


class Learner(nn.Module):
    """sensors.ear.net.Net while it is learned. Layers are called as there."""

    def __init__(self, front: FrontEnd, start: Numbers | None = None, company: bool = False) -> None:
        super().__init__()
        self.columns = columns_of(front)
        self.kept = start is not None  # the normalisation that is folded into what it starts from
        first, second, third = CHANNELS
        steps = steps_of(front)
        self.hand = front.hand

        def convolution(into: int, out: int, width: int, step: int = 1, apart: int = 1) -> nn.Conv1d:
            return nn.Conv1d(into, out, width, step, padding=width // 2 * apart, dilation=apart, bias=False)

        self.layers = nn.ModuleDict(
            {
                "1": convolution(
                    (3 if company else 2) * self.columns, first, 4 * steps.first + 1, steps.first
                ),
                "2": convolution(first, second, 2 * steps.second + 1, steps.second),
                "3": convolution(second + (HAND_COLUMNS if front.hand else 0), third, 5),
                "4": convolution(third, third, 5, apart=DILATION.get("4", 1)),
                "5": convolution(third, third, 5, apart=DILATION.get("5", 1)),
                "dense": nn.Linear(2 * third + first, DENSE, bias=False),
                "out": nn.Linear(DENSE, MOST_READ),
                "hits": nn.Linear(DENSE, 2),
            }
        )
        widths = dict(zip(("1", "2", "3", "4", "5", "dense"), (*CHANNELS, third, third, DENSE), strict=True))
        self.norms = nn.ModuleDict({name: _norm(width) for name, width in widths.items()})
        self.drop = nn.Dropout(DROPPED)
        for name, layer in self.layers.items():
            last = 0.3 if name in ("out", "hits") else 1.0
            nn.init.normal_(layer.weight, 0, last * (2 / layer.weight[0].numel()) ** 0.5)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)
        if start is not None:
            self._begin(start)

    @torch.no_grad()
    def _begin(self, numbers: Numbers) -> None:
        given = {name: torch.from_numpy(value.astype(np.float32)) for name, value in numbers.items()}
        for name, norm in self.norms.items():
            weight = given["w" + name]
            weight = weight.T if weight.ndim == 2 else weight.permute(2, 1, 0)
            self.layers[name].weight.zero_()  # what it did not see before begins with no say
            self.layers[name].weight[:, self._before(name, weight.shape[1])] = weight
            norm.bias.copy_(given["b" + name])
            norm.running_var.fill_(1 - EPSILON)
        self.layers["out"].weight.copy_(given["wout"].T)
        self.layers["out"].bias.copy_(given["bout"])

    def _before(self, name: str, into: int) -> list[int]:
        """Where the channels stand that what it starts from saw: the first of the logarithms, the first of the rest."""
        if name != "1" or into == self.layers[name].weight.shape[1]:
            return list(range(into))
        return [*range(into // 2), *range(self.columns, self.columns + into // 2)]

    def train(self, mode: bool = True) -> Learner:
        super().train(mode)
        if self.kept:
            self.norms.eval()
        return self

    def _ramp(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.norms[name](self.layers[name](x)))

    def forward(self, x: torch.Tensor, hand: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits [takes, counts] and the blows of ln energy [takes, frames, columns], in company followed by ln of what
        neighbours add, and the hand [takes, points, 7]."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.training):
            own, beside = x[:, :, : self.columns], x[:, :, self.columns :]
            seen = torch.cat([own / 2, torch.exp(own / 2) - 0.7, beside / 2], -1).transpose(1, 2)
            fine = self._ramp("1", seen)
            y = self._ramp("2", fine)
            if self.hand:
                y = torch.cat([y, hand.transpose(1, 2).to(y.dtype)], 1)
            y = self._ramp("3", y)
            y = y + self._ramp("4", y)
            y = y + self._ramp("5", y)
        y = y.float()
        spread = torch.sqrt(y.var(2, unbiased=False) + 1e-4)
        pooled = self.drop(torch.cat([y.mean(2), spread, fine.float().mean(2)], 1))
        told = self.drop(self._ramp("dense", pooled))
        return self.layers["out"](told), self.layers["hits"](told)

    def folded(self) -> Numbers:
        """The normalisation worked into weights and biases as sensors.ear.net reads them; what only the learning needs
        is left out."""
        out = {"wout": self.layers["out"].weight.T, "bout": self.layers["out"].bias}
        for name, norm in self.norms.items():
            scale = norm.weight / torch.sqrt(norm.running_var + EPSILON)
            weight = self.layers[name].weight
            out["w" + name] = (weight.T if weight.ndim == 2 else weight.permute(2, 1, 0)) * scale
            out["b" + name] = norm.bias - norm.running_mean * scale
        return {name: value.detach().numpy().astype(np.float16) for name, value in out.items()}


def batch(
    front: FrontEnd, takes: Sequence[Learned], length: int, random: np.random.Generator | None
) -> tuple[torch.Tensor, torch.Tensor]:
    """ln energy [takes, frames, columns] of `length` frames, cut at random or from the beginning, in company followed
    by ln of what neighbours add; the hand [takes, points, 7]."""
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
    """Another floor for half of them, another depth, another balance of the bands; axes mixed; neighbours misjudged."""
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


def _batches(
    front: FrontEnd, takes: Sequence[Learned], shares: npt.NDArray[np.float64], random: np.random.Generator
) -> Iterator[tuple[npt.NDArray[np.intp], int]]:
    """For ever: which takes, and how many frames of each."""
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


def learn(
    front: FrontEnd,
    takes: Sequence[Learned],
    shares: npt.NDArray[np.float64],
    epochs: int,
    seed: int,
    tell: Callable[[int, float], None] = lambda epoch, loss: None,
    start: Numbers | None = None,
) -> Numbers:
    """Learn from `takes`, each drawn with its share; `tell` hears the mean loss of every epoch. `start`: weights of a
    network to go on with, more slowly, its normalisation as it stands. Either all takes are of company or none.

    The answer holds weights `w…` and biases `b…` as sensors.ear.net reads them.
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
    for t, (chosen, length) in enumerate(_batches(front, takes, shares, random), 1):
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
    """The weights on the way from `start` to `end`, which went on from it; `kept`: the share of `start`.

    What is between two such networks often hears foreign takes better than either (Wortsman and others, Robust
    fine-tuning of zero-shot models, CVPR 2022).
    """
    grown = Learner(front, start).folded()  # as `end` sees: what it did not look at has no weight
    return {
        name: (kept * grown[name].astype(np.float32) + (1 - kept) * value.astype(np.float32)).astype(
            np.float16
        )
        for name, value in end.items()
    }


@torch.no_grad()
def _follow(mean: Learner, net: Learner, kept: float) -> None:
    """The running mean of what is learned; the normalisation's own running numbers as they are."""
    now = net.state_dict()
    for name, value in mean.state_dict().items():
        if "running" in name or not value.is_floating_point():
            value.copy_(now[name])
        else:
            value.mul_(kept).add_(now[name], alpha=1 - kept)


@torch.no_grad()
def _check(front: FrontEnd, mean: Learner, numbers: Numbers, takes: Sequence[Learned]) -> None:
    """What ships must answer in NumPy what was learned here. Raises ValueError where it does not."""
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
