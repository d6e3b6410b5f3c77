"""More from the same recordings: what several shakes of one igloo are worth, and how much length helps."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from calibration.evaluate import Tested
from calibration.words import many
from sensors.ear.sets import add_up

MOST_SHAKES = 6
LEAST_IGLOOS = 6  # that a point of a curve is of
LEAST_SHARE = 0.25  # of the takes of the fullest length; a length of fewer is of other takes than the rest
DRAWS = 4  # of an igloo's shakes


def by_number_of_shakes(tested: Sequence[Tested], seed: int = 0) -> dict[int, tuple[float, int]]:
    """Share of igloos told exactly after 1, 2, … shakes by one person on one occasion, added up in random order, and of
    how many igloos: all points are of the same ones, those with the most takes that still are `LEAST_IGLOOS`.

    A file that is listed twice is one shake. Random draws are averaged.
    """
    groups: dict[tuple[str, str | None, str | None, int], dict[str, Tested]] = defaultdict(dict)
    for t in tested:
        if t.counted:
            r = t.row.recording
            assert r.beads is not None
            groups[r.occasion, r.player, r.place, r.beads][r.file] = t
    many_shakes = sorted((min(MOST_SHAKES, len(of_one)) for of_one in groups.values()), reverse=True)
    most = many_shakes[LEAST_IGLOOS - 1] if len(many_shakes) >= LEAST_IGLOOS else 0
    random = np.random.default_rng(seed)
    out: dict[int, tuple[float, int]] = {}
    chosen = {key: list(of_one.values()) for key, of_one in groups.items() if len(of_one) >= most}
    for k in range(1, most + 1):
        hits = []
        for (*_, beads), members in chosen.items():
            for _ in range(DRAWS):
                picked = random.choice(len(members), k, replace=False)
                p = add_up([members[i].probabilities for i in picked])
                hits.append(max(p, key=lambda n: p[n]) == beads)
        out[k] = float(np.mean(hits)), len(chosen)
    return out


def by_length(beginnings: Iterable[Mapping[float, Tested]]) -> dict[float, tuple[float, int]]:
    """Share told exactly when only the first seconds of each shake are heard, and of how many takes.

    beginnings: of each take the lengths in s that it was cut to, and what was said of them. Lengths that few takes last
    are left out.
    """
    hits: dict[float, list[bool]] = defaultdict(list)
    for of_one in beginnings:
        for seconds, t in of_one.items():
            if t.counted:
                hits[seconds].append(t.best == t.row.recording.beads)
    most = max(map(len, hits.values()), default=0)
    return {
        seconds: (float(np.mean(hit)), len(hit))
        for seconds, hit in sorted(hits.items())
        if len(hit) >= LEAST_SHARE * most
    }


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
