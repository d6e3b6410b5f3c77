"""Folders in which the sitting gives the count away are recognised; sweeps are not accused."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from calibration.confounding import look
from calibration.recordings import Recording
from calibration.takes import Row
from sensors.ear.frontend import Envelopes, front_end_for
from sensors.ear.shake import shake_of
from tests.rattle import RATE, rattle


def row(beads: int, session: str, seed: int, loudness: float) -> Row:
    front = front_end_for("microphone", RATE)
    sound = loudness * rattle(beads, seed, seconds=0.8)[:, None]
    shake = shake_of(front, Envelopes(front, RATE, 1).push(sound.astype(np.float32)))
    assert shake is not None
    recording = Recording(Path(), f"{seed}", "microphone", beads, session=session)
    return Row(recording, RATE, shake, 40.0, False, -60.0 + float(np.random.default_rng(seed).normal()))


def test_ten_takes_of_each_igloo_in_a_row_are_a_trap() -> None:
    random = np.random.default_rng(2)
    rows, seed = [], 0
    for beads in (2, 5, 8, 11):
        for sitting in range(2):
            gain = float(np.exp(1.2 * random.standard_normal()))
            for _ in range(6):
                seed += 1
                rows.append(
                    row(
                        beads,
                        f"b{beads}-{sitting}",
                        seed,
                        gain * float(np.exp(0.03 * random.standard_normal())),
                    )
                )
    (trap, *_) = look(rows)
    assert trap.what == "loudness"
    assert trap.inside > trap.across + 0.12
    assert "record sweeps" in trap.sentence()


def test_sweeps_are_no_trap() -> None:
    random = np.random.default_rng(2)
    rows = [
        row(beads, f"sweep {sweep}", 100 * sweep + beads, float(np.exp(0.4 * random.standard_normal())))
        for sweep in range(6)
        for beads in (2, 4, 6, 8, 10, 12)
    ]
    assert look(rows) == []
