"""More from the same recordings: what several shakes of one igloo are worth, and how much length helps."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

import numpy as np

from calibration.evaluate import Tested
from calibration.words import many
from sensors.ear.sets import add_up

MOST_SHAKES = 6


def by_number_of_shakes(tested: Sequence[Tested], seed: int = 0) -> dict[int, float]:
    """Share of igloos told exactly after 1, 2, … shakes by one person on one occasion, added up in random order.

    Only as far as there are igloos with that many takes; random draws are averaged.
    """
    groups: dict[tuple[str, str | None, int], list[Tested]] = defaultdict(list)
    for t in tested:
        if t.counted:
            assert t.row.recording.beads is not None
            groups[t.row.recording.occasion, t.row.recording.place, t.row.recording.beads].append(t)
    random = np.random.default_rng(seed)
    out: dict[int, float] = {}
    for k in range(1, MOST_SHAKES + 1):
        hits = []
        for (*_, beads), members in groups.items():
            if len(members) < k:
                continue
            for _ in range(4):
                chosen = random.choice(len(members), k, replace=False)
                p = add_up([members[i].probabilities for i in chosen])
                hits.append(max(p, key=lambda n: p[n]) == beads)
        if len(hits) < 12:
            break
        out[k] = float(np.mean(hits))
    return out


def by_length(
    lengths: Sequence[float], test: Callable[[float], Sequence[Tested]]
) -> dict[float, tuple[float, int]]:
    """Share told exactly when only the first seconds of each shake are heard, and of how many takes.

    `test` listens again, cut to a length; takes whose beginning holds no shake are not in what it returns.
    """
    out = {}
    for seconds in lengths:
        told = [t for t in test(seconds) if t.counted]
        if told:
            out[seconds] = float(np.mean([t.best == t.row.recording.beads for t in told])), len(told)
    return out


def confused_pairs(tested: Sequence[Tested]) -> list[tuple[int, int, int]]:
    """Pairs of counts that are taken for one another, and how often, most often first."""
    return pairs_of([(t.row.recording.beads or 0, t.best) for t in tested if t.counted])


def pairs_of(told: Sequence[tuple[int, int]], most: int = 6) -> list[tuple[int, int, int]]:
    """The same of what is (true, said)."""
    pairs: dict[tuple[int, int], int] = defaultdict(int)
    for true, said in told:
        if true != said:
            pairs[min(true, said), max(true, said)] += 1
    often = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[:most]
    return [(low, high, times) for (low, high), times in often]


def refused(tested: Sequence[Tested]) -> int:
    """How many of those that are counted the ear would not take for a shake at all, so that `listen` tells nothing."""
    return sum(t.heard.verdict == "not-a-shake" for t in tested if t.counted)


def refusal(tested: Sequence[Tested]) -> str | None:
    """The same in a sentence, with the commonest reason; None where none is refused."""
    reasons = Counter(t.heard.reason or "" for t in tested if t.counted and t.heard.verdict == "not-a-shake")
    if not reasons:
        return None
    n, of = sum(reasons.values()), sum(t.counted for t in tested)
    (why, _), *others = reasons.most_common()
    return (
        f"{n} of {many(of, 'take')} would be refused as no shake ({'mostly: ' if others else ''}{why}): whoever "
        "listens with it gets no count for them, while the figures take in its best guess"
    )


def odd_takes(tested: Sequence[Tested]) -> list[tuple[Tested, str]]:
    """Takes that do not fit: far from their count, overdriven, drowned or no shake at all; worst first."""
    out: list[tuple[float, Tested, str]] = []
    for t in tested:
        if not t.counted:
            continue
        beads = t.row.recording.beads
        assert beads is not None
        p = max(t.probabilities.get(beads, 0.0), 1e-6)
        if t.heard.verdict == "not-a-shake":
            out.append((20.0, t, t.heard.reason or "no shake"))
        elif t.row.clipped:
            out.append((10.0, t, "overdriven"))
        elif p < 0.01:
            out.append((-float(np.log(p)), t, f"sounds like {t.best}, said to hold {beads}"))
    out.sort(key=lambda item: -item[0])
    return [(t, why) for _, t, why in out]
