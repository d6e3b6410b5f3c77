"""Ice Cult in the demo: four simulated cubes on pseudo-terminals, hands on them, the real reader, tracker and desk."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence

from firmware_bridge.clock import Clock
from firmware_bridge.link import Link
from firmware_bridge.samples import BridgeEvent, LinkChange
from hw_mock.cubes import SimulatedTable
from hw_mock.players import ice_cult as player
from sensors.cubes.follow import CubeFollower
from sensors.cubes.turns import SLOTS
from table.desk.cube_watch import CubeWatch
from table.desk.desk import Desk
from table.senses.cube_wire import feel
from table.senses.live import LiveCubes

PUMP_S = 0.02
_PATIENCE_S = 4.0  # time for the desk to decide about an act of a hand
_THINKS_S = (0.6, 1.6)
_STEPS_S = (0.7, 1.2)
_CARRIES = 20_000  # number of polls; the kernel needs microseconds, a busy machine a few milliseconds


class IceCultTable:
    """One game of Ice Cult on simulated cubes. `pump` moves the bytes; `run` plays for the simulated people."""

    def __init__(self, desk: Desk, clock: Clock, seed: int, live: LiveCubes, temper: str = "brisk") -> None:
        self.desk = desk
        self.live = live
        self.cubes = SimulatedTable(clock, seed=seed, temper=temper)
        self.watch = CubeWatch(desk)
        self.ready = False
        self._clock = clock
        self._chance = random.Random(f"{seed} ice-cult")
        self._events: list[BridgeEvent] = []
        self._follower = CubeFollower(self.cubes.ports)
        self.watch.reorient = self._follower.reorient
        self._links = {
            slot: Link(port, "auto", clock, self._events.append)
            for slot, port in zip(SLOTS, self.cubes.ports, strict=True)
        }
        self._slip = 2 + self._chance.randrange(2)  # the turn in which somebody tilts back by mistake
        self._turns = 0

    def open(self) -> None:
        """Open the four ports."""
        for link in self._links.values():
            link.open()

    def close(self) -> None:
        for link in self._links.values():
            link.close()
        self.cubes.close()

    async def pump(self) -> None:
        """Run for ever: let the cubes send, read them, and pass what was felt to the desk."""
        while True:
            self._pump_once()
            await self._clock.sleep(PUMP_S)

    def _pump_once(self) -> None:
        now = self._clock.now()
        for slot, data in self.cubes.advance(now).items():
            if data and self._arrived(slot, len(data)):  # so that `step` does not have to wait for its port
                self._links[slot].step()
        events, self._events[:] = list(self._events), []
        batch = []
        for event in events:
            if isinstance(event, LinkChange):
                continue
            batch += self._follower.feed(event)
        batch += self._follower.settle(now)
        if batch:
            self.watch.saw(batch)
        if not self.ready and len(self.watch.poses) == len(SLOTS):
            self.watch.register()  # the owner has laid the arcs into a circle, as at the set-up
            self.ready = True
        if self.ready:
            self.watch.tick(now)
        feel(self.watch, self._follower.trackers, self.live)

    def _arrived(self, slot: str, size: int) -> bool:
        """Poll until the kernel has moved the bytes across the pseudo-terminal; False if nothing came.

        It polls only while the clock stands still. In real time this thread also serves the page, and on a busy machine
        a yield takes milliseconds; late bytes are read the next time.
        """
        port, now = self.cubes.port(slot), self._clock.now()
        for _ in range(_CARRIES):
            if port.waiting >= size:
                return True
            if self._clock.now() > now:
                break
            os.sched_yield()
        return port.waiting > 0

    # playing

    async def act(self, move: str, seat: str | None) -> bool:
        """Make a move by hand: tilts and turns on the cubes; everything else is entered. True if it was accepted."""
        sitting = self.desk.sitting
        if (
            sitting.over is not None or sitting.closed is not None
        ):  # the desk heeds no cubes then: it says why
            return self.desk.play(move, seat)
        words, before = move.split(), len(sitting.steps)
        if words[0] == "tilt":
            pair, side = words[1].split(">")
            await self.cubes.hands.tilt(pair, side, pause=0.05)
        elif words[0] == "turn":
            await self.cubes.hands.turn(words[2], words[3], pause=0.05)
        else:
            return self.desk.play(move, seat)
        return await self._decided(lambda: len(self.desk.sitting.steps) > before)

    async def _decided(self, taken: Callable[[], bool]) -> bool:
        """Wait until the desk accepts what was felt, refuses it, or asks."""
        refused = len([s for s in self.desk.said if s.tone == "refused"])
        end = self._clock.now() + _PATIENCE_S
        while self._clock.now() < end:
            if taken():
                return True
            if (
                self.desk.question is not None
                or len([s for s in self.desk.said if s.tone == "refused"]) > refused
            ):
                return False
            await self._clock.sleep(PUMP_S)
        return False

    async def run(self, by_hand: Callable[[str], bool] = lambda seat: False) -> None:
        """Play to the end of the game; wait for seats for which `by_hand` is true."""
        while not self.ready:
            await self._clock.sleep(PUMP_S)
        game = self.desk.sitting.game
        while self.desk.sitting.over is None:
            seat = game.to_act(self.desk.sitting.state)[0]
            if by_hand(seat):
                await self._clock.sleep(0.2)
                continue
            # somebody undid a move at the page: the cubes no longer lie as the position says
            if self.desk.question is not None:
                await self._mend()
                continue
            await self._wait(_THINKS_S)
            if by_hand(seat):
                continue
            fresh = game.phase(self.desk.sitting.state) == "tilt-1"
            self._turns += fresh
            slips = fresh and self._turns == self._slip
            moves = player.rest_of_turn(game, self.desk.sitting.state, seat, self._chance)
            await self._turn(seat, moves, slips, by_hand)

    async def _turn(
        self, seat: str, moves: Sequence[str], slips: bool, by_hand: Callable[[str], bool]
    ) -> None:
        for number, move in enumerate(moves):
            if by_hand(seat):
                return  # somebody took the seat in mid-turn: the rest is theirs
            if slips and number == 1:
                await self._slip_up(moves[0])
                if by_hand(seat):
                    return
            if not await self.act(move, seat):
                await self._mend()
                return  # look at the table again
            if self.desk.sitting.over is not None:
                return
            await self._wait(_STEPS_S)

    async def _slip_up(self, first: str) -> None:
        """Tilt back what was just tilted, as people do, and correct it when the referee says so."""
        pair, side = first.removeprefix("tilt ").split(">")
        back = {"N": "S", "S": "N", "E": "W", "W": "E"}[side]
        await self.act(f"tilt {pair}>{back}", None)
        await self._wait(_STEPS_S)
        await self.cubes.hands.tilt(pair, side, pause=0.4)
        await self._wait(_STEPS_S)

    async def _mend(self) -> None:
        """Answer a question of the desk with how the cubes truly lie; else leave the cubes as they are."""
        await self._wait(_STEPS_S)
        question = self.desk.question
        if question is None:
            return
        likeliest = question.key.startswith("heading-")
        correct = [0] if likeliest else [i for i, choice in enumerate(question.choices) if choice.moves]
        self.desk.answer(question.key, correct[0] if correct else 0)

    async def _wait(self, limits: tuple[float, float]) -> None:
        await self._clock.sleep(self._chance.uniform(*limits))
