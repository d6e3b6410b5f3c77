"""Who is fitted on and who is tested when units are left out by turns: of whatever folder, with no fit made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calibration.errors import NothingToTest
from calibration.recordings.folder import Recording
from calibration.recordings.folds import Unit, key_of
from calibration.recordings.one_shake import of_one_shake
from calibration.testing import evaluate
from calibration.testing.evaluate import evaluate_left_out, folds_to_test
from firmware_bridge.errors import PolartableError
from sensors.ear.profiles.profile import load_shipped
from sensors.evidence import Heard

HEARD = Heard("x", 0.0, 2.0, "sure", {5: 0.8, 6: 0.2}, 40.0, False, "")
PROFILE = load_shipped("microphone")
Rows = Sequence[Sequence[Any]]


def take(number: int, session: str | None, **more: Any) -> list[Any]:
    beads = more.pop("beads", 2 + number % 12)
    other = {"place": more.pop("place", None), "gesture": more.pop("gesture", None)}
    recording = Recording(Path(), f"{number}.wav", "microphone", beads, session=session, more=other, **more)
    return [SimpleNamespace(recording=recording)]


class Fits:
    """What each fold was fitted on and began from, in place of fitting."""

    def __init__(self, patched: pytest.MonkeyPatch) -> None:
        self.trained: list[list[Recording]] = []
        self.started: list[list[Recording]] = []
        self.counts: list[tuple[int, ...] | None] = []
        patched.setattr(evaluate, "fit_from", self._fit)
        patched.setattr(evaluate, "_answers", self._answers)
        patched.setattr(evaluate, "body_of", lambda profile: {})

    def starts(self, rows: Rows) -> tuple[None]:
        self.started.append([r.recording for (r,) in rows])
        return (None,)

    def _fit(self, rows: Rows, counts: tuple[int, ...] | None, **how: Any) -> Any:
        self.trained.append([r.recording for (r,) in rows])
        self.counts.append(counts)
        return PROFILE

    def _answers(
        self, profile: Any, rows: Iterable[Sequence[Any]], complain: Any
    ) -> Iterable[evaluate.Tested]:
        return [evaluate.Tested(row, PROFILE.counts, {5: 0.8, 6: 0.2}, HEARD) for (row,) in rows]


def evaluated(
    rows: Rows, unit: Unit, test_on: str | None = None, **how: Any
) -> tuple[Fits, list[list[evaluate.Tested]]]:
    with pytest.MonkeyPatch.context() as patched:
        fits = Fits(patched)
        return fits, list(evaluate_left_out(rows, unit, test_on, starts=fits.starts, **how))


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "y", None]), st.integers(0, 4)),
        min_size=2,
        max_size=24,
    ),
    st.sampled_from(["session", "player"]),
    st.sampled_from([None, "a", "[ab]"]),
)
@example([("a", "x", 0), ("b", "x", 0), ("a", "y", 0)], "player", "a")
@example([("a", "x", 1), ("a", "y", 0), ("b", None, 0), ("a", None, 1)], "player", None)
def test_whoever_is_tested_is_tested_once_and_nothing_of_his_is_fitted_on(
    drawn: list[tuple[str, str | None, int]], unit: Unit, test_on: str | None
) -> None:
    """Neither his unit, as far as it is tested, nor what another sensor recorded of one of these shakes."""
    rows = [
        take(i, session, player=player, pair=f"{pair}" if pair else None, place=f"{i}", beads=5)
        for i, (session, player, pair) in enumerate(drawn)
    ]
    recordings = [r.recording for (r,) in rows]
    wanted = [r for r in recordings if test_on is None or fnmatch(r.session or "", test_on)]
    try:
        fits, folds = evaluated(rows, unit, test_on)
    except NothingToTest:
        assert not wanted or len({key_of(r, unit) for r in recordings}) < 2
        return
    assert sorted(t.row.recording.file for fold in folds for t in fold) == sorted(r.file for r in wanted)
    for trained, started, fold in zip(fits.trained, fits.started, folds, strict=True):
        mine = {t.row.recording.file for t in fold}
        assert len({key_of(t.row.recording, unit) for t in fold}) == 1
        assert {t.left_out for t in fold} == {(unit, key_of(fold[0].row.recording, unit))}
        shakes = [{recordings[i].file for i in shake} for shake in of_one_shake(recordings)]
        known = mine.union(*(shake for shake in shakes if shake & mine))
        assert {r.file for r in trained} == {r.file for r in recordings} - known
        assert started == trained


def test_nothing_is_left_where_all_is_of_one_unit_or_nothing_is_named_so() -> None:
    rows = [take(i, "a", player="Ada") for i in range(4)]
    with pytest.raises(NothingToTest, match="all recordings are of one session"):
        folds_to_test(rows, "session", None)
    rows += [take(9, "b", player="Ada")]
    assert folds_to_test(rows, "session", None) == sorted(key_of(r.recording, "session") for (r,) in rows[3:])
    assert len(folds_to_test(rows, "session", "b*")) == 1
    with pytest.raises(NothingToTest, match="no session is named like 'c'"):
        folds_to_test(rows, "session", "c")
    with pytest.raises(NothingToTest, match="all recordings are of one player"):
        folds_to_test(rows, "player", None)


def test_a_slip_of_another_gesture_is_left_out_and_many_are_not() -> None:
    def told(slips: int, others: int = 0) -> tuple[int, list[str]]:
        said: list[PolartableError] = []
        rows = [take(i, "ab"[i % 2]) for i in range(24)]
        rows += [take(60 + i, "ab"[i % 2], gesture="turn") for i in range(others)]
        rows += [take(90 + i, "ab"[i % 2], gesture="knock") for i in range(slips)]
        fits, folds = evaluated(rows, "session", complain=said.append)
        assert sum(map(len, folds)) == sum(map(len, fits.trained))  # two folds of halves
        return sum(map(len, folds)), [error.cause for error in said]

    assert told(0) == (24, [])
    assert told(2) == (24, [f"{n}.wav: this is a knock, and the others are not" for n in (90, 91)])
    assert told(3) == (27, [])
    assert told(1, others=12) == (37, [])  # two gestures: a fit says that one is to be chosen


def test_a_fold_that_lacks_a_count_is_asked_about_those_of_the_whole_folder() -> None:
    """Unless it was said which; thrown out takes hold none."""
    rows = [take(i, "a", beads=n) for i, n in enumerate((2, 3, 4))] + [take(9, "b", beads=9)]
    rows += [take(10, "b", beads=13, rejected="it fell")]
    assert evaluated(rows, "session")[0].counts == [(2, 3, 4, 9)] * 2
    assert evaluated(rows, "session", counts=(2, 3, 9, 12))[0].counts == [(2, 3, 9, 12)] * 2


def test_what_goes_into_the_figures() -> None:
    (row,) = take(0, "a", beads=5)
    tested = evaluate.Tested(row, (5, 6), {5: 0.2, 6: 0.8}, HEARD)
    assert tested.counted
    assert not replace(tested, counts=(6, 7)).counted
    thrown = SimpleNamespace(recording=replace(row.recording, rejected="it fell"))
    assert not replace(tested, row=thrown).counted  # type: ignore[arg-type]
    told = tested.told()
    assert (told.true, told.best, told.confidence, told.sure) == (5, 6, 0.8, True)
    # of a pair one sensor's recording speaks, and the other's is the same shake again
    assert (told.in_pair, told.again) == (None, False)
    speaks, silent = replace(tested, in_pair=5, speaks=True).told(), replace(tested, in_pair=5).told()
    assert (speaks.in_pair, speaks.again, silent.in_pair, silent.again) == (5, False, None, True)
    # shakes that were added up count with the first of them
    assert replace(tested, in_shakes=5, shakes=3).told().in_shakes == 5
    assert replace(tested, in_shakes=5).told().in_shakes is None
    assert replace(tested, sitting="both").told().session == "both"
    assert told.session == row.recording.occasion
