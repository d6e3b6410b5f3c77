"""Rounds of several people at one table, as recordings with their truth."""

import json
from dataclasses import replace

import numpy as np
import pytest
import soundfile as sf

from calibration.recordings import folder as recordings
from hw_mock.igloo import seating
from hw_mock.igloo.constants import SOUND_SPEED
from hw_mock.igloo.hand import Motion
from hw_mock.igloo.together import Evening, Round, rounds, write

PLAN = Evening(3, tables=1, rounds=1, people=(1, 2), seats=3, sensors=("accelerometer", "seat", "microphone"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    into = tmp_path_factory.mktemp("round")
    lines = [line for one in rounds(PLAN) for line in write(into, one)]
    (into / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return into


def test_a_round_is_written_as_recordings_that_say_who_shook_what_when(folder):
    complaints = []
    read = list(recordings.read(folder, complaints.append))
    assert complaints == []
    pair = [r for r in read if r.more["together"] == 2]
    assert [r.sensor for r in pair].count("accelerometer") == 2
    assert [r.more.get("place") for r in pair].count("seat") == 3
    shaking = {s["seat"] for s in pair[0].more["shakes"]}
    assert len(shaking) == 2
    for r in pair:
        info = sf.info(r.path)
        assert info.channels == (3 if r.sensor == "accelerometer" else 1)
        assert all(s["end_s"] < info.duration for s in r.more["shakes"] if s["seat"] == r.more.get("seat"))
        # a seat where nobody shakes, and one microphone for all, hold no count of their own
        assert (r.beads is None) == (r.more.get("seat") not in shaking)


def test_the_same_shake_alone_and_in_company_is_the_same_shake(folder):
    read = [r for r in recordings.read(folder, pytest.fail) if r.sensor == "accelerometer"]
    alone = next(r for r in read if r.more["together"] == 1)
    company = next(r for r in read if r.more["together"] == 2 and r.igloo == alone.igloo)
    a, b = (sf.read(r.path)[0] for r in (alone, company))
    assert a.shape == b.shape
    assert np.abs(a - b).max() < 0.05 * np.abs(a).max()


def test_sound_takes_its_time_and_two_microphones_share_no_reverberation():
    scene = Round(PLAN, 0, 0, 1).scene()
    mine = scene.parts[0].seat
    near, far = (scene.pressure(seat, background=False) for seat in (mine, (mine + 1) % 3))
    n = 1 << 16
    middle = len(near) // 2 - n // 2
    a, b = (x[middle : middle + n] - x[middle : middle + n].mean() for x in (near, far))
    r = np.fft.irfft(np.fft.rfft(b, 2 * n) * np.conj(np.fft.rfft(a, 2 * n)))
    r /= np.sqrt(np.sum(a**2) * np.sum(b**2))
    late = int(np.argmax(np.abs(r[:400]))) / 48000 * SOUND_SPEED
    assert late == pytest.approx(
        scene.distance((mine), (mine + 1) % 3) - scene.distance(mine, mine), abs=0.15
    )
    assert np.abs(r).max() < 0.8


def test_a_cardioid_turned_to_its_player_takes_less_of_the_others():
    own, neighbour, across = (seating.direct_gain(0, k, 4, 0.5) for k in (0, 1, 2))
    assert own > 0.9 > 0.3 > neighbour > across
    assert seating.direct_gain(0, 1, 4, 0.0) == 1.0
    assert seating.diffuse_gain(0.5) == pytest.approx(3**-0.5)


@pytest.mark.parametrize("rate", [400.0, 833.0, 1000.0, 1666.0, 3332.0, 12000.0])
def test_a_table_top_sways_as_the_arm_does_at_every_rate(rate: float) -> None:
    """Seven seconds of an arm at 20 Hz: at 833 Hz the table swung at 16.6 Hz, below 500 Hz at none."""
    swung = np.sin(2 * np.pi * 20 * np.arange(7 * 2000) / 2000)[:, None] * [10.0, 0, 0] + [0, 0, 9.8]
    still = np.zeros_like(swung)
    arm = Motion(swung, still, still, np.zeros(0), (0, 0, 1), 0, 7)
    sideways = seating.sway(arm, rate, round(8 * rate))[:, 0]
    heard = np.abs(np.fft.rfft(sideways[round(rate) : round(6 * rate)] * np.hanning(round(5 * rate))))
    assert np.argmax(heard) / 5 == pytest.approx(20, abs=0.21)
    assert not sideways[round(7.1 * rate) :].any()


def test_each_recording_of_a_round_may_have_a_fault_of_its_own() -> None:
    sensors = ("accelerometer", "contact", "seat", "microphone")
    whole = Evening(3, seats=3, sensors=sensors, tables=4, people=(2,))
    plan = replace(whole, faulty=0.5, faults=("dead", "gaps"))
    lines = {line["file"]: line for one in rounds(plan) for _, line in one.planned(plan.sensors)}
    told = [line.get("fault") for line in lines.values()]
    assert set(told) == {None, "dead", "gaps"}
    # the same whichever other sensors there are, and all else as without
    for one in rounds(plan):
        for _, line in one.planned(("contact",)):
            assert line == lines[line["file"]]
    sound = [line for one in rounds(whole) for _, line in one.planned(plan.sensors)]
    assert [{k: v for k, v in line.items() if k != "fault"} for line in lines.values()] == sound
    rough = np.random.default_rng(1).normal(size=48000).astype(np.float32)
    one = next(rounds(plan))
    for line in lines.values():
        heard = one.recorded(line, rough, 48000)
        assert (np.ptp(heard) == 0, len(heard) < 48000) == (
            line.get("fault") == "dead",
            line.get("fault") == "gaps",
        )
