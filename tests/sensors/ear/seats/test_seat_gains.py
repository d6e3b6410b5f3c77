"""Microphones that are not set alike: what is learned of it from hits, and whose shakes are whose then."""

import numpy as np
import pytest

from sensors.ear.frames.frontend import FRONT_ENDS
from sensors.ear.seats import gains as seat_gains
from sensors.ear.seats import neighbours
from sensors.ear.seats.gains import HITS_KEPT, SeatGains
from sensors.ear.seats.together import Seats
from tests.sensors.ear.seats.tables_of_seats import FRONT, RATE
from tests.sensors.ear.seats.tables_of_seats import hits as played

STEP = 220
LOW = next(front for front in FRONT_ENDS if front.name == "microphone-16000")


class Evening:
    """People who shake at a table of virtual microphones, each set so many dB louder."""

    def __init__(self, set_db, seed=1, front=FRONT, softer_db=6.0, seconds=1.5, **how):
        self.random, self.set_db, self.front = np.random.default_rng(seed), np.array(set_db, float), front
        self.table = Seats([f"seat {k}" for k in range(len(set_db))], **how)
        self.now_s = 0.0
        now = None if how.get("one_clock", True) else lambda: self.now_s
        self.seats = [self.table.join(name, front, now) for name in self.table.names]
        self.softer_db, self.seconds = softer_db, seconds
        self.still = set()  # seats of which nothing comes

    def together(self, *who):
        """They shake; shares of hits that are loudest at each seat."""
        bands, n = len(self.front.bands), round(self.seconds * RATE)
        heard = np.full((len(self.seats), n, bands), 1e-5)
        for seat in who:
            own = played(self.random, self.seconds, bands=bands)
            elsewhere = neighbours.arriving(own, RATE)
            for other in range(len(self.seats)):
                # from shake to shake a hand is nearer to one microphone, and farther from another
                away_db = self.softer_db + self.random.normal(0, 1.5)
                far = 10 ** (-away_db / 10)
                heard[other] += own if other == seat else far * elsewhere
        first = [seat._seat.end - seat._seat.late for seat in self.seats]
        self._post(heard)
        self._post(np.full((len(self.seats), round(0.4 * RATE), bands), 1e-5))
        reach = round(0.1 * RATE)
        return [
            seat.own(at + reach, at + n - reach, quick=True).share
            for seat, at in zip(self.seats, first, strict=True)
        ]

    def _post(self, heard):
        heard = heard * 10 ** (self.set_db[:, None, None] / 10)
        for start in range(0, heard.shape[1], STEP):
            self.now_s += STEP / RATE
            for k, (seat, energy) in enumerate(zip(self.seats, heard, strict=True)):
                if k in self.still:
                    continue
                seat.post(energy[start : start + STEP].astype(np.float32))

    @property
    def learned_db(self):
        """How much louder than on average each seems to be set, beside how they are set."""
        return self.table._gains.db

    def off_db(self, *seats):
        off = (self.learned_db - self.set_db)[list(seats or range(len(self.seats)))]
        return float(np.abs(off - off.mean()).max())


@pytest.mark.parametrize("crosstalk_db", [40, 60])
def test_an_input_without_a_microphone_that_hears_a_little_of_its_neighbours_says_nothing(crosstalk_db):
    """What it hears is no hit of that seat: whoever has a microphone loses no shake by it."""
    evening = Evening([0.0, 0.0, 0.0, -crosstalk_db], seconds=2.0)
    for seat in [0, 1, 2] * 5:
        assert evening.together(seat)[seat] > 0.5
    assert evening.off_db(0, 1, 2) < 2.0


def test_a_very_soft_microphone_far_from_the_others_is_no_input_without_one():
    evening = Evening([0.0, 0.0, 0.0, -15.0], softer_db=12.0)
    shares = [(seat, evening.together(seat)) for seat in [0, 1, 2, 3] * 3]
    assert all(share[seat] > 0.5 for seat, share in shares[4:])
    assert evening.off_db() < 4.0


def test_what_is_set_about_alike_is_left_as_it_is():
    """Of a microphone that two channels share a hundredth of a decibel would give all hits to one of them."""
    gains = SeatGains(3)
    gains.db = np.array([0.9, -0.9, 0.0])
    assert np.array_equal(gains.scale, np.ones(3))
    gains.db = np.array([2.0, -1.0, -1.0])
    assert gains.scale == pytest.approx(10 ** (-gains.db / 10))


