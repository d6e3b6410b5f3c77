"""The live parts of the page between two moves: the shake being heard, the cubes in people's hands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sensors.evidence import Heard, Hearing
from sensors.why import Why
from table.settings.seats import TABLE

# hysteresis: another seat is shown only if it is this much louder, so that two seats do not alternate
LOUDER_DB = 6.0

# how fast the loudest level decays, per partial answer (three a second): an early peak must not last
FORGOTTEN_DB = 2.0

# an igloo is put down within so many seconds after it was shaken
PUT_DOWN_S = 3.0

Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]


@dataclass(slots=True)
class Under:
    """A shake in progress: when it counts as over unless more is heard of it (clock, seconds), and its levels."""

    until: float
    level_db: float
    strength: float | None
    # recent peak, as if all microphones had equal gain: between two strokes a shake is soft
    loudest_db: float
    set_louder_db: float


@dataclass(frozen=True, slots=True)
class Shown:
    """The state of the ears that one page shows."""

    seat: str | None
    shaking: bool
    level_db: float | None
    strength: float | None
    band: tuple[float, float] | None  # where `strength` counts well there; None: no profile told one


@dataclass(slots=True)
class LiveEar:
    """The shakes in progress, or the last one.

    `seat`, `level_db` and `strength` belong to the shake that is shown to all: the loudest, if there are several.
    `version` grows with every change.
    """

    seat: str | None = None
    letter: str | None = None
    level_db: float | None = None
    strength: float | None = None
    spectrum_db: Sequence[float] = ()
    probabilities: Mapping[int, float] = field(default_factory=dict)
    verdict: str | None = None
    swing: float = 0.0
    shaking: bool = False
    # seat → the range of `strength` in which its profile counts; 1.0 is its middle
    bands: dict[str, tuple[float, float]] = field(default_factory=dict)
    felt: set[str] = field(default_factory=set)  # of these, seats whose igloos carry their own sensors
    heard: Heard | None = None  # the last shake; during a game only its quality is drawn
    round: int | None = None  # the round of Igloo Pop in which it was heard
    shakes: int = 0  # number of completed shakes
    version: int = 0
    heard_at: str | None = None  # the seat of `heard`
    _heard_by: str | None = None  # its source there
    # (seat, source) → a shake in progress
    going_on: dict[tuple[str, str], Under] = field(default_factory=dict)
    # seats whose microphones heard the last shake softer than others and were never the loudest; the page for trying
    # the microphones says who shook there
    softer: dict[str, Heard] = field(default_factory=dict)
    # seats that take precedence, and whose last shake no other seat's replaces; None: all are equal
    among: Callable[[], Collection[str] | None] = lambda: None

    @property
    def band(self) -> tuple[float, float] | None:
        """The range in which `strength` counts well at the seat that is shown; None: no profile told one."""
        return None if self.seat is None else self.bands.get(self.seat)

    def shown_to(self, player: str | None) -> Shown:
        """A player's own shake while it is in progress, else what is shown to all."""
        own = [under for (seat, _), under in self.going_on.items() if seat == player]
        if not own or self.seat == player:
            return Shown(self.seat, self.shaking, self.level_db, self.strength, self.band)
        assert player is not None
        return Shown(player, True, own[-1].level_db, own[-1].strength, self.bands.get(player))

    def to_json(self) -> dict[str, Any]:
        """Level and quality, which everybody may know; nothing about the count."""
        return {
            "seat": self.seat,
            "shaking": self.shaking,
            "level_db": None if self.level_db is None else round(self.level_db, 1),
            "strength": None if self.strength is None else round(self.strength, 2),
            "shakes": self.shakes,
        }

    def of_round(self, number: int) -> bool:
        """Whether the last shake belongs to that round, which is still open."""
        return self.heard is not None and self.round == number

    def goes_on(self, seat: str, said: Hearing, until: float) -> bool:
        """A shake is in progress; it ends at `until` unless more is heard. Returns whether that seat has just begun."""
        begun = all(other != seat for other, _ in self.going_on)
        if not self.going_on:
            self.softer.clear()  # a new shake
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
        """The current level there."""
        if (under := self.going_on.get((seat, source))) is not None:
            under.level_db = level_db
            under.loudest_db = max(under.loudest_db, level_db - under.set_louder_db)
        if seat == self.seat:
            self.level_db = level_db

    def hear(self, seat: str, source: str, heard: Heard) -> None:
        """A shake is complete. If another seat heard it louder, it belongs to that seat: here it only ends."""
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
        before = self.heard
        # an igloo that was shaken is put down: what was counted stands, also if it touches the table twice
        if before is not None and before.verdict != "not-a-shake" and self._put_down(before, source, heard):
            self.drop(seat, source)
            return
        self.heard, self.heard_at, self._heard_by = heard, seat, source
        self.shakes += 1
        self.going_on.pop((seat, source), None)
        self._one_less()

    def _put_down(self, before: Heard, source: str, heard: Heard) -> bool:
        """Whether the igloo of the shake before was only handled, soon after that. Each source has its own clock."""
        soon = 0.0 <= heard.start_s - before.end_s < PUT_DOWN_S
        return heard.why.not_meant and soon and source == self._heard_by

    def drop(self, seat: str, source: str) -> None:
        """The shake in progress there ended without a result: its source went away, for example."""
        if self.going_on.pop((seat, source), None) is not None:
            self._one_less()

    def fade(self, now: float) -> None:
        """End shakes of which nothing more was heard: an ear reports no end for something that was no shake."""
        for which, under in tuple(self.going_on.items()):
            if now >= under.until:
                del self.going_on[which]
                self._one_less()

    def _one_less(self) -> None:
        """A shake is over: show another one in progress, or else what was heard last."""
        if self.going_on:
            self._show()
            return
        self.version += 1
        self.shaking, self.level_db = False, None
        self.seat = self.heard_at or self.seat
        self.strength = None if self.heard is None else self.heard.strength

    def _show(self) -> None:
        """Of the shakes in progress, show the one at the loudest seat: a softer one may be its sound at a neighbour's.

        A seat's own ear takes precedence over the shared one.
        """
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
        """Another game: the last shake was not part of it, and rounds are counted from the start again."""
        self.heard, self.heard_at, self.round = None, None, None
        self.softer.clear()
        if not self.shaking:
            self.seat = self.strength = None
        self.version += 1

    def begin(self, seat: str, letter: str) -> None:
        """A new shake starts: nothing is known of it yet."""
        self.seat, self.letter, self.shaking, self.verdict = seat, letter, True, None
        self.probabilities, self.level_db, self.strength, self.spectrum_db = {}, None, None, ()
        self.version += 1

    def end(self) -> None:
        self.shaking, self.level_db, self.swing, self.spectrum_db = False, None, 0.0, ()
        self.version += 1


@dataclass(slots=True)
class LiveCubes:
    """Slot → how the sensors feel the cube in it: body to world (x east, y north, z up). `version`: as in `LiveEar`."""

    turns: dict[str, Matrix] = field(default_factory=dict)
    version: int = 0

    def feel(self, slot: str, turn: Matrix) -> None:
        if self.turns.get(slot) != turn:
            self.turns[slot] = turn
            self.version += 1
