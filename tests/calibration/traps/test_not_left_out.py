"""What is left out by turns and known all the same: each way by itself, and only of what is tested. On made-up rows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibration.recordings.folder import Recording
from calibration.traps import fingerprints as prints
from calibration.traps.fingerprints import fingerprint, fingerprints, loudest, share_known
from calibration.traps.flattering import flattered
from calibration.traps.not_left_out import not_left_out
from calibration.traps.same_sittings import same_sittings, sittings, sittings_of_one
from calibration.traps.there_again import heard_beside, there_again
from sensors.ear.profiles.profile import load_shipped
from tests.knowing import knowing

COUNTS = range(2, 14)
BEGUN = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)


@dataclass
class Made:
    """What is asked of a row here."""

    recording: Recording
    shake: Any
    loudest: str = ""
    course: bytes = b""
    background_db: float = -70.0


def row(number: int, beads: int, session: str, second: float | None = None, **more: Any) -> Any:
    """A take that is like no other."""
    taken = None if second is None else (BEGUN + timedelta(seconds=second)).isoformat()
    recording = Recording(
        Path(),
        f"{number}.wav",
        "microphone",
        beads,
        session=session,
        taken=taken,
        **{"player": "Ada", **more},
    )
    values = np.random.default_rng(number).normal(size=8)
    return [
        Made(
            recording,
            SimpleNamespace(values=values, names=(), pick=lambda names: np.zeros(len(names))),
            loudest=f"{number:08x}",
        )
    ]


def sweeps(sessions: Sequence[str], first: int = 0, apart_s: float = 86400.0, **more: Any) -> list[Any]:
    draw, out = random.Random(first), []
    for k, session in enumerate(sessions):
        for i, n in enumerate(draw.sample(COUNTS, len(COUNTS))):
            out.append(row(first + len(out), n, session, first * 86400 + k * apart_s + 20.0 * i, **more))
    return out


def in_a_row(sessions: str, takes: int, first: int) -> list[Any]:
    """So many takes of each igloo in a row, under names by turns."""
    return [
        row(first + i, 2 + i // takes, sessions[i % len(sessions)], first * 86400 + 40.0 * i)
        for i in range(len(COUNTS) * takes)
    ]


def told(rows: list[Any], tested: list[Any] | None = None, **how: Any) -> str:
    return not_left_out(how.get("start"), rows, how.get("unit", "session"), tested) or ""


def start(**fitted_on: Any) -> Any:
    return replace(load_shipped("microphone"), fitted_on=knowing(**fitted_on))


def test_sweeps_of_several_days_are_left_out() -> None:
    assert told(sweeps("abcd")) == ""


def test_takes_in_a_row_are_told_where_they_are_tested() -> None:
    rows, swept = in_a_row("ab", 4, 1000), sweeps("cdef")
    assert "the clock alone tells" in told(rows)
    assert told(rows + swept, swept) == ""
    # where a third of what is tested is given away, figures flatter as well
    assert "the clock alone tells" in told(rows + sweeps("cdefghij"))


def test_two_sensors_of_one_shake_are_left_out_together_and_tell_nothing_by_the_clock() -> None:
    """Sweeps that a microphone on the table and one at the shell heard, each as a device of its own."""
    table, shell = sweeps("abcd", apart_s=400.0), sweeps("abcd", apart_s=400.0)
    for i, ((far,), (near,)) in enumerate(zip(table, shell, strict=True)):
        far.recording = replace(far.recording, device="D1", pair=f"{i}", more={"place": "table"})
        near.recording = replace(near.recording, device="D2", pair=f"{i}", more={"place": "shell"})
        near.shake, near.loudest = SimpleNamespace(values=-far.shake.values), f"{i:08x} near"
    assert told([*table, *shell], unit="device") == ""
    for (r,) in (*table, *shell):
        r.recording = replace(r.recording, pair=None)
    assert "the clock alone tells" in told([*table, *shell], unit="device")


def copied(rows: list[Any], session: str, **kept: Any) -> list[Any]:
    return [[replace(r, recording=replace(r.recording, session=session), **kept)] for (r,) in rows]


@pytest.mark.parametrize(
    "kept", [{"loudest": ""}, {"shake": SimpleNamespace(values=np.zeros(8)), "loudest": "same"}]
)
def test_a_copy_under_another_session_is_told_by_what_is_heard_or_by_its_loudest(
    kept: dict[str, Any],
) -> None:
    rows = sweeps("abc")
    known, copy = copied(rows[:1], "a", **kept), copied(rows[:1], "d", **kept)
    known[0][0].recording = rows[0][0].recording
    for r in (*known, *copy):
        r[0].recording = replace(r[0].recording, taken=None)
    whole = [*known, *rows[1:], *copy]
    assert there_again(whole, "session", whole).share == pytest.approx(2 / 37)
    assert "is there once more under another session" in told(whole)
    assert told(whole, rows[1:]) == ""  # it is not tested
    assert there_again(whole, "device", whole).share == 0.0  # and is left out with the first one


def test_an_instant_names_a_take_of_that_hand_and_igloo_by_that_sensor() -> None:
    def again(**other: Any) -> float:
        rows = sweeps("abcd")
        first = rows[0][0].recording
        made = replace(first, session="e", **other)
        whole = [*rows, [Made(made, SimpleNamespace(values=np.ones(8)), "other")]]
        return there_again(whole, "session", whole).share

    assert again() == pytest.approx(2 / 49)
    for other in (
        {"player": "Bela"},
        {"player": None},
        {"beads": 99},
        {"device": "D02"},
        {"sensor": "accelerometer"},
        {"taken": (BEGUN + timedelta(seconds=1)).isoformat()},
    ):
        assert again(**other) == 0.0
    nobody = [*sweeps("abcd", player=None), *sweeps("e", player=None)]  # of the same instants
    for i, (r,) in enumerate(nobody):
        r.shake, r.loudest = SimpleNamespace(values=np.full(8, i)), f"{i}"
    assert there_again(nobody, "session", nobody).share == 0.0
    to_the_minute = sweeps("abcd", apart_s=60.0)
    for (r,) in to_the_minute:
        r.recording = replace(r.recording, taken=f"{str(r.recording.taken)[:16]}Z")
    assert there_again(to_the_minute, "session", to_the_minute).share == 0.0


def test_a_start_is_asked_about_what_is_tested_alone() -> None:
    rows, others = sweeps("ab"), sweeps("cd", 500)
    knows = start(fingerprints=fingerprints(r for (r,) in rows), sittings=[])
    assert "was fitted on 100% of what is tested" in told(rows, start=knows)
    assert told(others + rows, others, start=knows) == ""
    few = start(fingerprints=fingerprints(r for (r,) in rows[:1]))
    assert "was fitted on 4% of what is tested" in told(rows, start=few)
    by_loudest = start(loudest=loudest(r for (r,) in rows))
    assert share_known(by_loudest, rows) == 1.0
    of_one = [row(900 + i, n, f"of {n}") for n in COUNTS for i in (0, 50)]
    knows = start(sittings_of_one=sittings_of_one(r for (r,) in of_one))
    assert "knows what is left out, and figures flatter" in told(of_one, start=knows)
    assert told(others + of_one, others, start=knows) == ""


def test_what_a_profile_grew_from_is_known_to_it() -> None:
    old, new = sweeps("a"), sweeps("b", 500)
    of_one = [row(900 + n, n, f"of {n}") for n in COUNTS for _ in (0, 1)]
    before = start(
        fingerprints=fingerprints(r for (r,) in old),
        loudest=loudest(r for (r,) in old),
        sittings=sittings(r for (r,) in old),
        sittings_of_one=sittings_of_one(r for (r,) in of_one),
    )
    grown = fingerprints((r for (r,) in new), before)
    assert {fingerprint(r) for (r,) in old + new} == {grown[i : i + 8] for i in range(0, len(grown), 8)}
    assert len(loudest((r for (r,) in new), before)) == 8 * 24
    assert len(sittings((r for (r,) in new), before)) == 2
    assert sittings_of_one((r for (r,) in new), before) == list(before.fitted_on.sittings_of_one)


def test_of_a_world_of_takes_a_fair_sample_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lowest names are kept, and only takes whose names lie as low are looked for: their share is that of all."""
    monkeypatch.setattr(prints, "MOST_PRINTS", 30)
    world, others = sweeps("abcdefgh"), sweeps("ijklmnop", 500)
    knows = start(fingerprints=fingerprints(r for (r,) in world))
    assert len(knows.fitted_on.fingerprints) == 8 * 30
    assert loudest(r for (r,) in world) == ""
    assert share_known(knows, world) == 1.0
    assert share_known(knows, others) == 0.0
    assert 0.3 < share_known(knows, world + others) < 0.7
    few = sweeps("z", 900)  # who starts from a world keeps what is his own
    assert fingerprints((r for (r,) in few), knows) == fingerprints(r for (r,) in few)


