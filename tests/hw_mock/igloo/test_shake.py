"""A shake is the same each time for the same seeds, differs for others, and its loudness does not tell the count."""

import math

import numpy as np
import pytest
from scipy.stats import spearmanr

from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.gestures import GESTURES, gesture
from hw_mock.igloo.hand import RATE, Player, shaking
from hw_mock.igloo.played import play
from hw_mock.igloo.room import Room
from hw_mock.igloo.shake import SENSORS, simulate
from hw_mock.igloo.shell import modes, ring

DEVICE, PLAYER = Device.draw(11), Player.draw(12).on(3)


def test_the_same_seeds_give_the_same_bits():
    one, two = (simulate(5, DEVICE, PLAYER, 42, 0.5, SENSORS) for _ in range(2))
    for name in ("sound", "near", "contact", "accel", "impacts"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()
    other = simulate(5, DEVICE, PLAYER, 43, 0.5, SENSORS)
    assert other.sound.tobytes() != one.sound.tobytes()


def test_a_sensor_records_the_same_whoever_else_listens():
    alone = simulate(5, DEVICE, PLAYER, 42, 0.5, ("accelerometer",))
    among = simulate(5, DEVICE, PLAYER, 42, 0.5, SENSORS)
    assert alone.sound is None
    assert alone.accel.tobytes() == among.accel.tobytes()


def test_the_same_motion_again_differs_only_by_how_the_beads_lay():
    """What `benchmarks/told_limit.py` rests on: chance changes the hits, and neither hand nor shell."""
    person = PLAYER.take(42)
    motion = gesture("shake", person, 42, 0.3)
    first, same, other = (play(DEVICE, Igloo.of(DEVICE, 4), person, motion, 42, k) for k in (1, 1, 2))
    assert first.impacts.tobytes() == same.impacts.tobytes()
    assert first.impacts.tobytes() != other.impacts.tobytes()
    assert first.grip == other.grip


def test_what_a_shake_looks_like():
    shake = simulate(5, DEVICE, PLAYER, 1, 0.8, SENSORS)
    assert shake.sound.dtype == shake.accel.dtype == np.float32
    assert shake.sound.shape == (round(1.3 * 48000),)
    assert np.abs(shake.sound).max() <= 1.0
    assert shake.accel.shape[1] == 3
    assert len(shake.accel) == pytest.approx(1.3 * shake.accel_true_rate, abs=3)
    assert abs(shake.accel_true_rate / shake.accel_rate - 1) <= 0.02
    assert np.abs(shake.accel).max() <= 16.0
    assert (np.diff(shake.impacts[:, 0]) >= 0).all()
    assert set(shake.impacts[:, 2]) <= {0.0, 1.0, 2.0}


def test_an_accelerometer_at_rest_feels_one_g():
    still = simulate(2, DEVICE, PLAYER, 1, 0.6, ("accelerometer",), "still")
    offset = np.array(DEVICE.accelerometer_offset)
    assert np.linalg.norm(np.median(still.accel, axis=0) - offset) == pytest.approx(1.0, abs=0.03)


def test_one_igloo_is_the_same_igloo_each_time_and_its_neighbours_are_like_it():
    assert Igloo.of(DEVICE, 7) == Igloo.of(DEVICE, 7)
    shells = [Igloo.of(DEVICE, n).dome_thickness for n in range(2, 14)]
    assert len(set(shells)) == 12
    assert np.std(shells) / np.mean(shells) < 0.05


def test_the_ring_is_that_of_a_small_plastic_box():
    for seed in range(6):
        ring = modes(Device.draw(seed), Igloo.of(Device.draw(seed), 5), 0.03, 1)
        assert 300 < ring.hz.min() < 5000
        assert 20 < len(ring.hz) < 160
        assert 0.1e-3 < np.median(1 / ring.decay) < 10e-3  # a click, not a bell


def test_a_struck_mode_rings_at_its_pitch_and_fades_as_fast_as_it_is_damped():
    hz, decay, rate = 3000.0, 400.0, 48000.0
    fade = math.exp(-decay / rate)
    one = np.array([100], np.int32), np.array([0], np.int32), np.array([1.0], np.float32)
    turn = np.array(
        [[fade * math.cos(2 * math.pi * hz / rate)], [fade * math.sin(2 * math.pi * hz / rate)]], np.float32
    )
    (sound,) = ring(4800, *one, np.ones((1, 1), np.float32), turn[0], turn[1], np.ones((1, 1), np.float32))
    assert not sound[:100].any()
    spectrum = np.abs(np.fft.rfft(sound[101:]))
    assert np.argmax(spectrum) * rate / 4699 == pytest.approx(hz, rel=0.02)
    early, late = np.abs(sound[101:581]).max(), np.abs(sound[581:1061]).max()
    assert late / early == pytest.approx(math.exp(-decay * 0.01), rel=0.1)


def test_a_shake_is_as_loud_at_half_a_metre_as_a_rattle_is():
    levels = []
    for seed in range(6):
        person = Player.draw(seed).take(1)
        played = play(Device.draw(seed), Igloo.of(Device.draw(seed), 7), person, shaking(person, 1, 0.6), 1)
        levels.append(20 * math.log10(np.std(played.pressure()[0]) / 0.5 / 2e-5))
    assert min(levels) > 35
    assert max(levels) < 85


def test_loudness_does_not_tell_the_count():
    counts, levels = [], []
    for n in range(2, 14):
        for seed in range(2):
            quick = simulate(
                n, Device.draw(seed), Player.draw(n * 7 + seed), n * 100 + seed, 0.4, ("microphone",)
            )
            counts.append(n)
            levels.append(float(np.sqrt(np.mean(quick.sound**2))))
    assert abs(spearmanr(counts, levels).statistic) < 0.5


def test_more_beads_fill_the_gaps():
    """What does tell: the share of the time that the impacts fill, at the contact microphone."""

    def filled(n: int) -> float:
        shares = []
        for seed in range(4):
            sound = simulate(n, DEVICE, PLAYER, seed, 0.8, ("contact",)).contact.astype(float)
            e = (np.diff(sound[12000:-12000]) ** 2)[: 36000 // 480 * 480].reshape(-1, 24).sum(axis=1)
            shares.append(e.sum() ** 2 / (len(e) * (e**2).sum()))
        return float(np.median(shares))

    assert filled(2) < filled(5) < filled(12)


def test_people_differ_and_a_person_differs_less_from_day_to_day():
    people = [Player.draw(seed) for seed in range(40)]
    rates = np.log([p.stroke_hz for p in people])
    days = np.log([people[0].on(day).stroke_hz for day in range(40)])
    takes = np.log([people[0].take(k).stroke_hz for k in range(40)])
    assert 2.5 <= np.exp(rates.min()) <= np.exp(rates.max()) <= 6.5
    assert rates.std() > 2 * days.std() > 0
    assert takes.std() > 0


@pytest.mark.parametrize("name", GESTURES)
def test_every_gesture_is_a_motion_a_hand_can_make(name):
    motion = gesture(name, PLAYER.take(1), 1, 2.0)
    assert motion.seconds == pytest.approx(2.5)
    assert np.isfinite(motion.force).all()
    assert np.abs(motion.force).max() < 12 * 9.81
    fade = np.hanning(len(motion.force))[:, None]
    power = (np.abs(np.fft.rfft((motion.force - motion.force.mean(axis=0)) * fade, axis=0)) ** 2).sum(axis=1)
    hz = np.fft.rfftfreq(len(motion.force), 1 / RATE)
    assert power[hz > 40].sum() < 0.01 * power.sum()  # muscles, not hammers


def test_a_knock_strikes_the_stop_and_then_the_beads_strike_the_shell():
    few, many = (simulate(n, DEVICE, PLAYER, 5, 1.2, ("accelerometer",), "knock") for n in (2, 12))
    for shake in (few, many):
        first = int(np.argmax(shake.stop_force > 0))
        assert shake.stop_force.max() > 3.0
        assert shake.stop_force[: first - 1].max() == 0.0
    assert gesture("shake", PLAYER, 1, 1.0).stop_path.size == 0


def test_bad_wishes_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="no sensor called ear"):
        simulate(5, DEVICE, PLAYER, 1, 0.5, ("ear",))
    with pytest.raises(ValueError, match="no gesture called"):
        simulate(5, DEVICE, PLAYER, 1, 0.5, gesture="throw")
    with pytest.raises(ValueError, match="at least one bead"):
        simulate(0, DEVICE, PLAYER, 1, 0.5)


def test_a_room_fills_the_gaps_that_a_near_microphone_keeps():
    room = Room.draw(4)
    early, tail = room.response(1, 0.05)
    far_early, far_tail = room.response(1, 1.2)
    assert (early**2).sum() / (tail**2).sum() > 50 * (far_early**2).sum() / (far_tail**2).sum()
