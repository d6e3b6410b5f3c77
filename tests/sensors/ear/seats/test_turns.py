"""Where a seat's own shake begins and ends while its neighbours shake on."""

import numpy as np
import pytest

from sensors.ear.profiles.profile import load_shipped
from sensors.ear.seats.listener import SeatListener, hear_together
from sensors.ear.seats.together import Seats
from sensors.ear.seats.turns import KEPT_S, LEAST_S, LONG_S, SHORT_S, Turns
from sensors.evidence import Heard

BLOCKS = 100  # a second


def cuts(*stretches, begin=0, seed=1):
    """Where it is cut and when that is known, in s, of stretches (seconds, rises of its own, of others a second)."""
    random, turns, found = np.random.default_rng(seed), Turns(), []
    turns.begin(begin)
    block = 0
    for seconds, own, others in stretches:
        for _ in range(round(seconds * BLOCKS)):
            mine, theirs = own * random.exponential(), others * random.exponential()
            cut = turns.push(mine + theirs, mine)
            block += 1
            if cut is not None:
                found.append((cut / BLOCKS, block / BLOCKS))
    return found


def test_what_is_alone_is_never_cut():
    assert cuts((8.0, 1.0, 0.0)) == []


def test_a_shake_ends_while_a_neighbour_shakes_on():
    ((cut, known),) = cuts((3.0, 1.0, 1.0), (3.0, 0.0, 1.0))
    assert cut == pytest.approx(3.0, abs=0.1)
    assert known == pytest.approx(3.0 + LONG_S, abs=0.1)


def test_the_next_one_of_that_hand_is_another():
    gone, come = cuts((3.0, 1.0, 1.0), (1.5, 0.0, 1.0), (2.0, 1.0, 1.0))
    assert gone[0] == pytest.approx(3.0, abs=0.1)
    assert come[0] == pytest.approx(4.5, abs=0.1)
    assert come[1] == pytest.approx(4.5 + SHORT_S, abs=0.15)


def test_who_begins_after_a_neighbour_begins_there():
    ((cut, _),) = cuts((2.0, 0.0, 1.0), (3.0, 1.0, 1.0))
    assert cut == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("masked_s", [2.0, 5.0, 8.0])
def test_a_shake_that_was_long_not_plainly_its_own_ends_as_well(masked_s):
    """The mean of a shake is of as long as its sum: what is kept is no longer than KEPT_S."""
    turns, found = Turns(), []
    for seconds, own in ((masked_s, 0.3), (0.25, 0.8), (1.0, 0.3), (2.5, 0.06)):
        found += [turns.push(1.0, own) for _ in range(round(seconds * BLOCKS))]
    assert [cut / BLOCKS for cut in found if cut] == [pytest.approx(masked_s + 1.25, abs=0.1)]


def test_who_comes_in_slowly_is_followed_back_to_his_beginning():
    ((cut, known),) = cuts((2.0, 0.0, 1.0), (1.5, 0.4, 1.0), (1.0, 2.0, 1.0))
    assert cut == pytest.approx(2.0, abs=0.15)
    assert known > 3.4


@pytest.mark.parametrize("seed", range(20))
def test_a_gentle_hand_beside_hard_ones_is_not_cut_to_pieces(seed):
    """What is its own is a twentieth of what rises there, from the beginning to the end."""
    assert cuts((5.0, 0.06, 1.0), seed=seed) == []


def test_a_hard_first_stroke_is_no_shake_by_itself():
    """What follows is masked by the neighbours."""
    for cut, _ in cuts((0.3, 1.0, 0.5), (5.0, 0.06, 1.0)):
        assert cut >= LEAST_S


def test_noise_after_a_neighbours_shake_is_nobodys():
    assert cuts((2.0, 0.0, 1.0), (0.5, 0.02, 0.01)) == []


def test_a_stretch_that_begins_anew_is_judged_anew():
    """A shake that is cut for its length goes on at once; what is kept of before says nothing of the next."""
    turns = Turns()
    turns.begin(0)
    for _ in range(300):
        assert turns.push(1.0, 1.0) is None
    turns.begin(300)
    assert [turns.push(1.0, 0.0) for _ in range(300)] == [None] * 300


@pytest.mark.parametrize("back_s", [2.5, 6.0])
def test_where_a_neighbour_s_microphone_stands_still_nobody_begins(back_s):
    """All is loudest here then."""
    turns, found = Turns(), []
    turns.begin(0)
    for block in range(round(9 * BLOCKS)):
        still = 2 * BLOCKS <= block < (2 + back_s) * BLOCKS
        found.append(turns.push(1.0, 1.0 if still else 0.02, 1 if still else 2))
    assert not any(found)


