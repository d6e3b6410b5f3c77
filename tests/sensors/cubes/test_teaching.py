"""Teaching cubes: the fit from faces shown, the file that keeps it, and the wizard with simulated cubes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from firmware_bridge.clock import VirtualClock
from firmware_bridge.errors import UsageError
from firmware_bridge.nodes import NodeBook
from firmware_bridge.polar import PolarDecoder
from firmware_bridge.samples import BridgeEvent, MotionBatch
from hw_mock.cubes import LSM6DSO, SimulatedTable
from hw_mock.cubes.turns import SLOTS, quarter
from sensors.cubes import calibration, quats, turns
from sensors.cubes.calibration import CubeTeaching, DamagedCalibration
from sensors.cubes.follow import CubeFollower, Seat
from sensors.cubes.teaching import Teacher
from sensors.evidence import CubePose, Tilted
from table.commands.cube_wizard import FIND_S, NoCubeMoved, Wizard

FACE_UP = {"U": (0, 0, 1), "D": (0, 0, -1), "N": (0, 1, 0), "S": (0, -1, 0), "E": (1, 0, 0), "W": (-1, 0, 0)}


def lying(face: str, mount: Rotation, noise: float = 0.002, seed: int = 1) -> list[MotionBatch]:
    """A second of a cube with body face `face` up, its sensor mounted so (body to sensor axes)."""
    dice = np.random.default_rng(seed)
    up = mount.apply(np.array(FACE_UP[face], dtype=float))
    accels = up + dice.normal(size=(200, 3)) * noise
    return [MotionBatch("p", 1, 0.0, 0.005, ((0.0, 0.0, 0.0),) * 200, accels.tolist())]


@given(st.integers(0, 2**32 - 1))
def test_any_mounting_is_found_from_three_faces(seed: int) -> None:
    mount = Rotation.random(rng=np.random.default_rng(seed))
    teacher = Teacher()
    for face in ("U", "N", "E"):
        assert teacher.show(face, lying(face, mount)).ok
    fitted = teacher.mounting()
    assert fitted is not None
    quat, off = fitted
    x, y, z, w = mount.inv().as_quat()
    assert quats.angle_deg(quat, (w, x, y, z)) < 0.5
    assert off < 0.5


def test_steps_say_what_is_wrong_and_can_be_repeated() -> None:
    teacher, mount = Teacher(), Rotation.identity()
    assert "samples came" in teacher.show("U", []).text
    moved = teacher.show("U", lying("U", mount, noise=0.1))
    assert not moved.ok
    assert "set it down and let go" in moved.text
    assert teacher.show("U", lying("U", mount)).ok
    wrong = teacher.show("N", lying("U", mount))
    assert not wrong.ok
    assert wrong.text == "this face is 0° from U, not 90°: is N really up?"
    assert teacher.mounting() is None
    assert teacher.show("D", lying("D", mount)).ok
    assert teacher.mounting() is None  # opposite faces leave the turn about their axis open
    assert teacher.show("N", lying("N", mount)).ok
    assert teacher.mounting() is not None
    with pytest.raises(ValueError, match="no face 'X'"):
        teacher.show("X", [])


def test_what_was_taught_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "cubes.json"
    assert calibration.load(path) == []
    cube = CubeTeaching("A", "NW", (1.0, 0.0, 0.0, 0.0), "/dev/ttyACM0", 1, "c0be000000000001", 1.2)
    calibration.save(path, [cube])
    assert calibration.load(path) == [cube]
    assert [p.name for p in path.parent.iterdir()] == ["cubes.json"]
    assert calibration.seats([cube]) == {"c0be000000000001": Seat("NW", "A", (1.0, 0.0, 0.0, 0.0))}
    for damage in (
        "{",
        "[]",
        '{"format":"other"}',
        json.dumps({"format": calibration.FORMAT, "cubes": [{}]}),
    ):
        path.write_text(damage)
        with pytest.raises(
            DamagedCalibration, match="move it away, then run `polartable calibrate cubes` again"
        ):
            calibration.load(path)
    for nothing in ("", " \n"):
        path.write_text(nothing)
        with pytest.raises(
            DamagedCalibration, match=r"\(it is empty\) – run `polartable calibrate cubes` again"
        ):
            calibration.load(path)
        assert calibration.load(path, anew=True) == []
    path.write_text(json.dumps({"format": calibration.FORMAT, "cubes": [cube.to_json()] * 2}))
    with pytest.raises(DamagedCalibration, match="two cubes have the same slot"):
        calibration.load(path)


PLAIN = (1.0, 0.0, 0.0, 0.0)
GOOD = {"cube": "A", "slot": "NW", "mount": [1, 0, 0, 0], "port": "p", "node": 1, "uid": "aa", "off_deg": 1.0}


@pytest.mark.parametrize(
    "wrong",
    [
        {"mount": [float("nan"), 0, 0, 0]},
        {"mount": [float("inf"), 0, 0, 0]},
        {"mount": [0, 0, 0, 0]},
        {"mount": [1e200, 0, 0, 0]},
        {"mount": [1, 0, 0]},
        {"node": float("inf")},
        {"node": float("nan")},
        {"off_deg": float("nan")},
        {"slot": ["NW"]},
    ],
    ids=str,
)
def test_numbers_that_are_none_are_damage_and_no_calibration(tmp_path: Path, wrong: dict[str, Any]) -> None:
    """They were read as the plain mounting, or ended the program as a defect of ours."""
    path = tmp_path / "cubes.json"
    path.write_text(json.dumps({"format": calibration.FORMAT, "cubes": [GOOD | wrong]}))
    with pytest.raises(DamagedCalibration, match="is no calibration of cubes"):
        calibration.load(path)
    path.write_text("[" * 100_000)
    with pytest.raises(DamagedCalibration, match="is no calibration of cubes"):
        calibration.load(path)


@pytest.mark.parametrize("uid", ["aa", None])
def test_one_board_cannot_lie_in_two_slots(tmp_path: Path, uid: str | None) -> None:
    path = tmp_path / "cubes.json"
    two = [GOOD | {"uid": uid}, GOOD | {"uid": uid, "slot": "NE"}]
    path.write_text(json.dumps({"format": calibration.FORMAT, "cubes": two}))
    with pytest.raises(DamagedCalibration, match="two cubes have the same board"):
        calibration.load(path)


def test_a_board_is_known_by_its_number_and_by_its_port_only_where_it_has_none() -> None:
    """Ports change from one day to another: whoever was taught in this port yesterday is not forgotten for it."""
    a = CubeTeaching("A", "NW", PLAIN, "/dev/ttyACM0", 1, "xx")
    b = CubeTeaching("B", "NE", PLAIN, "/dev/ttyACM0", 1, "yy")  # another board, in today's ttyACM0
    assert calibration.with_taught([a], b) == ([a, b], [])
    moved = CubeTeaching("B", "NE", PLAIN, "/dev/ttyACM1", 1, "xx")
    assert calibration.with_taught([a], moved) == ([moved], [a])  # the same board, for another slot
    again = CubeTeaching("A", "NW", PLAIN, "/dev/ttyACM2", 1, "zz")
    assert calibration.with_taught([a, b], again) == ([again, b], [])  # the slot is taught anew
    nameless = CubeTeaching("C", "SE", PLAIN, "/dev/ttyUSB0", 0)
    assert calibration.with_taught([nameless], CubeTeaching("D", "SW", PLAIN, "/dev/ttyUSB0", 0))[1] == [
        nameless
    ]


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
