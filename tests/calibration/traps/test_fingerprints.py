"""How a take is known again, under whatever name: by its features, its loudest sample, and its instant."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from calibration.recordings.folder import Recording
from calibration.takes.features import Row
from calibration.traps import fingerprints as prints
from calibration.traps.fingerprints import fingerprint, fingerprints, loudest, share_known
from calibration.traps.flattering import flattered
from calibration.traps.not_left_out import not_left_out
from calibration.traps.same_sittings import sittings_of_one
from calibration.traps.there_again import heard_beside, there_again
from sensors.ear.profiles.profile import Profile
from tests.knowing import knowing


def row(number: int, loudest: str = "", like: int | None = None, **told: Any) -> Row:
    """Take `number`, heard as take `like`."""
    values = np.random.default_rng(number if like is None else like).normal(0, 1, 5)
    line: dict[str, Any] = {"beads": 2 + number % 12, "device": "D", "session": "s", "player": "anna"} | told
    recording = Recording(Path("folder"), f"{number}.wav", "microphone", **line)
    shake = SimpleNamespace(values=values)
    return cast("Row", SimpleNamespace(recording=recording, shake=shake, loudest=loudest, course=b""))


def fitted(**on: Any) -> Profile:
    return cast("Profile", SimpleNamespace(fitted_on=knowing(**on)))


def test_the_same_recording_has_the_same_features_on_any_machine() -> None:
    one, alike, other = (row(1) for _ in range(3))
    one.shake.values[:] = alike.shake.values[:] = other.shake.values[:] = [1.2, -3.4, 0.0, 5.0, 7.001]
    alike.shake.values[0] += 2e-4  # libraries differ in the last digits
    other.shake.values[0] += 2e-3
    assert fingerprint(one) == fingerprint(alike) != fingerprint(other)


def test_of_very_many_takes_the_lowest_are_kept_and_those_that_lie_as_low_are_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows, others = [row(n) for n in range(40)], [[row(n)] for n in range(100, 140)]
    everything = fingerprints(rows)
    monkeypatch.setattr(prints, "MOST_PRINTS", 10)
    kept = fingerprints(rows)
    assert kept == everything[:80]
    known = fitted(fingerprints=kept)
    assert share_known(known, [[one] for one in rows]) == 1.0
    assert share_known(known, others) == 0.0
    monkeypatch.setattr(prints, "MOST_PRINTS", 100)  # of few, all are kept, and all are looked for
    assert share_known(known, [[one] for one in rows]) == pytest.approx(10 / 40)


def test_a_copy_that_was_cut_is_known_by_its_loudest_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [row(n, loudest=f"{n:016x}"[::-1]) for n in range(8)]
    known = fitted(fingerprints=fingerprints(rows), loudest=loudest(rows))
    cut = [[row(n, loudest=rows[n].loudest, like=50 + n)] for n in range(4)]
    strangers = [[row(n, loudest=f"f{n:015x}")] for n in range(60, 64)]
    assert share_known(known, [*cut, *strangers]) == 0.5
    monkeypatch.setattr(prints, "MOST_PRINTS", 8)
    assert loudest(rows) == ""  # of very many none is kept


def at(second: int) -> str:
    return f"2026-11-20T18:{second // 60:02d}:{second % 60:02d}Z"


@pytest.mark.parametrize(
    ("told", "again"),
    [
        ({}, True),
        ({"taken": at(5)}, False),
        ({"beads": 9}, False),  # nobody shakes two igloos at once: such clocks name no shake
        ({"player": "bela"}, False),
        ({"more": {"place": "shell"}}, False),  # a contact microphone and one that was in the room
    ],
)
def test_one_shake_in_two_sessions_is_known_by_its_instant(told: dict[str, Any], again: bool) -> None:
    """The copy was filtered, so nothing that is heard is the same."""
    rows = [[row(n, taken=at(7 * n + 1), session="s")] for n in range(20)]
    copy: dict[str, Any] = {"beads": rows[3][0].recording.beads, "taken": rows[3][0].recording.taken}
    rows.append([row(90, session="t", **(copy | told))])
    assert there_again(rows, "session", rows[-1:]).share == float(again)
    for of_one in rows:  # of whom nobody knows who they are, two may shake at once
        object.__setattr__(of_one[0].recording, "player", None)
    assert there_again(rows, "session", rows[-1:]).share == 0.0


def test_times_of_the_minute_name_no_shake() -> None:
    rows = [[row(n, taken=at(60 * n), session="s")] for n in range(20)]
    rows.append([row(90, session="t", beads=rows[3][0].recording.beads, taken=at(180))])
    assert there_again(rows, "session", rows[-1:]).share == 0.0


def test_a_pair_within_what_is_left_out_gives_nothing_away() -> None:
    both = [[row(n, pair="p", beads=5, device=f"D{n}", player="anna")] for n in range(2)]
    assert heard_beside(both, "device", both) == 1.0
    assert heard_beside(both, "player", both) == 0.0


def test_a_few_copies_are_one_in_fifty(monkeypatch: pytest.MonkeyPatch) -> None:
    assert flattered(0.02) is None
    told = flattered(0.03)
    assert told is not None
    assert "fitted on 3% of these" in told


def test_only_what_is_tested_is_asked_of_the_start() -> None:
    """It knows other takes, which are not tested."""
    rows = [[row(n, session=f"s{n % 4}")] for n in range(40)]
    start = fitted(fingerprints=fingerprints([of_one[0] for of_one in rows[:20]]))
    assert not_left_out(start, rows, "session", rows[20:]) is None
    assert "50% of what is tested" in (not_left_out(start, rows, "session", None) or "")


def test_what_a_start_knew_of_sittings_of_one_igloo_stays_known() -> None:
    start = fitted(sittings_of_one=["0123abcd"])
    assert "0123abcd" in sittings_of_one([row(n, session=f"s{n}") for n in range(4)], start)
