"""The demo's room: both games, their simulated pieces, people who play by themselves, and guests at a page."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from firmware_bridge.clock import Clock
from rules.core import data
from sensors.ear.profiles.profile import Profile
from table.config import Settings
from table.demo.ice_cult import IceCultTable
from table.demo.igloo_pop import IglooPopTable
from table.desk.accord import Accord
from table.desk.desk import Desk
from table.desk.said import Said
from table.doctor.checks import all_checks
from table.doctor.findings import Check
from table.games import GAMES
from table.giant.giant import IceGiant
from table.journal.store import Journal
from table.page.cube_net import Faces
from table.senses.live import LiveCubes, LiveEar
from table.senses.tap_wire import LiveTaps
from table.trainer.rattles import Rattles
from table.trainer.room import TrainerRoom

POP_PLAYERS = ("red", "blue", "green")
CULT_PLAYERS = ("yellow", "red")
_AFTERWARDS_S = 12.0  # how long the end of a game stays on the page before the next one begins


class Stage:
    """Simulated tables for both games. `profile`: the ear's; `beside`: see `Rattles`."""

    simulated = True
    shows_counts = True
    safe_mode: str | None = None
    taps: LiveTaps | None = None
    settings_fault: str | None = None
    profile_faults: Sequence[str] = ()

    def __init__(
        self,
        clock: Clock,
        journal: Journal,
        seed: int,
        profile: Profile,
        beside: bool,
        trainer: TrainerRoom | None = None,
    ) -> None:
        self.clock = clock
        self.journal = journal
        self.paused = False
        self.ear = LiveEar()
        self.cubes = LiveCubes()
        self.faces: Mapping[str, Faces] = data.load("cubes", "assumed-v1")["cubes"]
        self.by_hand: dict[tuple[str, str], str] = {}
        self.rattles = Rattles(seed, beside)
        self.trainer = trainer or TrainerRoom(lambda: self.rattles)
        self.opened: Callable[[Desk], None] = lambda desk: None  # called with each new game's desk
        self._seed = seed
        self._profile = profile
        self._games = 0
        self._giants: dict[str, str] = {}  # seats that play by ear alone, from one game to the next
        self._tasks: list[asyncio.Task[Any]] = []
        self.pop: IglooPopTable
        self.cult: IceCultTable

    @property
    def desks(self) -> dict[str, Desk]:
        return {"igloo-pop": self.pop.desk, "ice-cult": self.cult.desk}

    def new_pop(self) -> IglooPopTable:
        """A new game of Igloo Pop."""
        desk = self._new("igloo-pop", POP_PLAYERS)
        self.ear.forget()
        self.pop = IglooPopTable(
            desk, self.clock, self._seed + self._games, self.ear, self.rattles, self._profile
        )
        for seat, skill in self._giants.items():
            self.pop.giants[seat] = IceGiant(seat, skill, self._seed + self._games)
        return self.pop

    def new_cult(self) -> IceCultTable:
        """A new game of Ice Cult, with four cubes behind four ports."""
        desk = self._new("ice-cult", CULT_PLAYERS)
        self.cult = IceCultTable(desk, self.clock, self._seed + self._games, self.cubes)
        self.cult.open()
        return self.cult

    def _new(self, game: str, players: tuple[str, ...]) -> Desk:
        self._games += 1
        name = f"demo-{self._games}"
        seed = self._seed + self._games
        desk = Desk.new(
            self.journal,
            GAMES,
            self.clock,
            name=name,
            game=game,
            players=players,
            seed=seed,
            options={"mode": "physical"},
        )
        self.opened(desk)
        return desk

    # for ever, behind a page

    def start(self) -> None:
        """Play both games for ever; simulated people act for every free seat."""
        self.new_pop()
        self.new_cult()
        self.rattles.warm_up()
        self._tasks = [asyncio.create_task(self._pops()), asyncio.create_task(self._cults())]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.pop.close()
        self.cult.close()
        await asyncio.to_thread(self.rattles.close)
        self.journal.close()

    async def _pops(self) -> None:
        while True:
            await self._play(
                self.pop.desk,
                self.pop.run(None, lambda seat: ("igloo-pop", seat) in self.by_hand),
                self.pop.listen(),
            )
            self.pop.close()
            self.new_pop()

    async def _cults(self) -> None:
        while True:
            await self._play(
                self.cult.desk,
                self.cult.run(lambda seat: ("ice-cult", seat) in self.by_hand),
                self.cult.pump(),
            )
            self.cult.close()
            self.new_cult()

    async def _play(
        self, desk: Desk, game: Coroutine[Any, Any, None], wires: Coroutine[Any, Any, None]
    ) -> None:
        """Play a game to its end and a while beyond, with its wires running beside it."""
        running = asyncio.create_task(wires)
        playing = asyncio.create_task(game)
        try:
            try:
                await asyncio.wait({running, playing}, return_when=asyncio.FIRST_COMPLETED)
                if running.done():
                    running.result()
                await playing
            except Exception:  # a game that fails must not end the show; the error is logged
                logging.getLogger("polartable").exception("a simulated game stopped")
                desk.say(Said(self.clock.now(), "fault", "stopped", "This game stopped; another one begins."))
            await self.clock.sleep(_AFTERWARDS_S)
        finally:
            running.cancel()
            playing.cancel()
            await asyncio.gather(running, playing, return_exceptions=True)

    # what a person at a page does

    def asleep(self, needed: bool | None = None) -> list[str]:
        return []

    def code(self) -> str | None:
        return None

    def invitation(self) -> str | None:
        return None

    def leave_safe_mode(self) -> None:
        """The demo has no other mode."""

    def pause(self, on: bool) -> None:
        self.paused = on
        pause = getattr(self.clock, "pause", None)
        if pause is not None:
            pause(on)

    def take(self, game: str, seat: str, browser: str | None) -> None:
        if browser is None:
            self.by_hand.pop((game, seat), None)
        else:
            self.by_hand[game, seat] = browser
        self.desks[game].version += 1

    def accord(self, game: str) -> Accord | None:
        return None  # simulated people have no vote: every visitor is the host

    def checks(self) -> Sequence[Check]:
        return all_checks(Settings.read(None))

    def counting(self, game: str) -> int | None:
        return None  # simulated fingers press a button

    def giants(self, game: str) -> Mapping[str, str]:
        return {seat: g.name for seat, g in self.pop.giants.items()} if game == "igloo-pop" else {}

    def seat_giant(self, seat: str, skill: str | None) -> None:
        if skill is None:
            self._giants.pop(seat, None)
            self.pop.giants.pop(seat, None)
        else:
            self._giants[seat] = skill
            self.pop.giants[seat] = IceGiant(seat, skill, self._seed)
        self.pop.desk.version += 1

    async def act(self, game: str, seat: str | None, move: str) -> None:
        """Make a move from a page. Simulated hands do tilts and turns; an igloo that is taken is shaken."""
        if game == "ice-cult":
            await self.cult.act(move, seat)
            return
        if self.pop.desk.play(move, seat) and move.startswith("grab ") and seat is not None:
            await self.pop.shake(seat, move.split()[2])

    def options_before(self, game: str) -> Mapping[str, Any]:
        return {}

    def begin(self, game: str, players: Sequence[str], options: Mapping[str, Any]) -> None:
        """Does nothing: the demo plays its own two games."""

    def answer(self, game: str, key: str, index: int, seat: str | None) -> None:
        self.desks[game].answer(key, index, seat)

    def rattle(self, seat: str) -> bytes | None:
        return self.pop.rattle(seat)

    def to_be_heard(self, seat: str) -> bool:
        return self.pop.to_be_heard(seat)
