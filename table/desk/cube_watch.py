"""Ice Cult with felt cubes: what the trackers report, against where the cubes should lie.

A tilt or turn is one act of a hand. While the cubes lie as the position says, the act itself is the evidence. After an
act that the rules forbid they lie elsewhere; from then on only *how they lie* counts: putting them back is no move, and
a way of lying that a legal move explains is that move.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.core.refusal import Refusal
from rules.ice_cult.turns import AFTER, LIES, NUMBER, facing
from sensors.evidence import CubeEvidence, CubePose, Odd, Tilted, Turned
from table.desk.desk import Desk
from table.desk.said import Choice, Question
from table.desk.weigh import Explanation

SLOTS = ("NW", "NE", "SE", "SW")
PATIENCE_S = 1.5  # a difference that lasts this long is no movement any more
_SPREAD_DEG = 8.0  # how far from its true turn a resting cube may look, one standard deviation
_PAIRS = {"n": ("NW", "NE"), "s": ("SW", "SE"), "w": ("NW", "SW"), "e": ("NE", "SE")}


@dataclass(frozen=True, slots=True)
class Difference:
    """Slot, and which faces look up and north: as the cube lies, and as the position says."""

    slot: str
    cube: str
    lies: tuple[str, str]
    should: tuple[str, str]


class CubeWatch:
    """The cubes of one Ice Cult desk. Feed it every batch of evidence, and `tick` with the time now and then."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.poses: dict[str, CubePose] = {}
        self._names: dict[str, dict[str, str]] = {}  # slot → the tracker's name of a body face to the game's
        self._since: float | None = None
        self._last: tuple[Difference, ...] = ()
        self._told: tuple[Difference, ...] = ()

    def register(self) -> None:
        """Take the cubes to lie as the position says: what an owner confirms at the set-up, without a calibration."""
        for slot, cube in self._cubes().items():
            pose = self.poses.get(slot)
            if pose is not None:
                by_side = {side: face for face, side in facing(NUMBER[cube["up"], cube["north"]]).items()}
                felt = facing(NUMBER[pose.up, pose.north])
                self._names[slot] = {face: by_side[side] for face, side in felt.items()}
        self._told, self._since = (), None

    def lies(self, slot: str) -> tuple[str, str] | None:
        """The game's faces that look up and north in `slot`, as the sensor has it."""
        pose = self.poses.get(slot)
        if pose is None:
            return None
        names = self._names.get(slot)
        return (pose.up, pose.north) if names is None else (names[pose.up], names[pose.north])

    def felt_name(self, slot: str, face: str) -> str:
        """The tracker's name of the face that the game calls `face`, of the cube in `slot`."""
        names = self._names.get(slot, {})
        return next((felt for felt, game in names.items() if game == face), face)

    def differences(self) -> tuple[Difference, ...]:
        """The slots in which a cube lies otherwise than the position says."""
        return self._against(self._cubes())

    def saw(self, batch: Sequence[CubeEvidence]) -> None:
        """One batch of evidence, in the order in which it came."""
        acts: list[Tilted | Turned] = []
        for evidence in batch:
            if isinstance(evidence, CubePose):
                self.poses[evidence.slot] = evidence
            elif isinstance(evidence, Odd):
                self.desk.tell(f"{evidence.slot}: {evidence.text}", "odd", slot=evidence.slot)
            else:
                acts.append(evidence)
        for act in acts:
            self._act(act)

    def tick(self, now: float) -> None:
        """Compare the cubes with the position; a difference that lasts is asked about once."""
        different = self.differences()
        if not different:
            if self._told:
                self.desk.tell("The cubes lie as they should again.", "put-back")
                self.desk.withdraw("cubes")
            self._since, self._last, self._told = None, (), ()
            return
        if self._since is None or different != self._last:
            self._since, self._last = now, different
        if now - self._since >= PATIENCE_S and different != self._told and self.desk.question is None:
            self._ask(different)
            self._told = different

    # inside

    def _act(self, act: Tilted | Turned) -> None:
        if self._told:  # something lies wrong already: only how the cubes lie counts
            move = self._explained_by_a_move()
            if move is not None:
                self._told, self._since = (), None
                self.desk.sensed([Explanation(move, 1.0)], "The cubes now lie as after this move.", "cubes")
            return
        slots = _PAIRS[act.pair] if isinstance(act, Tilted) else (act.slot,)
        doubt = max((self._doubt(slot) for slot in slots), default=0.0)
        if isinstance(act, Tilted):
            what = f"The {_pair_name(act.pair)} pair was tilted to the {_side(act.to)}."
            moves = [Explanation(f"tilt {act.pair}>{act.to}", 1.0 - doubt)]
            moves += [Explanation(f"tilt {act.pair}>{_OTHER[act.to]}", doubt)] if doubt > 0.01 else []
        else:
            what = f"The cube on {act.slot} was turned {_sense(act.to)}."
            moves = [Explanation(self._turn(act.slot, act.to), 1.0 - doubt)]
            moves += [Explanation(self._turn(act.slot, _OTHER[act.to]), doubt)] if doubt > 0.01 else []
        if self.desk.sensed(moves, what, "cubes") is False:
            self._told = self.differences()
            if self._told:
                self.desk.tell(self._put_back(), "put-back-please", slots=[d.slot for d in self._told])

    def _turn(self, slot: str, to: str) -> str:
        """The move that turns `slot`: with any arc that is still unused, for one arc does what another does."""
        position = self.desk.view(None)
        tops, spent = position["tops"], position["spent"]
        arcs = [s for s in SLOTS if tops[s] == "arc" and s not in spent] or [
            s for s in SLOTS if tops[s] == "arc"
        ]
        return f"turn {(arcs or [slot])[0]} {slot} {to}"

    def _doubt(self, slot: str) -> float:
        """The chance that the cube in `slot` lies in the runner-up of its 24 ways, from the angle to it."""
        pose = self.poses.get(slot)
        if pose is None:
            return 0.0
        worse = (pose.off_deg + pose.margin_deg) ** 2 - pose.off_deg**2
        return 1.0 / (1.0 + math.exp(min(60.0, worse / (2 * _SPREAD_DEG**2))))

    def _explained_by_a_move(self) -> str | None:
        sitting = self.desk.sitting
        for move in sitting.game.moves(sitting.state):
            if move.startswith(("tilt", "turn")):
                try:
                    after, _ = sitting.game.play(sitting.state, move)
                except Refusal:
                    continue
                if not self._against(sitting.game.view(after, None).get("cubes") or {}):
                    return move
        return None

    def _ask(self, different: tuple[Difference, ...]) -> None:
        move = self._explained_by_a_move()
        choices = [] if move is None else [Choice(f"It was the move “{move}”", (move,))]
        corrections = tuple(f"correct {d.slot} {d.cube} {d.lies[0]} {d.lies[1]}" for d in different)
        choices.append(Choice("The cubes are right as they lie: take them so", corrections))
        choices.append(Choice("We put them back", ()))
        text = f"The cubes lie otherwise than the game stands. {self._put_back(different)}"
        self.desk.ask(Question(f"cubes-{self.desk.version}", text, tuple(choices)))

    def _put_back(self, different: tuple[Difference, ...] | None = None) -> str:
        """What to do with the hands so that the cubes lie as the position says."""
        amiss = {d.slot: d for d in (self._told if different is None else different)}
        for pair, slots in _PAIRS.items():
            for side in "NS" if pair in "ns" else "EW":
                if set(slots) == set(amiss) and all(_leads(amiss[slot], side) for slot in slots):
                    return f"Put it back: tilt the {_pair_name(pair)} pair to the {_side(side)}."
        tops, parts = self.desk.view(None)["tops"], []
        for slot, d in amiss.items():
            ways = [how for how in AFTER if _leads(d, how)]
            how = ways[0] if ways else None
            if how in ("cw", "ccw"):
                parts.append(f"turn {slot} {_sense(how)}")
            elif how is not None:
                parts.append(f"tilt {slot} to the {_side(how)}")
            else:
                parts.append(
                    f"lay {slot} so that it shows {tops[slot]}, with its face {d.should[1]} to the north"
                )
        return f"Put it back: {'; '.join(parts)}."

    def _against(self, cubes: Mapping[str, Any]) -> tuple[Difference, ...]:
        out = []
        for slot, cube in cubes.items():
            lies, should = self.lies(slot), (cube["up"], cube["north"])
            if lies is not None and lies != should:
                out.append(Difference(slot, cube["cube"], lies, should))
        return tuple(out)

    def _cubes(self) -> Mapping[str, Any]:
        return self.desk.view(None).get("cubes") or {}


_OTHER = {"N": "S", "S": "N", "E": "W", "W": "E", "cw": "ccw", "ccw": "cw"}


def _leads(d: Difference, how: str) -> bool:
    return LIES[AFTER[how][NUMBER[d.lies]]] == d.should


def _side(letter: str) -> str:
    return {"N": "north", "E": "east", "S": "south", "W": "west"}[letter]


def _pair_name(letter: str) -> str:
    return {"n": "northern", "e": "eastern", "s": "southern", "w": "western"}[letter]


def _sense(to: str) -> str:
    return "clockwise" if to == "cw" else "counter-clockwise"
