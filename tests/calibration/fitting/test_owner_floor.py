"""What an owner's sweep says of how the igloos' floor lies: found together, kept in the profile, believed at play."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.fitting.fit import fit
from calibration.recordings import folder as store
from calibration.takes.features import Row, rows
from calibration.testing.evaluate import answer
from hw_mock.igloo.plan import device_of
from sensors.ear.errors import ProfileError
from sensors.ear.frames.frontend import FRONT_ENDS
from sensors.ear.profiles import profile as profiles
from sensors.ear.profiles import profile_file
from sensors.ear.profiles.profile_json import body_of
from table.cli import run

SEED = 6  # its igloos agree on a floor whatever the last bits of a machine make of the beads
SLOWEST = FRONT_ENDS[-1]


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> list[list[Row]]:
    folder = tmp_path_factory.mktemp("owner")
    simulate = [
        "simulate",
        "shakes",
        "--out",
        str(folder),
        "--devices",
        "1",
        "--players",
        "1",
        "--sessions",
        "1",
        "--counts",
        "2-11",
    ]
    assert run([*simulate, "--seed", str(SEED), "--sensor", "accelerometer"]) == 0
    return list(rows(store.read(folder, pytest.fail), pytest.fail, (SLOWEST,)))


@pytest.fixture(scope="module")
def mine(sweep: list[list[Row]]) -> profiles.Profile:
    return fit(sweep, start_from=profiles.load_shipped("accelerometer")).profile


def test_it_is_kept_and_comes_back(mine: profiles.Profile, tmp_path: Path) -> None:
    (floor,) = {head.floor for head in mine.heads}
    assert floor is not None
    true = np.array(device_of(SEED, 0).mount.axes)[:, 2]
    assert np.degrees(np.arccos(np.dot(floor, true))) < 30
    profiles.save(mine, tmp_path / "mine.profile")
    assert profiles.load(tmp_path / "mine.profile").heads[0].floor == pytest.approx(floor, abs=1e-6)


def test_a_shake_is_answered_on_it(mine: profiles.Profile, sweep: list[list[Row]]) -> None:
    elsewhere = replace(mine, heads=tuple(replace(head, floor=None) for head in mine.heads))
    differ = [answer(mine, r).probabilities != answer(elsewhere, r).probabilities for r in sweep]
    assert all(differ)


def test_igloos_that_were_never_swept_have_none(sweep: list[list[Row]]) -> None:
    assert all(head.floor is None for head in profiles.load_shipped("accelerometer").heads)
    others = [[replace(row, recording=replace(row.recording, device="others")) for row in r] for r in sweep]
    shipped = profiles.load_shipped("accelerometer")
    assert fit([*sweep[:6], *others[6:]], start_from=shipped).profile.heads[0].floor is None
    assert fit(sweep, start_from=shipped, unit="device").profile.heads[0].floor is None
    assert fit(sweep[:6], start_from=shipped).profile.heads[0].floor is None  # too few to agree


def test_a_few_igloos_are_too_few_to_agree(sweep: list[list[Row]]) -> None:
    """Two or three takes of one igloo agree however its sensor is stuck on."""
    few = [
        [replace(row, recording=replace(row.recording, igloo=f"igloo {i % 4}")) for row in r]
        for i, r in enumerate(sweep)
    ]
    assert fit(few, start_from=profiles.load_shipped("accelerometer")).profile.heads[0].floor is None


def test_what_is_known_is_not_unlearned_by_a_few_takes(
    mine: profiles.Profile, sweep: list[list[Row]]
) -> None:
    assert fit(sweep[:6], start_from=mine).profile.heads[0].floor == mine.heads[0].floor


def test_a_microphone_does_without_a_compiler() -> None:
    listen = "from sensors.ear.listener import Listener; from sensors.ear.profiles.profile import load_shipped as of"
    heard = "import sys; Listener(of('microphone'), 48000.0, 1, 'x'); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", f"{listen}; {heard}"], check=False).returncode == 0


def test_profiles_from_before_and_broken_ones(mine: profiles.Profile) -> None:
    body = body_of(mine)
    for head in body["heads"]:
        del head["floor"]
    before = profiles.parse(profile_file.wrap(profiles.FORMAT, profiles.VERSION, body), "old.profile")
    assert before.heads[0].floor is None
    for wrong in ([0.0, 0.0, 2.0], [1.0, 0.0], ["up"]):
        body["heads"][0]["floor"] = wrong
        text = profile_file.wrap(profiles.FORMAT, profiles.VERSION, body)
        with pytest.raises(ProfileError, match="PT-401"):
            profiles.parse(text, "broken.profile")
