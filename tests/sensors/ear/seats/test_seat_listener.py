"""The ear of one seat among others: whose shake it was, and what is said of a neighbour's."""

import numpy as np
import pytest

from sensors.ear.frames.frontend import no_frames
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.seats.listener import (
    ELSEWHERE,
    ELSEWHERE_OR_SOFT,
    TOO_CROWDED,
    SeatListener,
    SeatStretch,
    hear_together,
)
from sensors.ear.seats.parted import Parted
from sensors.ear.seats.together import Seats
from sensors.ear.verdicts.reasons import NO_RATTLE, could_be
from sensors.ear.verdicts.verdict import Opinion
from sensors.evidence import Heard, Hearing

PEOPLE = 3
UNDECIDED = could_be({2: 0.5, 3: 0.5})


@pytest.fixture(scope="module")
def evening():
    """Two of three people shake at simulated cardioids: what was said, and the truth."""
    from hw_mock.igloo.together import Evening, Round

    plan = Evening(31, tables=1, rounds=1, people=(2,), seats=PEOPLE, seconds=(1.6, 2.2), pattern=0.5)
    scene = Round(plan, 0, 0, 2).scene()
    sound = scene.microphones(tuple(range(PEOPLE)), scene.parts[0].played.device)
    table, profile = Seats(tuple("012")), load_shipped("microphone")
    ears = [SeatListener(profile, 48000, 1, "round", table, name, partial=True) for name in table.names]
    said = list(hear_together(ears, sound, 48000))
    for ear in ears:
        said += ear.finish()
    return scene, said


def test_each_shake_is_told_of_its_own_seat_only(evening):
    scene, said = evening
    shaking = {str(part.seat) for part in scene.parts}
    heard = [s for s in said if isinstance(s, Heard)]
    assert {s.seat for s in heard if s.verdict != "not-a-shake"} == shaking
    assert any(s.why.elsewhere for s in heard if s.seat not in shaking)
    for part in scene.parts:
        mine = next(s for s in heard if s.seat == str(part.seat) and s.verdict != "not-a-shake")
        assert mine.start_s == pytest.approx(part.span_s[0], abs=0.35)
        assert mine.end_s == pytest.approx(part.span_s[1], abs=0.35)
        assert mine.to_json()["seat"] == str(part.seat)


def at_the_seat(ear, share):
    """A stretch of which that share of hits is the seat's own."""
    none = np.zeros((0, len(ear.head.front.bands)))
    return SeatStretch(0, no_frames(ear.head.front), False, Parted(none, none, None, share))


@pytest.mark.parametrize(
    ("share", "verdict", "reason", "kept"),
    [
        (0.05, "not-a-shake", ELSEWHERE_OR_SOFT, 0),
        (0.3, "unsure", TOO_CROWDED, 1),
        (0.9, "unsure", UNDECIDED, 1),
    ],
)
def test_neighbours_shakes_say_nothing_of_the_profile(monkeypatch, share, verdict, reason, kept):
    """A shake at another seat is no shake here, and not what a drift is told by."""
    ear = SeatListener(load_shipped("microphone"), 48000, 1, "round", Seats(("a", "b")), "a")
    said = Opinion("unsure", {2: 0.5, 3: 0.5}, UNDECIDED, 1.0, 0.6)
    monkeypatch.setattr("sensors.ear.listener.judge", lambda *_: said)
    told = ear._judge(at_the_seat(ear, share), -60.0)
    assert (told.verdict, told.reason, len(ear._lately)) == (verdict, reason, kept)


def test_talk_at_another_seat_is_told_there_alone(monkeypatch):
    ear = SeatListener(load_shipped("microphone"), 48000, 1, "round", Seats(("a", "b")), "a")
    said = Opinion("not-a-shake", {}, NO_RATTLE, 1.0, 0.6)
    monkeypatch.setattr("sensors.ear.listener.judge", lambda *_: said)
    for share, reason in ((0.05, ELSEWHERE), (0.9, said.reason)):
        assert ear._judge(at_the_seat(ear, share), -60.0).reason == reason


def test_a_seat_whose_shakes_were_never_its_own_is_told_what_to_turn_up(monkeypatch):
    """Its microphone may be so soft that every shake is louder at the neighbour's."""
    ear = SeatListener(load_shipped("microphone"), 48000, 1, "round", Seats(("a", "b")), "a")
    said = Opinion("unsure", {2: 0.5, 3: 0.5}, UNDECIDED, 1.0, 0.6)
    monkeypatch.setattr("sensors.ear.listener.judge", lambda *_: said)
    told = [ear._judge(at_the_seat(ear, share), -60.0).reason for share in (0.05, 0.3, 0.05, 0.9, 0.05)]
    assert told == [ELSEWHERE_OR_SOFT, TOO_CROWDED, ELSEWHERE_OR_SOFT, UNDECIDED, ELSEWHERE]


def test_partial_answers_come_from_seats_that_shake(evening):
    scene, said = evening
    hearing = [s for s in said if isinstance(s, Hearing)]
    assert {s.seat for s in hearing} == {str(part.seat) for part in scene.parts}
    assert len(hearing) >= 6


@pytest.mark.parametrize("late_s", [0.4, 0.8])
def test_a_seat_whose_sound_comes_late_keeps_its_shake_and_nobody_else_is_named(late_s):
    """As on a busy machine. Two who sit still are not asked to shake in turn, nor shown to shake meanwhile."""
    from hw_mock.igloo.together import Evening, Round

    plan = Evening(31, tables=1, rounds=1, people=(1,), seats=PEOPLE, seconds=(1.6, 2.2), pattern=0.5)
    scene = Round(plan, 0, 0, 1).scene()
    sound = scene.microphones(tuple(range(PEOPLE)), scene.parts[0].played.device)
    quiet = sound[:43200]
    sound = np.concatenate([sound, quiet, quiet[::-1]])
    (shaking,) = (part.seat for part in scene.parts)
    table, profile, step = Seats(tuple("012")), load_shipped("microphone"), 960
    ears = [SeatListener(profile, 48000, 1, "round", table, name, partial=True) for name in table.names]
    late, said = round(late_s * 48000) // step, []
    for block in range(len(sound) // step + late):
        for seat, ear in enumerate(ears):
            at = block - late * (seat == shaking)
            if 0 <= at < len(sound) // step:
                said += ear.push(sound[at * step : (at + 1) * step, seat : seat + 1])
    hearing = [s for s in said if isinstance(s, Hearing) and s.start_s > 0.5]  # not what begins a stream
    assert {s.seat for s in hearing} == {str(shaking)}
    heard = [s for s in said if isinstance(s, Heard) and s.start_s > 0.5]
    assert [s.seat for s in heard if s.verdict != "not-a-shake"] == [str(shaking)]
    assert all(s.why.elsewhere for s in heard if s.seat != str(shaking))
