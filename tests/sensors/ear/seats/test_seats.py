"""A microphone a seat: whose shake is it, and what is left of it when the neighbours are taken off."""

import tracemalloc
import warnings

import numpy as np
import pytest

from sensors.ear.errors import ProfileError
from sensors.ear.frames.frontend import FRONT_ENDS
from sensors.ear.seats import neighbours
from sensors.ear.seats.clocks import lag
from sensors.ear.seats.loudest import rises
from sensors.ear.seats.together import PLAIN_WEIGHT, Seats
from tests.sensors.ear.seats.tables_of_seats import FRONT, RATE, hits, table_of


def test_the_leak_is_learned_and_taken_off():
    heard, own = table_of(np.random.default_rng(1), (1.0, 1.0, 1.0))
    weight = neighbours.weights(heard, RATE)
    assert weight[0, 1, -1] == pytest.approx(0.12, rel=0.6)
    assert np.all(weight[np.arange(3), np.arange(3)] == 0)
    left = neighbours.clean(0, heard, weight, RATE)
    quiet = own[0, :, -1] < 1e-3
    assert left[quiet, -1].mean() < 0.3 * heard[0, quiet, -1].mean()  # gaps are gaps again
    loud = own[0, :, -1] > 0.5
    assert left[loud, -1].mean() > 0.6 * own[0, loud, -1].mean()  # and hits are hits
    alone, _ = table_of(np.random.default_rng(2), (1.0, 0.0, 0.0))
    kept = neighbours.clean(0, alone, neighbours.weights(alone, RATE), RATE)
    assert kept[:, -1].sum() > 0.9 * alone[0, :, -1].sum()  # nobody else: nothing is lost


def test_a_shake_is_loudest_at_its_own_seat():
    heard, _ = table_of(np.random.default_rng(3), (1.0, 0.6, 0.0))
    shares = [rises(k, heard[:, :, -1], 4).share for k in range(3)]
    assert shares[0] > 0.5
    assert shares[1] > 0.25
    assert shares[2] < 0.02


@pytest.mark.parametrize("late_s", [-0.08, 0.0, 0.11])
def test_two_clocks_are_held_against_each_other_by_the_hits_that_both_hear(late_s):
    heard, _ = table_of(np.random.default_rng(4), (1.0, 1.0))
    late = round(late_s * RATE)
    assert lag(heard[0, :, -1], np.roll(heard[1, :, -1], late), 400) == pytest.approx(late, abs=6)
    other = hits(np.random.default_rng(9), 4.0)
    assert lag(heard[0, :, -1], other[:, -1], 400) is None  # they never heard the same


def test_devices_with_clocks_of_their_own_are_aligned_while_they_play():
    heard, _ = table_of(np.random.default_rng(5), (1.0, 0.8), seconds=6.0)
    late = 150
    table = Seats(("red", "blue"), one_clock=False)
    seats = [table.join(name, FRONT) for name in table.names]
    moved = np.roll(heard[1], late, axis=0)
    for start in range(0, heard.shape[1], 88):
        for seat, energy in zip(seats, (heard[0], moved), strict=True):
            seat.post(energy[start : start + 88].astype(np.float32))
    end = heard.shape[1]
    red = seats[0].own(end - 6000, end - 500).share
    assert red > 0.35  # 150 frames apart both would seem to shake all the time, or nobody
    assert table._seats["blue"].late == pytest.approx(-late, abs=8)


def test_a_device_that_lost_more_than_drift_explains_is_found_again():
    heard, _ = table_of(np.random.default_rng(5), (1.0, 0.0), seconds=14.0)
    lost = round(0.4 * RATE)
    table = Seats(("red", "blue"), one_clock=False)
    seats = [table.join(name, FRONT) for name in table.names]
    for start in range(0, heard.shape[1] - lost, 88):
        seats[0].post(heard[0, start : start + 88].astype(np.float32))
        seats[1].post(heard[1, start + lost : start + lost + 88].astype(np.float32))
    assert table._seats["blue"].late == pytest.approx(lost, abs=8)
    end = heard.shape[1] - lost
    assert seats[1].own(end - 4000, end - 2000).share < 0.1  # only red shakes


