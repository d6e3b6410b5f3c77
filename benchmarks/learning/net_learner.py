"""The ear's network (sensors.ear.shakes.net) for training in PyTorch, with batch normalisation.

It can start from a trained network; it then keeps the normalisation that is folded into those weights. A network of
company (sensors.ear.seats.company) sees ln of the neighbours' part in addition to the envelopes.

Convolutions are trained in bfloat16, which is several times faster on processors with matrix units; the rest is
float32.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from sensors.ear.frames.frontend import FrontEnd
from sensors.ear.shakes.net import DILATION, HAND_COLUMNS, MOST_READ, columns_of, steps_of

CHANNELS = (32, 64, 128)
DENSE = 64
DROPPED = 0.3
NORM_KEPT = 0.98
EPSILON = 1e-3

Numbers = dict[str, npt.NDArray[np.float16]]


def _norm(channels: int) -> nn.BatchNorm1d:
    return nn.BatchNorm1d(channels, eps=EPSILON, momentum=1 - NORM_KEPT)


class Learner(nn.Module):
    """sensors.ear.shakes.net.Net for training. Layers have the same names as there."""

    def __init__(self, front: FrontEnd, start: Numbers | None = None, company: bool = False) -> None:
        super().__init__()
        self.columns = columns_of(front)
        self.kept = start is not None  # keep the normalisation that is folded into the starting weights
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
            self.layers[name].weight.zero_()  # new inputs start with weight 0
            self.layers[name].weight[:, self._before(name, weight.shape[1])] = weight
            norm.bias.copy_(given["b" + name])
            norm.running_var.fill_(1 - EPSILON)
        self.layers["out"].weight.copy_(given["wout"].T)
        self.layers["out"].bias.copy_(given["bout"])

    def _before(self, name: str, into: int) -> list[int]:
        """Positions of the channels that the starting network saw: the first logarithms, the first of the rest."""
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
        """Logits [takes, counts] and the predicted numbers of hits, from `x`, ln energy [takes, frames, columns] (in
        company followed by ln of the neighbours' part), and the hand [takes, points, 7]."""
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
        """Weights and biases with the normalisation folded in, as sensors.ear.shakes.net reads them, without what only
        training needs."""
        out = {"wout": self.layers["out"].weight.T, "bout": self.layers["out"].bias}
        for name, norm in self.norms.items():
            scale = norm.weight / torch.sqrt(norm.running_var + EPSILON)
            weight = self.layers[name].weight
            out["w" + name] = (weight.T if weight.ndim == 2 else weight.permute(2, 1, 0)) * scale
            out["b" + name] = norm.bias - norm.running_mean * scale
        return {name: value.detach().numpy().astype(np.float16) for name, value in out.items()}
