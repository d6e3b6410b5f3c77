"""From rests of four cubes to evidence: tilts of two neighbours, turns of one, and what is neither, in words.

A change that needs a partner waits for it: as long as a cube that may be the partner still moves, or a moment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sensors.cubes import turns
from sensors.cubes.exchange import ExchangeWatch
from sensors.cubes.explain import ACTS, Act, explain, subsets, unlike
from sensors.cubes.rest import Rest
from sensors.evidence import CubeEvidence, CubePose, Odd, Tilted, Turned

GRACE_S = 1.0  # for a partner that has not begun to move, or is just about to be set down
PATIENCE_S = 3.0  # for a partner that moves
ASKEW_DEG = 22.0
UNLIKE_RAD = 0.5  # a cube, between the way that it took and the one that the moves would have taken

_WORDS = {"N": "north", "E": "east", "S": "south", "W": "west"}


@dataclass(frozen=True, slots=True)
class _Change:
    """A cube that lies otherwise than before, not explained yet."""

    rest: Rest

    @property
    def net(self) -> int:
        return turns.difference(self.rest.before, self.rest.after)


class GestureReader:
    """Feed each slot's rests and, now and then, the time; `moving` says which slots move and since when."""

    def __init__(self, names: Mapping[str, str], stuck: Callable[[str], bool] = lambda slot: False) -> None:
        """`stuck` says of a slot whether its sensor may be dead: then it is named where a partner is missed."""
        self.names = dict(names)
        self._stuck = stuck
        self._open: dict[str, _Change] = {}
        self._exchanges = ExchangeWatch()

    def rest(self, slot: str, rest: Rest, moving: Mapping[str, float]) -> list[CubeEvidence]:
        """A cube in `slot` came to rest; what can be said at once."""
        if rest.fault:
            return [Odd(rest.t, slot, f"the sensor in {slot} {rest.fault}")]
        out: list[CubeEvidence] = []
        if rest.first or rest.before != rest.after:
            out.append(self.pose(slot, rest))
        if rest.first:
            return out
        out += self._exchanges.rest(slot, rest)
        earlier = self._open.pop(slot, None)
        if earlier is not None:
            path = tuple(a + b for a, b in zip(earlier.rest.path, rest.path, strict=True))
            rest = replace(
                rest, before=earlier.rest.before, since=earlier.rest.since, path=(path[0], path[1], path[2])
            )
        if rest.before != rest.after:
            self._open[slot] = _Change(rest)
        if rest.off_deg > ASKEW_DEG and rest.before != rest.after:
            text = (
                f"the cube in {slot} lies askew, {rest.off_deg:.0f}° off the nearest turn; set it down flat"
            )
            out.append(Odd(rest.t, slot, text))
        return out + self.settle(rest.t, moving)

    def forget(self, slot: str) -> None:
        """What waits to be explained about a slot is settled otherwise: a person said how the cube lies."""
        self._open.pop(slot, None)

    def pose(self, slot: str, rest: Rest) -> CubePose:
        """The pose event of a rest."""
        up, north = turns.up_north(rest.after)
        return CubePose(rest.t, self.names.get(slot, slot), slot, up, north, rest.off_deg, rest.margin_deg)

    def settle(self, now: float, moving: Mapping[str, float]) -> list[CubeEvidence]:
        """Say what can be said by `now`, in the order in which the cubes came to rest."""
        if not self._open:
            return []
        out: list[CubeEvidence] = []
        while (found := self._explained(now, moving)) is not None:
            slots, acts = found
            out += self._told(slots, acts)
        late = [s for s, c in self._open.items() if not self._waits(s, c, now, moving)]
        if late and not any(self._waits(s, c, now, moving) for s, c in self._open.items()):
            out += self._odd(late)
        return sorted(out, key=lambda e: e.t)

    def _explained(
        self, now: float, moving: Mapping[str, float]
    ) -> tuple[tuple[str, ...], tuple[Act, ...]] | None:
        """The largest set of open changes that moves of the game explain; three moves only when nothing else moves."""
        patient = any(self._waits(s, c, now, moving) for s, c in self._open.items())
        for longest in (1, 2) if patient else (1, 2, 3):
            for slots in subsets(list(self._open)):
                net = {s: self._open[s].net for s in slots}
                paths = {s: self._open[s].rest.path for s in slots}
                acts = explain(net, paths, longest)
                if acts is None or not self._together(slots, acts):
                    continue
                if len(set(acts)) > 1:  # different moves at once have rivals
                    if unlike(acts, paths) > UNLIKE_RAD * len(slots):
                        continue  # it ended as if, but went another way: nobody made these moves
                    if patient and self._busy(slots, moving):
                        continue  # who else comes to rest may belong to it
                return slots, acts
        return None

    def _busy(self, slots: tuple[str, ...], moving: Mapping[str, float]) -> bool:
        """Whether a cube still moves that began before the last of `slots` came to rest."""
        last = max(self._open[s].rest.t for s in slots)
        return any(since < last for since in moving.values())

    def _together(self, slots: tuple[str, ...], acts: tuple[Act, ...]) -> bool:
        """Whether the cubes of each tilt moved at the same time, or nearly so."""
        for act in acts:
            rests = [self._open[s].rest for s in act.slots]
            if max(r.since for r in rests) > min(r.t for r in rests) + GRACE_S:
                return False
        return True

    def _told(self, slots: tuple[str, ...], acts: tuple[Act, ...]) -> list[CubeEvidence]:
        changes = {s: self._open.pop(s) for s in slots}
        out: list[CubeEvidence] = []
        for i, act in enumerate(acts):
            last = [s for s in act.slots if not any(s in later.slots for later in acts[i + 1 :])]
            times = [changes[s].rest.t for s in (last or act.slots)]
            t = max(times) if last else min(times)
            if act.what in turns.PAIRS:
                out.append(Tilted(t, act.what, act.to))
            else:
                out.append(Turned(t, act.what, act.to))
        same = len({(a.what, a.to) for a in acts}) == 1
        if same:  # half a turn in one go: one moment
            t = max(e.t for e in out)
            out = [replace(e, t=t) for e in out]
        return out

    def _waits(self, slot: str, change: _Change, now: float, moving: Mapping[str, float]) -> bool:
        """Whether a partner may still come: one that moves and began in time, or any within a moment."""
        t = change.rest.t
        if now < t + GRACE_S:
            return True
        return any(since < t + GRACE_S and now < t + PATIENCE_S for since in moving.values())

    def _odd(self, slots: list[str]) -> list[CubeEvidence]:
        changes = {s: self._open.pop(s) for s in slots}
        diagonal = self._diagonal(changes)
        out: list[CubeEvidence] = []
        for slot, change in changes.items():
            text = diagonal.get(slot) or looks_like(slot, change.net) + self._missed(slot, change.net)
            out.append(Odd(change.rest.t, slot, text))
        return out

    def _missed(self, slot: str, net: int) -> str:
        """A partner of a tilt that may have been tilted, too, and not felt it."""
        for act in ACTS:
            if (
                slot in act.slots
                and act.what in turns.PAIRS
                and net in (act.turn, turns.compose((act.turn,) * 2))
            ):
                (other,) = (s for s in act.slots if s != slot)
                if self._stuck(other):
                    return (
                        f". But the sensor in {other} has said the same to the last bit for long: is it dead?"
                    )
        return ""

    def _diagonal(self, changes: Mapping[str, _Change]) -> dict[str, str]:
        """Two cubes tilted alike and together that are no pair: perhaps two cubes were exchanged unseen."""
        out: dict[str, str] = {}
        for a in changes:
            for b in changes:
                one, two = changes[a], changes[b]
                if a == b or one.net != two.net or one.net not in turns.TILT.values():
                    continue
                if max(one.rest.since, two.rest.since) < min(one.rest.t, two.rest.t):
                    out[a] = (
                        f"{a} and {b} were tilted together, which is no pair for that side: are two cubes exchanged, "
                        "or one in the wrong slot? Show each cube its slot again (`polartable calibrate cubes`)"
                    )
        return out


def looks_like(slot: str, net: int) -> str:
    """What a turn of the table's frame looks like on one cube, in words."""
    for side, turn in turns.TILT.items():
        if net == turn:
            return f"{slot} alone was tilted to the {_WORDS[side]}; a tilt takes two neighbours together"
        if net == turns.compose((turn, turn)):
            axis = "north to south" if side in "NS" else "east to west"
            return f"{slot} alone was put back upside down, turned over from {axis}"
    if turns.angle_of(net) == 120:
        return f"{slot} was put back over a corner, tilted and turned at once; no single move does that"
    return (
        f"{slot} was put back another way round, turned by {turns.angle_of(net)}°; no single move does that"
    )
