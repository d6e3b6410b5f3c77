"""Who is left out together: the coarsest unit of which there are enough."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.recordings.folder import Recording
from calibration.recordings.folds import LEAST_FOLDS, MOST_FOLDS, Unit, inner_folds, key_of


def takes(
    *named: tuple[str | None, str | None, str | None], sets: int = 1, each: int = 12
) -> list[Recording]:
    """Twelve takes of each device, player and session."""
    return [
        Recording(
            Path(), f"{k}-{i}", "microphone", 2 + i,
            device=device, player=player, session=session, set=f"{session}/{i % sets}",
        )
        for k, (device, player, session) in enumerate(named)
        for i in range(each)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("named", "asked", "unit", "folds"),
    [
        ([("D1", "anna", "a"), ("D2", "anna", "a"), ("D3", "anna", "a")], None, "device", 3),
        ([("D1", "anna", "a"), ("D2", "anna", "a")], None, "session", 2),  # two devices are too few
        ([("D1", "anna", "a"), ("D2", "anna", "a")], "device", "device", 2),  # unless they are asked about
        ([("D1", "anna", "a"), ("D1", "bert", "a"), ("D1", "cleo", "b")], None, "player", 3),
        ([("D1", "anna", "a"), ("D1", "bert", "a")], "player", "takes of one session", 6),
        ([("D1", "anna", "a"), ("D1", "anna", "b")], None, "session", 2),
        ([("D1", "anna", str(i)) for i in range(MOST_FOLDS + 6)], "session", "session", MOST_FOLDS),
        ([(None, None, None)], None, "takes of one session", 6),
    ],
)
def test_the_coarsest_unit_of_which_there_are_enough_is_left_out(
    named: list[tuple[str | None, str | None, str | None]], asked: Unit | None, unit: str, folds: int
) -> None:
    recordings = takes(*named)
    numbers, said = inner_folds(recordings, asked)
    assert (said, len(set(numbers.tolist()))) == (unit, folds)
    if said != "takes of one session":
        apart = {(key_of(r, said), int(n)) for r, n in zip(recordings, numbers, strict=True)}  # type: ignore[arg-type]
        assert len(apart) == len({name for name, _ in apart})  # whole ones


@pytest.mark.parametrize("sets", [LEAST_FOLDS - 1, LEAST_FOLDS])
def test_of_one_session_whole_sets_are_left_out_where_there_are_enough(sets: int) -> None:
    recordings = takes(("D1", "anna", "a"), sets=sets)
    numbers, _ = inner_folds(recordings, None)
    whole = len({(r.set, int(n)) for r, n in zip(recordings, numbers, strict=True)}) == sets
    assert whole is (sets >= LEAST_FOLDS)


def test_what_nobody_named_has_an_empty_name() -> None:
    (nobody,) = takes((None, None, None), each=1)
    assert [key_of(nobody, unit) for unit in ("device", "player")] == ["", ""]
