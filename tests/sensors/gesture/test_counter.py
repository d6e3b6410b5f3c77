"""An owner weighs his igloos once; somebody else counts them; and what is said when it is done wrongly. Simulated."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from calibration.recordings.folder import read
from calibration.seat.fit import fit_taps
from calibration.seat.in_order import evaluate_taps
from calibration.seat.taps import listen
from firmware_bridge.errors import PolartableError
from hw_mock.igloo.going_on_taps import write_all
from hw_mock.igloo.seat_recordings import SeatJob, SeatPlan, jobs, perform, sense
from sensors.ear.errors import FitError, ProfileError, SoundError
from sensors.evidence import Heard, Hearing
from sensors.gesture import profile as profiles
from sensors.gesture.counter import Counter
from sensors.gesture.judge import HELD, NO_EMPTY
from sensors.gesture.profile import GestureProfile
from table.cli import app

PLAN = SeatPlan(21, devices=1, sessions=2, counts=(3, 6, 9))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("seat")
    for _ in write_all(path, PLAN):
        pass
    return path


@pytest.fixture(scope="module")
def profile(folder: Path) -> GestureProfile:
    owner = [r for r in read(folder, print) if r.session == "s1" and r.sensor == "accelerometer"]
    return fit_taps(list(listen(owner, print)), (3, 6, 9))


def other(beads: int) -> SeatJob:
    return next(j for j in jobs(PLAN) if j.session == 1 and j.beads == beads)


def played(counter: Counter, samples: np.ndarray, block: int) -> list[Heard | Hearing]:
    out: list[Heard | Hearing] = []
    for i in range(0, len(samples), block):
        out += counter.push(samples[i : i + block])
    return out + counter.finish()


@pytest.mark.parametrize("beads", [3, 9])
def test_somebody_else_counts_the_owners_igloo(folder: Path, profile: GestureProfile, beads: int) -> None:
    import soundfile as sf

    samples, rate = sf.read(folder / f"{other(beads).name}.acc.wav", always_2d=True)
    counter = Counter(profile, rate, 3, device="D01")
    assert counter.advice.step == "tap-empty"
    said = played(counter, samples, 50)
    verdicts = [s for s in said if isinstance(s, Heard)]
    assert len(verdicts) == 1
    assert verdicts[0].verdict == "sure"
    assert verdicts[0].best == beads
    assert sum(verdicts[0].probabilities.values()) == pytest.approx(1.0, abs=1e-3)
    assert [s.probabilities for s in said if isinstance(s, Hearing)]  # told after each tap, too
    # whatever the blocks, the same answer
    again = [
        s for s in played(Counter(profile, rate, 3, device="D01"), samples, 1024) if isinstance(s, Heard)
    ]
    assert again[0].best == beads
    assert again[0].probabilities[beads] == pytest.approx(verdicts[0].probabilities[beads], abs=0.02)


def test_a_gesture_that_was_under_way_where_a_file_breaks_off_is_told(
    folder: Path, profile: GestureProfile, tmp_path: Path
) -> None:
    from table.listening.counting_seat import hear_file

    path = tmp_path / "tapped.wav"
    whole = (folder / f"{other(3).name}.acc.wav").read_bytes()
    heard = list(hear_file(folder / f"{other(3).name}.acc.wav", profile, "tapped", False, device="D01"))
    path.write_bytes(whole[: round(0.8 * len(whole))])
    said: list[Heard | Hearing] = []
    with pytest.raises(SoundError, match="breaks off in the middle"):
        said.extend(hear_file(path, profile, "tapped", False, device="D01"))
    assert [one.best for one in said if isinstance(one, Heard)] == [
        one.best for one in heard if isinstance(one, Heard)
    ]


def test_who_does_not_let_go_or_forgets_the_empty_seat_is_told_so(profile: GestureProfile) -> None:
    job = other(6)
    reasons = {}
    for mistake in ("holding", "resting", "no-empty"):
        taken = perform(replace(job, plan=replace(PLAN, placings=2)), mistake)  # type: ignore[arg-type]
        samples, rate = sense(job, taken, "accelerometer")
        said = [
            s for s in played(Counter(profile, rate, 3, device="D01"), samples, 200) if isinstance(s, Heard)
        ]
        assert all(s.verdict == "unsure" for s in said)
        assert all("beads" in s.to_json() and s.to_json()["beads"] is None for s in said)
        reasons[mistake] = [s.reason for s in said]
    assert reasons["holding"] == reasons["resting"] == [HELD]
    assert reasons["no-empty"] == [NO_EMPTY]


@pytest.mark.parametrize("channels", [1, 2])
def test_an_accelerometer_without_all_its_axes_is_no_source_of_a_seats_profile(
    profile: GestureProfile, channels: int
) -> None:
    """It counted by what was left, and nothing was said of how the seat leans."""
    with pytest.raises(ProfileError, match=f"and seat has {channels} channel.* – record all three axes"):
        Counter(profile, 833.0, channels, device="D01")


def test_silence_talk_and_broken_samples_are_no_gesture(profile: GestureProfile) -> None:
    r = np.random.default_rng(1)
    counter = Counter(profile, 833.0, 3, device="D01")
    noise = r.normal(size=(833 * 20, 3)) * 0.002 + [0, 0, 1]
    noise[500] = np.nan
    noise[900] = np.inf
    assert not [s for s in played(counter, noise, 333) if isinstance(s, Heard)]


def test_profiles_come_back_as_they_were_and_damaged_ones_are_refused(
    profile: GestureProfile, tmp_path: Path
) -> None:
    saved = profiles.save(profile, tmp_path / "seat.profile")
    assert profiles.is_gesture_profile(tmp_path / "seat.profile")
    os.mkfifo(tmp_path / "pipe")
    assert not profiles.is_gesture_profile(tmp_path / "pipe")  # and does not wait for somebody to write
    back = profiles.load(tmp_path / "seat.profile")
    assert back.digest == saved.digest
    assert np.allclose(back.sets["D01"].model.means, profile.sets["D01"].model.means)
    text = (tmp_path / "seat.profile").read_text()
    for broken in (
        text[:-40],
        text.replace('"kappa":0.4', '"kappa":0.5'),
        "{}",
        "no",
        text.replace('"version":2', '"version":9'),
    ):
        with pytest.raises(ProfileError):
            profiles.parse(broken, "x")
    with pytest.raises(ProfileError, match="no set called"):
        Counter(profile, 833.0, 3, device="D77")


def test_a_folder_is_fitted_and_tested_on_the_command_line(folder: Path, tmp_path: Path) -> None:
    run, out = CliRunner(), tmp_path / "seat.profile"
    common = ["--sensor", "accelerometer", "--counts", "3,6,9", "--json"]
    fitted = run.invoke(
        app, ["calibrate", "igloos", "fit", str(folder), "--out", str(out), "--only", "session=s1", *common]
    )
    assert fitted.exit_code == 0, fitted.output
    assert json.loads(fitted.stdout)["profile"].startswith("sha256:")
    words = [
        "calibrate",
        "igloos",
        "evaluate",
        str(folder),
        "--profile",
        str(out),
        "--only",
        "session=s2",
        "--json",
    ]
    tested = run.invoke(app, words)
    assert tested.exit_code == 0, tested.output
    *lines, last = [json.loads(line) for line in tested.stdout.splitlines()]
    assert [line["best"] for line in lines] == [line["true_beads"] for line in lines]
    assert last["summary"]["n"] == 3
    assert last["summary"]["exact_in_sets"] == 1.0


def test_a_microphone_folder_does_not_go_with_an_accelerometers_profile(
    folder: Path, profile: GestureProfile
) -> None:
    told: list[PolartableError] = []
    discs = [r for r in read(folder, print) if r.sensor == "microphone"][:1]
    assert evaluate_taps(profile, listen(discs, told.append), told.append) == []
    assert isinstance(told[0], ProfileError)
    with pytest.raises(FitError, match="mixed"):
        fit_taps(list(listen(list(read(folder, print))[:2], print)))
