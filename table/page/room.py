"""What a page needs of the table it shows. The demo and the service each are such a room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from table.desk.accord import Accord
from table.desk.desk import Desk
from table.doctor.findings import Check
from table.page.cube_net import Faces
from table.senses.live import LiveCubes, LiveEar
from table.senses.tap_wire import LiveTaps
from table.trainer.room import TrainerRoom


class Room(Protocol):
    """The desks by game, live evidence, and the acts that a person at the page may do."""

    simulated: bool  # simulated people play, and act for every seat that nobody took
    shows_counts: bool  # spectrum and probabilities: only where they spoil no game (docs/architecture.md)
    paused: bool
    safe_mode: str | None  # why the table runs on simulated hardware; None: it runs as always
    settings_fault: str | None  # why it runs with the last good settings instead of the file's
    ear: LiveEar
    cubes: LiveCubes
    by_hand: dict[tuple[str, str], str]  # (game, seat) → the browser that plays it
    trainer: TrainerRoom
    taps: LiveTaps | None  # the counting seat; None: the table has none

    @property
    def profile_faults(self) -> Sequence[str]:
        """Profiles that the settings name and that cannot be used: no watchdog says it again."""
        ...

    @property
    def faces(self) -> Mapping[str, Faces]:
        """Cube → body face → symbol."""
        ...

    @property
    def desks(self) -> Mapping[str, Desk]:
        """The games on the table, by their names."""
        ...

    def asleep(self) -> list[str]:
        """What is not awake, in words: microphones, ports."""
        ...

    def code(self) -> str | None:
        """The pairing code, where others can come in."""
        ...

    def leave_safe_mode(self) -> None:
        """Start again as always (the host)."""
        ...

    def invitation(self) -> str | None:
        """The page's address with that code, for a QR code; None where there is none."""
        ...

    def pause(self, on: bool) -> None:
        """Let everything stand still, or go on."""
        ...

    def take(self, game: str, seat: str, browser: str | None) -> None:
        """A browser plays a seat (None: it is given back)."""
        ...

    def accord(self, game: str) -> Accord | None:
        """Where everybody's word is asked for; None where nobody is asked."""
        ...

    def checks(self) -> Sequence[Check]:
        """The doctor's list for this table."""
        ...

    def counting(self, game: str) -> int | None:
        """Three, two or one while a round is being counted in."""
        ...

    def giants(self, game: str) -> Mapping[str, str]:
        """Seat → skill of the ice giants who play that game."""
        ...

    def seat_giant(self, seat: str, skill: str | None) -> None:
        """An ice giant of that skill plays a seat of Igloo Pop; None: he leaves it."""
        ...

    async def act(self, game: str, seat: str | None, move: str) -> None:
        """A move that somebody made at the page, in the notation of the game."""
        ...

    def options_before(self, game: str) -> Mapping[str, Any]:
        """By which options that game is played here: as on the table, else as the settings have it."""
        ...

    def begin(self, game: str, players: Sequence[str], options: Mapping[str, Any]) -> None:
        """Another game instead of the one on the table (the host of a real table)."""
        ...

    def answer(self, game: str, key: str, index: int, seat: str | None) -> None:
        """The answer to the open question: its choice `index`."""
        ...

    def rattle(self, seat: str) -> bytes | None:
        """The last simulated shake of the igloo in that seat's hand as a WAV file; None before it was shaken there.

        None on real hardware too: no sound leaves the machine.
        """
        ...

    def to_be_heard(self, seat: str) -> bool:
        """Whether a simulated shake of the igloo in that seat's hand is still to come, or goes on; real ones: False."""
        ...
