"""A channel of one file gives nothing from some time on, and the others shake on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.rattle import RATE
from tests.table.listening.two_shakes import SECOND_S, TWICE, Capture, told


@pytest.mark.parametrize("constant", [0.0, 0.125])
def test_a_channel_that_dies_before_the_last_shake_is_named(
    tmp_path: Path, capsys: Capture, constant: float
) -> None:
    """Blue's shakes after that would be lost, or told of red, without a word."""
    table = tmp_path / "table.wav"
    shaken = np.concatenate(TWICE)
    sound = np.stack([shaken, shaken[::-1] * 0.9], axis=1)
    sound += 1e-4 * np.random.default_rng(1).standard_normal(sound.shape)
    soundfile.write(table, sound, RATE)
    _, _, said = told(capsys, str(table), "--seats", "red,blue")
    assert "from" not in said
    dies = round(SECOND_S * RATE)
    sound[dies:, 1] = constant
    soundfile.write(table, sound, RATE)
    code, _, said = told(capsys, str(table), "--seats", "red,blue")
    assert code == 0
    assert f"channel 2 of table.wav (seat blue) gives nothing from {SECOND_S:.1f} s on" in said
