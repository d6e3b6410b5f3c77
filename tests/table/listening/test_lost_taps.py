"""Sound that a busy machine lost while the counting seat rang: such a ring is left out, and that is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np
import pytest

from firmware_bridge.clock import VirtualClock
from sensors.ear.errors import CaptureLost
from sensors.ear.sources.capture import InputDevice
from sensors.ear.verdicts.lost_sound import CLOSE_OTHERS, LOST_ON_THE_WAY
from sensors.evidence import Heard
from sensors.gesture.profile import GestureProfile
from table.listening import live
from table.listening.counting_seat import SeatEar
from table.senses.sound_losses import LOST_AGAIN_S
from table.senses.tap_wire import LiveTaps, TapWire
from table.senses.watchdog import Change, Senses
from tests.sensors.gesture.seat_table import RATE, SMALL, Table, fitted

CARD = InputDevice(0, "card", 3, RATE)
LOST = round(0.02 * RATE)  # samples


@pytest.fixture(scope="module")
def profile() -> GestureProfile:
    return fitted(SMALL)


class Card:
    """Gives samples, but for some after each of `cuts`, which it counts as an overflow; then it is pulled out."""

    def __init__(self, samples: np.ndarray, cuts: Sequence[float]) -> None:
        self._samples, self._cuts = samples.astype(np.float32), [round(at * RATE) for at in cuts]
        self.rate, self.channels, self.overflows, self.device = RATE, 3, 0, CARD
        self.age_s = 0.0

    def __enter__(self) -> Card:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def blocks(self) -> Iterator[np.ndarray]:
        at = 0
        while at < len(self._samples):
            if self._cuts and at >= self._cuts[0]:
                at += LOST
                self._cuts.pop(0)
                self.overflows += 1
            yield self._samples[at : at + 8]
            at += 8
        raise CaptureLost("pulled", "plug it in")


def listened(
    profile: GestureProfile, table: Table, cuts: Sequence[float], monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Heard], list[str]]:
    """What is heard at the seat, and what the coach says, each once."""
    told: list[str] = []
    over: list[bool] = []
    card = Card(table.take(), cuts)
    monkeypatch.setattr(live, "open_input", lambda found, microphones: card)
    monkeypatch.setattr(live, "find_input", lambda source: CARD)
    monkeypatch.setattr(live, "input_devices", list)

    def ear(rate: float, channels: int) -> Any:
        return SeatEar(profile, rate, channels, "card", tell=told.append)

    said = live.hear_live(
        "card", cast(Any, profile), False, VirtualClock(), None, lambda s: over.append(True),
        stopped=lambda: bool(over), at_seat=ear,
    )  # fmt: skip
    return [one for one in said if isinstance(one, Heard)], told


def right(beads: int, empties: int = 2) -> Table:
    table = Table(beads, SMALL).quiet(0.4)
    for _ in range(empties):
        table.tap()
    return table.placed(beads, beads, beads).quiet(0.4)


# the taps on the empty seat are at 0.4, 1.3 and 2.2 s
@pytest.mark.parametrize("cuts", [(), (0.6, 1.5), (0.55,), (1.45,)])
@pytest.mark.parametrize("beads", [5, 9])
def test_a_ring_of_the_empty_seat_that_lacks_sound_is_no_empty_seat(
    profile: GestureProfile, beads: int, cuts: tuple[float, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, told = listened(profile, right(beads, empties=3), cuts, monkeypatch)
    assert [(one.verdict, one.best) for one in heard] == [("sure", beads)]
    assert any("Sound was lost on the way" in words for words in told) == bool(cuts)


def test_nothing_is_weighed_against_an_empty_seat_of_which_all_was_lost(
    profile: GestureProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard, told = listened(profile, right(7), (0.6, 1.5), monkeypatch)
    assert all(one.verdict == "unsure" for one in heard)
    assert any("Sound was lost on the way" in words for words in told)


def test_an_igloo_s_tap_that_lacks_sound_is_tapped_again_and_the_answer_is_sure(
    profile: GestureProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(7, SMALL).quiet(0.4).tap().tap().placed(7)
    lost_s = sum(map(len, table.parts)) / RATE - 0.8
    heard, told = listened(profile, table.placed(7, 7, 7).quiet(0.4), (lost_s,), monkeypatch)
    assert [(one.verdict, one.best) for one in heard] == [("sure", 7)]
    assert any("Sound was lost on the way" in words for words in told)


@pytest.mark.parametrize("pulled_s", [0.02, 0.1])
def test_a_tap_that_was_heard_counts_though_the_cable_is_pulled_then(
    profile: GestureProfile, pulled_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was told to shake once more, and nobody shakes at a seat."""
    table = Table(7, SMALL).quiet(0.4).tap().tap().placed(7, 7).quiet(pulled_s)
    heard, _ = listened(profile, table, (), monkeypatch)
    assert [(one.verdict, one.best) for one in heard] == [("sure", 7)]


def test_the_panel_is_told_of_lost_sound_once_a_minute(profile: GestureProfile) -> None:
    changes: list[Change] = []
    clock = VirtualClock()
    wire = TapWire("card", profile, LiveTaps(), Senses(changes.append), clock)
    for _ in range(3):
        wire.take({"event": "overflow", "source": "card", "blocks": 1})
    assert [(one.source, one.why, one.mend) for one in changes] == [
        ("sensor of the counting seat", LOST_ON_THE_WAY, CLOSE_OTHERS)
    ]
    clock.set(LOST_AGAIN_S)
    wire.take({"event": "overflow", "source": "card", "blocks": 2})
    assert len(changes) == 2
