"""Several shakes of one igloo, one after another: what all of them tell together."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any

from sensors.ear.pair import believed, together
from sensors.evidence import Heard
from sensors.gesture.judge import refused

KEPT = 100  # shakes of one igloo: whoever listens for days holds no more


class AddedUp:
    """Of each igloo what was heard of it; what was overdriven or drowned counts only where nothing better was, and what
    a seat refused never."""

    def __init__(self) -> None:
        self._heard: dict[str, deque[Heard]] = defaultdict(lambda: deque(maxlen=KEPT))

    def after(self, said: Heard, igloo: str) -> dict[str, Any] | None:
        """The event `igloo` of docs/contracts.md 4, once it was shaken twice."""
        shakes = self._heard[igloo]
        if said.verdict == "not-a-shake":
            return None
        last = shakes[-1] if shakes else None
        if last is not None and (last.source, last.start_s) == (said.source, said.start_s):
            shakes.pop()  # a gesture that goes on is told again, and counts once
        if refused(said.reason):
            return None
        shakes.append(said)
        if len(shakes) < 2:
            return None
        told = [(one, one.probabilities) for one in shakes]
        p = together(told)
        return {
            "event": "igloo",
            "source": said.source,
            "shakes": len(believed(told)),
            "best": max(p, key=lambda n: p[n]),
            "probabilities": {str(n): round(v, 9) for n, v in p.items()},
        }
