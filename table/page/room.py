"""The interface that a page needs from its table. The demo and the service each implement it."""

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
    """The desks by game, live evidence, and the acts available to a person at the page."""

    simulated: bool  # simulated people play, and act for every free seat
    # spectrum and probabilities: only where they cannot spoil a game (docs/architecture.md)
    shows_counts: bool
    paused: bool
    safe_mode: str | None  # why the table runs on simulated hardware; None: normal mode
    settings_fault: str | None  # why it runs with the last good settings instead of the file's
    ear: LiveEar
    cubes: LiveCubes
    by_hand: dict[tuple[str, str], str]  # (game, seat) → the browser that plays it
    trainer: TrainerRoom
    taps: LiveTaps | None  # the counting seat; None: the table has none

    @property
    def profile_faults(self) -> Sequence[str]:
        """Named profiles that cannot be used: no watchdog repeats this."""
        ...

    @property
    def faces(self) -> Mapping[str, Faces]:
        """Cube → body face → symbol."""
        ...

    @property
    def desks(self) -> Mapping[str, Desk]:
        """The games on the table, by name."""
        ...

    def asleep(self, needed: bool | None = None) -> list[str]:
        """The senses that are not awake, in words: microphones, ports. `needed`: only those with which the game on the
        table is played, or (False) the others."""
        ...

    def code(self) -> str | None:
        """The pairing code, if others can connect."""
        ...

    def leave_safe_mode(self) -> None:
        """Restart in normal mode (the host)."""
        ...

    def invitation(self) -> str | None:
        """The page's address with that code, for a QR code; None if there is none."""
        ...

    def pause(self, on: bool) -> None:
        """Pause everything, or resume."""
        ...

    def take(self, game: str, seat: str, browser: str | None) -> None:
        """A browser takes a seat (None: gives it back)."""
        ...

    def accord(self, game: str) -> Accord | None:
        """The proposals of that game; None if nobody's consent is needed."""
        ...

    def checks(self) -> Sequence[Check]:
        """The doctor's list for this table."""
        ...

    def counting(self, game: str) -> int | None:
        """Three, two or one while a round is counted in; else None."""
        ...

    def giants(self, game: str) -> Mapping[str, str]:
        """Seat → skill of the ice giants who play that game."""
        ...

    def seat_giant(self, seat: str, skill: str | None) -> None:
        """An ice giant of that skill plays a seat of Igloo Pop; None: he leaves it."""
        ...

    async def act(self, game: str, seat: str | None, move: str) -> None:
        """Make a move from the page, in the game's notation."""
        ...

    def options_before(self, game: str) -> Mapping[str, Any]:
        """The options of that game here: as on the table, else as in the settings."""
        ...

    def begin(self, game: str, players: Sequence[str], options: Mapping[str, Any]) -> None:
        """Begin another game instead of the one on the table (the host of a real table)."""
        ...

    def answer(self, game: str, key: str, index: int, seat: str | None) -> None:
        """Answer the open question with its choice `index`."""
        ...

    def rattle(self, seat: str) -> bytes | None:
        """The last simulated shake of the igloo in that seat's hand as a WAV file; None before it was shaken there.

        On real hardware always None: no sound leaves the machine.
        """
        ...

    def to_be_heard(self, seat: str) -> bool:
        """Whether a simulated shake of the igloo in that seat's hand is pending or in progress; real ones: False."""
        ...