def test_no_lag_is_told_at_the_end_of_the_range():
    heard, _ = table_of(np.random.default_rng(4), (1.0, 1.0))
    for late in (-500, 500):
        assert lag(heard[0, :, -1], np.roll(heard[1, :, -1], late), 499) is None


def test_what_is_posted_comes_back_once_and_in_order_with_constant_memory():
    table = Seats(("a", "b"))
    a, b = (table.join(name, FRONT) for name in table.names)
    random = np.random.default_rng(6)
    back = 0
    for _ in range(600):
        back += len(a.post(random.random((88, 6)).astype(np.float32)).wide)
        b.post(random.random((88, 6)).astype(np.float32))
    assert back == 599 * 88  # one step late: the other seat had not spoken yet
    tracemalloc.start()
    try:
        begun = tracemalloc.get_traced_memory()[0]
        for _ in range(600):
            a.post(random.random((88, 6)).astype(np.float32))
            b.post(random.random((88, 6)).astype(np.float32))
        assert tracemalloc.get_traced_memory()[0] - begun < 2e5  # these are 2.5 MB
    finally:
        tracemalloc.stop()
    assert len(a.leave().wide) == 88
    parted = a.own(10, 20)  # long forgotten
    assert parted.plain.shape == parted.own.shape == (10, 6)
    assert 0.0 <= parted.share <= 1.0
    with warnings.catch_warnings(action="error"):
        nothing = a.own(20, 20)  # a shake that was over before it was found
    assert (nothing.plain.shape, nothing.leak, nothing.share) == ((0, 6), None, 1.0)


def test_a_seat_that_fell_silent_is_not_waited_for():
    table = Seats(("a", "b"))
    a, _ = (table.join(name, FRONT) for name in table.names)
    back = sum(len(a.post(np.ones((88, 6), np.float32)).wide) for _ in range(80))
    assert back > 20 * 88


def test_a_seat_that_catches_up_is_told_nothing_twice():
    table = Seats(("a", "b"))
    a, b = (table.join(name, FRONT) for name in table.names)
    ones = np.ones((88, 6), np.float32)
    back = sum(len(a.post(ones).wide) for _ in range(80))
    for _ in range(78):  # till it is nearly there, and waited for
        b.post(ones)
    back += sum(len(a.post(ones).wide) for _ in range(3))
    assert back + len(a.leave().wide) == 83 * 88


def test_a_seat_that_is_behind_is_not_louder_or_softer_for_that():
    """All that has come of the other one tells whose a shake is; what has not is no silence there."""
    heard, _ = table_of(np.random.default_rng(7), (1.0, 0.0), seconds=3.0)
    end, told = heard.shape[1], round(2.3 * RATE)
    table = Seats(("red", "blue"))
    red, blue = (table.join(name, FRONT) for name in table.names)
    blue.post(heard[1].astype(np.float32))
    red.post(heard[0, :told].astype(np.float32))
    assert (red.told_by_all, blue.told_by_all) == (told, told)
    assert blue.own(0, end).share < 0.1  # only red shakes
    red.leave()
    assert blue.told_by_all == end
    late = table.join("red", FRONT)
    late.post(heard[0, :100].astype(np.float32))
    assert blue.told_by_all == end  # that one stands still, more than a second behind


def test_who_has_left_is_not_waited_for():
    table = Seats(("a", "b"))
    a, b = (table.join(name, FRONT) for name in table.names)
    ones = np.ones((88, 6), np.float32)
    a.post(ones)
    b.leave()
    assert len(a.post(ones).wide) == 2 * 88


