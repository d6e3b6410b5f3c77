"""A sweep: every igloo once in random order, retakes last, on after a break; and when somebody else should shake."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from calibration.recordings.folder import Recording
from calibration.recordings.occasion import Now
from calibration.recordings.sweep import Sweep, advice, file_name, next_sweep, remaining, too_soon


def take(sweep: Sweep, beads: int, rejected: str | None = None, player: str = "anna") -> Recording:
    return Recording(
        Path(),
        f"{sweep.name}-{beads}{rejected}",
        "microphone",
        beads,
        player=player,
        set=sweep.name,
        rejected=rejected,
    )


def test_a_sweep_asks_for_every_igloo_once_in_an_order_of_its_own() -> None:
    sweep = Sweep("table/monday/1", tuple(range(2, 14)))
    assert sorted(sweep.order()) == list(range(2, 14))
    assert sweep.order() == Sweep("table/monday/1", tuple(range(2, 14))).order()
    assert sweep.order() != Sweep("table/monday/2", tuple(range(2, 14))).order()


def test_a_rejected_take_comes_again_but_not_at_once() -> None:
    sweep = Sweep("table/monday/1", (2, 3, 4, 5))
    first, *rest = sweep.order()
    todo = remaining(sweep, [take(sweep, first, "too gentle")])
    assert todo == [*rest, first]


def test_igloos_that_are_skipped_take_turns() -> None:
    sweep = Sweep("table/monday/1", (2, 3, 4))
    had, asked = [take(sweep, 4)], []
    for _ in range(6):
        asked.append(remaining(sweep, had)[0])
        had.append(take(sweep, asked[-1], "skipped"))
    assert asked in ([2, 3] * 3, [3, 2] * 3)


def test_a_break_is_no_loss_and_a_finished_sweep_is_followed_by_another() -> None:
    sweep, resumed = next_sweep([], (2, 3), "table", "monday")
    assert not resumed
    half = [take(sweep, 3)]
    assert next_sweep(half, (2, 3), "table", "monday") == (sweep, True)
    second, resumed = next_sweep([*half, take(sweep, 2)], (2, 3), "table", "monday")
    assert (second.name, resumed) == ("table/monday/2", False)


def test_a_second_person_is_asked_for_before_a_tenth_sweep_of_the_first() -> None:
    sweeps = [Sweep(f"table/monday/{i}", (2,)) for i in range(3)]
    mine = [take(s, 2) for s in sweeps]
    assert "another person's first sweep" in (advice(mine, "anna") or "")
    assert advice([*mine, take(sweeps[0], 2, player="bert")], "anna") is None
    assert advice(mine[:2], "anna") is None


def test_retakes_never_run_out_of_names(tmp_path: Path) -> None:
    sweep, had = Sweep("table/monday/1", (2,)), []
    for _ in range(40):
        had.append(replace(take(sweep, 2, "skipped"), file=file_name(sweep, 2, had, tmp_path)))
    assert len({r.file for r in had}) == 40


def test_only_the_same_hands_last_minutes_of_another_session_are_too_soon() -> None:
    now = Now(datetime(2026, 11, 20, 18, 30, tzinfo=UTC).timestamp(), "b", 900.0)
    before = Recording(
        Path(),
        "a.wav",
        "microphone",
        3,
        device="D1",
        player="anna",
        session="monday",
        taken="2026-11-20T18:20:00Z",
    )
    said = too_soon([before], "D1", "tuesday", "anna", now)
    assert said is not None
    assert said.startswith("The session monday was recorded minutes ago")
    for other in (
        replace(before, taken=None),  # nobody noted when
        replace(before, taken="2026-11-19T18:20:00Z"),
        replace(before, rejected="noise"),
        replace(before, session="tuesday"),
        replace(before, player="bert"),
        replace(before, device="D2"),
    ):
        assert too_soon([other], "D1", "tuesday", "anna", now) is None
        assert too_soon([other, before], "D1", "tuesday", "anna", now) == said
    of_this_boot = replace(before, more={"boot": "b", "up": 300.0})
    for at in (now.at, now.at + 10 * 86400, 60.0):  # the clock was set since: that tells nothing
        assert too_soon([of_this_boot], "D1", "tuesday", "anna", replace(now, at=at)) == said
        assert too_soon([of_this_boot], "D1", "tuesday", "anna", replace(now, at=at, up=9000.0)) is None
    never_set = replace(before, taken="1970-01-01T00:10:00Z", more={"boot": "a", "up": 600.0})
    assert (
        too_soon([never_set], "D1", "tuesday", "anna", Now(720.0, "b", 720.0)) is None
    )  # it is so every day
    assert too_soon([replace(never_set, more={})], "D1", "tuesday", "anna", Now(720.0)) is None
    assert too_soon([replace(before, more={"boot": "a", "up": 9.0})], "D1", "tuesday", "anna", now) == said
