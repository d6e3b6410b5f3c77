"""Which takes a fit is made of, and which counts it is asked about."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from calibration.fitting.asked import check_counts, check_not_overdriven, counts_known, for_others, usable
from calibration.recordings.folder import Recording
from sensors.ear.errors import FitError
from sensors.ear.frames.frontend import Sensor
from table.cli import run


def take(
    beads: int | None,
    session: str = "a",
    rejected: str | None = None,
    device: str = "D1",
    sensor: Sensor = "microphone",
) -> Recording:
    return Recording(
        Path(), f"{session}-{beads}", sensor, beads, device=device, session=session, rejected=rejected
    )


def rows_of(recordings: list[Recording]) -> Any:
    return [SimpleNamespace(recording=one) for one in recordings]


def loud(recordings: list[Recording], *whole: int) -> Any:
    """Overdriven, but for those with so many beads."""
    return [SimpleNamespace(recording=one, clipped=one.beads not in whole) for one in recordings]


ODD = [take(None), take(0), take(5, rejected="noise")]  # nobody counted, empty, thrown out


def test_only_takes_of_known_beads_that_count_are_fitted_on() -> None:
    assert [row.recording.beads for row in usable(rows_of([*ODD, take(3), take(1)]))] == [3, 1]


def test_a_profile_answers_the_games_counts_or_where_there_are_none_what_there_is() -> None:
    assert counts_known(rows_of([take(n) for n in (1, 13, 2, 2, 14, 7)])) == (2, 7, 13)
    assert counts_known(rows_of([take(n) for n in (20, 1)])) == (1, 20)


def test_a_microphones_takes_that_are_overdriven_make_no_profile() -> None:
    there = [*ODD, *(take(n) for n in (2, 3, 4, 7))]
    check_not_overdriven(loud(there, 2, 3, 4))
    check_not_overdriven(loud([take(n, sensor="accelerometer") for n in (2, 3, 4, 7)]))
    check_not_overdriven(loud([take(2), take(3)]))  # too few counts, which is said instead
    for whole, told in (
        ((), "all 4 takes are"),
        ((3, 7), "2 of 4 takes are overdriven, and the others are of 2 counts"),
    ):
        with pytest.raises(FitError) as refused:
            check_not_overdriven(loud(there, *whole))
        assert refused.value.cause.startswith(told)
        assert refused.value.mend.startswith("turn the gain down, move the microphone away or shake")


def test_too_few_of_the_counts_that_are_asked_for_are_named_whatever_else_is_listed() -> None:
    there = [*ODD, *(take(n) for n in (2, 3, 4, 7))]
    check_counts(there, None)
    check_counts(there, (2, 3, 4, 5))
    check_counts(there, (2, 7))
    check_counts([*ODD, take(2), take(3)], range(2, 14))  # all that were recorded
    with pytest.raises(FitError) as told:
        check_counts(there, (4, 5, 6, 7))
    assert told.value.cause == "4–7 beads are asked for, and of these only takes of 4 or 7 are there"
    assert "--counts 2,3,4,7)" in told.value.mend
    with pytest.raises(FitError, match="no take holds so many"):
        check_counts(there, (5, 8, 9))
    with pytest.raises(FitError) as told:  # two counts would be too few to tell apart
        check_counts([take(2), take(3)], (4, 5, 6))
    assert told.value.mend == "record a sweep: every igloo once, 3 counts at least"


def test_each_sensors_takes_are_asked_for_the_counts_by_themselves() -> None:
    felt = [take(n, sensor="accelerometer") for n in (2, 3, 4, 5)]
    check_counts([*felt, *(take(n) for n in (2, 3, 4, 5))], (3, 4, 5))
    with pytest.raises(FitError) as told:
        check_counts([*felt, take(2)], (3, 4, 5))
    assert told.value.cause == "3–5 beads are asked for, and no take of a microphone holds so many"
    assert told.value.mend.endswith("or choose the other sensor with --sensor")
    with pytest.raises(FitError) as told:
        check_counts([*felt, *(take(n) for n in (2, 3, 9))], (3, 4, 5))
    assert told.value.mend.endswith("--counts 2,3,9 --sensor microphone)")


def test_whoever_leaves_devices_out_asks_about_others_and_few_sweeps_do_not() -> None:
    sweeps = rows_of([take(n, f"s{i}", device=f"D{i % 3}") for i in range(12) for n in range(2, 14)])
    assert for_others(sweeps, None)
    assert not for_others(sweeps, "session")
    assert not for_others(sweeps[:24], None)
    assert for_others(sweeps[:24], "device")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"sensor": "accelerometer"}, "microphone and accelerometer are mixed – choose one with --sensor"),
        ({"gesture": "knock"}, "the gestures knock, shake are mixed – choose one: --only gesture=NAME"),
    ],
)
def test_mixed_takes_are_refused_before_they_are_heard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], other: dict[str, str], said: str
) -> None:
    """Thousands were heard first. Here there is no sound to hear."""
    lines = [
        {"file": f"{n}-{beads}.wav", "sensor": "microphone", "beads": beads} | (other if n else {})
        for n in range(2)
        for beads in range(2, 14)
    ]
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    code = run(["calibrate", "igloos", "fit", str(tmp_path), "--out", str(tmp_path / "new.profile")])
    assert (code, capsys.readouterr().err) == (2, f"polartable: PT-402: {said}\n")