def test_a_source_that_ends_in_the_middle_of_a_shake_takes_nothing_off_its_end():
    """Red shakes first, and green goes on: blue's microphone, pulled in between, has no say in what comes after it."""
    random, middle = np.random.default_rng(12), round(1.5 * RATE)
    shaken = np.zeros((2, 2 * middle, len(FRONT.bands)))
    shaken[0, :middle], shaken[1, middle:] = hits(random, 1.5), hits(random, 1.5)
    heard = shaken + 0.12 * shaken[::-1] + 1e-5
    shares = []
    for names in (("red", "green", "blue"), ("red", "green")):
        table = Seats(names)
        red, green, *others = (table.join(name, FRONT) for name in names)
        for part in (slice(0, middle), slice(middle, None)):
            for seat, energy in zip((red, green), heard, strict=True):
                seat.post(energy[part].astype(np.float32))
            for blue in others:
                blue.post(np.full((middle, len(FRONT.bands)), 1e-5, np.float32))
                blue.leave()
            others = []
        shares.append([seat.own(0, 2 * middle).share for seat in (red, green)])
    assert shares[0] == pytest.approx(shares[1], abs=0.01)
    assert all(0.6 < share < 0.97 for share in shares[0])  # both parts are heard at both seats


def test_a_source_that_begins_later_is_held_against_the_same_instants():
    heard, _ = table_of(np.random.default_rng(3), (1.0, 0.0))
    late, table = 38 * 88, Seats(("red", "blue"))
    red = table.join("red", FRONT, lambda: 0.0)
    for start in range(0, late, 88):
        red.post(heard[0, start : start + 88].astype(np.float32))
    blue = table.join("blue", FRONT, lambda: late / RATE)
    for start in range(late, heard.shape[1], 88):
        red.post(heard[0, start : start + 88].astype(np.float32))
        blue.post(heard[1, start : start + 88].astype(np.float32))
    assert red.own(late + 500, late + 4000).share > 0.9
    assert blue.own(500, 4000).share < 0.1


@pytest.mark.parametrize(("one_clock", "least", "most"), [(True, 0.8, 1.0), (False, 0.0, 0.3)])
def test_how_near_hits_are_the_same_goes_by_the_clocks(one_clock, least, most):
    """Loud hits 3.5 ms after soft ones: of one card two people's, of two devices one person's."""
    table = Seats(("red", "blue"), one_clock=one_clock)
    red, blue = (table.join(name, FRONT) for name in table.names)
    heard = np.full((2, round(0.9 * RATE), 6), 1e-5)
    for at in range(200, heard.shape[1] - 50, 150):
        heard[0, at : at + 2] = 0.1
        heard[1, at + round(0.0035 * RATE) : at + round(0.0035 * RATE) + 2] = 1.0
    for seat, energy in zip((red, blue), heard, strict=True):
        seat.post(energy.astype(np.float32))
    assert least <= red.own(100, heard.shape[1]).share <= most
    assert blue.own(100, heard.shape[1]).share > 0.9


def test_what_a_seat_calls_its_own_is_as_loud_as_its_microphone_hears_it():
    """However much softer it is set than the others."""
    heard, own = table_of(np.random.default_rng(3), (1.0, 1.0))
    heard[0] /= 10.0
    table = Seats(("red", "blue"))
    seats = [table.join(name, FRONT) for name in table.names]
    table._gains.db = np.array([-5.0, 5.0])
    for seat, energy in zip(seats, heard, strict=True):
        seat._seat.append(energy.astype(np.float32))
    index = np.array([[0.0, 0.3], [0.3, 0.0]])
    table._weights = np.repeat(index[:, :, None], 6, axis=2)  # enough to be taken off
    parted = seats[0].own(500, 6000)
    assert parted.own is not parted.plain
    loud = own[0, 500:6000, -1] > 0.5
    assert 0.5 < parted.own[loud, -1].mean() / parted.plain[loud, -1].mean() <= 1.0
    # and what finds where a shake ends takes off a neighbour's sound as loud as it comes to this microphone
    served = table._serve("red", 6000).wide
    expected = heard[0, :6000, -1] - 0.3 / 10.0 * seats[1]._seat.window(0, 6000, slice(-1, None))[:, 0]
    np.testing.assert_allclose(served, np.maximum(expected, 0.02 * heard[0, :6000, -1]), rtol=1e-3)


