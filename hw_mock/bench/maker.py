"""A simulated maker who does what the calibration of cubes asks: shakes one cube, lays it with a face up."""

from __future__ import annotations

from hw_mock.bench.cubes import SimulatedCubes
from hw_mock.cubes.turns import Matrix, quarter, up_north

_WAYS: tuple[tuple[str, ...], ...] = ((), ("N",), ("E",), ("S",), ("W",), ("N", "N"))


class SimulatedMaker:
    """Hands that follow the calibration wizard; each action is done in real time on `cubes`."""

    def __init__(self, cubes: SimulatedCubes) -> None:
        self._cubes = cubes

    def shake(self, slot: str) -> None:
        """Start to shake only the cube of a slot; returns at once."""
        self._cubes.plan(lambda hands: hands.plan_handling(slot, 1.5, temper="hasty"))

    def lay(self, slot: str, face: str) -> None:
        """Lay the cube of a slot down with a body face up; returns when it lies still."""
        pose = self._cubes.table.hands.cubes[slot].pose
        turns = next(way for way in _WAYS if up_north(_turned(pose, way))[0] == face)
        self._cubes.do(lambda hands: hands.plan_handling(slot, 1.2, turns=turns))


def _turned(pose: Matrix, turns: tuple[str, ...]) -> Matrix:
    for turn in turns:
        pose = quarter(turn) @ pose
    return pose
