"""Recalibrate is said of another igloo or a changed sensor, and not of another hand."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from benchmarks import drift as benchmark
from sensors.ear.models.model import EarModel
from sensors.ear.models.ridge import Scaling
from sensors.ear.profiles.heads import Head, Usual
from sensors.ear.verdicts.beyond import sounds_like_more
from sensors.ear.verdicts.drift import (
    DRIFT_SHAKES,
    LEAST_STRANGE,
    LEND,
    ODD_IN_ROOM,
    ODD_ON_SHELL,
    STRANGE_SHAKES,
    Lately,
    drifted,
    familiar,
    oddness,
    strange_from,
    usual_of,
)
from sensors.ear.verdicts.lines import after
from sensors.ear.verdicts.reasons import RECALIBRATE, STRANGE_LATELY, TOO_GENTLE, could_be
from sensors.evidence import Doubt, Heard
from sensors.why import Reason
from table.cli import run
from tests.sensors.ear.models.population_world import COUNTS, FEATURES, World, learned

NAMES = tuple(f"size.{i}" for i in range(FEATURES))


def model(populations: Any, names: tuple[str, ...] = NAMES) -> EarModel:
    """Of a model only its populations are asked; features as they are."""
    scaling = cast("Scaling", SimpleNamespace(apply=lambda values: values))
    return EarModel(
        names=names,
        scaling=scaling,
        experts=(),
        shares=np.zeros(0),
        offset=0.0,
        slope=1.0,
        sigma=1.0,
        counts=tuple(COUNTS),
        populations=populations,
    )


def head(of: EarModel, values: np.ndarray) -> Head:
    return cast("Head", SimpleNamespace(model=of, strange_from=strange_from(of, values)))


def odd(of: Head, values: np.ndarray) -> list[float]:
    return [oddness(of, cast("Any", SimpleNamespace(pick=lambda names, row=row: row))) for row in values]


def test_other_hands_are_no_drift_and_another_igloo_is() -> None:
    populations = learned(World(1, 0.0, mark=0.5))
    world = World(2, 0.0, mark=0.5)
    z, beads, occasions, _ = world.sweeps(1, 9)
    own = occasions == 0
    known = populations.adapted(z[own], beads[own], occasions[own], occasions[own], felt=True)
    mine = head(model(known), z[own])
    for occasion in range(1, 9):
        told = odd(mine, z[occasions == occasion])
        assert max(told) < 1
        assert not drifted(told[:DRIFT_SHAKES])
    elsewhere = z + 1.5 * np.random.default_rng(3).normal(
        0, 1, FEATURES
    )  # in no direction that people move it
    for occasion in range(9):
        assert drifted(odd(mine, elsewhere[occasions == occasion]))


def test_the_limit_is_wider_on_the_shell_and_where_ones_own_takes_are_unlike_all_that_was_learned() -> None:
    z, beads, occasions, _ = World(2, 0.0).sweeps(1, 1)
    known = learned(World(1, 0.0)).adapted(z, beads, occasions, occasions, felt=True)
    assert strange_from(model(known), z) == pytest.approx(ODD_ON_SHELL)
    assert strange_from(model(known, ("loc.a",) * FEATURES), z) == pytest.approx(ODD_IN_ROOM)
    strange = strange_from(model(known), z + 3 * np.random.default_rng(4).normal(0, 1, z.shape))
    assert strange is not None
    assert strange > 2 * ODD_ON_SHELL
    assert strange_from(model(None), z) is None


def test_without_populations_a_small_folder_is_lent_spread() -> None:
    random = np.random.default_rng(5)
    few = random.normal(0, 0.1, (12, 3))
    start = Usual(("a", "b", "c"), Scaling(np.zeros(3), np.ones(3)), 6.0)
    lent, own = usual_of(("a", "b", "c"), few, start), usual_of(("a", "b", "c"), few, None)
    spread = Scaling.of(few).spread
    assert lent.scaling.spread == pytest.approx(np.sqrt((12 * spread**2 + LEND) / (12 + LEND)))
    assert own.scaling.spread == pytest.approx(spread * np.sqrt(1 + LEND / 12))
    many = random.normal(0, 0.1, (5000, 3))
    assert usual_of(("a", "b", "c"), many, start).scaling.spread == pytest.approx(
        Scaling.of(many).spread, rel=0.3
    )


def plain(values: np.ndarray) -> Head:
    """A head that knows no more than how its own takes spread."""
    usual = usual_of(tuple(map(str, range(60))), values, None)
    return cast("Head", SimpleNamespace(model=model(None), strange_from=None, usual=usual))


def test_without_populations_own_takes_are_usual_another_day_is_no_drift_and_another_sensor_is() -> None:
    random = np.random.default_rng(6)
    own, more = random.normal(3.0, 2.0, (2, 200, 60))
    wild = np.where(random.random((200, 1)) < 0.1, 20.0, 1.0) * (own - 3.0)  # now and then one is far off
    assert max(odd(plain(own), own)) <= 1.0
    assert max(odd(plain(wild), wild)) <= 1.0
    day, sensor = odd(plain(own), more + 2.0), odd(plain(own), more + 12.0)  # off by one spread, and by six
    assert not drifted(day[:5])
    assert drifted(sensor[:5])
    assert min(sensor) > 1.0


def test_spread_is_lent_by_a_start_of_the_same_features_alone() -> None:
    few = np.random.default_rng(5).normal(0, 0.1, (12, 3))
    other = Usual(("x", "y", "z"), Scaling(np.zeros(3), np.full(3, 9.0)), 6.0)
    lent, own = usual_of(("a", "b", "c"), few, other), usual_of(("a", "b", "c"), few, None)
    assert lent.scaling.spread.tolist() == own.scaling.spread.tolist()


def test_one_that_is_far_off_makes_the_last_fifteen_no_stranger() -> None:
    lately = Lately()
    for one in [0.1] * 7 + [30.0] + [0.1] * 7:
        lately.add(one)
    assert not lately.strange
    assert not lately.drifted


def test_one_odd_shake_is_chance_and_five_are_not() -> None:
    assert drifted([0.6] * 5)  # half as odd as one alone may be, in the middle of the last five
    assert not drifted([0.6] * 4)
    assert not drifted([9.0] * (DRIFT_SHAKES - 1))
    assert not drifted([9.0, 9.0, 0.1, 0.1, 0.1])
    assert drifted([0.1, 0.1, 0.6, 0.6, 0.1, 0.6])
    assert familiar(cast("Head", SimpleNamespace(strange_from=None)), 9.0)
    assert not familiar(cast("Head", SimpleNamespace(strange_from=5.0)), 0.5)


EITHER = could_be({7: 0.5, 8: 0.5})


def undecided(doubt: Doubt, reason: Reason = EITHER) -> Heard:
    return Heard("x", 0.0, 2.0, "unsure", {7: 0.5, 8: 0.5}, 40.0, False, "", reason, doubt=doubt)


def reasons(odd: list[float], said: Heard) -> list[Reason | None]:
    lately, out = Lately(), []
    for one in odd:
        lately.add(one)
        out.append(after(lately, said).reason)
    return out


def test_while_the_last_shakes_are_strange_nobody_is_asked_for_one_more_of_that_igloo() -> None:
    """Half loose: each shake is too strange to be sure, and no five are as odd as another igloo's."""
    said = undecided("strange")
    told = reasons([0.42] * 20, said)
    assert told == [said.reason] * (LEAST_STRANGE - 1) + [STRANGE_LATELY] * (21 - LEAST_STRANGE)
    assert set(reasons([0.24] * 20, said)) == {said.reason}
    assert reasons([0.42] * 20 + [0.2] * STRANGE_SHAKES, said)[-1] == said.reason  # stuck on again
    assert reasons([0.42] * 20 + [0.6] * 3, said)[-1] == RECALIBRATE
    others = (undecided("odds"), undecided("sensor", TOO_GENTLE),
              undecided("strange", sounds_like_more(5)))  # fmt: skip
    for other in others:
        assert set(reasons([0.42] * 20, other)) == {other.reason}


def test_the_benchmark_says_that_nobody_else_shook_and_what_it_could_not_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = ["--devices", "1", "--players", "1", "--sessions", "1", "--sensor", "contact", "--seed", "3"]
    few = ["--counts", "2-6", "--seconds", "1.5"]
    assert run(["simulate", "shakes", "--out", str(tmp_path), *alone, *few]) == 0
    next(tmp_path.rglob("*.flac")).write_text("torn")
    monkeypatch.setattr(sys, "argv", ["drift", str(tmp_path), "--kind", "contact"])
    capsys.readouterr()
    benchmark.main()
    said = capsys.readouterr()
    assert "of 4 shakes alone" in said.out
    assert said.out.splitlines()[-1].strip().startswith("nobody else shook one of these sets")
    assert said.err == "1 recordings could not be used\n"
