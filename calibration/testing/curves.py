"""Learning curves: what more shakes of one igloo, and more seconds of each, would be worth.

All points of a curve use the same igloos or takes, or it would show changes of the sample.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.scores import others_again, widest
from calibration.testing.evaluate import Tested
from calibration.testing.pairs import join_pairs
from calibration.testing.several_shakes import Igloo, same_igloo
from sensors.ear.verdicts.pair import of_all

MOST_SHAKES = 6
LEAST_IGLOOS = 6  # behind a point; or takes
LEAST_SHARE = 0.5  # of all takes must last the longest length shown
HEARD = 0.9  # of those takes must have an answer at a shorter length, for it to be shown
# combinations of an igloo's shakes: all of those of eight; of more shakes so many are drawn
MOST_COUNTED = 70


@dataclass(frozen=True, slots=True)
class Point:
    """Share counted exactly, the number of igloos or takes, and the 95 % interval (`calibration.scores.widest`): None
    for a single session, or a single unit left out, which says nothing about another."""

    share: float
    n: int
    interval: tuple[float, float] | None


def point(
    hits: Sequence[float],
    sessions: Sequence[str],
    units: Sequence[str] | None = None,
    again: Sequence[bool] = (),
) -> Point:
    """hits: for each take 1 where it was exact, 0 where not, or a share of draws. units: for each take the name of the
    unit left out. again: which takes are other sensors' recordings of shakes that are among them."""
    share = float(np.mean(hits))
    if any(len(set(names)) < 2 for names in (sessions, units) if names is not None):
        return Point(share, len(hits), None)
    shakes = len(hits) - sum(others_again(again))
    return Point(share, len(hits), widest(sessions, hits, shakes, units))


def by_number_of_shakes(tested: Sequence[Tested], seed: int = 0) -> dict[int, Point]:
    """Igloos counted exactly after 1, 2, … shakes by one person on one occasion, added up as at the table. The curve
    ends where fewer than half of the igloos shaken more than once, or fewer than `LEAST_IGLOOS`, have as many.

    Takes without igloo, session or person are not used. A file that is listed twice is one shake. Each point is the
    mean over all combinations of so many of an igloo's shakes.
    """
    groups: dict[Igloo, dict[str, Tested]] = defaultdict(dict)
    for t in tested:
        r = t.row.recording
        igloo = same_igloo(r)
        if t.counted and igloo is not None and r.session and r.player:
            groups[igloo].setdefault(r.below, t)
    several = sorted((n for of_one in groups.values() if (n := len(of_one)) > 1), reverse=True)
    # a single igloo shaken once more makes no curve
    at_least = max(LEAST_IGLOOS, math.ceil(LEAST_SHARE * len(several)))
    most = min(MOST_SHAKES, several[at_least - 1]) if len(several) >= at_least else 1
    if len(groups) < LEAST_IGLOOS:
        return {}
    random = np.random.default_rng(seed)
    out: dict[int, Point] = {}
    chosen = [list(of_one.values()) for of_one in groups.values() if len(of_one) >= most]
    for k in range(1, most + 1):
        hits = [_share(members, k, random) for members in chosen]
        out[k] = _point(hits, [members[0] for members in chosen])
    return out


def _share(members: Sequence[Tested], k: int, random: np.random.Generator) -> float:
    """Share of the combinations of `k` shakes that give the exact count."""
    hits = []
    for picked in _ways(len(members), k, random):
        p = of_all([(members[i].heard, members[i].probabilities) for i in picked])
        hits.append(max(p, key=lambda n: p[n]) == members[0].row.recording.beads)
    return float(np.mean(hits))


def _ways(n: int, k: int, random: np.random.Generator) -> Iterator[Sequence[int]]:
    """Combinations of `k` of `n`: all where they are few, else a sample. Single shakes are never sampled: the headline
    figure is of them, and the curve begins there."""
    if k == 1 or math.comb(n, k) <= MOST_COUNTED:
        return itertools.combinations(range(n), k)
    return (random.choice(n, k, replace=False).tolist() for _ in range(MOST_COUNTED))


def by_length(beginnings: Iterable[Mapping[float, Tested]]) -> dict[float, Point]:
    """Takes counted exactly from only their first seconds; uses the takes that last the longest length that half of all
    last. Empty where that leaves fewer than `LEAST_IGLOOS` takes, or fewer than two lengths.

    beginnings: for each take the lengths in s that it was cut to, and the answers.
    """
    cut = [{s: t for s, t in of_one.items() if t.counted} for of_one in beginnings]
    last = Counter(s for of_one in cut for s in of_one)
    longest = max((s for s, n in last.items() if n >= LEAST_SHARE * max(last.values())), default=0.0)
    lasting = [of_one for of_one in cut if longest in of_one]
    # the first half second of some may hold nothing measurable
    heard = Counter(s for of_one in lasting for s in of_one)
    shown = sorted(s for s, n in heard.items() if s <= longest and n >= HEARD * len(lasting))
    same = [of_one for of_one in lasting if all(s in of_one for s in shown)]
    if len(same) < LEAST_IGLOOS or len(shown) < 2:
        return {}
    firsts = join_pairs([of_one[longest] for of_one in same])
    return {
        s: _point([float(of_one[s].best == of_one[s].row.recording.beads) for of_one in same], firsts)
        for s in shown
    }


def _point(hits: Sequence[float], of: Sequence[Tested]) -> Point:
    """`of`: the take, or an igloo's first one, behind each of `hits`."""
    units = [t.left_out[1] if t.left_out else _session(t) for t in of]
    return point(hits, [_session(t) for t in of], units, [t.again for t in of])


def _session(t: Tested) -> str:
    return t.sitting or t.row.recording.occasion