def test_a_recording_has_the_same_name_on_a_machine_that_rounds_otherwise() -> None:
    (one,) = row(1, 5, "a")
    one.shake = SimpleNamespace(values=np.array([0.1, -2.3, 40.0]))
    other = replace(one, shake=SimpleNamespace(values=one.shake.values * (1 + 1e-9)))
    assert fingerprint(one) == fingerprint(other)
    assert fingerprint(one) != fingerprint(
        replace(one, shake=SimpleNamespace(values=one.shake.values + 0.01))
    )


def test_a_few_hundredths_that_are_known_are_chance_and_a_twentieth_is_not() -> None:
    assert flattered(0.02) is None
    assert "was fitted on 5% of these recordings" in (flattered(0.05) or "")


def test_sittings_of_one_igloo_by_a_person_each_are_no_sittings_that_another_shared() -> None:
    rows = [row(40 * n + i, n, f"of {n}", player=f"{n}") for n in COUNTS for i in range(3)]
    assert told(rows, unit="player") == ""
    for n, (r,) in enumerate(rows):
        r.recording = replace(r.recording, player=f"{n % 3}")
    assert "is of sittings in which another player was recorded" in told(rows, unit="player")


def test_of_a_sitting_of_one_igloo_only_takes_of_that_igloo_are_known() -> None:
    of_one = [row(900 + n, n, f"of {n}") for n in COUNTS for _ in (0, 1)]
    knows = knowing(sittings_of_one=tuple(sittings_of_one(r for (r,) in of_one)))
    others = [row(1900 + n, n + 1 if n < 13 else 2, f"of {n}") for n in COUNTS]
    assert same_sittings(knows, of_one) is not None
    assert same_sittings(knows, others) is None
    assert (
        same_sittings(knowing(sittings=("00000000",)), of_one) is None
    )  # of others it is no matter what they tell


