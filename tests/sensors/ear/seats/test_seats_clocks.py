"""Microphones with clocks of their own, in hours of quiet and on busy machines: the wall clock keeps them near."""

import numpy as np
import pytest

from sensors.ear.seats.clocks import Clocks
from sensors.ear.seats.together import Seats
from tests.sensors.ear.seats.tables_of_seats import FRONT, RATE, table_of


class Wall:
    """Two devices of one table, and the table's time; blue hears what red's neighbour hears of red."""

    def __init__(self):
        self.now_s = 0.0
        self.table = Seats(("red", "blue"), one_clock=False)
        self.red, self.blue = (self.table.join(name, FRONT, lambda: self.now_s) for name in self.table.names)

    def quiet(self, seconds, red_s, blue_s):
        """So long nobody shakes, and the devices bring that much of it."""
        self.now_s += seconds
        for seat, brings in ((self.red, red_s), (self.blue, blue_s)):
            seat.post(np.full((round(brings * RATE), 6), 1e-5, np.float32))

    def red_shakes(self, behind=lambda k: 0.0):
        """Share of the hits that seem to be loudest at blue, where nobody shakes; `behind`: by how much the reading of
        step k is late, in s."""
        heard, _ = table_of(np.random.default_rng(5), (1.0, 0.0), seconds=9.0)
        began, brought, step = self.now_s, 0, 88
        for k, start in enumerate(range(0, heard.shape[1], step)):
            self.now_s = began + (start + step) / RATE + behind(k)
            for seat, energy in zip((self.red, self.blue), heard, strict=True):
                seat.post(energy[start : start + step].astype(np.float32))
            brought += step
        end = self.table._seats["blue"].end - self.table._seats["blue"].late
        return self.blue.own(end - round(2.5 * RATE), end - round(0.5 * RATE)).share


def test_cards_that_drift_for_hours_of_quiet_are_near_when_somebody_shakes():
    wall = Wall()
    for _ in range(100):
        wall.quiet(60.0, 60.0, 60.0 * (1 - 300e-6))  # 1.8 s in all
    assert wall.red_shakes() < 0.1


@pytest.mark.parametrize("lost_s", [0.4, 1.2, 1.5, 3.0, -1.5])
def test_sound_that_was_lost_in_the_quiet_is_noticed_by_the_wall_clock(lost_s):
    wall = Wall()
    for _ in range(20):
        wall.quiet(1.0, 1.0, 1.0)
    if lost_s > 0:
        wall.quiet(4.0, 4.0, 4.0 - lost_s)
    else:
        wall.quiet(4.0, 4.0 + lost_s, 4.0)
    for _ in range(12):
        wall.quiet(1.0, 1.0, 1.0)
    assert wall.red_shakes() < 0.1


def test_a_busy_machine_that_reads_late_and_in_bursts_shifts_nothing():
    wall = Wall()
    random = np.random.default_rng(3)
    for _ in range(20):
        wall.quiet(1.0, 1.0, 1.0)
    before = {name: seat.late for name, seat in wall.table._seats.items()}
    kept = 0.0
    for _ in range(300):
        # one of them is held up for up to 4 s, and then catches up
        held = min(kept + 1.0, 4.0) if random.random() < 0.7 else 0.0
        wall.quiet(1.0, 1.0, kept + 1.0 - held)
        kept = held
        if held >= 4.0:
            wall.quiet(0.01, 0.01, kept + 0.01)
            kept = 0.0
    assert {name: seat.late for name, seat in wall.table._seats.items()} == before
    assert wall.red_shakes(lambda k: 0.8 * random.random()) < 0.1


def test_what_was_found_by_ear_is_not_undone_by_the_wall_clock():
    """A card may be slow to bring what it hears; that is heard, and stays so."""
    wall = Wall()
    for _ in range(20):
        wall.quiet(1.0, 1.0, 1.0)
    wall.now_s += 0.2  # red and blue alike from now on
    assert wall.red_shakes() < 0.1
    wall.blue.post(np.full((round(0.15 * RATE), 6), 1e-5, np.float32))  # … and then blue only
    assert wall.red_shakes() < 0.1
    late = {name: seat.late for name, seat in wall.table._seats.items()}
    for _ in range(60):
        wall.quiet(1.0, 1.0, 1.0)
    assert {name: seat.late for name, seat in wall.table._seats.items()} == late


def test_sound_that_is_lost_while_somebody_shakes_on_and_on_is_noticed_too():
    """One stroke is like the next, and fits as well: that is no proof that all is right."""
    wall = Wall()
    for _ in range(20):
        wall.quiet(1.0, 1.0, 1.0)
    heard, _ = table_of(np.random.default_rng(7), (1.0, 0.0), seconds=26.0)
    began, shares = wall.now_s, []
    for start in range(0, heard.shape[1], 88):
        at = start / RATE
        wall.now_s = began + at
        wall.red.post(heard[0, start : start + 88].astype(np.float32))
        if not 4.0 <= at < 5.5:
            wall.blue.post(heard[1, start : start + 88].astype(np.float32))
        if at > 21.0:
            end = wall.table._seats["blue"].end - wall.table._seats["blue"].late
            shares.append(wall.blue.own(end - round(1.5 * RATE), end - round(0.5 * RATE), quick=True).share)
    assert max(shares) < 0.1


def test_a_slow_start_is_not_taken_for_the_usual_delay():
    wall = Wall()
    wall.quiet(0.01, 0.01, 1.5)  # waited in blue's queue while its ear was made
    for _ in range(12):
        wall.quiet(1.0, 1.0, 1.0)
    assert wall.red_shakes() < 0.1


@pytest.mark.parametrize("way_s", [0.0, 0.06, 0.25])
def test_sound_that_is_always_as_long_on_its_way_is_not_behind(way_s):
    clocks = Clocks(RATE, 4.0)
    clocks.join("red")
    for second in range(40):
        clocks.posted("red", round((second - way_s) * RATE), float(second))
        assert clocks.behind(float(second)) == {}


def test_the_channels_of_one_card_keep_step_by_themselves():
    now = iter(range(0, 10**6, 7))
    table = Seats(("red", "blue"))
    seats = [table.join(name, FRONT, lambda: 0.0) for name in table.names]
    for _ in range(20):
        for seat in seats:
            seat._now = seat._now and (lambda: float(next(now)))
            seat.post(np.ones((88, 6), np.float32))
    assert [seat.late for seat in table._seats.values()] == [0, 0]


@pytest.mark.parametrize(("off_s", "told"), [(0.0, False), (0.15, False), (1.5, True), (-1.5, True)])
def test_what_fits_by_ear_but_is_far_from_the_usual_is_another_stroke(off_s, told):
    clocks = Clocks(RATE, 4.0)
    clocks.join("red")
    said = []
    for second in range(40):
        if second == 20:
            clocks._set_right("red")
        clocks.posted("red", round((second - (off_s if second >= 20 else 0.0)) * RATE), float(second))
        said += clocks.behind(float(second)).items()
    assert all(
        by == pytest.approx(off_s * RATE, abs=2) for _, by in said
    )  # again and again: nobody shifts it
    assert bool(said) is told
