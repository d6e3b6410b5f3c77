"""Igloo Pop in the demo: simulated igloos that really rattle, a listening seat for each player, buttons, people."""

from __future__ import annotations

import asyncio
import math
import random
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from firmware_bridge.clock import Clock
from hw_mock.buttons import MockButtons
from hw_mock.players.igloo_pop import COUNTS, Dealer, Person
from hw_mock.sound import BLOCK_S
from rules.core import data
from sensors.buttons import Buttons
from sensors.ear.profiles.profile import Profile
from sensors.evidence import Heard, Pressed
from table.demo.seat import Seat
from table.desk.desk import Desk
from table.desk.ear_watch import EarWatch
from table.giant.giant import IceGiant
from table.senses.live import LiveEar
from table.trainer.rattles import RATE, Rattles, Samples, as_wav, bands_db

PINS = {"red": 17, "blue": 27, "green": 22, "yellow": 23, "white": 24, "black": 25}
SKILLS = (0.10, 0.16, 0.22, 0.13, 0.19, 0.25)
_SHAKES_S = (1.8, 2.6)
_HURRIES_S = (0.3, 0.9)
_QUIET_S = 1.5  # after a shake: the ear considers it over after half a second of quiet


class IglooPopTable:
    """One game of Igloo Pop. `run` plays `rounds` rounds (None: to the end) for every simulated player."""

    def __init__(
        self, desk: Desk, clock: Clock, seed: int, live: LiveEar, rattles: Rattles, profile: Profile
    ) -> None:
        self.desk = desk
        self.live = live
        self.watch = EarWatch(desk)
        self.said: Callable[[Heard, str], None] = lambda heard, letter: None
        self._clock = clock
        self._rattles = rattles
        self._seed = seed
        self._chance = random.Random(f"{seed} igloo-pop")
        self._shakes = 0
        view = desk.view(None)
        seats = view["players"]
        self.people = {seat: Person(seat, SKILLS[i], seed) for i, seat in enumerate(seats)}
        # seats whose player hears what the ear hears, and never the truth
        self.giants: dict[str, IceGiant] = {}
        self._dealer = Dealer([tuple(card) for card in data.load("deck", "assumed-v1")["cards"]], seed)
        self.fingers = MockButtons({seat: PINS[seat] for seat in seats})
        self._buttons = Buttons(self.fingers.pins, clock, self._pressed, self.fingers.factory)
        self._seats = {seat: Seat(seat, clock, seed * 10 + i, profile) for i, seat in enumerate(seats)}
        self.beads: dict[
            str, int
        ] = {}  # the true counts of this round, by letter: only for people's hands and ears
        # the last shake of each igloo at each seat in this round, for a person at a page
        self._rattles_as_wav: dict[tuple[str, str], bytes] = {}
        self._to_shake: dict[str, int] = {}  # seat → the number of its shake that is pending or in progress
        self._busy = asyncio.Lock()

    def close(self) -> None:
        for seat in self._seats.values():
            seat.capture.close()
        self._buttons.close()
        self.fingers.close()

    def mix(self) -> None:
        """Mix the igloos in the village: they get new letters."""
        counts = list(COUNTS)
        self._chance.shuffle(counts)
        self.beads = dict(zip(self.desk.view(None)["igloos"], counts, strict=True))
        self._rattles_as_wav.clear()

    # shaking

    async def shake(self, seat: str, letter: str) -> bool:
        """Shake the igloo in the hand: the sound goes to the seat's microphone, the ear listens, the page shows it.

        False if it was put down before its turn: an igloo on a card does not rattle.
        """
        self._shakes += 1
        mine = self._to_shake[seat] = self._shakes
        who = list(self.people).index(seat)
        seconds = self._chance.uniform(*_SHAKES_S)
        try:
            sound = await self._rattles.shake(self.beads[letter], who, self._seed, mine, seconds)
            async with self._busy:  # one shake at a time on the page
                # a player who put it back and took it again, or another one, waits for a new shake
                if self._to_shake.get(seat) != mine or self._held(self._view(), seat) != letter:
                    return False
                await self._shake_now(seat, letter, sound)
                return True
        finally:
            if self._to_shake.get(seat) == mine:
                del self._to_shake[seat]
            self.desk.version += 1  # its sound is known now, and can be played again

    async def _shake_now(self, seat: str, letter: str, sound: Samples) -> None:
        microphone = self._seats[seat]
        self._rattles_as_wav[seat, letter] = as_wav(sound)
        self.live.begin(seat, letter)
        self.desk.version += 1
        microphone.play(sound)
        end = self._clock.now() + len(sound) / RATE + _QUIET_S
        try:
            while not microphone.heard.is_set() and self._clock.now() < end:  # a knock is no answer
                await self._clock.sleep(BLOCK_S)
                if self._held(self._view(), seat) != letter:
                    microphone.hush()
                    end = min(end, self._clock.now() + _QUIET_S)
        finally:  # also where the game stops meanwhile: nothing more would end it on the page
            if self.live.verdict is None:
                self.live.verdict, self.live.probabilities = "not-a-shake", {}
            self.live.end()

    def to_be_heard(self, seat: str) -> bool:
        """Whether a shake of the igloo in that seat's hand is pending or in progress."""
        return seat in self._to_shake and self._held(self._view(), seat) is not None

    def rattle(self, seat: str) -> bytes | None:
        """The last shake at that seat of the igloo in its hand, as a WAV file; None before it was shaken there."""
        letter = self._held(self._view(), seat)
        return None if letter is None else self._rattles_as_wav.get((seat, letter))

    async def listen(self) -> None:
        """Run for ever: read the blocks of all microphones as they come, and pass what was heard to the desk."""
        async with asyncio.TaskGroup() as group:
            for name in self._seats:
                group.create_task(self._listen(name))

    async def _listen(self, name: str) -> None:
        seat, recent = self._seats[name], deque[Samples](maxlen=3)
        async for block in seat.capture.stream():
            for said in seat.hear(block):
                if isinstance(said, Heard):
                    self._heard(name, said)
                elif self.live.seat == name and self.live.shaking and self.live.verdict is None:
                    self.live.probabilities, self.live.strength = said.probabilities, said.strength
            recent.append(block[:, 0])
            if self.live.shaking and self.live.seat == name:
                self._show(np.concatenate(recent))

    def _show(self, recent: Samples) -> None:
        """Update the page's drawing of the latest sound."""
        db = 10 * math.log10(float(np.mean(np.square(recent))) + 1e-12)
        self.live.level_db = db
        self.live.spectrum_db = bands_db(recent)
        self.live.swing = math.sin(self._clock.now() * 26.0) * min(1.0, max(0.0, (db + 62) / 30))
        self.live.version += 1

    def _heard(self, name: str, heard: Heard) -> None:
        if self.live.seat == name:
            self.live.heard = heard
            if self.live.verdict is None:  # what was said so far was said of this sound
                self.live.probabilities = {}
        if self.live.seat == name and heard.verdict != "not-a-shake":
            self.live.probabilities, self.live.verdict = heard.probabilities, heard.verdict
            self.live.strength = heard.strength
            self.live.version += 1
        letter = self.watch.shaken(name, heard)
        if letter is not None:
            self.said(heard, letter)
            for giant in self.giants.values():
                giant.hears(self.watch.counting(), self._view())
        if heard.verdict != "not-a-shake":
            self._seats[name].heard.set()

    def _pressed(self, press: Pressed) -> None:
        self.watch.pressed(press)

    # playing

    async def run(
        self, rounds: int | None = None, by_hand: Callable[[str], bool] = lambda seat: False
    ) -> None:
        """Play; seats for which `by_hand` is true act for themselves."""
        played = 0
        while self.desk.sitting.over is None and (rounds is None or played < rounds):
            await self._deal()
            await self._pause()
            self.fingers.press(next(iter(self.people)))  # the youngest counts: three, two, one
            if self._view()["phase"] != "shaking":
                await self._clock.sleep(0.5)
                continue
            while self._view()["phase"] == "shaking":
                await self._go_round(by_hand)
            await self._check()
            played += 1

    async def _deal(self) -> None:
        self.mix()
        for move in self._dealer.deals(self._view()):
            self.desk.play(move, None)
            await self._clock.sleep(0.25)

    async def _go_round(self, by_hand: Callable[[str], bool]) -> None:
        acted = False
        for seat in self.people:
            view = self._view()
            if view["phase"] != "shaking":
                return
            if by_hand(seat) or seat in view["passed"]:
                continue
            acted = True
            await self._one(seat, view, by_hand)
        if not acted:
            await self._clock.sleep(0.2)

    async def _one(self, seat: str, view: Mapping[str, Any], by_hand: Callable[[str], bool]) -> None:
        """One person takes an igloo, shakes it and decides; or passes with the button."""
        giant = self.giants.get(seat)
        if giant is not None:
            await self._giant(giant, view)
            return
        person = self.people[seat]
        letter = self._held(view, seat) or person.wants(view)
        if letter is None:
            if view["talers"][seat]["own"]:
                self.fingers.press(seat)
            await self._pause()
            return
        if self._held(view, seat) is None and not self.desk.play(f"grab {seat} {letter}", seat):
            return
        await self._pause()
        for _ in range(2):  # a second try if the ear takes it for something else
            if not await self.shake(seat, letter):
                break
            person.hears(letter, self.beads[letter])
            if self.live.verdict != "not-a-shake":
                break
        await self._pause()
        # unless somebody took the seat in the meantime
        if self._view()["phase"] == "shaking" and not by_hand(seat):
            self.desk.play(person.decides(self._view(), letter), seat)

    async def _giant(self, giant: IceGiant, view: Mapping[str, Any]) -> None:
        """He takes an igloo that he has heard and has a card for; else he shakes one himself; else he passes."""
        seat = giant.seat
        held = self._held(view, seat)
        choice = giant.choose(view, held)
        letter = held or (choice[0] if choice else giant.wants(view))
        if letter is None:
            if view["talers"][seat]["own"]:
                self.fingers.press(seat)
            await self._pause()
            return
        if held is None and not self.desk.play(f"grab {seat} {letter}", seat, "giant"):
            return
        await self._pause()
        if choice is None:
            await self.shake(seat, letter)
            await self._pause()
            choice = giant.choose(self._view(), letter)
        if self._view()["phase"] == "shaking":
            self.desk.play(f"place {seat} {choice[1]}" if choice else f"return {seat}", seat, "giant")

    async def _check(self) -> None:
        """Check the cards: where the ear is unsure, somebody looks underneath and says the count."""
        await self._clock.sleep(1.0)
        while self._view()["phase"] == "resolving" and not self.watch.settle():
            question = self.desk.question
            if question is None:
                return
            await self._clock.sleep(1.4)
            truth = self._underneath(question.key.split("-")[1])
            said = [int(choice.moves[0].split()[2]) for choice in question.choices]
            # if a person at a page has said something final about another igloo, say the likeliest count
            self.desk.answer(question.key, said.index(truth) if truth in said else 0)
        report = self.watch.report()
        if report is not None:
            self.desk.tell(report, "ear-report")
        await self._clock.sleep(2.0)
        self.fingers.press(next(iter(self.people)))

    def _underneath(self, letter: str) -> int:
        """The count that somebody sees underneath; of igloos of one colour on one card he takes one not counted yet."""
        view = self._view()
        alike = [k for k, igloo in view["igloos"].items() if igloo == view["igloos"][letter]]
        counted = {view["values"][k] for k in alike}
        left = [self.beads[k] for k in (letter, *alike) if self.beads[k] not in counted]
        return left[0] if left else self.beads[letter]

    def _view(self) -> dict[str, Any]:
        return self.desk.view(None)

    def _held(self, view: Mapping[str, Any], seat: str) -> str | None:
        held = [k for k, igloo in view["igloos"].items() if igloo["at"] == "hand" and igloo["by"] == seat]
        return held[0] if held else None

    async def _pause(self) -> None:
        await self._clock.sleep(self._chance.uniform(*_HURRIES_S))
