"""A shake as it is cut out of its frames, and what is taken off and put back before its logarithm."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from sensors.ear.frames.frontend import FRONT_ENDS, Frames, FrontEnd
from sensors.ear.shakes.takes import LEAD_S, Take, cut

ROOM = FRONT_ENDS[0]
SHELL = next(front for front in FRONT_ENDS if front.name == "accelerometer-1600")
Energy = npt.NDArray[np.float32]


def strokes(front: FrontEnd, seconds: float = 2.0, hz: float = 5.0, still_s: float = 1.0) -> Energy:
    """Energies, alike in all bands: hits in strokes over a steady background, and the background around them."""
    t = np.arange(round((seconds + 2 * still_s) * front.frame_rate)) / front.frame_rate - still_s
    random = np.random.default_rng(1)
    loud = np.where((t >= 0) & (t < seconds), np.sin(np.pi * hz * t) ** 8, 0.0)
    hits = loud * (random.random(len(t)) < 0.1) * random.exponential(1.0, len(t))
    return np.repeat((hits + 1e-4)[:, None], len(front.bands), axis=1).astype(np.float32)


def take_of(front: FrontEnd, energy: Energy) -> Take:
    hand = np.zeros((0, 3), np.float32)
    if front.hand:  # it shakes all the time: what is cut is cut by what is heard
        t = np.arange(round(len(energy) / front.frame_rate * 100.0)) / 100.0
        hand = np.repeat(np.sin(2 * np.pi * 5 * t)[:, None], 3, axis=1).astype(np.float32)
    take = cut(front, Frames(energy, hand))
    assert take is not None
    return take


def test_it_is_cut_to_its_loud_part_and_has_a_stroke_for_each_stroke() -> None:
    take = take_of(ROOM, strokes(ROOM, seconds=2.0, hz=5.0))
    assert take.first / ROOM.frame_rate == pytest.approx(1.0, abs=0.1)
    assert take.end / ROOM.frame_rate == pytest.approx(3.0, abs=0.1)
    assert len(take.strokes) == pytest.approx(10, abs=1)
    assert len(take.energy) == take.end - take.first


def test_on_the_shell_some_quiet_before_it_is_kept() -> None:
    """Networks and profiles were learned with it; the shake's own time begins after it all the same."""
    take = take_of(SHELL, strokes(SHELL))
    assert take.first / SHELL.frame_rate == pytest.approx(1.0, abs=0.1)
    assert len(take.energy) - (take.end - take.first) == round(LEAD_S * SHELL.frame_rate)


@pytest.mark.parametrize("front", [ROOM, SHELL], ids=lambda front: front.name)
def test_a_steady_background_fills_no_gap(front: FrontEnd) -> None:
    """The gaps carry the count: in a room ten times as loud they are as deep."""
    quiet, loud = take_of(front, strokes(front)), take_of(front, strokes(front) + np.float32(1e-3))
    assert loud.log.min() == pytest.approx(quiet.log.min(), abs=0.02)
    assert loud.raw.min() > 10 * quiet.raw.min()


@pytest.mark.parametrize("front", [ROOM, SHELL], ids=lambda front: front.name)
def test_nor_does_one_that_comes_and_goes_a_little(front: FrontEnd) -> None:
    """More than its quietest frames hold is taken off, so that nothing of it is left in most of the gaps."""
    energy = strokes(front)
    noise = np.random.default_rng(2).uniform(1e-3, 2e-3, energy.shape).astype(np.float32)
    log = take_of(front, energy + noise).log[:, 0]
    assert np.quantile(log, 0.4) == pytest.approx(log.min(), abs=1e-9)


def test_logarithms_look_as_deep_below_the_hits_as_the_sensor_hears_their_decay() -> None:
    """A room's microphone: 20 dB below the loudest frames; on the shell a part of the mean, however loud they are."""
    energy = {front: strokes(front) for front in (ROOM, SHELL)}
    depth = {front: take_of(front, one).log for front, one in energy.items()}
    louder = np.quantile(depth[ROOM], 0.99) - depth[ROOM].min()
    assert louder == pytest.approx(np.log(100), abs=0.05)
    assert depth[SHELL].min() == pytest.approx(np.log(0.07 / 1.07), abs=1e-6)


def test_silence_and_a_click_are_no_shake() -> None:
    energy = strokes(ROOM, seconds=0.1, still_s=0.02)
    assert cut(ROOM, Frames(energy, np.zeros((0, 3), np.float32))) is None
    assert cut(ROOM, Frames(np.zeros_like(energy), np.zeros((0, 3), np.float32))) is None