def test_a_pair_by_sensors_that_nothing_tells_apart_may_be_one_shake() -> None:
    pairs = [row(100 * k + n, n, "a", device=f"D{k}", pair=f"{n}") for n in COUNTS for k in (1, 2)]
    assert heard_beside(pairs, "device", pairs) == 1.0
    assert "is of a pair whose other recording is under another device" in told(pairs, unit="device")
    assert heard_beside(pairs, "player", pairs) == 0.0  # left out with it
    lone = sweeps("cd", 500, device="D3")
    assert heard_beside(pairs + lone, "device", lone) == 0.0


@pytest.mark.parametrize(
    ("unit", "one", "other"),
    [
        ("player", {"player": "Ada"}, {"player": "ada "}),
        ("player", {"player": "Zo\u00eb"}, {"player": "Zoe\u0308"}),
        ("device", {"device": "Table 1"}, {"device": "table  1"}),
        ("session", {"session": "Monday"}, {"session": "monday"}),
        ("session", {"device": "D1", "session": "s"}, {"device": "d1", "session": "s"}),
    ],
)
def test_a_name_that_is_spelled_in_two_ways_is_not_left_out_whole(
    unit: Any, one: dict[str, str], other: dict[str, str]
) -> None:
    names = {"session": "s", "device": "D", "player": "Ada"}
    mine = [row(n, n, **(names | one)) for n in COUNTS]
    its = [row(20 + n, n, **(names | other)) for n in COUNTS]
    others = [row(40 + n, n, session="else", player="Bea", device="E") for n in COUNTS]
    why = not_left_out(None, [*mine, *its, *others], unit, mine)
    assert why is not None
    names_told = {
        ascii(one[key]) in why and ascii(other[key]) in why for key in one if one[key] != other[key]
    }
    assert names_told == {True}
    assert "is spelled in two ways" in why
    assert "in recordings.jsonl" in why
    assert not_left_out(None, [*mine, *others], unit, mine) is None
    assert not_left_out(None, [*mine, *its, *others], unit, others) is None


def test_whole_sessions_are_left_out_whatever_their_players_are_called() -> None:
    mine = [row(n, n, "s", player="Ada") for n in COUNTS] + [
        row(20 + n, n, "s", player="ada") for n in COUNTS
    ]
    others = [row(40 + n, n, "else", player="Bea") for n in COUNTS]
    assert not_left_out(None, [*mine, *others], "session") is None
    assert not_left_out(None, [*mine, *others], "player") is not None


def test_takes_without_a_name_beside_a_person_s_own_are_probably_hers() -> None:
    """They are left out as if of one more person, and are fitted on while she is."""
    hers = [row(n, n, "s", player="Ada" if n % 2 else None) for n in COUNTS]
    others = [row(40 + n, n, "else", player="Bea") for n in COUNTS]
    why = not_left_out(None, [*hers, *others], "player")
    assert why is not None
    assert "50% of what is tested" in why
    assert 'give "player" in recordings.jsonl' in why
    assert not_left_out(None, [*hers, *others], "player", others) is None
    assert not_left_out(None, [*hers, *others], "session") is None
    alone = [row(20 + n, n, "third", player=None) for n in COUNTS]
    assert not_left_out(None, [*others, *alone], "player") is None
