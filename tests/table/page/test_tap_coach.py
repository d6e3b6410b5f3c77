"""The counting seat on the page: led through the gesture step by step, in four languages. Simulated seat, real code."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import read
from calibration.seat.fit import fit_taps
from calibration.seat.taps import listen
from firmware_bridge.clock import VirtualClock
from hw_mock.igloo.going_on_taps import write_all
from hw_mock.igloo.seat_recordings import SeatPlan, jobs
from sensors.evidence import Heard
from sensors.gesture.coach import FAULTS, STEPS, Advice
from sensors.gesture.counter import Counter
from sensors.gesture.judge import FOREIGN, NO_EMPTY, UNKNOWN
from sensors.gesture.profile import GestureProfile
from sensors.why import Reason, Why
from table.listening.counting_seat import SeatEar
from table.page.tap_coach import Standing, steps, told
from table.page.texts import LANGUAGES, Texts
from table.senses.tap_wire import LiveTaps, TapWire
from table.senses.watchdog import Senses
from tests.knowing import weighing
from tests.parts import proof
from tests.sensors.gesture import seat_table

PLAN = SeatPlan(21, devices=1, sessions=2, counts=(3, 6, 9))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_and_every_fault_can_be_said(language: str) -> None:
    texts = Texts(language)
    for step in STEPS:
        for fault in (None, *FAULTS):
            for level in (None, -3.0, 0.5, 9.0):
                shown = steps(Advice(step, 1, 3, fault, level), texts)
                assert shown.count("✓") == 1
                assert ("refused" in shown) == (fault is not None)
                assert ("needle" in shown) == (level is not None)


def counted(reason: Reason | None, odds: dict[int, float]) -> Heard:
    return Heard("", 0.0, 9.0, "unsure" if reason else "sure", odds, 30.0, False, "", reason)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_could_not_be_weighed_is_told_and_no_count_guessed(language: str) -> None:
    texts, flat = Texts(language), dict.fromkeys(range(2, 14), 1 / 12)
    for reason in (NO_EMPTY, FOREIGN):
        shown = told(counted(reason, flat), True, texts)
        assert "<svg" not in shown
        assert "8%" not in shown
        assert (reason in shown.lower()) == (language == "en")
    assert "<svg" in told(counted(UNKNOWN, {7: 0.6, 8: 0.4}), True, texts)


def test_two_that_weigh_alike_are_named_only_where_counts_may_be_known() -> None:
    alike = Reason(Why.WEIGH_ALIKE, "7 and 8 weigh nearly alike: set it down anew and tap once more")
    close = counted(alike, {7: 0.6, 8: 0.4})
    assert "weigh nearly alike" in told(close, True, Texts("en"))
    assert told(close, False, Texts("en")) == ""
    assert told(None, True, Texts("en")) == ""


def test_an_answer_stands_until_the_next_gesture_begins() -> None:
    standing, answer = Standing(), counted(None, {7: 1.0})

    def shown(step: str, done: int, level: float) -> bool:
        return standing.of(answer, Advice(step, done, 3, None, level)) is answer  # type: ignore[arg-type]

    assert shown("lift-off", 3, 0.5)
    assert shown("lift-off", 4, 0.6)  # tapped once more: the same igloo
    assert shown("put-down", 0, 0.4)  # lifted off, and the empty seat tapped
    assert not shown("put-down", 0, 0.7)  # the next one
    assert not shown("again", 1, 0.5)
    answer = counted(None, {8: 1.0})
    assert shown("lift-off", 3, 0.5)
    assert not shown("again", 1, 0.5)  # another igloo was put on, and nobody tapped the empty seat


def test_an_answer_that_was_of_another_igloo_for_a_moment_is_not_shown_again() -> None:
    standing, answer = Standing(), counted(None, {7: 1.0})

    def shown(done: int, stands: bool) -> bool:
        return standing.of(answer, Advice("again", done, 3, None, 0.5, stands)) is answer

    assert [shown(1, True), shown(1, False), shown(2, True), shown(3, True)] == [True, False, False, False]
    answer = counted(None, {8: 1.0})
    assert shown(3, True)


class Shown:
    """What a page showed of a seat's counts, block by block."""

    def __init__(self) -> None:
        self._counter = Counter(seat_table.fitted(), seat_table.RATE, 3)
        self._standing, self._counts = Standing(), set[int]()
        self._advice: Advice | None = None
        self.heard: Heard | None = None

    def hear(self, samples: np.ndarray) -> None:
        for i in range(0, len(samples), 40):
            for said in self._counter.push(samples[i : i + 40]):
                if isinstance(said, Heard):
                    self.heard = said
                    self._look()  # drawn between the answer and the advice
            self._advice = self._counter.advice
            self._look()

    def _look(self) -> None:
        answer = self._standing.of(self.heard, self._advice)
        if answer is not None and answer.best is not None:
            self._counts.add(answer.best)

    def counts(self) -> set[int]:
        """… since it was asked last."""
        seen, self._counts = self._counts, set()
        return seen


