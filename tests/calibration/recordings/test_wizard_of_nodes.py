"""What the wizard is told by the chip of an igloo node, in whose stream what lies still is made up."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hw_mock.igloo.node import IglooNode
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.sources.at_rest import coarse_step
from sensors.ear.sources.igloo_capture import IglooCapture
from table.commands.record_source import Noted
from table.commands.record_way import Shaken, doubt_of, felt_rightly
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
