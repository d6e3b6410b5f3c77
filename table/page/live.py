"""What moves on the page between two moves of a game: the shake that is being heard, the cubes in the hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sensors.evidence import Heard

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
    # of `strength`, in which the profile that listens counts; 1.0 is its middle; None: no profile told one
    band: tuple[float, float] | None = None
    heard: Heard | None = None  # the last shake; in a game nothing of it but its quality is drawn
    round: int | None = None  # of Igloo Pop, in which it was heard
    shakes: int = 0  # that were heard to their end
    version: int = 0

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
