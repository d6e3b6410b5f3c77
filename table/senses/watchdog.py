"""Watchdogs for the senses: one state machine per source (a microphone, a port, a button board), without effects.

    healthy ── quiet too long ──> alarmed ── something is tried ──> recovering ── it comes back ──> healthy
                                                  └── tried in vain ──> escalated ── for minutes ──> failed

The game goes on by hand in the meantime; nothing here ends it. The design follows BirdNET-Go's liveness watchdog.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

NOTHING_DB = -119.9  # the ear's level of zeros is -120; noise of half a step of 16 bits is above
MUTE_S = 2.0
State = Literal["healthy", "alarmed", "recovering", "escalated", "failed"]


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds of silence: before the alarm, before a recovery is tried, before a person is asked, before we give up."""

    alarm_s: float = 1.5
    recover_s: float = 3.0
    escalate_s: float = 15.0
    fail_s: float = 300.0
    # before the alarm while the source is being opened: a small computer scans all its sound cards
    open_s: float = 4.0


@dataclass(frozen=True, slots=True)
class Change:
    """A source changed its state. `mend`: what a person can do about it; empty when it is well."""

    t: float
    source: str
    state: State
    why: str
    mend: str

    def to_json(self) -> dict[str, Any]:
        return {
            "event": "source",
            "t": round(self.t, 3),
            "source": self.source,
            "state": self.state,
            "why": self.why,
            "mend": self.mend,
        }


class Watchdog:
    """One source. Report every sign of life, every loss and the time to it; it calls `told` with each change."""

    def __init__(
        self,
        source: str,
        mend: str,
        now: float,
        told: Callable[[Change], None],
        patience: Patience,
        game: str | None = None,
    ) -> None:
        """`game`: the one that is played with it; None: any."""
        self.source, self.game = source, game
        self.state: State = "healthy"
        self.why = ""
        self.met = False  # it has shown a sign of life, or reported that it is gone
        # only zeros came for some seconds: the source is alive, but muted or switched off
        self.mute = False
        self._zeros_since: float | None = None
        self.mend = self._usual_mend = mend
        self._told = told
        self._patience = patience
        self._heard = now

    def alive(self, now: float, level_db: float | None = None) -> None:
        """A sign of life: a block of sound of that level, or a packet."""
        self._heard = max(self._heard, now)
        if level_db is None or level_db > NOTHING_DB:
            self._zeros_since = None
        elif self._zeros_since is None:
            self._zeros_since = now
        self.mute = self._zeros_since is not None and self._heard - self._zeros_since >= MUTE_S
        self.met = True
        if self.state != "healthy":
            self.mend = self._usual_mend
            self._to("healthy", now, "it is back")

    def lost(self, now: float, why: str) -> None:
        """The source reported that it is gone. `why` may contain a remedy after a dash, as errors do; it replaces
        ours."""
        why, _, mend = why.partition(" – ")
        self.met, self.mend = True, mend or self._usual_mend
        if self.state == "healthy":
            self._to("alarmed", now, why)
        self.why = why

    def tick(self, now: float) -> None:
        """The time is `now`."""
        silent, p = now - self._heard, self._patience
        alarm_s = p.alarm_s if self.met else p.open_s
        if self.state == "healthy" and silent >= alarm_s:
            self._to("alarmed", now, f"nothing for {alarm_s:g} seconds")
        if self.state == "alarmed" and silent >= p.recover_s:
            self._to("recovering", now, self.why)
        if self.state == "recovering" and silent >= p.escalate_s:
            self._to("escalated", now, self.why)
        if self.state == "escalated" and silent >= p.fail_s:
            self._to("failed", now, self.why)

    def to_json(self) -> dict[str, Any]:
        mend = "" if self.state == "healthy" else self.mend
        return {
            "source": self.source,
            "state": self.state,
            "why": self.why,
            "mend": mend,
            "mute": self.mute,
        }

    def _to(self, state: State, now: float, why: str) -> None:
        self.state, self.why = state, why
        self._told(Change(now, self.source, state, why, "" if state == "healthy" else self.mend))


class Senses:
    """All watchdogs of a table, as the page and `/health` show them."""

    def __init__(self, told: Callable[[Change], None], patience: Patience | None = None) -> None:
        self.told = told
        self.dogs: dict[str, Watchdog] = {}
        self._patience = patience or Patience()

    def watch(self, source: str, mend: str, now: float, game: str | None = None) -> Watchdog:
        """Start watching a source. `game`: the one that is played with it; None: any."""
        dog = Watchdog(source, mend, now, self._changed, self._patience, game)
        self.dogs[source] = dog
        return dog

    def tick(self, now: float) -> None:
        for dog in self.dogs.values():
            dog.tick(now)

    @property
    def settled(self) -> bool:
        """Whether every source was met, or waited for in vain: opening them has not crashed the table."""
        return all(dog.met or dog.state != "healthy" for dog in self.dogs.values())

    @property
    def awake(self) -> bool:
        """Whether everything is alive, whatever is played."""
        return all(dog.state == "healthy" for dog in self.dogs.values())

    def to_json(self) -> dict[str, Any]:
        return {"healthy": self.awake, "sources": [dog.to_json() for dog in self.dogs.values()]}

    def _changed(self, change: Change) -> None:
        self.told(change)
