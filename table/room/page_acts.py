"""What a person at a page of the table can see and do: implements the room that `table.page.room` describes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from table.config import Settings
from table.desk.accord import Accord
from table.desk.desk import Desk
from table.doctor.checks import all_checks
from table.doctor.findings import Check
from table.door.access import Access
from table.giant.giant import SKILLS
from table.room.countdown import Countdown
from table.room.igloo_pop_room import IglooPopRoom
from table.senses.watchdog import Senses


class PageActs:
    """The acts; the room provides what they act on."""

    safe_mode: str | None = None  # why no real device is opened; None: normal mode
    paused = False
    settings_file: Path | None = None  # where the settings came from
    settings_fault: str | None = None  # why the last good settings are used instead of the file's
    where: Callable[[], str] | None = None  # the page's present address, as others on the network enter it
    pop: IglooPopRoom | None = None  # while Igloo Pop is on the table
    settings: Settings
    access: Access
    senses: Senses
    desk: Desk
    countdown: Countdown
    by_hand: dict[tuple[str, str], str]
    leave: Callable[[], None]
    _accord: Accord

    @property
    def desks(self) -> Mapping[str, Desk]:
        return {self.desk.sitting.game.name: self.desk}

    def asleep(self, needed: bool | None = None) -> list[str]:
        dogs = [dog for dog in self.senses.dogs.values() if dog.state != "healthy"]
        if needed is not None:
            dogs = [dog for dog in dogs if needed == (dog.game is None or dog.game in self.desks)]
        return [f"{dog.source} ({dog.why}) – {dog.mend}" for dog in dogs]

    def status(self) -> str:
        """One line for `systemctl status`."""
        safe = "" if self.safe_mode is None else f"safe mode: {self.safe_mode}; "
        asleep = "; ".join(self.asleep()) or "all senses awake"
        return f"{safe}{self.desk.sitting.game.name}, {len(self.desk.sitting.steps)} moves; {asleep}"

    def code(self) -> str | None:
        return self.access.code if self.access.lan else None

    def invitation(self) -> str | None:
        code = self.code()
        return None if code is None or self.where is None else f"{self.where()}pair#{code}"

    def leave_safe_mode(self) -> None:
        self.leave()

    def pause(self, on: bool) -> None:
        self.paused = on

    def take(self, game: str, seat: str, browser: str | None) -> None:
        if browser is None:
            self.by_hand.pop((game, seat), None)
        else:
            self.by_hand[game, seat] = browser
        if game in self.desks:
            self.desk.seat(seat, "left" if browser is None else "taken")

    def played(self) -> set[str]:
        """The seats that somebody plays: at a page of this machine, from a phone, or an ice giant."""
        game = self.desk.sitting.game.name
        hands = {seat for g, seat in self.by_hand if g == game}
        return hands | self.access.taken() | set(self.giants(game))

    def free(self, seat: str) -> None:
        """Free that seat, from wherever it is played."""
        self.access.free(seat)
        self.by_hand.pop((self.desk.sitting.game.name, seat), None)
        self.seat_giant(seat, None)

    def accord(self, game: str) -> Accord | None:
        return self._accord if game in self.desks else None

    def _voters(self) -> set[str]:
        """Who has a vote: every seat that is played from somewhere, and the host for the others."""
        game = self.desk.sitting.game
        seats = set(game.seats(self.desk.sitting.state)) - set(self.giants(game.name))
        played = self.played()
        return (seats & played) | (set() if seats <= played else {"host"})

    def checks(self) -> Sequence[Check]:
        return all_checks(self.settings, self.settings_file, self.senses)

    def giants(self, game: str) -> Mapping[str, str]:
        known = self.pop.ice_giants.seated if self.pop is not None and game == "igloo-pop" else {}
        return {seat: giant.name for seat, giant in known.items()}

    def seat_giant(self, seat: str, skill: str | None) -> None:
        if self.pop is not None and (skill is None or skill in SKILLS):
            self.pop.ice_giants.seat(seat, skill)

    async def act(self, game: str, seat: str | None, move: str) -> None:
        if self.pop is not None and move == "count":
            await self.countdown.run(seat)
        else:
            self.desk.play(move, seat)

    def counting(self, game: str) -> int | None:
        return self.countdown.number if game in self.desks else None

    def answer(self, game: str, key: str, index: int, seat: str | None) -> None:
        self.desk.answer(key, index, seat)

    def rattle(self, seat: str) -> bytes | None:
        return None

    def to_be_heard(self, seat: str) -> bool:
        return False
