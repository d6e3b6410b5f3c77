"""What to do next and what was wrong with the last tap: words and numbers for the page that guides people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sensors.gesture.collect import GENTLEST, Collector
from sensors.gesture.gathered import WANTED, Felt

Step = Literal["tap-empty", "put-down", "again", "lift-off"]
Fault = Literal["too-hard", "too-soft", "held", "clipped", "no-empty", "unclear", "twice", "differ", "lost"]

STEPS: dict[Step, str] = {
    "tap-empty": "Leave the seat empty, with nothing on its base, and tap its mark twice, once a second.",
    "put-down": "Set an igloo into the ring, let go, and tap the mark once.",
    "again": "Lift it, turn it a little, set it down again, let go, and tap once.",
    "lift-off": "Done: lift the igloo off.",
}
FAULTS: dict[Fault, str] = {
    "too-hard": "That tap was hard: tap more lightly, the beads should not hop.",
    "too-soft": "That tap was faint: tap a little harder.",
    "held": "The seat could not ring: let go of the igloo before you tap, and keep hands off seat and base.",
    "clipped": "That tap overdrove the sensor: tap more lightly, with the end of a pencil.",
    "no-empty": "The empty seat was not heard: lift the igloo off and tap the empty seat first.",
    "unclear": "That tap told nothing: tap the mark on the base with the end of a pencil.",
    "twice": "The pencil touched twice: tap once, and let it go.",
    "lost": "Sound was lost on the way while the seat rang: close other programs, and tap again.",
    "differ": "The taps on the empty seat do not agree: tap it again, once, and let the pencil go.",
}
HARDEST = {"accelerometer": 0.9, "microphone": 0.5}
GOOD = {sensor: (GENTLEST[sensor], hardest) for sensor, hardest in HARDEST.items()}  # strike of a good tap


@dataclass(frozen=True, slots=True)
class Advice:
    """For the page: the present step, how many placings of how many are done, and the last tap.

    level: of the last tap within its range, 0 the least and 1 the most that is good; None before any. stands: the last
    answer, if any, is about the igloo that stands at the seat or stood there last; no other igloo was begun.
    """

    step: Step
    done: int
    wanted: int
    fault: Fault | None
    level: float | None
    stands: bool = True

    @property
    def words(self) -> str:
        """One or two sentences: what was wrong, then what to do."""
        return f"{FAULTS[self.fault]} {STEPS[self.step]}" if self.fault else STEPS[self.step]

    def to_json(self) -> dict[str, Any]:
        return {
            "step": self.step, "done": self.done, "wanted": self.wanted, "fault": self.fault,
            "level": None if self.level is None else round(self.level, 3), "stands": self.stands, "words": self.words,
        }  # fmt: skip


def advise(collector: Collector, answered: bool, stands: bool = True) -> Advice:
    """What the person at the seat is to do now; `answered`: the igloo that stands there got a sure answer; `stands`:
    see `Advice`."""
    now = collector.gesture
    done = min(now.placings, WANTED) if now is not None else 0
    step: Step = "again"
    if (
        collector.expired
        or collector.doubtful
        or (collector.last is not None and collector.last.kind == "no-empty")
    ):
        step = "tap-empty"
        if now is not None and (not now.under_way or now.doubtful):
            done = 0  # that gesture is over or void: the next tap does not add to it
    elif now is None:
        step, done = "put-down", 0
    elif answered:
        step = "lift-off"
    elif collector.settled:
        step, done = "put-down", 0  # answered, even if not surely: another igloo's turn
    elif not now.weights:
        step = "put-down"
    last = collector.last
    fault = _fault(last, collector.sensor)
    if fault == "clipped" and now is not None and now.hand_on:
        fault = "held"  # it was set down hard
    if fault in ("clipped", "held") and now is not None and now.too_faint:
        fault = "too-soft"  # it was set down anew after a tap that was too weak to be one
    if collector.doubtful and fault in (None, "too-soft", "too-hard") and not collector.expired:
        fault = "differ"  # the last tap itself was good
    return Advice(step, done, WANTED, fault, _level(last, collector.sensor), stands)


def _fault(last: Felt | None, sensor: str) -> Fault | None:
    if last is None:
        return None
    if last.twice and last.kind != "held":
        return "twice"
    if last.kind == "weighed" or last.kind == "empty":
        low, high = GOOD[sensor]
        return "too-hard" if last.strike > high else "too-soft" if last.strike < low else None
    if last.kind == "faint":
        return "too-soft"
    return None if last.kind == "set-down" else last.kind


def _level(last: Felt | None, sensor: str) -> float | None:
    if last is None:
        return None
    low, high = GOOD[sensor]
    return (last.strike - low) / (high - low)
