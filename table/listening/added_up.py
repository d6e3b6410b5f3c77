"""Several shakes of one igloo, one after another: their combined odds."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Sequence
from typing import Any

from sensors.ear.verdicts.beyond import sounds_like_fewer, sounds_like_more
from sensors.ear.verdicts.pair import as_one, believed, goes_on, of_all
from sensors.evidence import Heard, written_odds
from sensors.why import Reason, Why

KEPT = 100  # shakes of one igloo: bounds the memory of a listener that runs for days


class AddedUp:
    """The shakes heard of each igloo.

    A shake that was heard badly (`pair.believable`) counts only if nothing better was heard; one that a seat refused
    never counts. Shakes of two boards with the same number belong to two igloos: none of them is added, and the earlier
    ones are dropped, since nobody knows which igloo they belong to.
    """

    def __init__(self) -> None:
        # igloo → its shakes, each as the parts into which a long shake was cut
        self._heard: dict[str, deque[deque[Heard]]] = defaultdict(lambda: deque(maxlen=KEPT))

    def after(self, said: Heard, igloo: str) -> dict[str, Any] | None:
        """The event `igloo` of docs/contracts.md 4, once the igloo was shaken twice."""
        shakes = self._heard[igloo]
        if said.why is Why.TWO_BOARDS:
            shakes.clear()
            return None
        if said.verdict == "not-a-shake":
            return None
        last = shakes[-1][-1] if shakes else None
        if last is not None and (last.source, last.start_s) == (said.source, said.start_s):
            shakes.pop()  # a gesture in progress is reported again, and counts once
            last = None
        if said.why.nothing_weighed:
            return None
        if last is not None and goes_on(last, said):
            shakes[-1].append(said)
        else:
            shakes.append(deque([said], maxlen=KEPT))
        if len(shakes) < 2:
            return None
        told = [as_one(parts) for parts in shakes]
        p, counting = of_all(told), believed(told)
        event = {
            "event": "igloo",
            "source": said.source,
            "shakes": len(counting),
            "best": max(p, key=lambda n: p[n]),
            "probabilities": written_odds(p),
        }
        strange = _beyond([told[i][0] for i in counting], p)
        return event if strange is None else event | {"reason": str(strange)}


def _beyond(shakes: Sequence[Heard], known: Collection[int]) -> Reason | None:
    """The reason why the sum is doubtful: at least half of the shakes sound like beads beyond the known counts.

    They would add up to the nearest known count, with more certainty at every shake.
    """
    ends = Counter(said.why for said in shakes)
    end = max(sounds_like_more(max(known)), sounds_like_fewer(min(known)), key=lambda end: ends[end.why])
    return end if 2 * ends[end.why] >= len(shakes) else None
