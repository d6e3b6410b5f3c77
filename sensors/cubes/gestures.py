"""From rests of four cubes to evidence: tilts of two neighbours, turns of one, and anything else in words.

A change that needs a partner waits: as long as a possible partner moves, or for a moment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sensors.cubes import turns
from sensors.cubes.change import ASKEW_DEG, Change, fit, otherwise
from sensors.cubes.doubt import BELIEVED, KNOWN
from sensors.cubes.exchange import ExchangeWatch
from sensors.cubes.explain import Act, explain, subsets, unlike
from sensors.cubes.rest import Rest
from sensors.cubes.unexplained import in_words
from sensors.evidence import CubeEvidence, CubePose, Odd, Tilted, Turned

GRACE_S = 1.0  # s, for a partner that has not begun to move, or is about to be set down
PATIENCE_S = 3.0  # for a partner that is moving
ASKEW_PATIENCE_S = 20.0  # for a partner that has yet to be set down flat
UNLIKE_RAD = 0.5  # for each cube, the most that its path may differ from the path of the explaining moves


@dataclass(frozen=True, slots=True)
class Found:
    """What an explanation revealed about a cube: its heading is so many quarter turns off the tracked one.

    `known`: this leaves no doubt of its heading.
    """

    slot: str
    quarters: int
    known: bool


class GestureReader:
    """Feed each slot's rests and, now and then, the time; `moving` maps the slots that move to when they began."""

    def __init__(self, names: Mapping[str, str], stuck: Callable[[str], bool] = lambda slot: False) -> None:
        """`stuck` tells whether a slot's sensor may be dead; then it is mentioned where a partner is missing."""
        self.names = dict(names)
        self._stuck = stuck
        self._open: dict[str, Change] = {}
        self._exchanges = ExchangeWatch()
        self._found: list[Found] = []
        self._grace_s = GRACE_S

    def found(self) -> list[Found]:
        """The heading corrections since the last call."""
        out, self._found = self._found, []
        return out

    def rest(self, slot: str, rest: Rest, moving: Mapping[str, float]) -> list[CubeEvidence]:
        """A cube in `slot` came to rest; returns what can be said at once."""
        if rest.fault:
            return [Odd(rest.t, slot, f"the sensor in {slot} {rest.fault}")]
        out: list[CubeEvidence] = []
        changed = rest.first or rest.before != rest.after
        unheard = rest.lost and rest.headings[0] < BELIEVED
        if changed or unheard:
            out.append(self.pose(slot, rest, changed))
        if unheard and not changed:
            text = f"the cube in {slot} may have been turned while it was not heard; look how it lies"
            out.append(Odd(rest.t, slot, text))
        if rest.first:
            return [*out, *([self._askew(slot, rest)] if rest.off_deg > ASKEW_DEG else [])]
        out += self._exchanges.rest(slot, rest)
        earlier = self._open.pop(slot, None)
        if earlier is not None:
            path = tuple(a + b for a, b in zip(earlier.rest.path, rest.path, strict=True))
            rest = replace(
                rest,
                before=earlier.rest.before,
                since=earlier.rest.since,
                path=(path[0], path[1], path[2]),
                headings_before=earlier.rest.headings_before,
                lost=rest.lost or earlier.rest.lost,
            )
        if rest.before != rest.after:
            self._open[slot] = Change(rest)
        if slot in self._open and self._open[slot].askew:
            out.append(self._askew(slot, rest))
        return out + self.settle(rest.t, moving)

    def _askew(self, slot: str, rest: Rest) -> Odd:
        text = f"the cube in {slot} lies askew, {rest.off_deg:.0f}° off the nearest turn; set it down flat"
        return Odd(rest.t, slot, text)

    def forget(self, slot: str) -> None:
        """Drop the unexplained change of a slot, because a person said how the cube lies."""
        self._open.pop(slot, None)

    def pose(self, slot: str, rest: Rest, changed: bool = True) -> CubePose:
        """The pose event of a rest."""
        up, north = turns.up_north(rest.after)
        headings = () if rest.headings == KNOWN else rest.headings
        name, off, margin = self.names.get(slot, slot), rest.off_deg, rest.margin_deg
        return CubePose(
            t=rest.t,
            cube=name,
            slot=slot,
            up=up,
            north=north,
            off_deg=off,
            margin_deg=margin,
            headings=headings,
            changed=changed,
        )

    def settle(self, now: float, moving: Mapping[str, float]) -> list[CubeEvidence]:
        """Returns what can be said by `now`, in the order in which the cubes came to rest."""
        if not self._open:
            return []
        out: list[CubeEvidence] = []
        while (found := self._explained(now, moving)) is not None:
            slots, acts = found
            out += self._told(slots, acts)
        lie = {s: c for s, c in self._open.items() if not c.askew}
        if lie and not any(self._waits(s, c, now, moving) for s, c in lie.items()):
            out += self._odd(list(lie))
        return sorted(out, key=lambda e: e.t)

    def finish(self, now: float, moving: Mapping[str, float]) -> list[CubeEvidence]:
        """Nothing more comes, and every cube was heard until `now`: report all changes that wait for no moving cube."""
        self._grace_s = 0.0
        return self.settle(now, moving)

    def _explained(
        self, now: float, moving: Mapping[str, float]
    ) -> tuple[tuple[str, ...], tuple[Act, ...]] | None:
        """The largest set of open changes that moves explain; three moves are tried only when nothing waits any
        more."""
        patient = any(self._waits(s, c, now, moving) for s, c in self._open.items())
        for longest in (1, 2) if patient else (1, 2, 3):
            for slots in subsets([s for s, c in self._open.items() if not c.askew]):
                net = {s: self._open[s].net for s in slots}
                paths = {s: self._open[s].rest.path for s in slots}
                acts = explain(net, paths, longest)
                if acts is None or not self._together(acts):
                    continue
                if len(set(acts)) > 1:  # a combination of different moves may have a rival explanation
                    if unlike(acts, paths) > UNLIKE_RAD * len(slots):
                        continue  # the end fits but the path does not: nobody made these moves
                    if patient and self._busy(slots, moving):
                        continue  # a cube that is still moving may belong to it
                return slots, acts
            if longest == 1 and (freed := self._freed()) is not None:
                return freed
        return None

    def _freed(self) -> tuple[tuple[str, ...], tuple[Act, ...]] | None:
        """A tilt of a pair that gravity confirms for both cubes, where a heading was lost in a turn that was not
        heard."""
        best: tuple[float, tuple[str, ...], tuple[Act, ...]] | None = None
        for pair, slots in turns.PAIRS.items():
            changes = {s: self._open[s] for s in slots if s in self._open and not self._open[s].askew}
            if len(changes) < 2 or not any(c.doubted for c in changes.values()):
                continue
            for side in turns.SIDES[pair]:
                for acts in ((Act(pair, side),), (Act(pair, side),) * 2):
                    way = fit(changes, acts)
                    if way is not None and self._together(acts) and (best is None or way[0] < best[0]):
                        best = way[0], slots, acts
        return None if best is None else best[1:]

    def _busy(self, slots: tuple[str, ...], moving: Mapping[str, float]) -> bool:
        """Whether a cube is still moving that began before the last of `slots` came to rest."""
        last = max(self._open[s].rest.t for s in slots)
        return any(since < last for since in moving.values())

    def _together(self, acts: tuple[Act, ...]) -> bool:
        """Whether the cubes of each tilt moved at the same time, or nearly so."""
        for act in acts:
            rests = [self._open[s].rest for s in act.slots]
            if max(r.since for r in rests) > min(r.t for r in rests) + GRACE_S:
                return False
        return True

    def _told(self, slots: tuple[str, ...], acts: tuple[Act, ...]) -> list[CubeEvidence]:
        changes = {s: self._open.pop(s) for s in slots}
        out: list[CubeEvidence] = self._learned(changes, acts)
        poses = len(out)
        for i, act in enumerate(acts):
            last = [s for s in act.slots if not any(s in later.slots for later in acts[i + 1 :])]
            times = [changes[s].rest.t for s in (last or act.slots)]
            t = max(times) if last else min(times)
            if act.what in turns.PAIRS:
                out.append(Tilted(t, act.what, act.to))
            else:
                out.append(Turned(t, act.what, act.to))
        same = len({(a.what, a.to) for a in acts}) == 1
        if same:  # half a turn in one movement: one moment
            t = max(e.t for e in out[poses:])
            out = out[:poses] + [replace(e, t=t) for e in out[poses:]]
        return out

    def _learned(self, changes: Mapping[str, Change], acts: tuple[Act, ...]) -> list[CubeEvidence]:
        """Heading corrections that follow from the tilt of a pair: the axis about which each cube turned shows its
        heading."""
        if len(changes) != 2 or len(set(acts)) > 1 or acts[0].what not in turns.PAIRS:
            return []
        way, out = fit(changes, acts), list[CubeEvidence]()
        for (slot, change), k in zip(changes.items(), way[1] if way else (), strict=False):
            if not change.doubted:
                continue
            others = [c for s, c in changes.items() if s != slot]
            known = not change.rest.lost and not any(c.doubted for c in others)
            if k == 0 and not known:
                continue
            self._found.append(Found(slot, k, known))
            out.append(self.pose(slot, otherwise(change.rest, k, known), changed=k != 0))
        return out

    def _waits(self, slot: str, change: Change, now: float, moving: Mapping[str, float]) -> bool:
        """Whether a partner may still come: a cube that is moving and began in time, or any cube for a moment."""
        t = change.rest.t
        if now < t + self._grace_s:
            return True
        askew = (c.rest.since for s, c in self._open.items() if s != slot and c.askew)
        if now < t + ASKEW_PATIENCE_S and any(since < t + GRACE_S for since in askew):
            return True
        return any(since < t + GRACE_S and now < t + PATIENCE_S for since in moving.values())

    def _odd(self, slots: list[str]) -> list[CubeEvidence]:
        changes = {s: self._open.pop(s) for s in slots}
        words = in_words(changes, self._stuck)
        return [Odd(change.rest.t, slot, words[slot]) for slot, change in changes.items()]
