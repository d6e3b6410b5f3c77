"""What is a shake only by the benefit of the doubt is counted, and never surely."""

from __future__ import annotations

import numpy as np

from sensors.ear.listener import Listener
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.verdicts.reasons import HARDLY_ALIKE
from sensors.evidence import Heard

RATE = 48000


def clicks(seed: int, a_second: float, seconds: float = 5.0) -> np.ndarray:
    """Float32[samples, 1]: nails on a shell, at nobody's pace: clicks of 3 ms at random times, however loud."""
    random = np.random.default_rng(seed)
    out = 1e-4 * random.standard_normal(round((seconds + 1) * RATE))
    at, length = 0.0, round(0.03 * RATE)
    fading = np.exp(-np.arange(length) / (0.003 * RATE))
    while (at := at + random.exponential(1 / a_second)) < seconds:
        piece = out[(start := round(at * RATE)) : start + length]
        piece += (random.uniform(0.02, 0.1) * random.standard_normal(length) * fading)[: len(piece)]
    return out[:, None].astype(np.float32)


def test_clicks_at_no_hands_pace_are_no_sure_two_beads() -> None:
    said = []
    for seed in (101, 105):
        ear = Listener(load_shipped("contact"), RATE, 1, "nails")
        said += [one for one in ear.push(clicks(seed, 12.0)) if isinstance(one, Heard)] + list(ear.finish())
    assert not [one for one in said if one.verdict == "sure"]
    hardly = [one for one in said if one.reason == HARDLY_ALIKE]
    assert hardly  # else this test has lost its clicks
    assert {one.doubt for one in hardly} == {"strange"}  # a desk asks to look underneath
    # what is claimed less clearly is only undecided
    assert all(max(one.probabilities.values()) < 0.9 for one in said if one.doubt == "odds")
