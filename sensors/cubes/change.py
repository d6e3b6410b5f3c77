"""A change of a cube's pose: how it turned, and how it may have turned where its heading is in doubt."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sensors.cubes import turns
from sensors.cubes.doubt import KNOWN
from sensors.cubes.explain import Act, unlike
from sensors.cubes.quats import Vec, about_z, rotate
from sensors.cubes.rest import Rest

ASKEW_DEG = 22.0  # off the nearest turn: the cube has yet to be set down flat
_QUARTER_RAD = 0.2  # penalty for each quarter turn that nobody heard, in the choice between similar paths


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a cube's pose that no move explains yet."""

    rest: Rest

    @property
    def net(self) -> int:
        return turns.difference(self.rest.before, self.rest.after)

    @property
    def askew(self) -> bool:
        """Whether it has yet to be set down flat: its act is not over, and nobody knows which act it will be."""
        return self.rest.off_deg > ASKEW_DEG and not self.rest.lost

    @property
    def doubted(self) -> bool:
        return self.rest.headings != KNOWN

    def path(self, quarters: int) -> Vec:
        """The path (summed rotation vector) if the true heading is so many quarter turns off the tracked one."""
        path = self.rest.path
        return path if self.rest.lost else rotate(about_z(quarters * math.pi / 2), path)

    def quarters_to(self, net: int) -> list[int]:
        """The possible heading errors, in quarter turns, if its net turn was `net`; empty where gravity excludes
        that."""
        if not self.doubted:
            return [0] if net == self.net else []
        out = []
        for k in range(4):
            # An error from before the movement applies to both ends. Where the heading was lost on the way, the error
            # before it is zero if the heading was known then, else anything.
            earlier = [k] if not self.rest.lost else [0] if self.rest.headings_before == KNOWN else range(4)
            if any(turns.compose((turns.quarters(-j), self.net, turns.quarters(k))) == net for j in earlier):
                out.append(k)
        return out


def fit(changes: Mapping[str, Change], acts: tuple[Act, ...]) -> tuple[float, tuple[int, ...]] | None:
    """The heading error of each cube, in quarter turns, if they were tilted so, and the cost of that explanation; or
    None."""
    net = turns.compose(act.turn for act in acts)
    best: tuple[float, tuple[int, ...]] | None = None
    for quarters in itertools.product(*(c.quarters_to(net) for c in changes.values())):
        paths = {s: c.path(k) for (s, c), k in zip(changes.items(), quarters, strict=True)}
        cost = unlike(acts, paths) + _QUARTER_RAD * sum(min(k, 4 - k) for k in quarters)
        if best is None or cost < best[0]:
            best = cost, quarters
    return best


def otherwise(rest: Rest, quarters: int, known: bool) -> Rest:
    """The same rest for a cube whose heading is so many quarter turns off the tracked one."""
    after = turns.compose((rest.after, turns.quarters(quarters)))
    if known:
        return replace(rest, after=after, headings=KNOWN, margin_deg=max(0.0, 90.0 - 2 * rest.off_deg))
    a, b, c, d = (rest.headings[(i + quarters) % 4] for i in range(4))
    return replace(rest, after=after, headings=(a, b, c, d))
