"""Rounds of a set: whatever was heard, every count stands once, known igloos keep theirs, marginals add up."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw_mock.igloo.device import Device
from hw_mock.igloo.hand import Player
from hw_mock.igloo.shake import simulate
from sensors.ear.frames.frontend import Envelopes
from sensors.ear.models import relative
from sensors.ear.models.model import Expert
from sensors.ear.models.relative import Judge, Relative, join_rounds
from sensors.ear.models.relative_fit import relative_error
from sensors.ear.models.ridge import Scaling
from sensors.ear.models.sets import assignment_marginals
from sensors.ear.profiles.profile import Head, load_shipped
from sensors.ear.shakes.shake import Shake, shake_of
from sensors.ear.verdicts.probabilities import probabilities_of

COUNTS = tuple(range(2, 14))
HEAD = load_shipped("accelerometer").heads[0]
assert HEAD.relative is not None


def shake(random: np.random.Generator) -> Shake:
    """Nothing that an igloo ever did: features anywhere about the usual."""
    made = tuple(dict.fromkeys((*HEAD.model.names, *HEAD.relative.names)))
    usual = dict(zip(HEAD.model.names, HEAD.model.scaling.median, strict=True))
    spread = dict(zip(HEAD.model.names, HEAD.model.scaling.spread, strict=True))
    values = np.array([usual.get(n, 0.0) + spread.get(n, 1.0) * random.normal(0, 1.5) for n in made])
    return Shake(HEAD.front, made, values, 0.0, 8, 0.0, 2.0)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 3), st.integers(6, 12))
def test_every_count_stands_once(seed: int, rounds: int, igloos: int) -> None:
    random = np.random.default_rng(seed)
    names = [f"igloo {i}" for i in range(igloos)]
    heard = [{name: shake(random) for name in names} for _ in range(rounds)]
    joined = join_rounds(HEAD.judges, heard, COUNTS)
    assert joined is not None
    assert set(joined.best) == set(joined.marginals) == set(names)
    assert len(set(joined.best.values())) == len(joined.best)
    for name in joined.best:
        assert sum(joined.marginals[name].values()) == pytest.approx(1.0)
    for n in COUNTS:
        assert sum(joined.marginals[name][n] for name in joined.best) <= 1.0 + 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_what_igloos_were_like_apart_is_joined_once(seed: int) -> None:
    random = np.random.default_rng(seed)
    heard = {f"igloo {i}": shake(random) for i in range(10)}
    joined = join_rounds(HEAD.judges, [heard], COUNTS)
    assert joined is not None
    once = assignment_marginals(np.array([[joined.apart[name][n] for n in COUNTS] for name in heard]))
    for name, told in zip(heard, once, strict=True):
        assert list(joined.marginals[name].values()) == pytest.approx(told.tolist(), abs=1e-6)


@cache
def one_felt(n: int) -> tuple[Shake, tuple[Head, ...]]:
    """One person's shake of an igloo that holds so many, felt at the shell; and who judges it."""
    taken = simulate(n, Device.draw(3), Player.draw(5).on(1), 40 + n, 2.0, sensors=("accelerometer",))
    assert taken.accel is not None
    heads = load_shipped("accelerometer").heads_for("accelerometer", taken.accel_rate)
    seen = [
        shake_of(head.front, Envelopes(head.front, taken.accel_rate, 3).push(taken.accel)) for head in heads
    ]
    first, *others = [shake for shake in seen if shake is not None]
    return replace(first, beside=tuple(others)), heads


def felt(counts: Iterable[int]) -> tuple[dict[str, Shake], tuple[Head, ...]]:
    """One person's round of igloos that hold so many; and who judges it."""
    out: dict[str, Shake] = {}
    for n in counts:
        out[str(n)], heads = one_felt(n)
    return out, heads


def judges_of(heads: Iterable[Head]) -> list[Judge]:
    return [judge for head in heads for judge in head.judges]


def test_a_simulated_set_is_laid_out_nearly_right() -> None:
    heard, heads = felt(COUNTS)
    joined = join_rounds(judges_of(heads), [heard], COUNTS)
    assert joined is not None
    assert np.mean([abs(joined.best[str(n)] - n) for n in COUNTS]) < 1.5  # drawing lots: 4


def test_a_set_is_laid_by_all_who_saw_every_shake_of_it() -> None:
    heard, heads = felt(range(2, 9))
    assert len(heads) == 2
    both = join_rounds(judges_of(heads), [heard], COUNTS)
    first = join_rounds(judges_of(heads[:1]), [heard], COUNTS)
    unseen = {name: replace(shake, beside=()) for name, shake in heard.items()}
    alone = join_rounds(judges_of(heads), [unseen], COUNTS)
    assert both is not None
    assert first is not None
    assert both.marginals != first.marginals
    assert alone == first
    assert join_rounds([], [heard], COUNTS) is None