def rightly(shares, seat):
    return shares[seat] > 0.5 and all(share < 0.1 for k, share in enumerate(shares) if k != seat)


@pytest.mark.parametrize(("how", "front"), [({}, FRONT), ({"one_clock": False}, FRONT), ({}, LOW)])
def test_who_shakes_at_a_soft_microphone_is_found_after_the_first_few(how, front):
    evening = Evening((0.0, 0.0, -9.0, 0.0), front=front, **how)
    for seat in (0, 1, 2, 3, 0, 1, 2, 3):
        evening.together(seat)
    assert [rightly(evening.together(seat), seat) for seat in range(4)] == [True] * 4
    assert evening.off_db() < 2.5


def test_a_loud_microphone_takes_nobodys_shakes_when_all_have_shaken():
    evening = Evening((9.0, 0.0, 0.0, 0.0), seed=2)
    for seat in (1, 2, 3, 0, 1, 2, 3):
        evening.together(seat)
    assert [rightly(evening.together(seat), seat) for seat in range(4)] == [True] * 4


def test_who_always_shake_together_are_told_apart_as_well():
    evening = Evening((0.0, -8.0, 5.0, 0.0), seed=3, softer_db=7.0)
    for _ in range(8):
        evening.together(0, 1, 2, 3)
    assert evening.off_db() < 3.0
    assert min(evening.together(0, 1, 2, 3)) > 0.1


def test_six_seats():
    set_db = (4.0, -6.0, 0.0, -3.0, 7.0, -2.0)
    evening = Evening(set_db, seed=4)
    for seat in (0, 1, 2, 3, 4, 5, 3, 1, 4, 0, 2, 5):
        evening.together(seat)
    assert evening.off_db() < 2.5


@pytest.mark.parametrize("who", [(), (0,), (0, 1), (0, 1, 2, 3)])
@pytest.mark.parametrize("softer_db", [5.0, 14.0])
def test_microphones_that_are_set_alike_stay_so_whoever_shakes(who, softer_db):
    """Also where nobody ever sits at some seats, and where one person shakes alone all evening."""
    evening = Evening((0.0,) * 4, seed=5, softer_db=softer_db)
    assert evening.learned_db.tolist() == [0.0] * 4  # and energies are compared as they come
    assert evening.table._gains.scale.tolist() == [1.0] * 4
    for _ in range(3):
        for seat in who:
            evening.together(seat)
    assert np.abs(evening.learned_db).max() < 1.0


def test_what_is_as_loud_everywhere_is_nobodys_shake():
    """Music, talk and what a room gives back: no seat where nobody sits seems to be set soft by them."""
    gains, random = SeatGains(4), np.random.default_rng(6)
    for _ in range(12):
        wide = np.full((4, round(4 * RATE)), 1e-5)
        for seat in (0, 1):
            own = played(random, 4.0, bands=1)[:, 0]
            wide += own * np.where(np.arange(4) == seat, 1.0, 10**-1.4)[:, None]
        wide += 0.3 * played(random, 4.0, bands=1)[:, 0]
        gains.hear([0, 1, 2, 3], wide, wide.shape[1], RATE)
    assert np.abs(gains.db).max() < 1.0


@pytest.mark.parametrize("noise", [0.0, 1e-12, 1e-5])
def test_a_microphone_that_hears_nothing_is_left_as_it_is(noise):
    """A muted one, whose noise would be all there is of it."""
    gains, random = SeatGains(3), np.random.default_rng(6)
    for k in range(8):
        wide = np.full((3, round(4 * RATE)), 1e-6)
        own = played(random, 4.0, bands=1)[:, 0]
        wide[:2] += own * np.where(np.arange(2) == k % 2, 1.0, 0.25)[:, None]
        wide[2] = noise * (1 + 0.1 * random.random(wide.shape[1]))
        gains.hear([0, 1, 2], wide, wide.shape[1], RATE)
    assert np.abs(gains.db).max() < 0.5


def test_a_source_that_is_opened_anew_may_be_another_microphone():
    evening = Evening((0.0, 0.0, -9.0, 0.0), seed=7, seconds=2.0)
    for seat in (0, 1, 2, 3, 0, 1, 2, 3):
        evening.together(seat)
    evening.seats[2] = evening.table.join("seat 2", FRONT)
    evening.seats[2]._seat.shift(
        -evening.seats[0]._seat.end
    )  # the table's time, which one clock does not tell
    assert evening.off_db(0, 1, 3) < 2.0
    assert abs(evening.learned_db[2]) < 4.0
    evening.set_db[2] = 6.0
    for seat in (0, 1, 2, 3, 0, 1, 2, 3):
        evening.together(seat)
    assert evening.off_db() < 2.5
    for name in evening.table.names:
        evening.table.join(name, FRONT)
    assert evening.learned_db.tolist() == [0.0] * 4


