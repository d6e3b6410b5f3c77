"""Takes of one igloo in a row are known by their times, whatever their sessions, players and devices are called."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.recordings.folder import Recording, read
from calibration.recordings.folds import Unit, key_of
from calibration.recordings.taken import unread
from calibration.traps.by_the_clock import (
    GIVEN_AWAY,
    Moment,
    beside_in_time,
    coarse,
    kept,
    known_in_time,
    moment,
    to_the_second,
)
from sensors.ear.profiles.fitted_on import FittedOn
from sensors.ear.profiles.profile import load
from table.cli import run
from tests.knowing import knowing
from tests.rattle import RATE, rattle, write_sweeps

Capture = pytest.CaptureFixture[str]
BEGUN = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
COUNTS = range(2, 14)
UNITS: tuple[Unit, ...] = ("session", "player", "device")


def take(second: float, beads: int, unit: str, number: int = 0) -> Recording:
    """Under a session, a player and a device of that name."""
    taken = (BEGUN + timedelta(seconds=second)).isoformat()
    return Recording(
        Path(), f"{number}.wav", "microphone", beads, device=unit, player=unit, session=unit, taken=taken
    )


def in_a_row() -> list[Recording]:
    """Eight takes of each igloo in a row, of which every other one has another name."""
    return [take(60.0 * i, 2 + i // 8, "ab"[i % 2], i) for i in range(96)]


def sweeps(seed: int, of: Sequence[str], apart_s: float) -> list[Recording]:
    """Every igloo once, in random order, one sweep after another."""
    draw, out = random.Random(seed), list[Recording]()
    for k, unit in enumerate(of):
        order = draw.sample(COUNTS, len(COUNTS))
        out += [take(k * apart_s + 20.0 * i, n, unit, len(out) + i) for i, n in enumerate(order)]
    return out


def told(recordings: Sequence[Recording], unit: Unit) -> float:
    units = [key_of(r, unit) for r in recordings]
    return beside_in_time(recordings, units, list(zip(recordings, units, strict=True)))


@pytest.mark.parametrize("unit", UNITS)
def test_takes_in_a_row_are_told_whatever_they_are_called(unit: Unit) -> None:
    assert told(in_a_row(), unit) > 0.6  # at the ends of a row others are near


@pytest.mark.parametrize(("names", "takes"), [("ab", 2), ("ab", 3), ("ab", 4), ("abc", 3), ("abcd", 4)])
@pytest.mark.parametrize("pause_s", [0.0, 600.0, 3600.0])
def test_few_in_a_row_are_told_too(names: str, takes: int, pause_s: float) -> None:
    """People who pass each igloo round once, and a sitting of a few takes of each under two names."""
    in_turn = [(n, i) for n in COUNTS for i in range(takes)]
    recordings = [
        take(25.0 * k + pause_s * n, n, names[i % len(names)], k) for k, (n, i) in enumerate(in_turn)
    ]
    assert told(recordings, "player") > 0.4
    to_the_minute = [replace(r, taken=f"{str(r.taken)[:16]}Z") for r in recordings]
    assert pause_s == 0.0 or told(to_the_minute, "session") > 0.3


@pytest.mark.parametrize(
    ("apart_s", "near"), [(600.0, True), (1500.0, True), (2700.0, False), (7200.0, False)]
)
def test_what_is_more_than_half_an_hour_away_tells_nothing(apart_s: float, near: bool) -> None:
    """Each igloo four times on a slow evening, by turns under two names: contracts 3."""
    recordings = [take(apart_s * i, 2 + i // 4, "ab"[i % 2], i) for i in range(48)]
    assert told(recordings, "session") == (pytest.approx(0.6, abs=0.25) if near else 0.0)


def test_a_few_igloos_in_a_row_are_told_though_their_rows_can_be_dealt_in_few_ways() -> None:
    recordings = [take(40.0 * i, (3, 6, 9)[i // 8], "ab"[i % 2], i) for i in range(24)]
    assert told(recordings, "session") > 0.4


def test_chance_is_taken_off_and_a_few_takes_tell_nothing() -> None:
    """Of four igloos in a row a quarter would be told by any take of the other name."""
    four = [take(40.0 * i, (3, 5, 9, 12)[i // 24], "ab"[i % 2], i) for i in range(96)]
    assert told(four, "session") == pytest.approx(0.75, abs=0.05)
    recordings = in_a_row()
    units = [key_of(r, "session") for r in recordings]
    few = list(zip(recordings, units, strict=True))[8:24]
    assert beside_in_time(recordings, units, few) > 0.5
    assert beside_in_time(recordings, units, few[:9]) == 0.0


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Kolkata"])
def test_a_time_without_a_zone_is_utc_wherever_it_is_read(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contracts 3: two machines must not know one take by two times."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", zone)
        time.tzset()
        plain = replace(take(0.0, 5, "a"), taken=BEGUN.strftime("%Y-%m-%dT%H:%M:%S"))
        assert moment(plain) == Moment(BEGUN.timestamp(), 5)
        assert moment(replace(plain, taken="2026-11-20T23:30:00+05:30")) == Moment(BEGUN.timestamp(), 5)
        assert moment(replace(plain, taken="2026-11-20")) is None  # a day is no instant
    time.tzset()


def by_turns(seed: int, hands: int, rounds: int, takes: int = 1) -> list[Recording]:
    """People who sweep at the same time, each in a random order, and shake in turn."""
    draw = random.Random(seed)
    orders = [[n for _ in range(rounds) for n in draw.sample(COUNTS, len(COUNTS))] for _ in range(hands)]
    in_turn = [
        (n, k) for igloos in zip(*orders, strict=True) for k, n in enumerate(igloos) for _ in range(takes)
    ]
    return [take(20.0 * i + draw.uniform(0, 15), n, "abcdef"[k], i) for i, (n, k) in enumerate(in_turn)]


def test_sweeps_in_turn_by_many_hands_are_not_accused() -> None:
    drawn = [(seed, 2 + seed % 4, 1 + seed % 3) for seed in range(100)]
    assert sum(told(by_turns(*of), "player") > GIVEN_AWAY for of in drawn) == 0
    assert sum(told(by_turns(seed, 2, 1, takes=2), "player") > GIVEN_AWAY for seed in range(50)) == 0


def test_a_profile_of_a_sweep_is_not_accused_of_the_next_minutes() -> None:
    """Another sweep, and a game with a few of the igloos, right after that which it was fitted on."""
    for seed in range(50):
        draw = random.Random(seed)
        on = knowing(moments=tuple(kept(sweeps(seed, "ab", 300.0), ())))
        few = draw.sample(COUNTS, draw.choice([1, 2, 3, 12]))
        game = [take(600.0 + 30.0 * i, draw.choice(few), "c", i) for i in range(24)]
        assert known_in_time(on, game) < GIVEN_AWAY


def test_a_profile_of_two_of_each_knows_the_next_two() -> None:
    evening = [take(3000.0 * n + 25.0 * i, n, "evening") for n in COUNTS for i in (0, 1)]
    night = [take(3000.0 * n + 25.0 * i, n, "night") for n in COUNTS for i in (2, 3)]
    assert known_in_time(knowing(moments=tuple(kept(evening, ()))), night) > 0.6


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 7.0, 300.0, 86400.0]), st.sampled_from(UNITS))
def test_sweeps_are_not_also_by_two_at_once(seed: int, apart_s: float, unit: Unit) -> None:
    assert abs(told(sweeps(seed, "abcd", apart_s), unit)) < GIVEN_AWAY


def test_a_clock_that_tells_the_day_tells_nothing() -> None:
    for instant in (
        "2026-11-20T18:00:00Z",
        "2026-11-20",
        None,
        "yesterday evening",
        "0001-01-01T00:00:00+23:00",
    ):
        recordings = [
            Recording(Path(), f"{i}", "microphone", 2 + i // 8, session="ab"[i % 2], taken=instant)
            for i in range(96)
        ]
        assert told(recordings, "session") == 0.0
        assert kept(recordings, ()) == []
    assert coarse([take(0.0, 2 + i % 12, "a") for i in range(12)])
    assert not coarse([take(0.0, 2 + i % 12, "abcdef"[i % 6]) for i in range(12)])  # six people


@pytest.mark.parametrize(("at_once", "near"), [(8, True), (9, False)])
def test_many_takes_at_one_instant_tell_no_take_beside_them(at_once: int, near: bool) -> None:
    """So many hands are noted for one second, and only there: elsewhere in the folder the clock tells takes apart."""
    others = [take(86400.0 + 20.0 * i, 2 + i % 12, "z", i) for i in range(96)]
    known = [*others, *(take(0.0, 5, f"hand {i}", i) for i in range(at_once))]
    tested = [(take(1.0 + i, 5, "a", i), "a") for i in range(12)]
    assert not coarse(known)
    units = [key_of(r, "player") for r in known]
    assert beside_in_time(known, units, tested) == (pytest.approx(0.85, abs=0.05) if near else 0.0)


def test_takes_that_are_stamped_with_the_hour_are_not_known_by_it() -> None:
    """One igloo an hour: the profile has exact times, and of what is asked only the hour was noted."""
    early = [take(3600.0 * n + 25.0 * i, n, "early", i) for n in COUNTS for i in (1, 2, 3)]
    on = knowing(moments=tuple(kept(early, ())))
    exact = [take(3600.0 * n + 25.0 * i, n, "late", i) for n in COUNTS for i in range(4, 14)]
    assert known_in_time(on, exact) > 0.6
    by_the_hour = [replace(r, taken=f"{str(r.taken)[:13]}:00:00Z") for r in exact]
    assert coarse(by_the_hour)
    assert known_in_time(on, by_the_hour) == 0.0


def test_an_instant_names_a_shake_where_it_is_told_to_the_second() -> None:
    assert to_the_second([take(20.0 * i, 2 + i, "a") for i in range(12)])
    assert not to_the_second([take(60.0 * i, 2 + i, "a") for i in range(12)])
    assert not to_the_second([take(1.0, 4, "a"), take(1.0, 5, "a")])  # nobody shakes two at once
    assert not to_the_second([take(1.0 + i // 2, 4 + i, "a") for i in range(4)] + [take(90.0, 4, "a")])
    assert to_the_second([take(1.0, 4, "a"), take(1.0, 5, "b")])


def test_a_time_that_is_none_is_known() -> None:
    times = [
        "1670866069.0",
        "20.11.2026 18:00:00",
        "yesterday",
        "2026-11-20T18:00:00Z",
        "2026-11-20",
        "",
        None,
    ]
    none = [unread(Recording(Path(), "a.wav", "microphone", 2, taken=taken)) for taken in times]
    assert none == [True, True, True, False, False, False, False]


def test_a_profile_keeps_when_its_takes_were_made() -> None:
    early, late = in_a_row()[::2], in_a_row()[1::2]
    on = FittedOn.read(json.loads(json.dumps(knowing(moments=tuple(kept(early, ()))).to_json())))
    assert known_in_time(on, late) > 0.6
    assert abs(known_in_time(on, sweeps(1, "ab", 86400.0))) < GIVEN_AWAY
    swept = knowing(moments=tuple(kept(sweeps(1, "ab", 400.0), ())))
    assert abs(known_in_time(swept, sweeps(2, "ab", 300.0))) < GIVEN_AWAY
    known = [made for one in early if (made := moment(one)) is not None]
    assert len(kept(late, known)) == 96
    assert len(kept(late, [Moment(float(i), 3) for i in range(4900)])) == 4948
    assert kept(late, [Moment(float(i), 3) for i in range(5000)]) == []  # of a world, and no table
    assert known_in_time(knowing(), late) == 0.0  # as profiles were that are older


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight takes of each of four igloos in a row, named by turns as of two sessions."""
    folder = tmp_path_factory.mktemp("halves")
    with (folder / "recordings.jsonl").open("w") as file:
        for i in range(32):
            beads = (2, 5, 8, 11)[i // 8]
            soundfile.write(folder / f"{i}.wav", rattle(beads, i, 1.2), RATE, subtype="FLOAT")
            line: dict[str, Any] = {"file": f"{i}.wav", "sensor": "microphone", "beads": beads}
            line |= {
                "place": "table",
                "session": "ab"[i % 2],
                "taken": (BEGUN + timedelta(minutes=i)).isoformat(),
            }
            file.write(json.dumps(line) + "\n")
    return folder


def test_one_sitting_under_two_names_gets_no_figure(halves: Path, tmp_path: Path, capsys: Capture) -> None:
    words = ["--leave-out", "session", "--start-from", "microphone"]
    assert run(["calibrate", "igloos", "evaluate", str(halves), *words]) == 0
    said = capsys.readouterr()
    assert "exact" not in said.out
    assert "the clock alone tells" in said.err
    early = ["--only", "session=a", "--out", str(tmp_path / "a.profile")]
    assert run(["calibrate", "igloos", "fit", str(halves), *early]) == 0
    capsys.readouterr()
    late = ["--only", "session=b", "--profile", str(tmp_path / "a.profile")]
    assert run(["calibrate", "igloos", "evaluate", str(halves), *late]) == 0
    said = capsys.readouterr()
    assert "exact" not in said.out
    assert "takes of the same igloos minutes from these" in said.err


def test_takes_that_were_turned_down_or_cut_are_known(tmp_path: Path, capsys: Capture) -> None:
    folder, again = tmp_path / "own", tmp_path / "again"
    folder.mkdir()
    write_sweeps(folder, sessions=1, place="table")
    profile = tmp_path / "own.profile"
    assert run(["calibrate", "igloos", "fit", str(folder), "--out", str(profile)]) == 0
    assert len(load(profile).fitted_on.loudest or "") == 8 * 12
    for change in (lambda x: 0.7 * x, lambda x: x[441:]):
        again.mkdir(exist_ok=True)
        (again / "recordings.jsonl").write_text((folder / "recordings.jsonl").read_text())
        for line in read(folder, lambda error: None):
            sound, rate = soundfile.read(folder / line.file, dtype="float32")
            soundfile.write(again / line.file, change(sound), rate, subtype="FLOAT")
        capsys.readouterr()
        assert run(["calibrate", "igloos", "evaluate", str(again), "--profile", str(profile)]) == 0
        said = capsys.readouterr()
        assert "exact" not in said.out
        assert "fitted on 100% of these recordings" in said.err
