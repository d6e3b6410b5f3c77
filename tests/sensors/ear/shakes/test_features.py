"""What the features of a shake measure, told from energies that are made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from sensors.ear.frames.frontend import FRONT_ENDS, HAND_RATE, Envelopes, Frames, FrontEnd
from sensors.ear.shakes.band_features import ACF_MS
from sensors.ear.shakes.features import FIXED_GROUPS, features_of, motion_of, strength
from sensors.ear.shakes.moves import blows
from sensors.ear.shakes.takes import DEPTH, Take, between, cut
from tests.rattle import RATE, rattle

ROOM = FRONT_ENDS[0]
LAG = round(ACF_MS[11] * ROOM.frame_rate / 1000)  # frames; one at which a shake is compared with itself
Energy = npt.NDArray[np.float32]


def heard(beads: int, seed: int = 1, pace: float = 5.0, gain: float = 1.0) -> Take:
    sound = gain * rattle(beads, seed, pace=pace)[:, None]
    take = cut(ROOM, Envelopes(ROOM, RATE, 1).push(sound.astype(np.float32)))
    assert take is not None
    return take


def of_hits(each_s: float, seconds: float = 1.0, front: FrontEnd = ROOM) -> Take:
    """Equal hits of one frame in all bands, so far apart."""
    energy = np.full((round(seconds * front.frame_rate), len(front.bands)), 1e-9, np.float32)
    energy[:: round(each_s * front.frame_rate)] = 1.0
    take = between(front, Frames(energy, np.zeros((0, 3), np.float32)), 0, len(energy))
    assert take is not None
    return take


def test_all_but_size_are_independent_of_gain() -> None:
    """And of that, each tells the gain: a hundred times the energy of ten times the amplitude."""
    soft, loud = features_of(heard(5)), features_of(heard(5, gain=10.0))
    assert list(soft) == list(loud)
    for name in set(loud) - {name for name in loud if name.startswith("size.half")}:  # it may be silence
        more = np.log(100) if name.split(".")[0] in FIXED_GROUPS else 0.0
        assert loud[name] - soft[name] == pytest.approx(more, abs=0.02), name


def test_more_beads_are_more_impacts_at_once_and_in_a_stroke() -> None:
    few, many = features_of(heard(2)), features_of(heard(12))
    for name in ("stk.participation", "stk.events", "stk.sum_over_peak", "ons.stroke_1.1_-4.0"):
        assert many[name] > few[name] + 0.5, name


@pytest.mark.parametrize("hits", [5, 10])
def test_participation_is_the_share_of_a_window_that_equal_hits_fill(hits: int) -> None:
    """Hits over frames, but for the depth down to which gaps are looked at."""
    told, window = features_of(of_hits(0.1 / hits)), round(0.1 * ROOM.frame_rate)
    filled = (hits + window * DEPTH) ** 2 / (hits + window * DEPTH**2) / window
    assert told["loc.participation_100ms_0"] == pytest.approx(np.log(filled), abs=0.05)
    crest = np.log(window / (hits + window * DEPTH))  # the loudest frame beside the mean
    assert told["loc.crest_100ms_0"] == pytest.approx(crest, abs=0.1)


def test_participation_does_not_go_with_how_loud_a_stroke_is() -> None:
    """Hits four times as loud in every second window are as many: the louder windows are looked at alone."""
    take = of_hits(0.01)
    windows = np.arange(len(take.energy)) // round(0.1 * ROOM.frame_rate)
    uneven = take.energy * np.where(windows % 2, 4.0, 1.0)[:, None]
    told = features_of(replace(take, energy=uneven, log=np.log(uneven)))
    name = "loc.participation_100ms_0"
    assert told[name] == pytest.approx(features_of(take)[name], abs=0.1)


def test_uneven_hits_repeat_more_plainly_by_the_root_of_their_energy() -> None:
    """One that is far louder than the others outweighs all of them by its energy."""
    take = of_hits(LAG / ROOM.frame_rate)
    energy = take.energy.copy()
    energy[5 * LAG] *= 30.0
    told = features_of(replace(take, energy=energy, log=np.log(energy)))
    assert told[f"acf.e_{LAG}"] < told[f"acf.r_{LAG}"] < told[f"acf.l_{LAG}"]


def test_the_pace_of_hits_is_the_lag_and_the_frequency_at_which_they_repeat() -> None:
    told = features_of(of_hits(LAG / ROOM.frame_rate, seconds=2.0))
    lags = {int(name[6:]): value for name, value in told.items() if name.startswith("acf.e_")}
    assert max(lags, key=lambda lag: lags[lag]) == LAG
    spectrum = {float(n[6:-2]): v for n, v in told.items() if n.startswith("mod.e_")}
    below = max(hz for hz in spectrum if hz < ROOM.frame_rate / LAG)
    assert spectrum[below] > max(v for hz, v in spectrum.items() if hz < below)


def test_strokes_are_counted_by_the_second() -> None:
    for pace in (4.0, 7.0):
        take = heard(6, pace=pace)
        assert features_of(take)["stk.rate"] == pytest.approx(np.log(pace), abs=0.2)
        assert strength(take) == pytest.approx(np.log(pace), abs=0.2)


def test_gaps_between_onsets_are_told_in_seconds() -> None:
    told = features_of(of_hits(0.025, seconds=2.0))
    assert told["ons.gap_0.7_2"] == pytest.approx(np.log(0.025), abs=0.05)
    assert told["ons.rate_0.7_-2.0"] == pytest.approx(np.log(40), abs=0.05)
    few = features_of(of_hits(0.6, seconds=1.0))  # two hits: too few gaps to measure
    assert few["ons.gap_0.7_2"] == pytest.approx(np.log(0.1))


@pytest.mark.parametrize(("hz", "g"), [(3.0, 1.0), (6.0, 2.0)])
def test_the_hand_is_told_by_pace_and_size_whichever_way_it_moves(hz: float, g: float) -> None:
    t = np.arange(400) / HAND_RATE
    swing = g * np.sin(2 * np.pi * hz * t)
    for way in ((1.0, 0.0, 0.0), (0.6, 0.0, 0.8), (0.48, 0.64, -0.6)):
        told = motion_of(np.outer(swing, way).astype(np.float32))
        assert told["hand.pitch"] == pytest.approx(np.log(hz), abs=0.02)
        assert told["hand.rms"] == pytest.approx(np.log(g / np.sqrt(2)), abs=0.01)
        assert told["hand.peak"] == pytest.approx(np.log(g), abs=0.01)
        assert told["hand.along"] == pytest.approx(0.0, abs=0.01)  # all of it along one axis
    slow = motion_of(np.outer(g * np.sin(2 * np.pi * 0.1 * t) + swing, (1.0, 0.0, 0.0)))
    assert slow["hand.pitch"] == pytest.approx(
        np.log(hz), abs=0.02
    )  # holding and turning is slower than any arm


def test_hits_that_follow_a_blow_closely_are_of_the_same_one() -> None:
    """Each of two blows is told by what follows it; a second peak within a tenth of a second is no further blow."""
    rate = ROOM.frame_rate
    energy = np.full((round(1.5 * rate), len(ROOM.bands)), 1e-7, np.float32)

    for at_s, decay_s in ((0.3, 0.004), (1.0, 0.016)):
        first = round(at_s * rate)
        fading = np.exp(-np.arange(round(0.3 * rate)) / (decay_s * rate))
        energy[first : first + len(fading)] += fading[:, None].astype(np.float32)
    take = between(ROOM, Frames(energy, np.zeros((0, 3), np.float32)), 0, len(energy))
    assert take is not None
    alone = blows(take)
    again = blows(replace(take, strokes=np.sort(np.append(take.strokes, round(0.34 * rate)))))
    assert again == alone
    halves = [
        np.log(decay_s * np.log(2) + 1e-3) for decay_s in (0.004, 0.016)
    ]  # half of the energy came then
    assert alone["blow.late_1"] == pytest.approx(np.mean(halves), abs=0.1)
    loud_room = blows(replace(take, raw=take.raw + 1e-3))
    for name, value in alone.items():
        if name.startswith("blow.late"):
            assert loud_room[name] == pytest.approx(value, abs=0.1), name
