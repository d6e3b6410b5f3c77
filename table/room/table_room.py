"""The room of the service: one game on the table, its real senses, and access control."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

from firmware_bridge.clock import Clock
from rules.core import data
from rules.core.refusal import PositionError
from sensors.evidence import Heard, Pressed
from table.config import Settings
from table.desk.accord import Accord
from table.desk.cube_watch import CubeWatch
from table.desk.desk import Desk
from table.desk.ending import say_again
from table.desk.said import Said
from table.desk.voice import Listener
from table.door.access import Access
from table.games import GAMES, has_own_pieces
from table.journal.errors import JournalError, NoSuchGame, ReplayDiffers
from table.journal.names import next_name
from table.journal.store import Journal
from table.page.cube_net import Faces
from table.room.book_watch import BookWatch
from table.room.countdown import Countdown
from table.room.devices import Devices
from table.room.igloo_pop_room import IglooPopRoom
from table.room.page_acts import PageActs
from table.room.written_down import all_the_same
from table.senses.ear_profiles import for_the_trainer
from table.trainer.rattles import Rattles
from table.trainer.room import TrainerRoom

TICK_S = 0.2
_OTHERWISE = (
    "The last game was played with another version of Polartable, and not all of its moves are taken by this one: "
    "it stays in the journal, and another begins."
)
# events that may leave an igloo to be asked about
CHECKED = ("shaking-ended", "found", "corrected", "undo", "redo")
# events that change whose consent is needed
VOICES = ("seat-taken", "seat-left", "seat-handed", "seat-freed", "giant-seated")
# of a game's seed, which is only in the journal: an integer that every JSON reader keeps exactly
CHANCE_BITS = 53


class TableRoom(PageActs, Devices):
    """A table that plays on where the journal left off. Raises the errors of `Desk.new` if no game can be begun."""

    simulated = False
    shows_counts = False  # heard counts are hidden during a game (docs/architecture.md)

    def __init__(self, settings: Settings, clock: Clock, journal: Journal, access: Access) -> None:
        super().__init__(settings, clock)
        self.journal, self.access = journal, access
        self.ticked = clock.now()
        self.by_hand = {}
        self.leave = lambda: None  # ends this run; the next one starts as usual
        self._listeners: list[Listener] = []
        self._rattles: Rattles | None = None
        self._book = BookWatch(journal, lambda: self.desk)
        trained_with = partial(for_the_trainer, settings.ear)
        self.trainer = TrainerRoom(
            self.rattles, settings.trainer.recordings, trained_with, settings.trainer.file()
        )
        if settings.fleet.broker is not None:
            journal.tell()
        try:
            self._sit_down(Desk.resume(journal, GAMES, clock))
            self.desk.tell("The table was started again: this is how it last stood.", "resumed")
            say_again(self.desk)
            if journal.barred is not None:
                self.desk.fault(journal.barred)
        except (NoSuchGame, ReplayDiffers) as error:
            last, game = journal.begun_last(), settings.game
            self.new_game(game.name, game.players, game.options)
            # one game that another version judged differently must not make the book unusable
            if last is not None:
                logging.getLogger("polartable").warning("%s cannot go on here: %s", last, error)
                self.desk.tell(_OTHERWISE, "not-resumed")

    @property
    def faces(self) -> Mapping[str, Faces]:
        """The symbols of the cubes in this game."""
        name = self.desk.view(None).get("options", {}).get("cubes", "assumed-v1")
        loaded = data.load("cubes", name) if isinstance(name, str) else name
        faces: Mapping[str, Faces] = loaded["cubes"]
        return faces

    def new_game(self, game: str, players: Sequence[str], options: Mapping[str, Any]) -> Desk:
        """Close the game on the table and begin another. Raises a `PositionError` or `JournalError`."""
        physical = {"mode": "physical"} if has_own_pieces(game) else {}
        desk = Desk.new(
            self.journal,
            GAMES,
            self.clock,
            name=next_name(self.journal.games()),
            game=game,
            players=players,
            seed=secrets.randbits(CHANCE_BITS),
            options=physical | dict(options),
            instead_of=getattr(self, "desk", None),
        )
        self._sit_down(desk)
        self._keep_seats(desk.sitting.game.seats(desk.sitting.state))
        for said in tuple(desk.said):  # its opening, said before this room listened to it
            self._said(said)
        return desk

    def _keep_seats(self, seats: Collection[str]) -> None:
        """Nobody plays a seat that the game now on the table does not have."""
        self.access.keep_seats(seats)
        name = self.desk.sitting.game.name
        for game, seat in tuple(self.by_hand):
            if game == name and seat not in seats:
                del self.by_hand[game, seat]

    def _sit_down(self, desk: Desk) -> None:
        self.desk, self._began = desk, self.clock.now()
        self.ear.among = self._shakers
        self.ear.forget()
        self.watch = CubeWatch(desk) if desk.sitting.game.name == "ice-cult" else None
        self.pop = None
        if desk.sitting.game.name == "igloo-pop":
            seed = len(self.journal.games())
            self.pop = IglooPopRoom(desk, self.settings.ear, self.ear, self._began, seed)
        self._accord = Accord(desk, self._voters)
        self.countdown = Countdown(desk, self.clock, self._counted)
        desk.listen(self._said)

    # what is told

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Subscribe to every sentence of every game on this table; the returned function unsubscribes."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def _said(self, said: Said) -> None:
        if said.event in VOICES and self._accord.proposal is not None:
            asyncio.get_running_loop().call_soon(self._accord.reconsider)  # after that was told to everybody
        if self.pop is not None:
            if said.event in CHECKED:
                asyncio.get_running_loop().call_soon(self._settle)  # after the move that is being reported
            if said.event in ("undo", "redo", "corrected", "giant-seated"):
                self.pop.giants_hear()
        for listener in tuple(self._listeners):
            with all_the_same("somebody who is told what the referee says broke"):
                listener(said)

    def _settle(self) -> None:
        """For the game that is on the table by then."""
        if self.pop is not None:
            self.pop.settle()

    def health(self) -> dict[str, Any]:
        """For `/health`: red while an ear is deaf, a cube silent, the journal not writable, or in safe mode."""
        senses, fault = self.senses.to_json(), self.journal.fault
        return {
            "healthy": senses["healthy"] and fault is None and self.safe_mode is None,
            "sources": senses["sources"],
            "journal": "sound" if fault is None else str(fault),
            "game": self.desk.name,
            "settings": "; ".join(filter(None, (self.settings_fault, *self.profile_faults))) or "sound",
            "safe_mode": self.safe_mode,
        }

    # senses

    def start(self) -> None:
        """Open what the settings name; a missing device is reported, and looked for again."""
        self.open_devices()
        if self.settings.fleet.broker is not None:
            from table.room.in_a_fleet import publish

            self._begin(publish(self, self.settings.fleet))
        if self.pop is not None:
            self.pop.untold = True
        self._settle()  # an open question is not in the journal: ask it again
        self._begin(self._tick())

    async def stop(self) -> None:
        """Close everything; the journal keeps the game."""
        await self.close_devices()
        with all_the_same("the simulated igloos could not be closed"):
            if self._rattles is not None:
                await asyncio.to_thread(self._rattles.close)
        self.journal.close()

    def rattles(self) -> Rattles:
        """Simulated igloos, only for the trainer: their process starts with the first shake."""
        if self._rattles is None:
            self._rattles = Rattles(0, beside=True)
        return self._rattles

    async def _tick(self) -> None:
        while True:
            self.ticked = self.clock.now()
            self.senses.tick(self.ticked)
            self._book.tick()
            # a single device that hangs sends no more blocks that would end the shake
            self.ear.fade(self.ticked)
            if self.pop is not None and self.desk.sitting.closed is None:
                self.pop.ice_giants.tick(self.ticked)
            await self.clock.sleep(TICK_S)

    def _shakers(self) -> Collection[str] | None:
        """The seats at which igloos of this round are shaken; None if no shaking is going on."""
        return None if self.pop is None else self.pop.shakers()

    def _shaking(self, seat: str) -> None:
        shakers = self._shakers()
        if shakers is None or seat in shakers:
            self._without_screen.play("listening")

    def _heard(self, seat: str, heard: Heard) -> None:
        if self.pop is not None:
            self.pop.heard(seat, heard)
        elif not heard.why.elsewhere:
            self.ear.round = None  # else the page keeps showing the last one

    def _pressed(self, press: Pressed) -> None:
        view = self.desk.view(None)
        if self.pop is None or press.seat not in view["players"]:
            return
        if view["phase"] == "countdown":
            self._begin(self.countdown.run(press.seat, "button"))
        else:
            self.pop.ears.pressed(press)

    def _counted(self, number: int) -> None:
        self._without_screen.play("count")

    def options_before(self, game: str) -> Mapping[str, Any]:
        """The options of that game here: as on the table, else as in the settings, else as printed."""
        if self.desk.sitting.game.name == game:
            return dict(self.desk.view(None)["options"])
        return self.settings.game.options if self.settings.game.name == game else {}

    def begin(self, game: str, players: Sequence[str], options: Mapping[str, Any]) -> None:
        """Begin another game; if that fails, people are told and the old one stays."""
        try:
            self.new_game(game, players, options)
        except (PositionError, JournalError) as error:
            self.desk.say(Said(self.clock.now(), "fault", "journal", str(error)))
