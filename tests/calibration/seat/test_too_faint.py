"""A disc whose gain is too low: that is what is said of its recordings, and not that nobody tapped."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from calibration.recordings.folder import read
from calibration.seat.fit import TOO_FAINT, fit_taps
from calibration.seat.taps import listen
from firmware_bridge.errors import PolartableError
from table.cli import run
from tests.calibration.seat.weighed import Write, right
from tests.sensors.gesture.seat_table import RATE, Table

GOOD = 0.5  # of full scale to a g of the seat


def folder_of(path: Path, gains: dict[int, float], **odd: np.ndarray) -> Path:
    """A disc's recordings of igloos of so many beads, each at its gain."""
    with (path / "recordings.jsonl").open("w") as index:
        for n, gain in gains.items():
            g = odd.get(f"igloo{n}", right(n))
            soundfile.write(
                path / f"{n}.wav", gain * (g - g.mean(axis=0)).sum(axis=1), round(RATE), subtype="FLOAT"
            )
            line = {"file": f"{n}.wav", "sensor": "microphone", "gesture": "seat-tap", "place": "seat", "beads": n,
                    "igloo": str(n), "device": "D01", "session": "s1"}  # fmt: skip
            index.write(json.dumps(line) + "\n")
    return path


def fit_of(folder: Path) -> tuple[list[int], list[str]]:
    """The counts that were weighed, and what was told."""
    told: list[PolartableError] = []
    profile = fit_taps(list(listen(read(folder, told.append), told.append)), None, told.append)
    return list(profile.fitted_on.beads or ()), [str(error) for error in told]


@pytest.mark.parametrize("gain", [0.03, 0.001, 0.0])
def test_a_folder_that_is_all_too_faint_asks_for_more_gain(
    tmp_path: Path, gain: float, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of(tmp_path, dict.fromkeys((3, 6, 9, 12), gain))
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(tmp_path / "seat.profile")]) == 2
    assert (
        "no recording holds a gesture of a known count: in 4 of 4 the taps are too faint to be weighed – turn the gain "
        "up until a good tap peaks near −18 dB of full scale, look at the disc's plug, and record them again"
    ) in capsys.readouterr().err


def test_one_that_is_too_faint_among_others_is_told_as_that(tmp_path: Path) -> None:
    beads, told = fit_of(folder_of(tmp_path, {3: GOOD, 6: 0.03, 9: GOOD, 12: GOOD, 13: GOOD}))
    assert beads == [3, 9, 12, 13]
    assert len(told) == 1
    assert (
        "6.wav is left out: the taps are too faint to be weighed – record it again: turn the gain up"
        in told[0]
    )


def test_an_accelerometer_that_was_tapped_too_gently_has_no_gain_to_be_turned_up(written: Write) -> None:
    still = np.array([0.0, 0.0, 1.0])
    gently = 0.15 * (right(6) - still) + still
    _, (told,) = fit_of(written(igloo6=gently, counts=(3, 6, 9, 12)))
    assert "D01-06.wav is left out: the empty seat was not heard before" in told
    assert TOO_FAINT.partition(":")[0] not in told


def test_one_in_which_nobody_tapped_is_not_called_faint(tmp_path: Path) -> None:
    nothing = Table(1).quiet(0.4).tap().tap().quiet(4).take()
    gains = dict.fromkeys((3, 6, 9, 12), GOOD)
    _, (told,) = fit_of(folder_of(tmp_path, gains | {6: 0.03}, igloo6=nothing))
    assert "6.wav is left out: the empty seat was not heard before" in told
    assert TOO_FAINT.partition(":")[0] not in told
