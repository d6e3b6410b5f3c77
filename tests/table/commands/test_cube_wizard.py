"""`polartable calibrate cubes`: the wizard with simulated cubes, and a game followed with what was taught."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from firmware_bridge.clock import VirtualClock
from firmware_bridge.errors import UsageError
from firmware_bridge.nodes import NodeBook
from firmware_bridge.polar import PolarDecoder
from firmware_bridge.samples import BridgeEvent
from hw_mock.cubes import LSM6DSO, SimulatedTable
from hw_mock.cubes.turns import SLOTS, quarter
from sensors.cubes import calibration, turns
from sensors.cubes.follow import CubeFollower, Seat
from sensors.evidence import CubePose, Tilted
from table.commands.cube_wizard import FIND_S, NoCubeMoved, Wizard


class Bench:
    """A simulated table in virtual time with the interface of a Bridge."""

    def __init__(self, mounts: dict[str, Rotation]) -> None:
        self.clock = VirtualClock()
        self.table = SimulatedTable(self.clock, seed=6, model=LSM6DSO, wiring="none")
        for slot, node in self.table.nodes.items():
            node.sensor._axes = node.sensor._axes @ mounts[slot].as_matrix()
        self._ears = {s: (PolarDecoder(), NodeBook("dongle")) for s in SLOTS}
        self._waiting: list[BridgeEvent] = []

    def leave(self, seconds: float) -> None:
        """Time passes in which nobody takes the events: they wait."""
        self._waiting = self.take(seconds)

    def take(self, timeout: float = 0.0) -> list[BridgeEvent]:
        out, self._waiting = self._waiting, []
        self.clock.set(self.clock.now() + timeout)
        for slot, data in self.table.advance(self.clock.now()).items():
            ear, book = self._ears[slot]
            for packet in ear.feed(data):
                out += book.receive(packet, self.clock.now())
        return out


@pytest.fixture
def bench() -> Bench:
    dice = np.random.default_rng(12)
    return Bench({s: Rotation.random(rng=dice) for s in SLOTS})


def test_the_wizard_teaches_four_cubes_in_whatever_way_their_sensors_sit(bench: Bench) -> None:
    """The cubes lie in other slots than their numbers say; then a game is followed with what was taught."""
    answers: list[str] = []
    lying_in = {"NW": "SE", "NE": "NW", "SE": "SW", "SW": "NE"}  # node's first place → slot it is taught for
    slow = iter(["r"])  # once somebody wants to repeat a step

    def ask(question: str) -> str:
        answers.append(question)
        if "shake" in question:
            slot = next(s for s in SLOTS if f"slot {s}," in question)
            nonlocal_now["node"] = next(n for n, to in lying_in.items() if to == slot)
            bench.table.hands.plan_handling(nonlocal_now["node"], 1.5, temper="hasty")
            return ""
        cube = bench.table.nodes[nonlocal_now["node"]].cube
        bench.take(max(0.0, cube.free_at - bench.clock.now()) + 0.5)
        face = question.split("face ")[1][0]
        path = {"U": [], "N": ["S"], "E": ["W"], "D": ["N", "N"]}[face]
        pose = np.eye(3)
        for to in path:
            pose = quarter(to) @ pose
        cube.put(pose)
        return next(slow, "") if face == "E" else ""

    nonlocal_now = {"node": ""}
    wizard = Wizard(bench, True, bench.clock, ask)
    taught = [wizard.teach(slot) for slot in SLOTS]
    assert [c.slot for c in taught] == list(SLOTS)
    assert len({c.uid for c in taught}) == 4
    assert all(c.off_deg < 2.5 for c in taught)
    for node in bench.table.nodes.values():
        node.cube.put(np.eye(3))
    bench.take(0.5)
    follower = CubeFollower(["dongle"], calibration.seats(taught))
    cubes = bench.table.hands.cubes
    bench.table.hands.cubes = {lying_in[s]: c for s, c in cubes.items()}
    evidence = []
    end = bench.clock.now() + 4.0
    bench.table.hands.plan_tilt("n", "S", at=end - 2.0)
    while bench.clock.now() < end:
        for event in bench.take(0.02):
            evidence += follower.feed(event)
    first = {
        e.slot: (e.cube, e.up, e.north) for e in reversed([e for e in evidence if isinstance(e, CubePose)])
    }
    assert first == {s: (c, "U", "N") for s, c in zip(SLOTS, "ABCD", strict=True)}
    assert [(e.pair, e.to) for e in evidence if isinstance(e, Tilted)] == [("n", "S")]
    assert follower.named_pose("NW") == ("N", "D")


def test_what_was_moved_before_enter_is_not_the_cube_that_is_shaken(bench: Bench) -> None:
    """Somebody puts the cube that was taught back, thinks, presses Enter, and shakes the next one."""

    def ask(question: str) -> str:
        if "shake" not in question:
            raise UsageError("found", question)
        bench.table.hands.plan_handling("NW", 12.0, temper="hasty")
        bench.leave(15.0)
        bench.table.hands.plan_handling("NE", 1.5)
        return ""

    wizard = Wizard(bench, True, bench.clock, ask)
    assert wizard._which("NE") == ("dongle", 2)


@pytest.mark.parametrize("after", [27.0, 28.6, 29.5])
def test_a_cube_that_is_shaken_at_the_last_moment_is_found(bench: Bench, after: float) -> None:
    """Somebody looked for it for most of the half minute."""
    bench.table.hands.plan_handling("SE", 3.0, temper="hasty", at=bench.clock.now() + after)
    node = 1 + SLOTS.index("SE")
    assert Wizard(bench, True, bench.clock, lambda question: "")._which("SE") == ("dongle", node)
    assert after < bench.clock.now() < FIND_S + 2.0


def test_nobody_shakes_and_the_wizard_says_so(bench: Bench) -> None:
    with pytest.raises(NoCubeMoved, match="no cube was shaken in 30 s"):
        Wizard(bench, True, bench.clock, lambda question: "").teach("NW")


def test_a_cube_taught_in_a_told_pose_begins_there() -> None:
    """After a restart in the middle of a game the table says how each cube lies."""
    bench = Bench({s: Rotation.identity() for s in SLOTS})
    pose = quarter("E") @ quarter("N")
    bench.table.nodes["NW"].cube.put(pose)
    from hw_mock.cubes.turns import up_north

    start = turns.turn_named(*up_north(pose))
    follower = CubeFollower(["dongle"], {("dongle", 1): Seat("NW", "A", None, start)})
    evidence = []
    for _ in range(100):
        for event in bench.take(0.02):
            evidence += follower.feed(event)
    assert follower.named_pose("NW") == up_north(pose)
    assert follower.named_pose("NE") == ("U", "N")


def test_the_same_cube_shaken_for_two_slots_is_noticed(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody shakes NW's cube again for NE; the wizard says so and asks again."""
    shaken = iter(["NW", "NW", "NW", "NE"])
    back = iter(["r"])
    now = {"cube": ""}

    def ask(question: str) -> str:
        if "shake" in question:
            now["cube"] = next(shaken)
            bench.table.hands.plan_handling(now["cube"], 1.5, temper="hasty")
            return ""
        if "face U" in question and (again := next(back, "")):
            return again  # before any face: which cube it is, once more
        cube = bench.table.nodes[now["cube"]].cube
        bench.take(max(0.0, cube.free_at - bench.clock.now()) + 0.5)
        pose = np.eye(3)
        for to in {"U": [], "N": ["S"], "E": ["W"], "D": ["N", "N"]}[question.split("face ")[1][0]]:
            pose = quarter(to) @ pose
        cube.put(pose)
        return ""

    wizard = Wizard(bench, True, bench.clock, ask)
    assert [wizard.teach(slot).node for slot in ("NW", "NE")] == [1, 2]
    found = [e for e in map(json.loads, capsys.readouterr().out.splitlines()) if e["step"] == "found"]
    assert [e["ok"] for e in found] == [True, True, False, True]
    assert found[2]["text"] == "that is the cube that you have just taught for NW: shake the one of NE"
    assert next(shaken, None) is None