def test_who_shakes_seldom_is_not_forgotten_and_memory_is_constant():
    evening = Evening((0.0, 0.0, -9.0, 0.0), seed=8, seconds=2.0)
    for seat in (0, 1, 2, 3, 0, 1, 2, 3):
        evening.together(seat)
    for _ in range(14):
        evening.together(0)
    assert len(evening.table._gains._hits) == HITS_KEPT
    assert rightly(evening.together(2), 2)


def test_what_is_heard_most_makes_room_its_oldest_hits_first():
    """Sixty hits of a seat, and since then more than are kept of another, each a little louder than the one before."""
    gains = SeatGains(3)
    seldom = np.tile([-8.0, -8.0, 0.0], (60, 1))
    often = np.array([0.0, -8.0, -8.0]) + 0.01 * np.arange(600)[:, None]
    gains._hits = np.concatenate([seldom, often])
    gains._learn()
    assert len(gains._hits) == HITS_KEPT
    assert np.array_equal(gains._hits[:60], seldom)
    assert np.array_equal(gains._hits[60:], often[60 - HITS_KEPT :])


def test_whose_a_hit_is_does_not_go_by_how_hard_it_was():
    """Only by where it is louder; also where one seat did not hear it."""
    for levels in ([0.0, -8.0, -8.0], [0.0, np.nan, -8.0]):
        gains = SeatGains(3)
        gains._hits = np.array(levels) + np.array([[-40.0], [0.0], [25.0]])
        likely = gains._heaps()
        assert likely.argmax(axis=1).tolist() == [0, 0, 0]
        assert likely == pytest.approx(np.tile(likely[0], (3, 1)))


def test_a_microphone_that_is_turned_up_in_between_is_followed():
    evening = Evening((0.0, 0.0, -9.0, 0.0), seed=9)
    for _ in range(4):
        for seat in range(4):
            evening.together(seat)
    evening.set_db[2] = 0.0
    for _ in range(5):
        for seat in range(4):
            evening.together(seat)
    assert [rightly(evening.together(seat), seat) for seat in range(4)] == [True] * 4


def test_a_seat_that_stands_still_keeps_nobody_from_being_learned():
    """It is left out meanwhile: what others do is not read against what it has not told."""
    evening = Evening((0.0, 6.0, -4.0, 0.0), seed=10, seconds=2.0)
    evening.together()
    evening.still = {3}
    for seat in (0, 1, 2) * 4:
        evening.together(seat)
    assert evening.off_db(0, 1, 2) < 2.0
    assert [rightly(evening.together(seat)[:3], seat) for seat in range(3)] == [True] * 3


def test_a_seat_that_stands_still_for_two_seconds_stays_as_it_was_set():
    evening = Evening((0.0, 6.0, -4.0, -6.0), seed=11, seconds=2.0)
    for seat in (0, 1, 2, 3) * 2:
        evening.together(seat)
    assert evening.off_db() < 3.0
    before, known = evening.learned_db.copy(), len(evening.table._gains._hits)
    evening.still = {3}
    evening.together(0)
    assert np.abs(evening.learned_db - before).max() < 0.5
    assert len(evening.table._gains._hits) > known + 10  # of the others it is learned on


def test_hits_are_of_the_fresh_frames_alone():
    wide = np.full((2, 4000), 1e-5)
    wide[:, 1000:1013] = 1.0
    wide[:, 3000:3013] = [[1.0], [0.1]]
    assert len(seat_gains.hits(wide, 4000, RATE)) == 2
    (late,) = seat_gains.hits(wide, 1500, RATE)
    assert late[0] - late[1] == pytest.approx(10.0, abs=0.1)
    wide[1] = 1e-5
    assert np.isnan(seat_gains.hits(wide, 1500, RATE)[0]).tolist() == [
        False,
        True,
    ]  # nobody knows how soft it was there
    assert seat_gains.hits(wide, 0, RATE).shape == (0, 2)
    assert seat_gains.hits(wide[:, :5], 5, RATE).shape == (0, 2)
    assert seat_gains.hits(wide[:1], 4000, RATE).shape == (0, 1)
