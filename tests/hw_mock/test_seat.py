"""The seat's physics: what beads weigh up and down, and what they weigh sideways."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.signal import resample_poly

from hw_mock.igloo import seat_recordings, seat_sensor
from hw_mock.igloo.constants import SOUND_RATE
from hw_mock.igloo.device import Device
from hw_mock.igloo.hand import Player
from hw_mock.igloo.seat import Occasion, Seat
from hw_mock.igloo.seat_recordings import SeatJob, SeatPlan, jobs, planned, sense
from hw_mock.igloo.seat_tap import MISTAKES, Tapped, tap
from sensors.gesture.ringdown import tones
from table.cli import run

LEVEL = replace(Occasion.draw(1), lean=(0.0, 0.0), drift_kelvin=0.0, tremble=1e-4, damp=0.0, dust=0.0)
# a base that does not recoil, nubs that do not give
HEAVY = replace(Seat.draw(4), base=60.0, nub_stiffness=(4e6, 4e6), nub_spread=0.0)


def sings(taken: Tapped, which: int) -> tuple[float, float]:
    """Frequencies of the platform after that tap, sideways and upright, each along its own axis."""
    at = taken.taps_s[which]
    slow = np.asarray(resample_poly(taken.platform, 1, 48, axis=0))
    part = slow[round((at + 0.03) * SOUND_RATE / 48) : round((at + 0.45) * SOUND_RATE / 48)]
    side = [t for t in tones(part[:, 0], SOUND_RATE / 48, 1) if 25 < t.hz < 70 and t.quality > 15]
    up = [t for t in tones(part[:, 1], SOUND_RATE / 48, 2) if 70 < t.hz < 140 and t.quality > 15]
    return side[0].hz, up[0].hz


# for a base that is sixty times too heavy for a tap
STRONG = replace(Player.draw(2), strength_g=2.4 * 50 ** (1 / 0.6))


def test_beads_weigh_all_of_themselves_up_and_down_and_two_sevenths_sideways() -> None:
    taken = tap(6, Device.draw(3), HEAVY, STRONG, LEVEL, 5, placings=1, empties=1)
    (side0, up0), (side, up) = (sings(taken, which) for which in (0, 1))
    upright = ((up0 / up) ** 2 - 1) * (HEAVY.platform + HEAVY.carriage)
    sideways = ((side0 / side) ** 2 - 1) * HEAVY.platform
    assert upright == pytest.approx(taken.shell_mass + taken.bead_mass, rel=0.01)
    rolling = (sideways - taken.shell_mass) / taken.bead_mass
    assert rolling == pytest.approx(2 / 7, abs=0.06)


def test_nubs_that_are_sheared_make_an_igloo_seem_heavier_sideways_alone() -> None:
    """Carried by a spring a load moves more than the seat does, by 1/(1 − ω²/ω₁²)."""
    shear = 1e5
    soft = replace(HEAVY, nub_stiffness=(shear, 4e6))
    (side0, up0), (side, up) = (
        sings(tap(2, Device.draw(3), seat, STRONG, LEVEL, 5, placings=1, empties=1), 1)
        for seat in (HEAVY, soft)
    )
    assert up == pytest.approx(up0, rel=1e-4)
    load = HEAVY.stiffness[0] / (2 * math.pi * side0) ** 2 - HEAVY.platform
    more = (2 * math.pi * side) ** 2 * load / shear
    assert more > 0.01
    fell = HEAVY.stiffness[0] / (2 * math.pi * side) ** 2 - HEAVY.platform
    assert fell / load - 1 == pytest.approx(more, rel=0.1)


def test_the_same_gesture_is_the_same_to_the_last_bit_and_sensors_keep_their_range() -> None:
    seat, today = Seat.draw(1), Occasion.draw(2)
    one, two = (
        tap(2, Device.draw(5), seat, Player.draw(1), today, 9, placings=1, empties=1) for _ in range(2)
    )
    assert np.array_equal(one.platform, two.platform)
    chip = seat_sensor.accelerometer(one, seat, today, np.random.default_rng(1))
    assert chip.shape[1] == 3
    assert np.all(np.isfinite(chip))
    assert np.max(np.abs(chip)) <= seat_sensor.RANGE_G
    seconds = len(one.clicks) / SOUND_RATE
    assert len(chip) / seat.accelerometer_rate == pytest.approx(
        seconds, rel=0.025
    )  # its clock is off, by 2 % at most
    disc = seat_sensor.disc(one, seat, np.random.default_rng(1))
    assert len(disc) == len(one.clicks)
    assert np.max(np.abs(disc)) <= 1


def test_makers_seats_differ_but_sound_where_the_reader_listens() -> None:
    for seed in range(40):
        seat = Seat.draw(seed)
        side = np.sqrt(seat.stiffness[0] / seat.platform) / (2 * np.pi)
        up = np.sqrt(seat.stiffness[1] / (seat.platform + seat.carriage)) / (2 * np.pi)
        assert 45 < side < 68
        assert 95 < up < 145


def test_a_plan_may_have_mistakes_and_faults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plan = SeatPlan(1, devices=2, mistaken=0.6, faulty=0.5, faults=("dead",))
    everything = list(jobs(plan))
    assert {job.mistake for job in everything} == {None, *MISTAKES}
    assert [replace(job, plan=SeatPlan(1, devices=2)) for job in everything] == list(
        jobs(SeatPlan(1, devices=2))
    )
    # each sensor of a gesture by itself, and the line says both
    faults = {tuple(job.fault_of(sensor) for sensor in seat_recordings.SENSORS) for job in everything}
    assert faults == {(a, b) for a in (None, "dead") for b in (None, "dead")}
    job = next(job for job in everything if job.mistake and job.fault_of("contact"))
    line = planned(job, "contact")
    assert (line["mistake"], line["fault"]) == (job.mistake, "dead")
    rough = np.random.default_rng(1).normal(size=(48000, 2))
    taken = Tapped(job.beads, rough, np.zeros(48000), (), 1e-3, 1e-2)
    assert np.ptp(sense(job, taken, "contact")[0]) == 0
    sound = next(job for job in everything if job.fault_of("contact") is None)
    assert np.ptp(sense(sound, taken, "contact")[0]) > 0
    assert "fault" not in planned(sound, "contact")
    made = list[tuple[SeatPlan, str | None]]()

    def told(one: SeatJob, mistake: str | None = None) -> Tapped:
        made.append((one.plan, mistake or one.mistake))
        return taken

    monkeypatch.setattr(seat_recordings, "perform", told)
    words = ["simulate", "taps", "--out", str(tmp_path), "--devices", "1", "--sessions", "1"]
    assert run([*words, "--mistake", "soft", "--mistake", "hasty"]) == 0
    assert {mistake for _, mistake in made} == {"soft", "hasty"}
    assert {plan.faulty for plan, _ in made} == {0.0}


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"mistake": "sort"}, "no mistake 'sort'; did you mean soft?"),
        ({"placings": 0}, "0 placings of 1 taps"),
        ({"taps": 0}, "3 placings of 0 taps"),
        ({"empties": 0}, "after 0 on the empty seat"),
    ],
)
def test_a_gesture_that_cannot_be_made_is_refused(how: dict[str, Any], says: str) -> None:
    job = next(jobs(SeatPlan(1)))
    device, seat, player, today = job.parts()
    with pytest.raises(ValueError, match=re.escape(says)):
        tap(3, device, seat, player, today, 5, **how)


def test_a_gesture_is_made_with_the_mistake_of_its_job(monkeypatch: pytest.MonkeyPatch) -> None:
    got = list[str | None]()
    monkeypatch.setattr(seat_recordings, "tap", lambda *_, mistake, **__: got.append(mistake))
    always, never = (next(jobs(SeatPlan(1, mistaken=share, mistakes=("soft",)))) for share in (1.0, 0.0))
    seat_recordings.perform(always)
    seat_recordings.perform(never)
    seat_recordings.perform(never, "hard")
    assert got == ["soft", None, "hard"]
