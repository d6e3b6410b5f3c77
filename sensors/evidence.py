"""What leaves this room: evidence, never verdicts about a game. `to_json` gives the lines of docs/contracts.md 4, 5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sensors.why import Reason, Why, why_of

Verdict = Literal["sure", "unsure", "not-a-shake"]
# What limits the evidence of a shake's odds, whatever its reason: nothing but their own spread ("odds"); a sound unlike
# this igloo's usual one ("strange"); or a sensor that did not hear it well ("sensor").
Doubt = Literal["", "odds", "strange", "sensor"]
COUNTS = tuple(range(2, 14))  # beads in an igloo of the game (IP-1)


@dataclass(frozen=True, slots=True)
class Heard:
    """One finished shake. Times in seconds since the start of the source; probabilities over the profile's counts."""

    source: str
    start_s: float
    end_s: float
    verdict: Verdict
    probabilities: Mapping[int, float]
    snr_db: float
    clipped: bool
    profile: str
    reason: Reason | None = None  # why it is not sure, and what to do about it, in one sentence
    # how hard the igloo was shaken, 1.0 = the middle of the range in which counting works
    strength: float | None = None
    seat: str | None = None  # whose microphone, where the source has several
    doubt: Doubt = ""  # for joining it with another sensor's opinion on the same shake; not in `to_json`
    # for a live source: when the shake ended on the listener's clock (`sensors.ear.sources.taken_at`); not in `to_json`
    ended_at: float | None = field(default=None, compare=False)
    sensor: str | None = None  # "accelerometer" or "microphone", where known; not in `to_json`

    @property
    def best(self) -> int | None:
        """The most probable count, also when unsure; None where there was no shake."""
        return max(self.probabilities, key=lambda n: self.probabilities[n]) if self.probabilities else None

    @property
    def why(self) -> Why:
        """The kind of reason. Programs ask this: the words are for people."""
        return why_of(self.reason)

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "event": "shake",
            "source": self.source,
            "start_s": round(self.start_s, 3),
            "end_s": round(self.end_s, 3),
            "beads": self.best if self.verdict == "sure" else None,
        }
        if self.verdict != "not-a-shake":
            out["probabilities"] = written_odds(self.probabilities)
        out |= {
            "verdict": self.verdict,
            "snr_db": round(self.snr_db, 1),
            "clipped": self.clipped,
            "profile": self.profile,
        }
        if self.reason is not None:
            out["reason"] = str(self.reason)
        return out | _how_and_where(self.strength, self.seat)


@dataclass(frozen=True, slots=True)
class Hearing:
    """A shake that is still going on: the probabilities so far, and what a live view draws.

    Not in `to_json`: by how many dB that seat's microphone is set louder than the seats' are on average.
    """

    source: str
    start_s: float
    now_s: float
    probabilities: Mapping[int, float]
    # RMS in the wide band, relative to full scale (1.0, or 1 g); falls by at most 1 dB in 10 ms
    level_db: float
    strength: float | None = None
    seat: str | None = None
    set_louder_db: float = 0.0

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "event": "hearing",
            "source": self.source,
            "start_s": round(self.start_s, 3),
            "now_s": round(self.now_s, 3),
            "probabilities": written_odds(self.probabilities),
            "level_db": round(self.level_db, 1),
        }
        return out | _how_and_where(self.strength, self.seat)


def written_odds(probabilities: Mapping[int, float]) -> dict[str, float]:
    """As a line of JSON holds them: its keys are strings."""
    return {str(n): round(p, 9) for n, p in probabilities.items()}


def _how_and_where(strength: float | None, seat: str | None) -> dict[str, Any]:
    """How hard it was shaken and at whose microphone, where known."""
    out: dict[str, Any] = {}
    if strength is not None:
        out["strength"] = round(strength, 2)
    if seat is not None:
        out["seat"] = seat
    return out


@dataclass(frozen=True, slots=True)
class CubePose:
    """A cube at rest in a slot: the body faces that look up and north; degrees off that turn, and off the runner-up.

    Not in `to_json`: `headings` and `changed`. Where the heading was lost, `headings` are the probabilities that the
    cube is turned none, one, two or three quarter turns counter-clockwise from the given one (empty: the margin says it
    all). `changed` is false where the cube lies as reported before and only the knowledge about it is new.
    """

    t: float
    cube: str
    slot: str
    up: str
    north: str
    off_deg: float
    margin_deg: float
    headings: tuple[float, ...] = ()
    changed: bool = True

    def to_json(self) -> dict[str, Any]:
        out = {"event": "pose", "t": round(self.t, 3), "cube": self.cube, "slot": self.slot, "up": self.up}
        return out | {
            "north": self.north,
            "off_deg": round(self.off_deg, 1),
            "margin_deg": round(self.margin_deg, 1),
        }


@dataclass(frozen=True, slots=True)
class Tilted:
    """Two neighbouring cubes (`pair` n, s, w, e) were tilted together by a quarter turn towards `to`."""

    t: float
    pair: str
    to: str

    def to_json(self) -> dict[str, Any]:
        return {"event": "tilt", "t": round(self.t, 3), "pair": self.pair, "to": self.to}


@dataclass(frozen=True, slots=True)
class Turned:
    """One cube was turned about the vertical, seen from above: `to` cw or ccw."""

    t: float
    slot: str
    to: str

    def to_json(self) -> dict[str, Any]:
        return {"event": "turn", "t": round(self.t, 3), "slot": self.slot, "to": self.to}


@dataclass(frozen=True, slots=True)
class Odd:
    """A cube lies as no move of the game could have left it; `text` says which, and what was probably done."""

    t: float
    slot: str
    text: str

    def to_json(self) -> dict[str, Any]:
        return {"event": "odd", "t": round(self.t, 3), "slot": self.slot, "text": self.text}


@dataclass(frozen=True, slots=True)
class Pressed:
    """The button at a seat was pressed."""

    t: float
    seat: str

    def to_json(self) -> dict[str, Any]:
        return {"event": "pressed", "t": round(self.t, 3), "seat": self.seat}


CubeEvidence = CubePose | Tilted | Turned | Odd
