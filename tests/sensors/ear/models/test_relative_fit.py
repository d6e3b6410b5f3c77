"""Fitting what igloos of one round differ in: on rounds made by hand whose truth and whose noise are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from sensors.ear.models.relative import LEAST_IGLOOS, Relative
from sensors.ear.models.relative_fit import fit_relative, relative_error

NAMES = ("level.a", "level.b", "pace.a", "pace.b")
NOISE = 0.1  # of a feature that tells ln N
Floats = npt.NDArray[np.float64]


@dataclass
class Rounds:
    """Whole sets, each in another hand that shifts every feature alike, by more than igloos differ."""

    values: Floats
    beads: npt.NDArray[np.intp]
    rounds: npt.NDArray[np.intp]
    single: Floats

    @property
    def folds(self) -> npt.NDArray[np.intp]:
        return self.rounds % 3

    def fitted(self, slope: float = 0.5) -> Relative | None:
        return fit_relative(NAMES, self.values, self.beads, self.rounds, self.folds, self.single, slope)

    def error_of(self, relative: Relative, names: tuple[str, ...] = NAMES, slope: float = 0.5) -> float:
        return relative_error(relative, names, self.values, self.beads, self.rounds, self.single, slope)


def shaken(seed: int, rounds: int = 12, igloos: int = 12, telling: str = "pace.b") -> Rounds:
    """Only one feature tells, or `single`, what the model for single shakes says, whose slope is 0.5."""
    random = np.random.default_rng(seed)
    beads = np.tile(np.arange(2, 2 + igloos), rounds)
    of = np.repeat(np.arange(rounds), igloos)
    values = random.normal(0, 1.0, (len(beads), len(NAMES)))
    single = random.normal(0, 1.0, len(beads))
    told = np.log(beads) + NOISE * random.normal(size=len(beads)) + random.normal(0, 2.0, rounds)[of]
    if telling == "single":
        single = 0.5 * told
    else:
        values[:, NAMES.index(telling)] = told
    return Rounds(values, beads, of, single)


@pytest.mark.parametrize("telling", [*NAMES, "single"])
def test_what_tells_beside_the_others_of_its_round_is_found_whoever_shakes(telling: str) -> None:
    """As exactly as its noise allows, and as exactly as the model says of itself: no hand's shift is left in it."""
    relative, others = shaken(1, telling=telling).fitted(), shaken(2, telling=telling)
    assert relative is not None
    error = others.error_of(relative)
    spread = float(np.std(np.log(np.arange(2, 14))))
    assert error < 2.5 * NOISE < spread / 2  # guessing the middle: 0.55
    assert relative.sigma == pytest.approx(error, rel=0.3)
    assert relative.shares.sum() == pytest.approx(1.0)
    assert (relative.shares[-1] > 0.5) == (telling == "single")


def test_many_features_that_tell_nothing_make_nothing_worse_than_guessing_the_middle() -> None:
    """Then a difference is as far off as igloos differ at all, also of rounds that were not fitted on."""
    random, noise = np.random.default_rng(3), shaken(3)
    names = tuple(f"level.{i}" for i in range(100))
    values, other = random.normal(size=(2, len(noise.beads), len(names)))
    relative = fit_relative(names, values, noise.beads, noise.rounds, noise.folds, noise.single, 5.0)
    assert relative is not None
    spread = float(np.std(np.log(np.arange(2, 14))))
    assert relative.sigma == pytest.approx(spread, rel=0.1)
    error = relative_error(relative, names, other, noise.beads, noise.rounds, noise.single, 5.0)
    assert error == pytest.approx(spread, rel=0.1)


def test_columns_may_stand_otherwise_where_it_is_tested() -> None:
    relative, others = shaken(1).fitted(), shaken(2)
    assert relative is not None
    right = others.error_of(relative)
    others.values = others.values[:, ::-1]
    assert others.error_of(relative, NAMES[::-1]) == pytest.approx(right)
    assert others.error_of(relative) > 2 * right


def test_whoever_answers_with_another_slope_is_compared_in_beads() -> None:
    """What single shakes say is told in their own unit; `slope` of it is one of ln N."""
    mine, others = shaken(1, telling="single"), shaken(2, telling="single")
    relative = mine.fitted()
    assert relative is not None
    others.single *= 4
    assert others.error_of(relative, slope=2.0) == pytest.approx(
        shaken(2, telling="single").error_of(relative)
    )


def test_too_few_rounds_or_igloos_or_folds_make_no_model() -> None:
    assert shaken(4, rounds=3).fitted() is not None
    assert shaken(4, rounds=2).fitted() is None
    assert shaken(4, igloos=LEAST_IGLOOS).fitted() is not None
    assert shaken(4, igloos=LEAST_IGLOOS - 1).fitted() is None
    one = shaken(4)
    assert fit_relative(NAMES, one.values, one.beads, one.rounds, one.rounds * 0, one.single, 0.5) is None


def test_takes_of_no_round_are_left_out() -> None:
    """And so are rounds of too few: whatever they hold changes nothing but how features are scaled."""
    whole, crumbs = shaken(1), shaken(5, rounds=2, igloos=3)
    loose = shaken(6, rounds=1)
    loose.rounds[:] = -1
    both = Rounds(
        np.concatenate([whole.values, whole.values[:18]]),
        np.concatenate([whole.beads, crumbs.beads[::-1], loose.beads[::-1]]),
        np.concatenate([whole.rounds, crumbs.rounds + 100, loose.rounds]),
        np.concatenate([whole.single, crumbs.single, loose.single]),
    )
    alone, beside = whole.fitted(), both.fitted()
    assert alone is not None
    assert beside is not None
    assert beside.sigma == pytest.approx(alone.sigma, rel=0.05)
    others = shaken(2)
    assert others.error_of(beside) == pytest.approx(others.error_of(alone), rel=0.05)
