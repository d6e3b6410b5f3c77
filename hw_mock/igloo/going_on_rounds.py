"""Resuming rounds in a folder: checks that those listed there come from the same plan (`going_on`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hw_mock.igloo.going_on import Facts, Line, Plans, check_lines, compared
from hw_mock.igloo.together import SENSORS, Round, happened

ROUNDS = Plans("rounds", "--sensor, --tables, --rounds and --people")
COMPARED = ("beads", "igloo", "player", "begins_s", "pattern", "fault")
WHO = ("seat", "igloo", "player")
STEP_S = 0.0015  # largest difference between equal times: they are rounded to 0.001 s


def check_same_rounds(folder: Path, rounds: Sequence[Round]) -> int:
    """The number of recordings listed in `folder` that these rounds (all rounds of a plan) would not make. Raises
    UsageError if the plan would make one of them differently."""
    scenes = {one.name: one for one in rounds}
    files = {line["file"]: line for one in rounds for _, line in one.planned(SENSORS)}

    def facts(line: Line) -> Facts | None:
        one = scenes.get(str(line.get("scene")))
        if one is None:
            return None
        lots, _ = one.lots()
        who = [one.who(lot) for lot in lots]
        told = [(key, _of_each(line.get("shakes"), key), [each[key] for each in who]) for key in WHO]
        return told + (compared(line, files[line["file"]], COMPARED) if line["file"] in files else [])

    mine, others = check_lines(folder, ROUNDS, facts)
    if mine:
        _check_same_times(folder, scenes[mine[0]["scene"]], mine[0])
    return others


def _check_same_times(folder: Path, one: Round, line: Line) -> None:
    """Who shakes when depends on options that a line does not state; so one round is simulated to compare the times."""
    told = happened(one.scene(), line["shakes"], float(line.get("begins_s") or 0.0))
    for key in ("start_s", "end_s"):
        there, wanted = _of_each(line["shakes"], key), [each[key] for each in told]
        if any(
            not isinstance(a, int | float) or abs(a - b) > STEP_S for a, b in zip(there, wanted, strict=True)
        ):
            raise ROUNDS.told_otherwise(folder, line["file"], key, there, wanted)


def _of_each(shakes: object, key: str) -> list[object]:
    """The value of that key in each shake of a line."""
    return [each.get(key) for each in shakes if isinstance(each, dict)] if isinstance(shakes, list) else []
