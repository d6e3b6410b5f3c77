"""A set that several people shook is joined hand by hand, whatever the order of the lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from calibration.recordings.folder import Recording
from calibration.recordings.whole_sets import rounds_of, sets_of
from calibration.takes.features import Row
from calibration.testing import evaluate
from calibration.testing.evaluate import join_sets
from sensors.ear.models.relative import join_rounds
from sensors.ear.models.sets import join_set
from sensors.ear.profiles.profile import load_shipped
from sensors.ear.shakes.shake import Shake
from sensors.evidence import Heard

COUNTS = tuple(range(2, 14))
PROFILE = load_shipped("accelerometer")
HEAD = PROFILE.heads[0]
JUDGES = [judge for head in PROFILE.heads for judge in head.judges]


def recording(who: str | None, beads: int, taken: str | None = None) -> Recording:
    return Recording(
        Path(), f"{who}-{beads}-{taken}", "accelerometer", beads,
        igloo=f"I{beads:02d}", player=who, session="evening", set="1", taken=taken,
    )  # fmt: skip


def rounds(*recordings: Recording) -> list[set[str]]:
    (igloos,) = sets_of(recordings, COUNTS)
    return [{recordings[i].file for i in mine.values()} for mine in rounds_of(igloos, recordings)]


def test_each_hand_has_rounds_of_its_own() -> None:
    anna = [recording("anna", n) for n in COUNTS[1:]]  # one igloo is missing
    bert = [recording("bert", n) for n in COUNTS]
    apart = [{r.file for r in anna}, {r.file for r in bert}]
    assert rounds(*anna, *bert) == rounds(*bert, *anna) == rounds(*bert[:4], *anna, *bert[4:]) == apart


def test_what_came_first_is_told_by_the_time_or_by_the_list() -> None:
    early, late = recording("anna", 5, "2026-11-20T18:00:00Z"), recording("anna", 5, "2026-11-20T18:09:00Z")
    other = recording("anna", 6, "2026-11-20T18:01:00Z")
    assert rounds(late, other, early) == rounds(early, other, late) == [{early.file, other.file}, {late.file}]
    no_time = recording("anna", 6)
    assert rounds(late, no_time, early) == [{late.file, no_time.file}, {early.file}]
    assert rounds(recording(None, 5), recording("bert", 5)) == [{"None-5-None"}, {"bert-5-None"}]


def heard_as_noise(recordings: Sequence[Recording]) -> list[evaluate.Tested]:
    """Each heard as something of its own, by which nothing of its count is told."""
    assert HEAD.relative is not None
    made = tuple(dict.fromkeys((*HEAD.model.names, *HEAD.relative.names)))
    usual = dict(zip(HEAD.model.names, HEAD.model.scaling.median, strict=True))
    spread = dict(zip(HEAD.model.names, HEAD.model.scaling.spread, strict=True))
    out = []
    for r in recordings:
        random = np.random.default_rng([len(r.player or ""), ord((r.player or "-")[0]), r.beads or 0])
        values = np.array([usual.get(n, 0.0) + spread.get(n, 1.0) * random.normal(0, 1.5) for n in made])
        p = random.dirichlet(np.ones(len(COUNTS)))
        row = Row(r, 1600.0, Shake(HEAD.front, made, values, 0.0, 8, 0.0, 2.0), 30.0, False, -60.0)
        line = Heard(r.file, 0.0, 2.0, "unsure", {}, 30.0, False, "")
        out.append(evaluate.Tested(row, COUNTS, dict(zip(COUNTS, p.tolist(), strict=True)), line))
    return out


def in_sets(recordings: Sequence[Recording]) -> dict[str, int | None]:
    return {t.row.recording.igloo or "": t.in_set for t in join_sets(heard_as_noise(recordings), PROFILE)}


@pytest.mark.parametrize("missing", [2, 7])
def test_the_order_of_the_lines_means_nothing(missing: int) -> None:
    anna = [recording("anna", n) for n in COUNTS if n != missing]
    bert = [recording("bert", n) for n in COUNTS]
    joined = in_sets([*anna, *bert])
    assert set(joined.values()) == set(COUNTS)
    assert in_sets([*bert, *anna]) == joined
    assert in_sets([*bert[::-1], *anna[::-1]]) == joined


def test_an_igloo_that_only_a_short_round_holds_is_laid_as_well() -> None:
    anna = [recording("anna", n) for n in COUNTS[:-1]]
    last = recording("bert", COUNTS[-1])
    assert set(in_sets([*anna, last]).values()) == set(COUNTS)
    tested = heard_as_noise([*anna, last])
    joined = join_rounds(JUDGES, [{t.row.recording.igloo or "": t.row.shake for t in tested[:-1]}], COUNTS)
    assert joined is not None
    apart = {name: [p] for name, p in joined.apart.items()} | {last.igloo or "": [tested[-1].probabilities]}
    assert (
        in_sets([*anna, last]) == join_set(apart, COUNTS).best
    )  # every count stands in one igloo: reckoned once
    each = [recording(f"{who}", n) for who, n in zip("abcdefghijkl", COUNTS, strict=True)]
    assert set(in_sets(each).values()) == set(COUNTS)  # nobody has a round