def test_neighbours_so_soft_that_they_cost_more_than_they_do_are_left_in():
    heard, _ = table_of(np.random.default_rng(3), (1.0, 1.0))
    table = Seats(("red", "blue"))
    seats = [table.join(name, FRONT) for name in table.names]
    for seat, energy in zip(seats, heard, strict=True):
        seat._seat.append(energy.astype(np.float32))
    soft, much = PLAIN_WEIGHT / 2, PLAIN_WEIGHT * 2
    table._weights = np.repeat(np.array([[0.0, soft], [much, 0.0]])[:, :, None], 6, axis=2)
    red, blue = (seat.own(500, 6000) for seat in seats)
    assert red.own is red.plain  # little of blue is heard at red's
    assert blue.own is not blue.plain
    assert red.leak is not None
    assert red.leak.mean() < blue.leak.mean()


def test_seats_need_names_and_microphones_that_can_be_compared():
    with pytest.raises(ValueError, match="name"):
        Seats(("a", "a"))
    table = Seats(("a", "b"))
    table.join("a", FRONT)
    with pytest.raises(KeyError):
        table.join("c", FRONT)
    with pytest.raises(ProfileError, match=f"of b .* cannot be held against that of a .{FRONT.name}."):
        table.join("b", FRONT_ENDS[1])


@pytest.mark.parametrize("who", ["a", "b"])
def test_who_is_alone_at_the_table_may_come_with_another_microphone(who):
    """A headset at 16 kHz that was plugged in first shuts nobody out once it is gone."""
    low = next(f for f in FRONT_ENDS if f.name == "microphone-16000")
    table = Seats(("a", "b"), one_clock=False)
    first = table.join("a", low, lambda: 0.0)
    first.post(np.ones((880, len(low.bands)), np.float32))
    if who == "b":
        with pytest.raises(ProfileError):
            table.join("b", FRONT, lambda: 5.0)
        first.leave()
    again = table.join(who, FRONT, lambda: 5.0)
    other = table.join("b" if who == "a" else "a", FRONT, lambda: 5.0)
    for _ in range(60):
        back = len(again.post(np.ones((880, 6), np.float32)).wide)
        other.post(np.ones((880, 6), np.float32))
    assert back == 880
    assert again.own(0, 100).plain.shape == (100, 6)
    assert first.own(0, 100).plain.shape == (100, len(low.bands))  # its last verdict may still be under way


@pytest.mark.parametrize("quick", [True, False])
def test_what_a_neighbour_did_just_before_a_shake_is_taken_off_its_beginning(quick):
    """The room gives hits back for some hundredths of a second."""
    table = Seats(("red", "blue"))
    red, _blue = seats = [table.join(name, FRONT) for name in table.names]
    table._weights[...] = 0.15 * (1 - np.eye(2))[:, :, None]
    n, begins = round(1.0 * RATE), round(0.5 * RATE)
    own, neighbour = np.zeros((2, n, len(FRONT.bands)))
    own[begins + round(0.2 * RATE) :] = hits(np.random.default_rng(5), 1.0)[: n - begins - round(0.2 * RATE)]
    neighbour[begins - round(0.1 * RATE) : begins] = 1.0
    heard = [
        own + 0.15 * neighbours.arriving(neighbour, RATE),
        neighbour + 0.15 * neighbours.arriving(own, RATE),
    ]
    for seat, energy in zip(seats, heard, strict=True):
        seat.post((energy + 1e-5).astype(np.float32))
    parted = red.own(begins, n, quick)
    early = slice(0, round(0.04 * RATE))
    assert parted.plain[early, -1].mean() > 0.01
    assert parted.own[early, -1].mean() < 0.2 * parted.plain[early, -1].mean()
    if not quick:
        added = heard[0][begins:] - own[begins:]  # in units of each band's mean
        assert parted.leak[early] == pytest.approx((added / heard[0][begins:].mean(axis=0))[early], rel=0.1)
