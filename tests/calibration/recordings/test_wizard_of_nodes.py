"""What the wizard is told by the chip of an igloo node, in whose stream what lies still is made up."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.recordings.recorder import TakeHeard
from hw_mock.igloo.node import IglooNode
from sensors.ear.frames.frontend import Envelopes
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.shakes.shake import shake_of
from sensors.ear.sources.at_rest import coarse_step
from sensors.ear.sources.igloo_capture import IglooCapture
from table.commands import record_way
from table.commands.record_moves import move_told, only_moved
from table.commands.record_source import Noted, opener
from table.commands.record_way import Shaken, doubt_of, felt_rightly, one_take
from tests.dongle import Felt, held_dongle, one_shake


def test_the_wizard_tells_of_a_node_s_coarse_steps_though_what_lies_still_has_finer_ones(
    tmp_path: Path,
) -> None:
    felt = one_shake()
    coarse = Felt((np.round(felt.samples * 8) / 8).astype(np.float32), felt.rate)
    way = Shaken(load_shipped("accelerometer"), 2.0)
    with held_dongle(tmp_path) as dongle:
        dongle.shake(coarse, IglooNode(17, felt.rate))
        with IglooCapture(dongle.name, shaken=True) as stream:
            take = way.one_take(Noted(stream))
            judged = felt_rightly(take, stream, way)
    assert judged is not None
    assert take is not None
    assert judged.problem == take.problem  # it is recorded: a set's own profile may count by it
    assert coarse_step(take.samples) is None
    doubt = doubt_of(judged, felt.rate, way) or ""
    assert doubt.startswith("this accelerometer's values go in steps of 0.12 g, too coarse to count by")


def test_a_lift_that_hardly_stands_out_is_measured_by_how_long_it_was_waited_for(tmp_path: Path) -> None:
    """Of it the whole take seems to be the shake."""
    felt = one_shake()
    lifted = felt.samples[: round(1.5 * felt.rate)]
    way = Shaken(load_shipped("accelerometer"), 2.0)
    shake = shake_of(
        way.profile.heads[0].front, Envelopes(way.profile.heads[0].front, felt.rate, 3).push(lifted)
    )
    assert shake is not None
    take = TakeHeard(lifted, replace(shake, end_s=shake.start_s + 1.4), "drowned in background noise", 0)
    with held_dongle(tmp_path) as dongle:
        dongle.shake(felt, IglooNode(17, felt.rate))
        with IglooCapture(dongle.name, shaken=True) as stream:
            assert only_moved(take, stream, way) == pytest.approx(0.6, abs=0.05)
            assert only_moved(replace(take, problem=None), stream, way) is None
    assert only_moved(take, Noted(stream), way) is None


def test_a_move_is_told_where_it_was_a_shake_too_short_or_nothing_else_comes() -> None:
    """An igloo is lifted before each shake, and nobody who is about to shake it wants to hear of that."""
    way = Shaken(load_shipped("accelerometer"), 2.0)
    shake = shake_of(
        way.profile.heads[0].front,
        Envelopes(way.profile.heads[0].front, (felt := one_shake()).rate, 3).push(felt.samples),
    )
    assert shake is not None
    lifted, short, bumped = (replace(shake, strokes=n) for n in (2, 5, 1))
    said = "Moved for 0.9 s, which is no shake: shake it for 2 seconds."
    assert move_told(0.9, short, 1, way) == said
    assert move_told(0.9, lifted, 1, way) is None
    assert move_told(0.2, short, 1, way) is None
    assert [move_told(0.0, bumped, times, way) is not None for times in (1, 2, 3, 4, 5, 8)] == [
        False, False, False, True, False, True,
    ]  # fmt: skip
    assert move_told(0.0, None, 2, way) is None


def test_an_igloo_that_is_only_put_down_after_the_question_keeps_no_other_from_being_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its burst came first and was a take that was drowned; or the wizard heard it alone for a silent minute. Nothing
    is said of it: who is about to shake need not hear that something was put down."""
    monkeypatch.setattr(record_way, "PATIENCE_S", 30.0)
    felt = one_shake()
    put_down = felt.samples[: round(2 * felt.rate)].copy()
    put_down[:] = put_down[0]
    put_down[round(felt.rate) :, 0] += 0.16  # it lies otherwise than it was held
    way = Shaken(load_shipped("accelerometer"), 2.0)
    with held_dongle(tmp_path) as dongle:
        hands = [
            threading.Timer(0.5, dongle.shake, (Felt(put_down, felt.rate), IglooNode(18, felt.rate))),
            threading.Timer(3.0, dongle.shake, (felt, IglooNode(17, felt.rate))),
        ]
        opened = opener(dongle.name, 2.0)
        for hand in hands:
            hand.start()
        take, _, nothing = one_take(opened, 7, way, dongle.name)
        for hand in hands:
            hand.join()
    assert take is not None, nothing
    assert take.problem is None
    assert take.shake is not None
    assert take.shake.seconds > 1.5
    assert "Moved" not in capsys.readouterr().err
