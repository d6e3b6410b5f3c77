"""One hand that speaks against all that was learned: who shakes like nobody, or an igloo that sounds like none?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sensors.ear.models.fitting import fit_model
from sensors.ear.models.labels import Labels
from sensors.ear.models.model import EarModel, Weights
from sensors.ear.models.population_fit import log_score
from sensors.ear.profiles import model_json

COUNTS = tuple(range(2, 14))
NAMES = tuple(f"loc.{i}" for i in range(10))
RISE = np.random.default_rng(7).normal(0, 1, len(NAMES))
MARK = np.random.default_rng(9).normal(0, 1, len(NAMES))  # what a hand does that beads do not
STRANGE = 1.6  # eight times further than hands usually are


def sitting(random: np.random.Generator, device: float, hand: float) -> np.ndarray:
    """Features of a sweep [counts, features]."""
    rising = np.log(COUNTS)[:, None] * RISE + (device + hand) * RISE + hand * MARK
    return rising + random.normal(0, 0.25, rising.shape)


def beads_of(sittings: int) -> np.ndarray:
    return np.tile(np.array(COUNTS, dtype=np.intp), sittings)


@pytest.fixture(scope="module")
def learned() -> EarModel:
    """From eighteen sets, three people each."""
    random = np.random.default_rng(1)
    devices = np.repeat(random.normal(0, 0.3, 18), 3)
    values = np.concatenate([sitting(random, d, random.normal(0, 0.2)) for d in devices])
    sessions = np.repeat(np.arange(54), len(COUNTS))
    labels = Labels(beads_of(54), sessions, folds=sessions // 9, devices=sessions // 3)
    return fit_model(NAMES, values, labels, COUNTS).model


def calibrated(start: EarModel, sittings: int, hand: float, people: int | None = 1) -> EarModel:
    """On so many occasions, by one person or in turn by several; None: nobody says by whom."""
    random = np.random.default_rng(2)
    values = np.concatenate([sitting(random, 0.1, hand) for _ in range(sittings)])
    sessions = np.repeat(np.arange(sittings), len(COUNTS))
    folds = sessions if sittings > 1 else np.arange(len(COUNTS)) % 4
    who = None if people is None else np.arange(len(values)) * people // len(values)
    return fit_model(
        NAMES, values, Labels(beads_of(sittings), sessions, folds, people=who), COUNTS, start
    ).model


def told(model: EarModel, hand: float) -> float:
    """Mean ln p of the true counts in forty sweeps with that hand."""
    random = np.random.default_rng(3)
    values = np.concatenate([sitting(random, 0.1, hand) for _ in range(40)])
    return log_score(model.log_likelihood(values), beads_of(40), COUNTS)


def test_what_a_strange_hand_says_is_not_said_of_other_hands(learned: EarModel) -> None:
    model = calibrated(learned, 1, -STRANGE)
    assert model.lean < learned.lean
    assert model.for_strangers == Weights(learned.lean, 0.0)
    of_the_igloo = replace(model, for_strangers=None)
    assert told(model, 0.1) > told(of_the_igloo, 0.1) + 0.1
    assert told(model, -STRANGE) > told(of_the_igloo, -STRANGE) - 0.1  # and he is heard as before


def test_a_second_sitting_by_that_hand_says_no_more_of_the_igloo(learned: EarModel) -> None:
    model = calibrated(learned, 2, -STRANGE)
    assert model.lean < learned.lean
    assert model.for_strangers == Weights(learned.lean, 0.0)
    assert told(model, 0.1) > told(replace(model, for_strangers=None), 0.1) + 0.1


@pytest.mark.parametrize(
    ("sittings", "people"),
    [(2, 2), (2, None), (3, 1)],
    ids=["another person's", "nobody knows whose", "a third one"],
)
def test_another_sitting_that_says_the_same_is_believed(
    learned: EarModel, sittings: int, people: int | None
) -> None:
    model = calibrated(learned, sittings, -STRANGE, people)
    assert model.lean < learned.lean
    assert model.for_strangers is None


def test_one_sitting_of_nobody_knows_whom_is_put_down_to_a_hand(learned: EarModel) -> None:
    assert calibrated(learned, 1, -STRANGE, None).for_strangers == Weights(learned.lean, 0.0)


def test_two_people_who_say_the_same_in_one_sitting_are_believed(learned: EarModel) -> None:
    model = calibrated(learned, 1, -STRANGE, people=2)
    assert model.lean < learned.lean
    assert model.for_strangers is None


def test_a_usual_hand_changes_no_weights(learned: EarModel) -> None:
    model = calibrated(learned, 1, 0.1)
    assert model.lean == learned.lean
    assert model.for_strangers is None


def test_who_goes_on_from_such_a_profile_does_not_forget_the_usual_weights(learned: EarModel) -> None:
    again = calibrated(calibrated(learned, 1, -STRANGE), 1, 0.1)
    assert (again.for_strangers or Weights(again.lean, 0.0)) == Weights(learned.lean, 0.0)


def test_it_is_kept_in_the_profile(learned: EarModel) -> None:
    model = calibrated(learned, 1, -STRANGE)
    kept = model_json.model_to_json(model)
    assert model_json.model_from(kept).for_strangers == model.for_strangers
    assert (
        model_json.model_from({k: v for k, v in kept.items() if k != "for_strangers"}).for_strangers is None
    )
    for bad in ([0.5], [0.5, 2.0], 0.5, ["much", 0.5]):
        with pytest.raises((ValueError, TypeError)):
            model_json.model_from(kept | {"for_strangers": bad})
