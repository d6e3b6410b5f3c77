"""What moves on the page between two moves of a game: the shake that is being heard, the cubes in the hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sensors.evidence import Heard, Hearing
from sensors.why import Why
from table.settings.seats import TABLE

LOUDER_DB = 6.0  # as much louder another seat is before it is shown instead: two that shake do not take turns

FORGOTTEN_DB = (
    2.0  # of the loudest, with each partial answer, three a second: what was loud first does not stay so
)

Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]


@dataclass(slots=True)
class Under:
    """A shake that goes on: when it is over, should nothing more be heard of it (clock, seconds), and how it is."""

    until: float
    level_db: float
    strength: float | None
    loudest_db: float  # of late, as if all microphones were set alike: between two strokes a shake is soft
    set_louder_db: float


@dataclass(frozen=True, slots=True)
class Shown:
    """What one page shows of the ears."""

    seat: str | None
    shaking: bool
    level_db: float | None
    strength: float | None
    band: tuple[float, float] | None  # in which `strength` counts well there; None: no profile told one


@dataclass(slots=True)
class LiveEar:
    """The shakes that go on, or the last one. `seat`, `level_db` and `strength` are of the one that is shown to all:
    where several go on, the loudest. `version` grows with every change."""

    seat: str | None = None
    letter: str | None = None
    level_db: float | None = None
    strength: float | None = None
    spectrum_db: Sequence[float] = ()
    probabilities: Mapping[int, float] = field(default_factory=dict)
    verdict: str | None = None
    swing: float = 0.0
    shaking: bool = False
    # seat → of `strength`, in which the profile that listens there counts; 1.0 is its middle
    bands: dict[str, tuple[float, float]] = field(default_factory=dict)
    felt: set[str] = field(default_factory=set)  # of these, seats whose igloos carry their sensors
    heard: Heard | None = None  # the last shake; in a game nothing of it but its quality is drawn
    round: int | None = None  # of Igloo Pop, in which it was heard
    shakes: int = 0  # that were heard to their end
    version: int = 0
    heard_at: str | None = None  # the seat of `heard`
    # (seat, source) of each shake that goes on
    going_on: dict[tuple[str, str], Under] = field(default_factory=dict)
    # seats whose microphones heard the last shake softer than others did and were never the loudest: who shook there is
    # told by the page where one tries them
    softer: dict[str, Heard] = field(default_factory=dict)
    # seats that are shown before any other, and whose last shake no other's replaces; None: all alike
    among: Callable[[], Collection[str] | None] = lambda: None

    @property
    def band(self) -> tuple[float, float] | None:
        """In which `strength` counts well at the seat that is shown; None: no profile told one."""
        return None if self.seat is None else self.bands.get(self.seat)

    def shown_to(self, player: str | None) -> Shown:
        """A player's own shake while it goes on, else what is shown to all."""
        own = [under for (seat, _), under in self.going_on.items() if seat == player]
        if not own or self.seat == player:
            return Shown(self.seat, self.shaking, self.level_db, self.strength, self.band)
        assert player is not None
        return Shown(player, True, own[-1].level_db, own[-1].strength, self.bands.get(player))

    def to_json(self) -> dict[str, Any]:
        """Level and quality, which everybody may know; nothing of the count."""
        return {
            "seat": self.seat,
            "shaking": self.shaking,
            "level_db": None if self.level_db is None else round(self.level_db, 1),
            "strength": None if self.strength is None else round(self.strength, 2),
            "shakes": self.shakes,
        }

    def of_round(self, number: int) -> bool:
        """Whether the last shake belongs to that round, which is not over yet."""
        return self.heard is not None and self.round == number

    def goes_on(self, seat: str, said: Hearing, until: float) -> bool:
        """A shake is under way, and is over at `until` unless more is heard of it. Whether that seat has just begun."""
        begun = all(other != seat for other, _ in self.going_on)
        if not self.going_on:
            self.softer.clear()  # another shake
        before = self.going_on.get((seat, said.source))
        loudest_db = said.level_db - said.set_louder_db
        if before is not None:
            loudest_db = max(before.loudest_db - FORGOTTEN_DB, loudest_db)
        self.going_on[seat, said.source] = Under(
            until, said.level_db, said.strength, loudest_db, said.set_louder_db
        )
        self._show()
        return begun

    def at_level(self, seat: str, source: str, level_db: float) -> None:
        """How loud it is there just now."""
        if (under := self.going_on.get((seat, source))) is not None:
            under.level_db = level_db
            under.loudest_db = max(under.loudest_db, level_db - under.set_louder_db)
        if seat == self.seat:
            self.level_db = level_db

    def hear(self, seat: str, source: str, heard: Heard) -> None:
        """A shake was heard to its end. What was louder at another seat is that one's: here it only ends."""
        if heard.why.elsewhere:
            if heard.why is Why.ELSEWHERE_OR_SOFT:
                self.softer[seat] = heard
                self.version += 1
            self.drop(seat, source)
            return
        self.softer.pop(seat, None)
        among = self.among()
        if among is not None and seat not in among:
            self.drop(seat, source)
            return
        self.heard, self.heard_at = heard, seat
        self.shakes += 1
        self.going_on.pop((seat, source), None)
        self._one_less()

    def drop(self, seat: str, source: str) -> None:
        """What was under way there is over, and nothing was heard of it: its source went away, say."""
        if self.going_on.pop((seat, source), None) is not None:
            self._one_less()

    def fade(self, now: float) -> None:
        """What nothing more was heard of is over: an ear says nothing at the end of what was no shake."""
        for which, under in tuple(self.going_on.items()):
            if now >= under.until:
                del self.going_on[which]
                self._one_less()

    def _one_less(self) -> None:
        """A shake is over. Another that goes on is shown, or else what was heard last."""
        if self.going_on:
            self._show()
            return
        self.version += 1
        self.shaking, self.level_db = False, None
        self.seat = self.heard_at or self.seat
        self.strength = None if self.heard is None else self.heard.strength

    def _show(self) -> None:
        """Of those that go on, the one at the loudest seat: what is softer may be its sound at a neighbour's. A seat's
        own ear tells more than the one that all share."""
        self.version += 1
        among = self.among()
        first = [which for which in self.going_on if among is None or which[0] in among] or list(
            self.going_on
        )
        own = [which for which in first if which[0] != TABLE] or first
        best = max(own, key=lambda which: self.going_on[which].loudest_db)
        here = [which for which in own if self.shaking and which[0] == self.seat]
        if here and self.going_on[best].loudest_db < self.going_on[here[-1]].loudest_db + LOUDER_DB:
            best = here[-1]
        under = self.going_on[best]
        self.seat, self.shaking = best[0], True
        self.level_db, self.strength = under.level_db, under.strength

    def forget(self) -> None:
        """Another game: the last shake was none of it, and the rounds are counted anew."""
        self.heard, self.heard_at, self.round = None, None, None
        self.softer.clear()
        if not self.shaking:
            self.seat = self.strength = None
        self.version += 1

    def begin(self, seat: str, letter: str) -> None:
        """A new shake: nothing is known of it yet."""
        self.seat, self.letter, self.shaking, self.verdict = seat, letter, True, None
        self.probabilities, self.level_db, self.strength, self.spectrum_db = {}, None, None, ()
        self.version += 1

    def end(self) -> None:
        self.shaking, self.level_db, self.swing, self.spectrum_db = False, None, 0.0, ()
        self.version += 1


@dataclass(slots=True)
class LiveCubes:
    """Slot → how the sensors feel the cube in it: body to world (x east, y north, z up). `version` as above."""

    turns: dict[str, Matrix] = field(default_factory=dict)
    version: int = 0

    def feel(self, slot: str, turn: Matrix) -> None:
        if self.turns.get(slot) != turn:
            self.turns[slot] = turn
            self.version += 1
