"""Two sensors of one shake: what both say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sensors.ear.sets import add_up
from sensors.ear.verdict import DROWNED_DB
from sensors.evidence import Heard

Odds = Mapping[int, float]


def believable(said: Heard) -> bool:
    """Whether the sensor heard a shake well enough to be believed beside another one of the same shake."""
    return said.verdict != "not-a-shake" and not said.clipped and said.snr_db >= DROWNED_DB


def believed(both: Sequence[tuple[Heard, Odds]]) -> list[int]:
    """Which of them count: those that heard it well, where any did; of these none that does not know a count which
    another one holds for the likeliest."""
    good = [i for i, (said, odds) in enumerate(both) if odds and believable(said)]
    good = good or [i for i, (_, odds) in enumerate(both) if odds]
    likeliest = {_likeliest(both[i][1]) for i in good}
    return [i for i in good if likeliest <= set(both[i][1])] or good[:1]


def together(both: Sequence[tuple[Heard, Odds]]) -> dict[int, float]:
    """Probabilities over the counts that all who count know; empty where nobody does."""
    odds = [both[i][1] for i in believed(both)]
    if not odds:
        return {}
    known = set.intersection(*(set(o) for o in odds))
    return add_up([{n: p for n, p in o.items() if n in known} for o in odds])


def _likeliest(odds: Odds) -> int:
    return max(odds, key=lambda n: odds[n])