@pytest.mark.parametrize("emptied", [False, True])
@pytest.mark.parametrize("placed", [1, 2])
def test_nobody_s_count_is_shown_while_the_next_igloo_is_tapped(placed: int, emptied: bool) -> None:
    shown, table = Shown(), seat_table.Table(5).quiet(0.3).tap().tap().placed(*placed * [7])
    shown.hear(table.take())
    if emptied:
        shown.hear(table.tap().tap().take())
    assert shown.counts() == set()  # too few for an answer
    shown.hear(table.placed(8, 8).take())
    assert shown.heard is not None  # of the igloo that has gone
    assert shown.heard.best == 7
    assert shown.counts() == set()
    shown.hear(table.placed(8).quiet(0.5).take())
    assert shown.counts() == {8}


def test_what_was_told_of_few_settings_down_is_shown_until_another_is_tapped() -> None:
    shown, table = Shown(), seat_table.Table(5).quiet(0.3).tap().tap().placed(2).quiet(9)
    shown.hear(table.take())
    assert shown.counts() == {2}
    shown.hear(table.quiet(0.5).take())
    assert shown.counts() == {2}
    shown.hear(table.quiet(0.2).tap(12).take())
    shown.counts()
    shown.hear(table.placed(12).quiet(0.2).take())
    assert shown.counts() == set()
    shown.hear(table.placed(12).quiet(0.5).take())
    assert shown.counts() == {12}


async def test_an_empty_seat_asks_to_be_tapped_and_is_drawn_once() -> None:
    profile = GestureProfile("accelerometer", (3, 6, 9), {}, 0.9, weighing(), {})
    live = LiveTaps()
    wire = TapWire("seat", profile, live, Senses(lambda change: None), VirtualClock())
    ear = SeatEar(profile, 1600.0, 3, "seat", partial=True)
    still = np.random.default_rng(1).normal(0, 1e-3, (32, 3)).astype(np.float32) + np.array(
        [0, 0, 1], np.float32
    )
    for _ in range(200):
        assert list(ear.push(still)) == []
        wire._block(ear.advice)
    assert live.advice is not None
    assert live.advice.step == "tap-empty"
    assert live.version == 1
    assert "tippe zweimal" in steps(live.advice, Texts("de"))


async def test_a_seat_that_is_away_asks_for_nothing() -> None:
    """Taps are not felt meanwhile, and the gesture begins anew afterwards."""
    profile = GestureProfile("accelerometer", (3, 6, 9), {}, 0.9, weighing(), {})
    live = LiveTaps()
    wire = TapWire("seat", profile, live, Senses(lambda change: None), VirtualClock())
    advice = SeatEar(profile, 1600.0, 3, "seat", partial=True).advice
    wire._block(advice)
    wire.take({"event": "link", "source": "seat", "state": "lost", "why": "unplugged"})
    assert (live.advice, live.version) == (None, 2)
    wire._block(advice)
    assert live.advice is advice


def test_an_answer_that_no_longer_stood_is_not_shown_again_while_the_seat_is_away() -> None:
    for stands in (True, False):
        standing, answer = Standing(), counted(None, {7: 1.0})
        begins = Advice("tap-empty", 0, 3, None, None)
        for advice in (Advice("again", 1, 3, None, None, stands), None, begins):
            assert standing.of(answer, advice) is (answer if stands else None)


@pytest.mark.skipif(not proof(0, 1), reason="a minute of simulated taps: make proof")
async def test_somebody_is_led_through_the_gesture_and_the_igloo_is_told(tmp_path: Path) -> None:
    for _ in write_all(tmp_path, PLAN):
        pass
    owner = [r for r in read(tmp_path, print) if r.session == "s1" and r.sensor == "accelerometer"]
    profile = fit_taps(list(listen(owner, print)), (3, 6, 9))
    job = next(j for j in jobs(PLAN) if j.session == 1 and j.beads == 9)
    samples, rate = soundfile.read(tmp_path / f"{job.name}.acc.wav", always_2d=True, dtype="float32")
    clock, live = VirtualClock(), LiveTaps()
    wire = TapWire("seat", profile, live, Senses(lambda change: None), clock)
    ear = SeatEar(profile, rate, 3, "seat", partial=True)
    seen: list[str] = []
    size = max(1, round(rate * 0.02))
    for start in range(0, len(samples), size):
        for said in ear.push(np.asarray(samples[start : start + size], np.float32)):
            wire.take(said)
        wire._block(ear.advice)
        assert live.advice is not None
        if not seen or seen[-1] != live.advice.step:
            seen.append(live.advice.step)
    for said in ear.finish():
        wire.take(said)
    await asyncio.sleep(0)
    assert seen[:3] == ["tap-empty", "put-down", "again"]
    assert isinstance(live.heard, Heard)
    assert live.heard.best == 9
    assert 3 < live.version < 200  # drawn when something changed, not fifty times a second
