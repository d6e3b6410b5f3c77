"""More results from the same recordings: which counts are confused, and what would be refused."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from calibration.testing.evaluate import Tested
from calibration.words import many
from sensors.why import Why

MOST_PAIRS = 6  # that are listed
# the end of a sentence on refused takes, where nobody says where the microphone sat
PERHAPS_NOT_ON_THE_SHELL = (
    "; they were judged as of a microphone on the shell: if it was not, say so "
    '("place":"table" in recordings.jsonl), and fit again'
)


def confused_pairs(tested: Sequence[Tested]) -> list[tuple[int, int, int]]:
    """Confused pairs of counts and how often they are, the most frequent first."""
    return pairs_of([(t.row.recording.beads or 0, t.best) for t in tested if t.counted])


def pairs_of(told: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """The same for pairs (true, said)."""
    pairs: dict[tuple[int, int], int] = defaultdict(int)
    for true, said in told:
        if true != said:
            pairs[min(true, said), max(true, said)] += 1
    often = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[:MOST_PAIRS]
    return [(low, high, times) for (low, high), times in often]


def refused(tested: Sequence[Tested]) -> int:
    """How many of the counted takes the ear would not take for a shake at all, so that `listen` gives no count."""
    return sum(t.refused for t in tested if t.counted)


def refusal(tested: Sequence[Tested]) -> str | None:
    """The same as a sentence, with the most frequent reason; None where none is refused."""
    reasons = Counter(t.heard.reason or "" for t in tested if t.counted and t.refused)
    if not reasons:
        return None
    n, of = sum(reasons.values()), sum(t.counted for t in tested)
    (why, _), *others = reasons.most_common()
    return (
        f"{n} of {many(of, 'take')} would be refused as no shake ({'mostly: ' if others else ''}{why}): whoever "
        f"listens with it gets no count for {'it' if n == 1 else 'them'}, while the figures take in its best guess"
        f"{PERHAPS_NOT_ON_THE_SHELL if any(map(_taken_for_the_shells, tested)) else ''}"
    )


def _taken_for_the_shells(t: Tested) -> bool:
    """Is it refused as unlike a shake on the shell, while nobody says that the microphone sits there?"""
    of = t.row.recording
    return (
        t.counted
        and t.refused
        and t.heard.why is Why.HANDLED
        and of.sensor == "microphone"
        and of.place is None
    )
