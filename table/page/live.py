"""What moves on the page between two moves of a game: the shake that is being heard, the cubes in the hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sensors.ear.seat_listener import NOT_HERE
from sensors.evidence import Heard, Hearing

Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]


@dataclass(slots=True)
class LiveEar:
    """The shake that goes on, or the last one. `version` grows with every change."""

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
    # (seat, source) of each shake that goes on → when it is over, should nothing more be heard of it (clock, seconds)
    going_on: dict[tuple[str, str], float] = field(default_factory=dict)

    @property
    def band(self) -> tuple[float, float] | None:
        """In which `strength` counts well at the seat that is shown; None: no profile told one."""
        return None if self.seat is None else self.bands.get(self.seat)

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
        self.going_on[seat, said.source] = until
        self.seat, self.shaking = seat, True
        self.level_db, self.strength = said.level_db, said.strength
        self.version += 1
        return begun

    def hear(self, seat: str, source: str, heard: Heard) -> None:
        """A shake was heard to its end. What was louder at another seat is that one's: here it only ends."""
        if heard.reason in NOT_HERE:
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
        for which, until in tuple(self.going_on.items()):
            if now >= until:
                del self.going_on[which]
                self._one_less()

    def _one_less(self) -> None:
        """A shake is over. Another that goes on is shown, or else what was heard last."""
        self.version += 1
        if self.going_on:
            if self.seat not in {seat for seat, _ in self.going_on}:
                self.seat = next(reversed(self.going_on))[0]
            return
        self.shaking, self.level_db = False, None
        self.seat = self.heard_at or self.seat
        self.strength = None if self.heard is None else self.heard.strength

    def forget(self) -> None:
        """Another game: the last shake was none of it, and the rounds are counted anew."""
        self.heard, self.heard_at, self.round = None, None, None
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
