"""Several shakes of one igloo, one after another: what all of them tell together."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Sequence
from typing import Any

from sensors.ear.verdicts.beyond import sounds_like_fewer, sounds_like_more
from sensors.ear.verdicts.pair import as_one, believed, goes_on, of_all
from sensors.evidence import Heard, written_odds
from sensors.why import Reason, Why

KEPT = 100  # shakes of one igloo: whoever listens for days holds no more


class AddedUp:
    """Of each igloo what was heard of it; what was heard badly (`pair.believable`) counts only where nothing better
    was, and what a seat refused never. Shakes of two boards with one number are of two igloos: none of them is added to
    another, and of what came before nobody knows which of both it was."""

    def __init__(self) -> None:
        # of each igloo its shakes, and of a shake the parts that it was cut into for its length
        self._heard: dict[str, deque[deque[Heard]]] = defaultdict(lambda: deque(maxlen=KEPT))

    def after(self, said: Heard, igloo: str) -> dict[str, Any] | None:
        """The event `igloo` of docs/contracts.md 4, once it was shaken twice."""
        shakes = self._heard[igloo]
        if said.why is Why.TWO_BOARDS:
            shakes.clear()
            return None
        if said.verdict == "not-a-shake":
            return None
        last = shakes[-1][-1] if shakes else None
        if last is not None and (last.source, last.start_s) == (said.source, said.start_s):
            shakes.pop()  # a gesture that goes on is told again, and counts once
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
    """Where half of them or more sound like beads beyond the counts that are known: they add up to the nearest one, and
    surer with every shake."""
    ends = Counter(said.why for said in shakes)
    end = max(sounds_like_more(max(known)), sounds_like_fewer(min(known)), key=lambda end: ends[end.why])
    return end if 2 * ends[end.why] >= len(shakes) else None