def test_the_error_of_differences_is_that_of_a_judge_who_never_heard_the_round() -> None:
    """One expert that reads ln N off a feature: no error; and as far off as the feature is."""
    beads = np.array(COUNTS, dtype=np.intp)
    columns = np.zeros(1, dtype=np.intp)
    scaling = Scaling(np.zeros(1), np.full(1, 1e3))  # so wide that nothing is squashed
    judge = Relative(
        ("a",), scaling, (Expert("all", columns, 0.0, np.full(1, 1e3)),), np.array([1.0, 0.0]), 0.1
    )
    rounds, single = np.zeros(12, dtype=np.intp), np.zeros(12)
    right = np.log(beads)[:, None]
    off = right + 0.3 * np.where(np.arange(12) % 2, 1.0, -1.0)[:, None]
    told = [relative_error(judge, ("a",), values, beads, rounds, single, 1.0) for values in (right, off)]
    assert told == pytest.approx([0.0, 0.3], abs=1e-3)


@pytest.mark.parametrize("there", [range(2, 8), range(8, 14), range(3, 10), (2, 3, 5, 8, 9, 12)])
def test_igloos_that_are_missing_may_all_be_of_one_end(there: Iterable[int]) -> None:
    """Differences alone do not tell few from many: what single shakes tell must not be lost."""
    heard, heads = felt(there)
    joined = join_rounds(judges_of(heads), [heard], COUNTS)
    assert joined is not None
    alone = [probabilities_of(heads, shake) for shake in heard.values()]
    single = [max(p, key=p.__getitem__) for p in alone]
    laid = [joined.best[name] for name in heard]
    # laid about the middle of all counts they were 0.4 to 0.6 apart
    assert abs(float(np.mean(np.log(laid)) - np.mean(np.log(single)))) < 0.15


def test_populations_are_asked_though_the_first_laying_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def content(
        self: object, names: list[str], laid: dict[str, float], *_: object, settled: bool
    ) -> np.ndarray:
        """What is laid is always found to be best."""
        asked.append(settled)
        return np.array([np.abs(np.log(COUNTS) - laid[name]) for name in names])

    monkeypatch.setattr(relative._View, "cost", content)
    random = np.random.default_rng(0)
    join_rounds(HEAD.judges, [{f"igloo {i}": shake(random) for i in range(6)}], COUNTS)
    assert asked == [False, True]


def test_the_level_that_differences_do_not_tell_stays_where_it_was_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However igloos are laid out anew: a set of which some are missing would wander off with each laying."""
    levels: list[float] = []
    random = np.random.default_rng(7)
    heard = {f"igloo {i}": shake(random) for i in range(8)}

    def wanders(
        self: object, names: list[str], laid: dict[str, float], lifted: float, *_: object, settled: bool
    ) -> np.ndarray:
        levels.append(float(np.mean(list(laid.values()))) + lifted)
        return random.random((len(names), len(COUNTS)))

    monkeypatch.setattr(relative._View, "cost", wanders)
    join_rounds(HEAD.judges, [heard], COUNTS)
    _, level = relative._laid_first(HEAD.judges[0].model, [heard], list(heard), COUNTS)
    assert len(levels) > 2
    assert levels == pytest.approx([level] * len(levels))


def test_a_differences_cost_is_a_gaussian_about_what_is_laid_in_its_rounds() -> None:
    """Rounds of one igloo share a quarter of their error, which no second round takes away."""
    moved = [{"a": 0.3, "b": -0.3}, {"a": 0.5}, {"b": 0.0}]
    logs = np.log(np.array(COUNTS, dtype=float))
    cost = relative._cost("a", moved, {"a": 1.0, "b": 2.0}, 0.1, logs, 0.2)
    seen = ((0.3 + 1.5 + 0.1) + (0.5 + 1.0 + 0.1)) / 2
    np.testing.assert_allclose(cost, 0.5 * (logs - seen) ** 2 / (0.2**2 * (0.25 + 0.75 / 2)))


@pytest.mark.parametrize("there", [range(2, 8), range(8, 14), range(2, 13)])
def test_where_igloos_are_missing_the_level_is_told_as_far_as_single_answers_can(there: range) -> None:
    """Beside what chance leaves of a set, in proportion to how well each is known."""
    sure = np.eye(len(COUNTS)) * 50.0
    model: Any = SimpleNamespace(
        names=(), counts=COUNTS, log_likelihood=lambda values: sure[[COUNTS.index(int(values[0, 0]))]]
    )
    heard: Any = {str(n): SimpleNamespace(pick=lambda _, n=n: np.array([n])) for n in there}
    laid, level = relative._laid_first(model, [heard], list(heard), COUNTS)
    assert laid == {str(n): pytest.approx(np.log(n)) for n in there}
    logs = np.log(np.array(COUNTS, dtype=float))
    drawn = [np.mean(some) for some in itertools.combinations(logs, len(there))]
    whole, mean = float(np.var(drawn)), float(np.mean(list(laid.values())))
    single = relative.LEVEL_S**2
    assert level == pytest.approx((mean * whole + float(logs.mean()) * single) / (whole + single))
    everybody = [str(n) for n in COUNTS]
    assert relative._laid_first(model, [], everybody, COUNTS)[1] == pytest.approx(logs.mean())
