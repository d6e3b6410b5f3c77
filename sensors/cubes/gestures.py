"""From rests of four cubes to evidence: tilts of two neighbours, turns of one, and what is neither, in words.

A change that needs a partner waits for it: as long as a cube that may be the partner still moves, or a moment.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sensors.cubes import turns
from sensors.cubes.doubt import BELIEVED, KNOWN
from sensors.cubes.exchange import ExchangeWatch
from sensors.cubes.explain import ACTS, Act, explain, subsets, unlike
from sensors.cubes.quats import Vec, about_z, rotate
from sensors.cubes.rest import Rest
from sensors.evidence import CubeEvidence, CubePose, Odd, Tilted, Turned

GRACE_S = 1.0  # for a partner that has not begun to move, or is just about to be set down
PATIENCE_S = 3.0  # for a partner that moves
ASKEW_DEG = 22.0
ASKEW_PATIENCE_S = 20.0  # for a partner that is still to be set down flat
_QUARTER_RAD = 0.2  # of ways that are as like, the one with the fewer quarter turns that nobody heard
UNLIKE_RAD = 0.5  # a cube, between the way that it took and the one that the moves would have taken

_WORDS = {"N": "north", "E": "east", "S": "south", "W": "west"}


@dataclass(frozen=True, slots=True)
class Found:
    """What an explanation told about a cube: it lies so many quarter turns otherwise than it is followed.

    `known`: and no doubt is left of its heading.
    """

    slot: str
    quarters: int
    known: bool


@dataclass(frozen=True, slots=True)
class _Change:
    """A cube that lies otherwise than before, not explained yet."""

    rest: Rest

    @property
    def net(self) -> int:
        return turns.difference(self.rest.before, self.rest.after)

    @property
    def askew(self) -> bool:
        """Whether it is still to be set down flat: no act has come to its end, and nobody knows which it will be."""
        return self.rest.off_deg > ASKEW_DEG and not self.rest.lost

    @property
    def doubted(self) -> bool:
        return self.rest.headings != KNOWN

    def path(self, quarters: int) -> Vec:
        """The way that it took, if it lies so many quarter turns otherwise than it is followed."""
        path = self.rest.path
        return path if self.rest.lost else rotate(about_z(quarters * math.pi / 2), path)

    def quarters_to(self, net: int) -> list[int]:
        """By how many quarter turns it may lie otherwise if it turned so; none where gravity excludes that."""
        if not self.doubted:
            return [0] if net == self.net else []
        out = []
        for k in range(4):
            # one lost earlier was as wrong before; of one lost on the way nobody knows how it lay before, if not then
            earlier = [k] if not self.rest.lost else [0] if self.rest.headings_before == KNOWN else range(4)
            if any(turns.compose((turns.quarters(-j), self.net, turns.quarters(k))) == net for j in earlier):
                out.append(k)
        return out


def _fit(changes: Mapping[str, _Change], acts: tuple[Act, ...]) -> tuple[float, tuple[int, ...]] | None:
    """By how many quarter turns each must lie otherwise if they were tilted so, and how unlike that is; or None."""
    net = turns.compose(act.turn for act in acts)
    best: tuple[float, tuple[int, ...]] | None = None
    for quarters in itertools.product(*(c.quarters_to(net) for c in changes.values())):
        paths = {s: c.path(k) for (s, c), k in zip(changes.items(), quarters, strict=True)}
        cost = unlike(acts, paths) + _QUARTER_RAD * sum(min(k, 4 - k) for k in quarters)
        if best is None or cost < best[0]:
            best = cost, quarters
    return best


class GestureReader:
    """Feed each slot's rests and, now and then, the time; `moving` says which slots move and since when."""

    def __init__(self, names: Mapping[str, str], stuck: Callable[[str], bool] = lambda slot: False) -> None:
        """`stuck` says of a slot whether its sensor may be dead: then it is named where a partner is missed."""
        self.names = dict(names)
        self._stuck = stuck
        self._open: dict[str, _Change] = {}
        self._exchanges = ExchangeWatch()
        self._found: list[Found] = []

    def found(self) -> list[Found]:
        """What was found out about headings since this was last asked."""
        out, self._found = self._found, []
        return out

    def rest(self, slot: str, rest: Rest, moving: Mapping[str, float]) -> list[CubeEvidence]:
        """A cube in `slot` came to rest; what can be said at once."""
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
            self._open[slot] = _Change(rest)
        if slot in self._open and self._open[slot].askew:
            out.append(self._askew(slot, rest))
        return out + self.settle(rest.t, moving)

    def _askew(self, slot: str, rest: Rest) -> Odd:
        text = f"the cube in {slot} lies askew, {rest.off_deg:.0f}° off the nearest turn; set it down flat"
        return Odd(rest.t, slot, text)

    def forget(self, slot: str) -> None:
        """What waits to be explained about a slot is settled otherwise: a person said how the cube lies."""
        self._open.pop(slot, None)

    def pose(self, slot: str, rest: Rest, changed: bool = True) -> CubePose:
        """The pose event of a rest."""
        up, north = turns.up_north(rest.after)
        headings = () if rest.headings == KNOWN else rest.headings
        name, off, margin = self.names.get(slot, slot), rest.off_deg, rest.margin_deg
        return CubePose(rest.t, name, slot, up, north, off, margin, headings, changed)

    def settle(self, now: float, moving: Mapping[str, float]) -> list[CubeEvidence]:
        """Say what can be said by `now`, in the order in which the cubes came to rest."""
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

    def _explained(
        self, now: float, moving: Mapping[str, float]
    ) -> tuple[tuple[str, ...], tuple[Act, ...]] | None:
        """The largest set of open changes that moves of the game explain; three moves only when nothing else moves."""
        patient = any(self._waits(s, c, now, moving) for s, c in self._open.items())
        for longest in (1, 2) if patient else (1, 2, 3):
            for slots in subsets([s for s, c in self._open.items() if not c.askew]):
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
            if longest == 1 and (freed := self._freed()) is not None:
                return freed
        return None

    def _freed(self) -> tuple[tuple[str, ...], tuple[Act, ...]] | None:
        """A tilt of a pair that gravity says of both, where what turned a heading otherwise was not heard."""
        best: tuple[float, tuple[str, ...], tuple[Act, ...]] | None = None
        for pair, slots in turns.PAIRS.items():
            changes = {s: self._open[s] for s in slots if s in self._open and not self._open[s].askew}
            if len(changes) < 2 or not any(c.doubted for c in changes.values()):
                continue
            for side in turns.SIDES[pair]:
                for acts in ((Act(pair, side),), (Act(pair, side),) * 2):
                    fit = _fit(changes, acts)
                    if fit is not None and self._together(slots, acts) and (best is None or fit[0] < best[0]):
                        best = fit[0], slots, acts
        return None if best is None else best[1:]

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
        if same:  # half a turn in one go: one moment
            t = max(e.t for e in out[poses:])
            out = out[:poses] + [replace(e, t=t) for e in out[poses:]]
        return out

    def _learned(self, changes: Mapping[str, _Change], acts: tuple[Act, ...]) -> list[CubeEvidence]:
        """What the tilt of a pair tells about headings that were lost: about which axis each of the two turned."""
        if len(changes) != 2 or len(set(acts)) > 1 or acts[0].what not in turns.PAIRS:
            return []
        fit, out = _fit(changes, acts), list[CubeEvidence]()
        for (slot, change), k in zip(changes.items(), fit[1] if fit else (), strict=False):
            if not change.doubted:
                continue
            others = [c for s, c in changes.items() if s != slot]
            known = not change.rest.lost and not any(c.doubted for c in others)
            if k == 0 and not known:
                continue
            self._found.append(Found(slot, k, known))
            out.append(self.pose(slot, _otherwise(change.rest, k, known), changed=k != 0))
        return out

    def _waits(self, slot: str, change: _Change, now: float, moving: Mapping[str, float]) -> bool:
        """Whether a partner may still come: one that moves and began in time, or any within a moment."""
        t = change.rest.t
        if now < t + GRACE_S:
            return True
        askew = (c.rest.since for s, c in self._open.items() if s != slot and c.askew)
        if now < t + ASKEW_PATIENCE_S and any(since < t + GRACE_S for since in askew):
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


def _otherwise(rest: Rest, quarters: int, known: bool) -> Rest:
    """The rest of a cube that lies so many quarter turns otherwise than it was thought to."""
    after = turns.compose((rest.after, turns.quarters(quarters)))
    if known:
        return replace(rest, after=after, headings=KNOWN, margin_deg=max(0.0, 90.0 - 2 * rest.off_deg))
    a, b, c, d = (rest.headings[(i + quarters) % 4] for i in range(4))
    return replace(rest, after=after, headings=(a, b, c, d))


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