def test_who_begins_after_a_microphone_came_back_begins_there():
    turns, found = Turns(), []
    turns.begin(0)
    for block in range(round(7 * BLOCKS)):
        still, own = 1 * BLOCKS <= block < 2 * BLOCKS, block >= 4 * BLOCKS
        cut = turns.push(1.0, 1.0 if still else 0.5 if own else 0.02, 1 if still else 2)
        found += [] if cut is None else [cut / BLOCKS]
    assert found == [pytest.approx(4.0, abs=0.15)]


def test_memory_is_constant():
    turns = Turns()
    for _ in range(5000):
        turns.push(1.0, 0.5)
    assert len(turns._all) == len(turns._own) == round(KEPT_S * BLOCKS) + 1


def at_seats(shakes, pattern):
    """A simulated table of two seats: what is shaken there (start in s, seat, beads, seconds), and float32[samples, 2]
    that their microphones hear."""
    from hw_mock.igloo.device import Device
    from hw_mock.igloo.player import Player
    from hw_mock.igloo.room import Room
    from hw_mock.igloo.scene import Scene

    device = Device.draw(5)
    scene = Scene(Room.draw(6), 7, 9.5, 2, pattern=pattern)
    for start_s, seat, count, seconds in shakes:
        scene.shake(start_s, seat, count, device, Player.draw(seat), seconds)
    return scene, scene.microphones((0, 1), device)


def ears_of_two():
    table, profile = Seats(("0", "1")), load_shipped("microphone")
    return [SeatListener(profile, 48000, 1, "round", table, name) for name in table.names]


def heard_of(sound):
    """Each line, with when it was said, s."""
    ears, said = ears_of_two(), []
    for block in range(0, len(sound), 960):
        for heard in hear_together(ears, sound[block : block + 960], 48000):
            assert isinstance(heard, Heard)
            said.append((heard, (block + 960) / 48000))
    for ear in ears:
        said += [(heard, len(sound) / 48000) for heard in ear.finish()]
    return said


@pytest.fixture(scope="module")
def simulated():
    """At seat 0 one igloo after the other, while the neighbour shakes on; simulated cardioids."""
    return at_seats(((0.5, 1, 9, 8.0), (1.0, 0, 6, 2.0), (5.0, 0, 11, 2.0)), pattern=0.5)


@pytest.fixture(scope="module")
def one_after_another(simulated):
    scene, sound = simulated
    return scene, heard_of(sound)


def test_two_igloos_of_one_hand_are_two_shakes_while_the_neighbour_shakes_on(one_after_another):
    scene, said = one_after_another
    shakes = [(h, at) for h, at in said if h.seat == "0" and h.verdict != "not-a-shake"]
    parts = [part for part in scene.parts if part.seat == 0]
    assert len(shakes) == len(parts) == 2
    for (heard, at), part in zip(shakes, parts, strict=True):
        assert heard.start_s == pytest.approx(part.span_s[0], abs=0.35)
        assert heard.end_s == pytest.approx(part.span_s[1], abs=0.35)
        assert at < part.span_s[1] + 1.3  # the neighbour is not waited for
    between = [h for h, _ in said if h.seat == "0" and h.verdict == "not-a-shake" and 3.5 < h.start_s < 5]
    assert all(h.why.elsewhere for h in between)


def test_who_shakes_on_is_not_cut(one_after_another):
    scene, said = one_after_another
    (heard,) = (h for h, _ in said if h.seat == "1" and h.verdict != "not-a-shake")
    start, end = next(part.span_s for part in scene.parts if part.seat == 1)
    assert (heard.start_s, heard.end_s) == pytest.approx((start, end), abs=0.5)


def test_what_is_overdriven_after_a_cut_was_not_before(simulated):
    """The neighbour's line was called clipped, for what followed it was: all that was kept had been asked."""
    _, sound = simulated
    sound = sound.copy()
    second = sound[round(4.9 * 48000) : round(7.3 * 48000), 0]
    loud = np.abs(second) > np.quantile(np.abs(second), 0.97)
    second[loud] = np.sign(second[loud])
    lines = [h for h, _ in heard_of(sound) if h.seat == "0" and 3.5 < h.start_s < 7.5]
    between, after = lines
    assert between.why.elsewhere
    assert not between.clipped
    assert after.clipped


def test_a_neighbour_whose_microphone_stands_still_is_not_taken_for_this_seat():
    """It was cut where that one fell silent, and what came after was taken for this seat's own: 'it could be …'."""
    _, sound = at_seats([(0.5, 1, 9, 8.0)], pattern=1.0)
    here, there = ears_of_two()
    said = []
    for start in range(0, len(sound), 960):
        said += here.push(sound[start : start + 960, :1])
        if start < 4 * 48000:
            list(there.push(sound[start : start + 960, 1:]))
    said += here.finish()
    (heard,) = said
    assert heard.verdict == "not-a-shake"
    assert heard.why.elsewhere
