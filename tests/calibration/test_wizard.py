"""The wizard that records sweeps: random order, retakes, and going on after a break, on a mock capture stream."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from calibration import recordings as store
from calibration.recorder import TakeRecorder
from calibration.recordings import Recording
from calibration.sweep import Sweep, advice, next_sweep, remaining
from firmware_bridge.clock import VirtualClock
from hw_mock.sound import MockCapture
from sensors.ear.profile import load_shipped
from table.commands import calibrate_record
from tests.rattle import RATE, rattle


def take(sweep: Sweep, beads: int, rejected: str | None = None, player: str = "anna") -> Recording:
    return Recording(
        Path(),
        f"{sweep.name}-{beads}{rejected}",
        "microphone",
        beads,
        player=player,
        set=sweep.name,
        rejected=rejected,
    )


def test_a_sweep_asks_for_every_igloo_once_in_an_order_of_its_own() -> None:
    sweep = Sweep("table/monday/1", tuple(range(2, 14)))
    assert sorted(sweep.order()) == list(range(2, 14))
    assert sweep.order() == Sweep("table/monday/1", tuple(range(2, 14))).order()
    assert sweep.order() != Sweep("table/monday/2", tuple(range(2, 14))).order()


def test_a_rejected_take_comes_again_but_not_at_once() -> None:
    sweep = Sweep("table/monday/1", (2, 3, 4, 5))
    first, *rest = sweep.order()
    todo = remaining(sweep, [take(sweep, first, "too gentle")])
    assert todo == [*rest, first]


def test_a_break_is_no_loss_and_a_finished_sweep_is_followed_by_another() -> None:
    sweep, resumed = next_sweep([], (2, 3), "table", "monday")
    assert not resumed
    half = [take(sweep, 3)]
    assert next_sweep(half, (2, 3), "table", "monday") == (sweep, True)
    second, resumed = next_sweep([*half, take(sweep, 2)], (2, 3), "table", "monday")
    assert (second.name, resumed) == ("table/monday/2", False)


def test_a_second_person_is_asked_for_before_a_tenth_sweep_of_the_first() -> None:
    sweeps = [Sweep(f"table/monday/{i}", (2,)) for i in range(3)]
    mine = [take(s, 2) for s in sweeps]
    assert "another person's first sweep" in (advice(mine, "anna") or "")
    assert advice([*mine, take(sweeps[0], 2, player="bert")], "anna") is None
    assert advice(mine[:2], "anna") is None


def test_the_recorder_keeps_the_shake_and_says_what_is_wrong_with_it() -> None:
    head = load_shipped("contact").heads[0]

    def recorded(sound: np.ndarray[Any, np.dtype[np.float32]]) -> TakeRecorder:
        recorder = TakeRecorder(head, RATE, 1, 2.0)
        quiet = 3e-5 * np.random.default_rng(0).standard_normal(RATE).astype(np.float32)
        recorder.push(np.concatenate([quiet, sound, quiet])[:, None])
        return recorder

    good = recorded(rattle(6, 3)).take
    assert good is not None
    assert good.shake is not None
    assert good.shake.seconds == pytest.approx(2.0, abs=0.3)
    assert 2.2 < len(good.samples) / RATE < 4.0
    short = recorded(rattle(6, 3, seconds=0.6)).take
    assert short is not None
    assert "shake for 2 seconds" in (short.problem or "")
    hot = recorded(np.clip(30 * rattle(6, 3), -1, 1)).take
    assert hot is not None
    assert "overdriven" in (hot.problem or "")


def test_the_wizard_on_a_mock_stream(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrate_record, "opener", unhurried)
    answers = iter(["", "", "", "r", "q"])  # keep the first; throw out the second; stop
    words: dict[str, Any] = {"device": "D", "player": "anna", "session": "s", "seconds": 2.0, "as_json": True}

    def wizard(answers: Any) -> int:
        return calibrate_record.record(
            tmp_path, "mock", load_shipped("contact"), (3, 6), 1, ask=lambda question: next(answers), **words
        )

    assert wizard(answers) == 1
    recorded = list(store.read(tmp_path, lambda error: pytest.fail(str(error))))
    assert [r.rejected for r in recorded] == [None, "thrown out"]
    assert wizard(iter([""] * 10)) == 1  # the same command goes on with what is missing
    recorded = list(store.read(tmp_path, lambda error: pytest.fail(str(error))))
    assert {r.beads for r in recorded if r.rejected is None} == {3, 6}
    assert {r.set for r in recorded} == {"D/s/1"}
    for r in recorded:
        assert soundfile.info(r.path).duration > 1.5
        assert "strength" in r.more
    assert [json.loads(line)["beads"] for line in capsys.readouterr().out.splitlines()] == [
        r.beads for r in recorded
    ]


def unhurried(source: str, seconds: float) -> calibrate_record.OpenSource:
    """A capture stream that plays rattles, without the real pace: time passes as fast as blocks are asked for."""
    clock = VirtualClock()
    turn = iter(range(100))

    def opened(beads: int) -> MockCapture:
        quiet = 3e-5 * np.random.default_rng(beads).standard_normal(RATE // 2).astype(np.float32)
        sound = [quiet, rattle(beads, next(turn), seconds)]
        return MockCapture(sound, clock, lambda s: clock.set(clock.now() + s), rate=float(RATE), endless=True)

    return opened
