"""Ice Cult with felt cubes: compares what the trackers report with how the cubes should lie.

A tilt or turn is one act of a hand. While the cubes lie as the position says, the act itself is the evidence. After an
act that the rules forbid, they lie elsewhere; from then on only *how they lie* counts: putting them back is no move,
and a way of lying that a legal move explains is that move.

Gravity always tells which face looks up. If a cube was not heard for a while, its heading may be unknown. A tilt that
the gravity of both cubes shows is taken all the same; the desk then asks which of the four possible ways the cube lies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from rules.core.refusal import Refusal
from rules.ice_cult.turns import NUMBER, facing
from sensors.cubes.change import ASKEW_DEG
from sensors.cubes.gestures import ASKEW_PATIENCE_S
from sensors.cubes.turns import PAIRS
from sensors.evidence import CubeEvidence, CubePose, Odd, Tilted, Turned
from table.desk.cube_doubt import as_doubted, doubted, known, quarters_from
from table.desk.cube_questions import heading_question, otherwise_question, turn_move
from table.desk.cubes_amiss import Difference, each_once, pair_name, put_back, sense, side
from table.desk.desk import Desk
from table.desk.said import Said

PATIENCE_S = 1.5  # a difference that lasts this long is not part of a movement any more


class CubeWatch:
    """The cubes of one Ice Cult desk. Feed it every batch of evidence, and call `tick` with the time now and then.

    `reorient` is called with what people say of a heading: a slot, and by how many quarter turns (counter-clockwise
    from above) its cube differs from what the tracker follows. It may raise ValueError if no cube of that slot is
    followed.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.reorient: Callable[[str, int], None] = lambda slot, quarters: None
        self.poses: dict[str, CubePose] = {}
        self._names: dict[str, dict[str, str]] = {}  # slot → the tracker's name of a body face to the game's
        self._since: float | None = None
        self._last: tuple[Difference, ...] = ()
        self._told: tuple[Difference, ...] = ()
        # slot → the rest and the phase in which people were asked
        self._asked: dict[str, tuple[CubePose, str]] = {}
        self._steps: dict[str, int] = {}  # slot → the number of moves made when its heading became doubtful
        self._tilted: dict[str, CubePose] = {}  # slot → its pose after its last tilt
        self._turned: dict[str, CubePose] = {}  # slot → its pose after a turn that left it in doubt
        # slot → how it lies by its sensor alone, whatever people have said since
        self._felt: dict[str, CubePose] = {}
        self._askew: dict[str, tuple[CubePose, float]] = {}  # slot → the askew rest, and since when
        self._now = 0.0
        self._again = False  # the position was left, and with it what was asked about it
        desk.listen(self._said)

    def take_over(self, before: CubeWatch | None, lie: Mapping[str, CubePose]) -> None:
        """Take over the cubes of the game `before`; they rest as they `lie` by their sensors.

        What people said of a rest still holds: the same answer, given again, would turn the tracker twice.
        """
        if before is not None:
            self._names = dict(before._names)
        for slot, pose in lie.items():
            self._rests(pose)
            if before is not None and before._felt.get(slot) is pose and not doubted(before.poses[slot]):
                self.poses[slot] = before.poses[slot]
                self._steps.pop(slot, None)

    def register(self) -> None:
        """Assume that the cubes lie as the position says. An owner without a calibration confirms that at the
        set-up."""
        for slot, cube in self._cubes().items():
            pose = self.poses.get(slot)
            if pose is not None:
                by_side = {side: face for face, side in facing(NUMBER[cube["up"], cube["north"]]).items()}
                felt = facing(NUMBER[pose.up, pose.north])
                self._names[slot] = {face: by_side[side] for face, side in felt.items()}
        self._told, self._since = (), None

    def lies(self, slot: str) -> tuple[str, str] | None:
        """The game's faces that look up and north in `slot`, according to the sensor."""
        pose = self.poses.get(slot)
        if pose is None:
            return None
        names = self._names.get(slot)
        return (pose.up, pose.north) if names is None else (names[pose.up], names[pose.north])

    def felt_name(self, slot: str, face: str) -> str:
        """The tracker's name of the face that the game calls `face`, for the cube in `slot`."""
        names = self._names.get(slot, {})
        return next((felt for felt, game in names.items() if game == face), face)

    def differences(self) -> tuple[Difference, ...]:
        """The slots in which a cube lies differently from the position."""
        return self._against(self._cubes())

    def saw(self, batch: Sequence[CubeEvidence]) -> None:
        """Take in one batch of evidence, in the order in which it came."""
        acts: list[Tilted | Turned] = []
        for evidence in each_once(batch):
            if isinstance(evidence, CubePose):
                self._rests(evidence)
            elif self._ended:
                continue  # the cubes are being put away
            elif isinstance(evidence, Odd):
                self.desk.tell(evidence.text, "odd", slot=evidence.slot)
            else:
                acts.append(evidence)
        for act in acts:
            self._act(act)
        self._ask_doubted()

    def tick(self, now: float) -> None:
        """Compare the cubes with the position. A difference that lasts is asked about once, and again if it changes."""
        self._now = now
        self._look_who_is_askew()
        if self._ended:
            self._since, self._last, self._told = None, (), ()
            return
        self._ask_doubted()
        different = self.differences()
        if not different:
            if self._told:
                self.desk.tell("The cubes lie as they should again.", "put-back")
                self.desk.withdraw("cubes")
            self._since, self._last, self._told, self._again = None, (), (), False
            return
        if any(self._to_be_laid_flat(d.slot) for d in different):
            self._since = None  # people were told to set it down flat, and still have time to
            return
        if self._since is None or different != self._last:
            self._since, self._last = now, different
        asked = self.desk.question
        free = asked is None or asked.key.startswith("cubes-")
        if now - self._since >= PATIENCE_S and (different != self._told or self._again) and free:
            # a cube was heard late, or another one was moved: the earlier question no longer applies
            self.desk.withdraw("cubes")
            self._ask(different)
            self._told, self._again = different, False

    # inside

    @property
    def _ended(self) -> bool:
        """Whether the game is over or closed: until that is taken back, it does not matter how the cubes lie."""
        sitting = self.desk.sitting
        return sitting.over is not None or sitting.closed is not None

    def _said(self, said: Said) -> None:
        # these may lead back to a position about which something was asked
        if said.event in ("undo", "redo", "corrected"):
            self._again = True
            self._asked.clear()

    def _act(self, act: Tilted | Turned) -> None:
        if self._told:  # something lies wrong already: only how the cubes lie counts
            move = self._explained_by_a_move()
            if move is not None:
                self._told, self._since = (), None
                self.desk.sensed(move, "The cubes now lie as after this move.", "cubes")
            return
        if isinstance(act, Tilted):  # gravity shows a tilt in both cubes, however doubtful their headings are
            what = f"The {pair_name(act.pair)} pair was tilted to the {side(act.to)}."
            move = f"tilt {act.pair}>{act.to}"
            self._tilted |= {slot: self.poses[slot] for slot in PAIRS[act.pair] if slot in self.poses}
        elif self._doubted(act.slot):
            self._turned[act.slot] = self.poses[act.slot]
            return  # people are asked how the cube lies
        else:
            what = f"The cube on {act.slot} was turned {sense(act.to)}."
            move = turn_move(act.slot, act.to, self.desk.view(None))
        if not self.desk.sensed(move, what, "cubes"):
            self._told = self.differences()
            if self._told:
                self.desk.tell(self._put_back(), "put-back-please", slots=[d.slot for d in self._told])

    # a heading that was lost

    def _rests(self, pose: CubePose) -> None:
        slot, before = pose.slot, self.poses.get(pose.slot)
        self.poses[slot] = self._felt[slot] = pose
        # the same doubt as before: its question stays open, and is not asked again
        if before is not None and as_doubted(before, pose):
            asked = self._asked.get(slot)
            if asked is not None and asked[0] == before:
                self._asked[slot] = pose, asked[1]
        else:
            self.desk.withdraw(f"heading-{slot}")  # the question referred to how the cube lay before
        if not doubted(pose):
            self._steps.pop(slot, None)
        else:
            self._steps.setdefault(slot, len(self.desk.sitting.steps))

    def _doubted(self, slot: str) -> bool:
        pose = self.poses.get(slot)
        return pose is not None and doubted(pose)

    def _to_be_laid_flat(self, slot: str) -> bool:
        """Whether people were told to set it down flat and have not had the time yet.

        If it stays askew the desk asks in the end, as it does for its partner: it may lie on the edge of its tray for
        good.
        """
        pose = self.poses[slot]
        if pose.off_deg <= ASKEW_DEG or pose.headings or self._turned.get(slot) is pose:
            return False
        askew, since = self._askew.get(slot, (None, self._now))
        return askew is not pose or self._now - since < ASKEW_PATIENCE_S

    def _look_who_is_askew(self) -> None:
        for slot, pose in self.poses.items():
            if pose.off_deg > ASKEW_DEG and self._askew.get(slot, (None,))[0] is not pose:
                self._askew[slot] = pose, self._now

    def _is_so(self, slot: str, quarters: int) -> None:
        """A person said how a cube lies: that many quarter turns from what the sensor believed."""
        self.poses[slot] = known(self.poses[slot], quarters)
        self._steps.pop(slot, None)
        # ValueError: nobody follows the cube just now; its first rest is checked when it is heard again
        with suppress(ValueError):
            self.reorient(slot, quarters)

    def _are_so(self, quarters: Mapping[str, int | None]) -> None:
        for slot, count in quarters.items():
            self._is_so(slot, count or 0)

    def _ask_doubted(self) -> None:
        """Ask about a cube with a doubtful heading, once a phase, until somebody says how it lies."""
        if self._ended:
            return
        phase = self.desk.sitting.game.phase(self.desk.sitting.state)
        for slot, cube in self._cubes().items():
            lies = self.lies(slot)
            if lies is None or not self._doubted(slot) or self._to_be_laid_flat(slot):
                continue
            quarters = quarters_from(lies, (cube["up"], cube["north"]))
            if quarters is None:
                continue
            if self._said_by_hand(slot):
                self._is_so(slot, quarters)
            elif self.desk.question is None and self._asked.get(slot) != (self.poses[slot], phase):
                self._asked[slot] = self.poses[slot], phase
                tilted = self._tilted.get(slot) is self.poses[slot]
                is_so = partial(self._is_so, slot)
                self.desk.ask(heading_question(self.desk, self.poses[slot], lies, quarters, tilted, is_so))

    def _said_by_hand(self, slot: str) -> bool:
        """Whether somebody has entered a turn of that cube, or how it lies, since its heading became doubtful."""
        since, steps = self._steps.get(slot), self.desk.sitting.steps
        told = [] if since is None else [s.move.split() for s in steps[since:] if s.by != "cubes"]
        return any(
            words[:1] + words[2:3] == ["turn", slot] or words[:2] == ["correct", slot] for words in told
        )

    def _explained_by_a_move(self) -> str | None:
        """The legal move after which the cubes would lie as they do; None if they already lie as the position says.

        In that case they were put back and nobody made a move, although a turn of a doubtful cube would explain it,
        too.
        """
        if not self.differences():
            return None
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
        move, back = self._explained_by_a_move(), self._put_back(different)
        take_anew = self.register if self._names else None
        self.desk.ask(otherwise_question(self.desk, different, move, back, self._are_so, take_anew))

    def _put_back(self, different: tuple[Difference, ...] | None = None) -> str:
        """Tell people how to move the cubes so that they lie as the position says."""
        return put_back(self._told if different is None else different, self.desk.view(None)["tops"])

    def _against(self, cubes: Mapping[str, Any]) -> tuple[Difference, ...]:
        out = []
        for slot, cube in cubes.items():
            lies, should = self.lies(slot), (cube["up"], cube["north"])
            if lies is not None and lies[0] == should[0] and self._doubted(slot):
                continue  # it lies right, as far as anybody knows
            if lies is not None and lies != should:
                out.append(Difference(slot, cube["cube"], lies, should))
        return tuple(out)

    def _cubes(self) -> Mapping[str, Any]:
        return self.desk.view(None).get("cubes") or {}
