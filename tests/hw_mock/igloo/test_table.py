"""A table with several igloos, and table noise where nobody shakes."""

import numpy as np
import pytest

from hw_mock.igloo.device import Device
from hw_mock.igloo.hand import Player
from hw_mock.igloo.room import Room
from hw_mock.igloo.scene import Scene
from hw_mock.igloo.table_noise import KINDS, table_noise


@pytest.fixture(scope="module")
def scene() -> Scene:
    made = Scene(Room.draw(3), seed=5, seconds=1.6, seats=4)
    for seat, count in ((0, 4), (2, 9)):
        made.shake(0.1, seat, count, Device.draw(seat), Player.draw(seat), seconds=0.8)
    return made


def test_the_microphone_of_ones_own_seat_hears_oneself_best(scene: Scene):
    alone = [Scene(scene.room, scene.seed, scene.seconds, scene.seats, [part]) for part in scene.parts]
    own = [np.std(a.pressure(p.seat, background=False)) for a, p in zip(alone, scene.parts, strict=True)]
    across = [
        np.std(a.pressure(2 - p.seat, background=False)) for a, p in zip(alone, scene.parts, strict=True)
    ]
    assert own[0] > across[0]
    assert own[1] > across[1]


def test_all_microphones_of_a_card_have_one_gain_and_one_length(scene: Scene):
    sound = scene.microphones((None, 0, 2), Device.draw(1))
    assert sound.shape == (round(1.6 * 48000), 3)
    assert 0.05 < np.abs(sound).max() <= 1.0


def test_the_shell_feels_its_own_beads_and_hardly_the_neighbours(scene: Scene):
    mine, other = scene.parts
    together = scene.contact(mine).astype(float)
    alone = Scene(scene.room, scene.seed, scene.seconds, scene.seats, [mine]).contact(mine).astype(float)
    leak = np.std(together - alone) / np.std(alone)
    assert 0 < leak < 0.05
    quiet = scene.accelerometer(mine)
    assert quiet.shape[1] == 3
    assert other.beads == 9


def test_when_who_shook_is_known(scene: Scene):
    start, end = scene.parts[0].span_s
    assert start == pytest.approx(0.35)
    assert end == pytest.approx(1.15)


def test_table_noise_is_the_same_each_time_and_says_what_happens():
    one, two = (list(table_noise(9, 25.0)) for _ in range(2))
    assert [len(sound) for sound, _ in one] == [20 * 48000, 5 * 48000]
    assert all(np.array_equal(a, b) for (a, _), (b, _) in zip(one, two, strict=True))
    happened = [h for _, piece in one for h in piece]
    assert happened == [h for _, piece in two for h in piece]
    assert {h.kind for h in happened} <= set(KINDS)
    assert all(0 <= h.start_s < 25 for h in happened)
    assert max(float(np.abs(sound).max()) for sound, _ in one) <= 1.0
    with pytest.raises(ValueError, match="no table noise called dog"):
        next(table_noise(1, 1.0, ("dog",)))


def test_no_noise_is_said_to_go_on_where_its_piece_has_ended():
    pieces = list(table_noise(3, 25.0, ("music",), times=6.0))
    assert any(happened for _, happened in pieces)
    for end, (_, happened) in zip((20, 25), pieces, strict=True):
        assert all(0 < h.seconds <= end - h.start_s + 1e-9 for h in happened)
