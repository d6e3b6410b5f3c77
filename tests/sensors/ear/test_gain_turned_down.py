"""A gain that is turned down behind the converter makes an overdriven preamplifier softer, and no better."""

from __future__ import annotations

import numpy as np

from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Heard
from tests.rattle import RATE, rattle


def test_where_sound_ended_before_the_gain_was_changed_is_forgotten() -> None:
    shake = rattle(9, 3, loudness=0.9)
    flat = np.clip(shake, -0.15, 0.15).astype(np.float32)
    quiet = (1e-4 * np.random.default_rng(1).standard_normal(2 * RATE)).astype(np.float32)
    ear = Listener(load_shipped("microphone"), RATE, 1, "mic")
    sound = np.concatenate([quiet, 4 * flat, quiet, 1.5 * flat, quiet])[:, None]
    heard = [said for said in (*ear.push(sound), *ear.finish()) if isinstance(said, Heard)]
    assert [said.clipped for said in heard] == [True, True]
