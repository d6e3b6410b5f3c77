"""A cube that lies otherwise than before: how it turned, and how it may have where its heading is in doubt."""

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

ASKEW_DEG = 22.0  # off the nearest turn: it is still to be set down flat
_QUARTER_RAD = 0.2  # of ways that are as like, the one with the fewer quarter turns that nobody heard


@dataclass(frozen=True, slots=True)
class Change:
    """A cube that lies otherwise than before, not explained yet."""

    rest: Rest

    @property
    def net(self) -> int:
        return turns.difference(self.rest.before, self.rest.after)

    @property
    def askew(self) -> bool:
        """Whether it is still to be set down flat: no act has come to its end, and nobody knows which it will be."""
        return self.rest.off_deg > ASKEW_DEG and not self.rest.lost

    @property
    def doubted(self) -> bool:
        return self.rest.headings != KNOWN

    def path(self, quarters: int) -> Vec:
        """The way that it took, if it lies so many quarter turns otherwise than it is followed."""
        path = self.rest.path
        return path if self.rest.lost else rotate(about_z(quarters * math.pi / 2), path)

    def quarters_to(self, net: int) -> list[int]:
        """By how many quarter turns it may lie otherwise if it turned so; none where gravity excludes that."""
        if not self.doubted:
            return [0] if net == self.net else []
        out = []
        for k in range(4):
            # one lost earlier was as wrong before; of one lost on the way nobody knows how it lay before, if not then
            earlier = [k] if not self.rest.lost else [0] if self.rest.headings_before == KNOWN else range(4)
            if any(turns.compose((turns.quarters(-j), self.net, turns.quarters(k))) == net for j in earlier):
                out.append(k)
        return out


def fit(changes: Mapping[str, Change], acts: tuple[Act, ...]) -> tuple[float, tuple[int, ...]] | None:
    """By how many quarter turns each must lie otherwise if they were tilted so, and how unlike that is; or None."""
    net = turns.compose(act.turn for act in acts)
    best: tuple[float, tuple[int, ...]] | None = None
    for quarters in itertools.product(*(c.quarters_to(net) for c in changes.values())):
        paths = {s: c.path(k) for (s, c), k in zip(changes.items(), quarters, strict=True)}
        cost = unlike(acts, paths) + _QUARTER_RAD * sum(min(k, 4 - k) for k in quarters)
        if best is None or cost < best[0]:
            best = cost, quarters
    return best


def otherwise(rest: Rest, quarters: int, known: bool) -> Rest:
    """The rest of a cube that lies so many quarter turns otherwise than it was thought to."""
    after = turns.compose((rest.after, turns.quarters(quarters)))
    if known:
        return replace(rest, after=after, headings=KNOWN, margin_deg=max(0.0, 90.0 - 2 * rest.off_deg))
    a, b, c, d = (rest.headings[(i + quarters) % 4] for i in range(4))
    return replace(rest, after=after, headings=(a, b, c, d))
