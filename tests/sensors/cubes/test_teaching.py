"""Teaching cubes: the fit from faces shown, and the file that keeps it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from firmware_bridge.samples import MotionBatch
from sensors.cubes import calibration, quats
from sensors.cubes.calibration import CubeTeaching, DamagedCalibration
from sensors.cubes.follow import Seat
from sensors.cubes.teaching import Teacher

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
