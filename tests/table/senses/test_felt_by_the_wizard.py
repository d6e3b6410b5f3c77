"""The wizard's takes of igloos whose nodes speak on one port."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.recordings.recorder import TakeRecorder
from hw_mock.igloo.node import IglooNode
from sensors.ear.profiles import profile as profiles
from sensors.ear.sources.at_rest import dead
from sensors.ear.sources.igloo_port import IglooPort
from table.commands.record_source import Noted, opener
from table.commands.record_way import Shaken, doubt_of, felt_rightly
from tests.dongle import PIECE, Dongle, Felt, without_x


def test_the_wizard_records_the_igloo_that_is_shaken(dongle: Dongle, felt: Felt) -> None:
    known = profiles.load_shipped("accelerometer")
    told = TakeRecorder(known.head_for(known.sensor, felt.rate), felt.rate, 3, 2.0)
    for start in range(0, len(felt.samples), PIECE):
        told.push(felt.samples[start : start + PIECE])
    with IglooPort.at(dongle.name) as shared:
        opened = opener(dongle.name, 2.0)
        dongle.write(IglooNode(17, felt.rate).feel(felt.samples[:PIECE]))
        dongle.shake(felt, IglooNode(20, felt.rate))
        with opened(7) as stream:
            head = known.head_for(known.sensor, stream.rate)
            recorder = TakeRecorder(head, stream.rate, stream.channels, 2.0)
            for block in stream.blocks():
                recorder.push(block)
                if recorder.take is not None:
                    break
        shared.close()  # the wizard's own hold on it, which it keeps to its end
    assert recorder.take is not None
    assert recorder.take.shake is not None
    assert told.take is not None
    assert told.take.shake is not None
    # How long a hand's last throw rattles on is for the beads: chaotic, another on another machine.
    assert recorder.take.shake.seconds == pytest.approx(told.take.shake.seconds, abs=0.4)
    assert 1.9 < recorder.take.shake.seconds < 3.3
    assert recorder.take.samples.shape[1] == 3
    assert stream.overflows == 0


def test_the_wizard_refuses_a_take_of_a_dead_axis_though_what_lies_still_is_made_up(
    dongle: Dongle, felt: Felt
) -> None:
    way = Shaken(profiles.load_shipped("accelerometer"), 2.0)
    with IglooPort.at(dongle.name) as shared:
        opened = opener(dongle.name, 2.0)
        dongle.shake(without_x(felt, 1), IglooNode(17, felt.rate))
        with opened(7) as stream:
            take = way.one_take(Noted(stream))
            assert take is not None
            assert dead(take.samples, stream.rate) is None
            judged = felt_rightly(take, stream, way)
        shared.close()
    assert judged is not None
    assert (judged.problem or "").startswith("this accelerometer's axis x (0) gives one value throughout")


@pytest.mark.parametrize("range_is", [1, 2])
def test_the_wizard_asks_the_chip_of_a_node_for_its_gravity_and_not_what_is_made_up(
    dongle: Dongle, felt: Felt, range_is: int
) -> None:
    """What is held between bursts may be a stroke's acceleration: at rest 2.7 g were felt, it was said."""
    way = Shaken(profiles.load_shipped("accelerometer"), 2.0)
    with IglooPort.at(dongle.name) as shared:
        opened = opener(dongle.name, 2.0)
        dongle.shake(Felt(felt.samples * np.float32(range_is), felt.rate), IglooNode(17, felt.rate))
        with opened(7) as stream:
            take = way.one_take(Noted(stream))
            assert take is not None
            made_up = np.full((round(3.0 * stream.rate), 3), 2.7 / 3**0.5, np.float32)
            take = replace(take, samples=np.concatenate([made_up, take.samples]), problem=None)
            of_a_node, of_another = felt_rightly(take, stream, way), felt_rightly(take, Noted(stream), way)
        shared.close()
    assert of_a_node is not None
    if range_is == 1:
        assert of_a_node.problem is None
        assert doubt_of(of_a_node, felt.rate, way) is None  # it is kept, and nothing is told of it
    else:
        assert (of_a_node.problem or "").startswith("at rest this accelerometer feels 2")
    assert of_another is not None
    assert (of_another.problem or "").startswith("at rest this accelerometer feels")
