"""People's hands on the cubes: the moves of the game, and everything else that hands do with cubes.

Every method plans a movement that starts now, and waits until it is over and the temper's pause has passed. The
`plan_…` methods do the same without waiting, and return the time at which the last cube lies still.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from firmware_bridge.clock import Clock
from hw_mock.cubes.handwork import carried, dropped, strayed, swung
from hw_mock.cubes.motion import GRID_S, WIDTH_M, Array, Stretch, Timeline, smooth
from hw_mock.cubes.tempers import TEMPERS, Temper, temper_named
from hw_mock.cubes.turns import AXES, PAIRS, PLACES, Matrix, quarter
from hw_mock.cubes.untidy import Untidy

STILL_DPS = 3.0  # at or below this rate a cube has come to rest


@dataclass(slots=True)
class Hands:
    """Two hands over four cubes (`cubes` by slot). `temper` by name; `random` makes every movement different.

    Raises ValueError for an unknown temper, also when an action names one.
    """

    cubes: dict[str, Timeline]
    clock: Clock
    random: np.random.Generator
    temper: str = "brisk"
    play_deg: float = 2.0  # how loosely a cube sits in its tray, about the vertical
    _untidy: Untidy = field(init=False)
    # what was done, in the game's notation, and when the cubes lay still
    done: list[tuple[float, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        temper_named(self.temper)
        self._untidy = Untidy(self.random)

    # ---- moves of the game

    async def tilt(
        self, pair: str, to: str, *, times: int = 1, temper: str | None = None, pause: float | None = None
    ) -> None:
        """Tilt a pair (n, s, w, e) towards a side, `times` quarters in one go."""
        await self._after(self.plan_tilt(pair, to, times=times, temper=temper), pause, temper)

    async def turn(
        self, slot: str, to: str, *, times: int = 1, temper: str | None = None, pause: float | None = None
    ) -> None:
        """Turn the cube of a slot cw or ccw, seen from above, `times` quarters in one go."""
        await self._after(self.plan_turn(slot, to, times=times, temper=temper), pause, temper)

    def plan_tilt(
        self, pair: str, to: str, *, times: int = 1, temper: str | None = None, at: float | None = None
    ) -> float:
        """As `tilt`, from `at` on, in s of the table's clock (None: now), or as soon as these cubes lie still; returns
        the time at which the last of them lies still again. The other plans use the same clock."""
        return self._plan(PAIRS[pair], to, times, temper, at, [f"tilt {pair}>{to}"] * times)

    def plan_turn(
        self, slot: str, to: str, *, times: int = 1, temper: str | None = None, at: float | None = None
    ) -> float:
        """As `turn`, from `at` on; returns the time at which the cube lies still again."""
        return self._plan((slot,), to, times, temper, at, [f"turn {slot} {to}"] * times)

    # ---- handling that is no move

    async def look_through(self, slot: str, seconds: float, *, temper: str | None = None) -> None:
        """Lift a cube, turn it in front of the eyes, put it back as it was."""
        await self._after(self.plan_handling(slot, seconds, temper=temper), None, temper)

    async def put_back(
        self, slot: str, turns: Sequence[str], seconds: float = 2.0, *, temper: str | None = None
    ) -> None:
        """Lift a cube, fidget with it, put it back turned by `turns` (N, E, S, W, cw, ccw, in order)."""
        await self._after(self.plan_handling(slot, seconds, turns=turns, temper=temper), None, temper)

    async def drop(self, slot: str, height_m: float = 0.05) -> None:
        """Lift a cube a little and let it fall back as it was."""
        await self._after(self.plan_drop(slot, height_m), None, None)

    async def knock(self, strength_g: float = 0.5) -> None:
        """Knock on the table: all cubes feel it."""
        await self._after(self.plan_knock(strength_g), None, None)

    async def slide(self, slot: str, distance_m: float = 0.01) -> None:
        """Push a cube to and fro in its tray."""
        await self._after(self.plan_slide(slot, distance_m), None, None)

    def plan_handling(
        self,
        slot: str,
        seconds: float,
        *,
        turns: Sequence[str] = (),
        temper: str | None = None,
        at: float | None = None,
        to: str | None = None,
        look: bool = True,
    ) -> float:
        """Lift a cube, carry and turn it about for `seconds`, and put it back turned by `turns`, into slot `to` if
        given, from `at` on; returns the time at which it lies still again."""
        t, cube = temper_named(temper or self.temper), self.cubes[slot]
        start = self._start([cube], at)
        target = cube.pose
        for turn in turns:
            target = quarter(turn) @ target
        n = max(600, round(seconds / GRID_S))
        lies = self._untidy.sit(self.play_deg)
        end = Rotation.from_rotvec(lies) * Rotation.from_matrix(target)
        # the cube is looked at in several poses on the way, and held in each for a while by a trembling hand
        stations = 1 + int(self.random.integers(1, 2 + int(seconds))) if look else 0
        poses = [cube.lies, *(self._untidy.looked_at() for _ in range(stations)), end]
        turned = self._untidy.through(poses, n, held=0.4 if look else 0.0)
        tremble = self._untidy.tremble(n, max(0.5, self._untidy.draw(t.wobble)) * 0.6)
        turned = Rotation.from_rotvec(tremble) * turned
        way = None if to is None else (np.array(PLACES[to]) - np.array(PLACES[slot])) * WIDTH_M
        place = carried(self._untidy, n, look, way)
        return self._finish(cube, start, turned, place, target, lies, t)

    def plan_drop(self, slot: str, height_m: float, at: float | None = None) -> float:
        """As `drop`, from `at` on; returns the time at which the cube lies still again."""
        t, cube = TEMPERS["sloppy"], self.cubes[slot]
        start = self._start([cube], at)
        lies = self._untidy.sit(self.play_deg)
        place = dropped(height_m)
        n = len(place)
        away = Rotation.from_rotvec(
            np.outer(np.sin(np.linspace(0, np.pi, n)), self.random.normal(size=3) * 0.15)
        )
        turned = away * self._untidy.through(
            [cube.lies, Rotation.from_rotvec(lies) * Rotation.from_matrix(cube.pose)], n
        )
        return self._finish(cube, start, turned, place, cube.pose, lies, t, knock=self._untidy.draw((3, 12)))

    def plan_knock(self, strength_g: float, at: float | None = None) -> float:
        """As `knock`, at `at`; returns the time at which the last cube is still. Cubes in motion do not feel it."""
        ends = []
        for cube in self.cubes.values():
            if cube.free_at > (self.clock.now() if at is None else at):
                continue
            start = self._start([cube], at)
            n = 250
            shock = self._untidy.ring(n, strength_g * self._untidy.draw((0.6, 1.4)))
            turned = Rotation.from_rotvec(self._untidy.rock(n, strength_g * 0.3)) * cube.lies
            cube.add(Stretch.of(start, turned, np.zeros((n, 3)), shock, cube.arm), cube.pose, cube.sits)
            ends.append(start + n * GRID_S)
        return max(ends, default=self.clock.now())

    def plan_slide(self, slot: str, distance_m: float, at: float | None = None) -> float:
        """As `slide`, from `at` on; returns the time at which the cube lies still again."""
        cube = self.cubes[slot]
        start = self._start([cube], at)
        n = round(self._untidy.draw((0.4, 1.0)) / GRID_S)
        way = self.random.normal(size=2)
        place = np.zeros((n, 3))
        place[:, :2] = np.outer(np.sin(np.linspace(0, np.pi, n)) ** 2, way / np.linalg.norm(way)) * distance_m
        lies = self._untidy.sit(self.play_deg)
        turned = self._untidy.through(
            [cube.lies, Rotation.from_rotvec(lies) * Rotation.from_matrix(cube.pose)], n
        )
        return self._finish(cube, start, turned, place, cube.pose, lies, TEMPERS["calm"])

    # ---- how a movement is made

    def _plan(
        self,
        slots: Sequence[str],
        to: str,
        times: int,
        temper: str | None,
        at: float | None,
        words: Sequence[str],
    ) -> float:
        t = temper_named(temper or self.temper)
        start = self._start([self.cubes[s] for s in slots], at)
        duration = self._untidy.draw(t.quarter) * (1 + 0.6 * (times - 1))
        # half a turn in one go has no stop: one in the middle would make it two quarters
        stops = self._untidy.draw((0.3, 0.6)) if times == 1 and self.random.random() < t.hesitates else None
        overshoot = self._untidy.draw(t.overshoot)
        apart = self._untidy.draw(t.apart)
        ends = []
        for i, slot in enumerate(self.random.permutation(list(slots))):
            cube = self.cubes[slot]
            own = duration * self._untidy.draw((0.93, 1.07))
            ends.append(self._one(cube, start + i * apart, to, times, own, stops, overshoot, t))
        end = max(ends)
        self.done += [(end, w) for w in words]
        return end

    def _one(
        self,
        cube: Timeline,
        start: float,
        to: str,
        times: int,
        duration: float,
        stops: float | None,
        over: float,
        t: Temper,
    ) -> float:
        """Turn one cube by quarters about the axis of `to`, imperfectly."""
        angle = swung(self._untidy, times, duration, stops, over)
        n = len(angle)
        bell = np.sin(np.linspace(0, np.pi, n)) ** 2
        off = strayed(self._untidy, bell, t)
        lies = self._untidy.sit(self.play_deg)
        sits = cube.sits + smooth(n)[:, None] * (lies - cube.sits)
        turned = Rotation.from_rotvec(sits + off) * Rotation.from_rotvec(np.outer(angle, np.array(AXES[to])))
        turned = turned * Rotation.from_matrix(cube.pose)
        target = cube.pose
        for _ in range(times):
            target = quarter(to) @ target
        place = np.zeros((n, 3))
        place[:, 2] = bell * self._untidy.draw(t.lift) * WIDTH_M
        return self._finish(cube, start, turned, place, target, lies, t)

    def _finish(
        self,
        cube: Timeline,
        start: float,
        turned: Rotation,
        place: Array,
        target: Matrix,
        lies: Array,
        t: Temper,
        knock: float | None = None,
    ) -> float:
        """Let the cube meet the tray and rock a little; returns the time at which it lies still."""
        n = round(self._untidy.draw((0.15, 0.3)) / GRID_S)
        rock = self._untidy.rock(n, self._untidy.draw(t.settle))
        end = Rotation.from_rotvec(lies) * Rotation.from_matrix(target)
        turned = Rotation.concatenate([turned, Rotation.from_rotvec(rock) * end])
        place = np.vstack([place, np.repeat(place[-1:], n, axis=0)])
        shock = np.zeros_like(place)
        shock[-n:] = self._untidy.ring(n, self._untidy.draw(t.knock) if knock is None else knock)
        stretch = Stretch.of(start, turned, place, shock, cube.arm)
        cube.add(stretch, target, lies)
        moves = np.nonzero(np.linalg.norm(stretch.rates, axis=1) > STILL_DPS)[0]
        return start + (int(moves[-1]) if len(moves) else 0) * GRID_S

    def _start(self, cubes: Sequence[Timeline], at: float | None) -> float:
        now = self.clock.now() if at is None else at
        return max([now, *(c.free_at + GRID_S for c in cubes)])

    async def _after(self, end: float, pause: float | None, temper: str | None) -> None:
        wait = self._untidy.draw(temper_named(temper or self.temper).pause) if pause is None else pause
        await self.clock.sleep(max(0.0, end - self.clock.now()) + wait)
