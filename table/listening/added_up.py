"""Several shakes of one igloo, one after another: what all of them tell together."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Sequence
from typing import Any

from sensors.ear.frames.finder import BEFORE_S, LONGEST_S, SILENCE_S
from sensors.ear.models.sets import add_up
from sensors.ear.verdicts.beyond import sounds_like_fewer, sounds_like_more
from sensors.ear.verdicts.lost_sound import TWO_BOARDS
from sensors.ear.verdicts.pair import believed, together
from sensors.evidence import Heard
from sensors.gesture.judge import refused
from table.listening.pair import TOGETHER

KEPT = 100  # shakes of one igloo: whoever listens for days holds no more


class AddedUp:
    """Of each igloo what was heard of it; what was overdriven or drowned counts only where nothing better was, and what
    a seat refused never. Shakes of two boards with one number are of two igloos: none of them is added to another, and
    of what came before nobody knows which of both it was."""

    def __init__(self) -> None:
        # of each igloo its shakes, and of a shake the parts that it was cut into for its length
        self._heard: dict[str, deque[deque[Heard]]] = defaultdict(lambda: deque(maxlen=KEPT))

    def after(self, said: Heard, igloo: str) -> dict[str, Any] | None:
        """The event `igloo` of docs/contracts.md 4, once it was shaken twice."""
        shakes = self._heard[igloo]
        if said.reason == TWO_BOARDS:
            shakes.clear()
            return None
        if said.verdict == "not-a-shake":
            return None
        last = shakes[-1][-1] if shakes else None
        if last is not None and (last.source, last.start_s) == (said.source, said.start_s):
            shakes.pop()  # a gesture that goes on is told again, and counts once
            last = None
        if refused(said.reason):
            return None
        if last is not None and _goes_on(last, said):
            shakes[-1].append(said)
        else:
            shakes.append(deque([said], maxlen=KEPT))
        if len(shakes) < 2:
            return None
        told = [_as_one(parts) for parts in shakes]
        p, counting = together(told), believed(told)
        event = {
            "event": "igloo",
            "source": said.source,
            "shakes": len(counting),
            "best": max(p, key=lambda n: p[n]),
            "probabilities": {str(n): round(v, 9) for n, v in p.items()},
        }
        strange = _beyond([told[i][0] for i in counting], p)
        return event if strange is None else event | {"reason": strange}


def _goes_on(last: Heard, said: Heard) -> bool:
    """Is it the same shake, cut for its length? Between two there is a silence. What two sensors tell together begins
    with the one and ends with the other, so that parts overlap, and of a part one of them may tell alone."""
    long = last.end_s - last.start_s > LONGEST_S / 2
    shared = {*last.source.split(TOGETHER)} & {*said.source.split(TOGETHER)}
    return long and bool(shared) and abs(said.start_s - last.end_s) < SILENCE_S - BEFORE_S


def _as_one(parts: Sequence[Heard]) -> tuple[Heard, dict[int, float]]:
    """What the parts of one shake tell, by the same hand and grip: no more of them make it surer. And the part whose
    word on the sound is the shake's."""
    counting = [parts[i] for i in believed([(part, part.probabilities) for part in parts])]
    if len(counting) < 2:
        one = counting[0] if counting else parts[0]
        return one, dict(one.probabilities)
    known = set.intersection(*(set(part.probabilities) for part in counting))
    return counting[0], add_up([{n: part.probabilities[n] for n in known} for part in counting], 1.0)


def _beyond(shakes: Sequence[Heard], known: Collection[int]) -> str | None:
    """Where half of them or more sound like beads beyond the counts that are known: they add up to the nearest one, and
    surer with every shake."""
    ends = Counter(said.reason for said in shakes)
    why = max(sounds_like_more(max(known)), sounds_like_fewer(min(known)), key=lambda end: ends[end])
    return why if 2 * ends[why] >= len(shakes) else None
