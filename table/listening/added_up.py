"""Several shakes of one igloo, one after another: their combined odds."""

from __future__ import annotations

import os
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calibration.recordings.one_shake import of_one_shake
from sensors.ear.verdicts.beyond import sounds_like_fewer, sounds_like_more
from sensors.ear.verdicts.pair import as_one, believed, goes_on, of_all
from sensors.evidence import Heard, written_odds
from sensors.why import Reason, Why
from table.listening.files import not_rejected

KEPT = 100  # shakes of one igloo: bounds the memory of a listener that runs for days


def shakes_of(folder: Path) -> dict[str, str]:
    """Names of shakes that a folder's list has more than one recording of: of two sensors (`pair`), or of one file that
    is listed twice; by the files as they are listed."""
    kept = list(not_rejected(folder))
    names = {kept[i].below: kept[group[0]].below for group in of_one_shake(kept) for i in group}
    listed = Counter(r.below for r in kept)
    return {r.file: names.get(r.below, r.below) for r in kept if r.below in names or listed[r.below] > 1}


@dataclass(slots=True)
class _Shake:
    """What was heard of one shake: by each file that holds it, in the parts into which a long one was cut."""

    name: str | None  # None: told as it comes, and nothing else holds it
    by: dict[str, deque[Heard]] = field(default_factory=dict)

    def add(self, said: Heard, file: str) -> None:
        self.by.setdefault(file, deque(maxlen=KEPT)).append(said)

    def as_one(self) -> tuple[Heard, dict[int, float]]:
        """The joint result, and the report whose word on the sound stands for the shake."""
        each = [as_one(parts) for parts in self.by.values()]
        if len(each) < 2:
            return each[0]
        return each[believed(each)[0]][0], of_all(each)


class AddedUp:
    """The shakes heard of each igloo.

    A shake that was heard badly (`pair.believable`) counts only if nothing better was heard; one that a seat refused
    never counts. Shakes of two boards with the same number belong to two igloos: none of them is added, and the earlier
    ones are dropped, since nobody knows which igloo they belong to.
    """

    def __init__(self, shakes: Mapping[str, str] | None = None) -> None:
        """`shakes`: the shakes that several sources tell (`shakes_of`), by the sources."""
        self._names = shakes or {}
        self._heard: dict[str, deque[_Shake]] = defaultdict(lambda: deque(maxlen=KEPT))

    def after(self, said: Heard, igloo: str) -> dict[str, Any] | None:
        """The event `igloo` of docs/contracts.md 4, once the igloo was shaken twice."""
        shakes = self._heard[igloo]
        if said.why is Why.TWO_BOARDS:
            shakes.clear()
            return None
        if said.verdict == "not-a-shake":
            return None
        name = self._names.get(said.source)
        if name is None:
            _add(shakes, said)
        elif not said.why.nothing_weighed:
            _add_to(shakes, name, said)
        if said.why.nothing_weighed or len(shakes) < 2:
            return None
        told = [shake.as_one() for shake in shakes]
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


def _add(shakes: deque[_Shake], said: Heard) -> None:
    """Add what was heard to the last shake if it goes on, else as a new one."""
    parts = shakes[-1].by.get("") if shakes else None
    last = parts[-1] if parts else None
    if last is not None and (last.source, last.start_s) == (said.source, said.start_s):
        shakes.pop()  # a gesture in progress is reported again, and counts once
        last = None
    if said.why.nothing_weighed:
        return
    if last is None or not goes_on(last, said):
        shakes.append(_Shake(None))
    shakes[-1].add(said, "")


def _add_to(shakes: deque[_Shake], name: str, said: Heard) -> None:
    """Add what was heard to the shake of that name: everything in one recording is of one shake."""
    shake = next((known for known in shakes if known.name == name), None)
    if shake is None:
        shakes.append(shake := _Shake(name))
    file = os.path.normpath(said.source)
    if all(part.start_s != said.start_s for part in shake.by.get(file, ())):  # else the file is listed twice
        shake.add(said, file)


def _beyond(shakes: Sequence[Heard], known: Collection[int]) -> Reason | None:
    """The reason why the sum is doubtful: at least half of the shakes sound like beads beyond the known counts.

    They would add up to the nearest known count, with more certainty at every shake.
    """
    ends = Counter(said.why for said in shakes)
    end = max(sounds_like_more(max(known)), sounds_like_fewer(min(known)), key=lambda end: ends[end.why])
    return end if 2 * ends[end.why] >= len(shakes) else None
