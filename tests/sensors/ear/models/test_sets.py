"""Joining a set: exact marginals against counting all assignments, and igloos missing, known, or heard twice."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensors.ear.models.sets import add_up, assignment_marginals, join_set

Weights = list[list[float]]


@st.composite
def weights(draw: st.DrawFn) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rows = draw(st.integers(1, 4))
    columns = draw(st.integers(rows, 5))
    values = draw(st.lists(st.floats(0.001, 1.0), min_size=rows * columns, max_size=rows * columns))
    return np.array(values).reshape(rows, columns)


@given(weights())
def test_marginals_equal_the_sum_over_all_assignments(
    w: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> None:
    slow = np.zeros_like(w)
    for columns in itertools.permutations(range(w.shape[1]), w.shape[0]):
        p = np.prod([w[i, j] for i, j in enumerate(columns)])
        for i, j in enumerate(columns):
            slow[i, j] += p
    np.testing.assert_allclose(assignment_marginals(w), slow / slow.sum(axis=1, keepdims=True), rtol=1e-9)


def test_twelve_igloos_are_joined_and_every_count_goes_once() -> None:
    random = np.random.default_rng(3)
    counts = range(2, 14)
    heard = {f"igloo {n}": [dict(zip(counts, random.dirichlet(np.ones(12)), strict=True))] for n in counts}
    joined = join_set(heard, counts)
    assert sorted(joined.best.values()) == list(counts)
    for marginal in joined.marginals.values():
        assert sum(marginal.values()) == pytest.approx(1)
    assert sum(m[7] for m in joined.marginals.values()) == pytest.approx(1)


def test_what_is_known_of_one_igloo_tells_the_other() -> None:
    doubt = {3: 0.5, 4: 0.5}
    joined = join_set({"a": [doubt], "b": [doubt]}, [3, 4], known={"a": 4})
    assert joined.best == {"a": 4, "b": 3}
    assert joined.marginals["b"][3] == pytest.approx(1)
    assert joined.marginals["a"] == {3: 0.0, 4: 1.0}
    three = join_set({"a": [doubt], "b": [{3: 0.3, 4: 0.4, 5: 0.3}]}, [3, 4, 5], known={"a": 4})
    assert three.marginals["b"] == {3: pytest.approx(0.5), 4: 0.0, 5: pytest.approx(0.5)}


def test_a_missing_igloo_leaves_its_count_open() -> None:
    joined = join_set({"a": [{2: 0.6, 3: 0.4, 4: 0.0}], "b": [{2: 0.2, 3: 0.5, 4: 0.3}]}, [2, 3, 4])
    assert joined.best == {"a": 2, "b": 3}
    assert joined.marginals["b"][4] > 0.1


def test_an_igloo_shaken_twice_is_one_igloo_with_more_evidence() -> None:
    shake = {2: 0.6, 3: 0.4}
    once, thrice = add_up([shake]), add_up([shake] * 3)
    assert once[2] == pytest.approx(0.6)
    assert once[2] < thrice[2] < 0.6**3 / (0.6**3 + 0.4**3)  # the same hand errs alike: not three witnesses
    joined = join_set({"a": [shake, shake], "b": [{2: 0.5, 3: 0.5}]}, [2, 3])
    assert joined.best == {"a": 2, "b": 3}


def test_shakes_of_one_igloo_need_not_name_the_same_counts() -> None:
    """What one left out it held for next to impossible; what is unlikely stays as unlikely as it was said to be."""
    told = add_up([{2: 0.5, 3: 0.5}, {3: 0.5, 4: 0.5}])
    assert list(told) == [2, 3, 4]
    assert told[3] == pytest.approx(1.0, abs=1e-3)
    rare = {2: 0.999, 3: 1e-3, 4: 0.0}
    assert add_up([rare]) == pytest.approx(rare, abs=1e-8)


def test_more_igloos_than_counts_is_refused() -> None:
    with pytest.raises(ValueError, match="heard under two names"):
        join_set({"a": [{2: 1.0}], "b": [{2: 1.0}], "c": [{2: 1.0}]}, [2, 3])
    with pytest.raises(ValueError, match="2 igloos for 1 counts"):
        join_set({"a": [{2: 1.0}], "b": [{2: 1.0}], "c": [{3: 1.0}]}, [2, 3], {"c": 3})


@pytest.mark.parametrize("known", [{"a": 2, "b": 2}, {"a": 20}])
def test_known_igloos_that_cannot_be_are_refused(known: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="different counts of the set"):
        join_set({"a": [{2: 1.0}], "b": [{2: 1.0}], "c": []}, [2, 3, 4], known)


def test_an_igloo_that_nobody_heard_gets_what_is_left() -> None:
    joined = join_set({"a": [{2: 0.9, 3: 0.1}], "b": []}, [2, 3])
    assert joined.best == {"a": 2, "b": 3}
    assert joined.marginals["b"][3] == pytest.approx(0.9)


def test_an_impossible_answer_does_not_rule_anything_out_for_good() -> None:
    joined = join_set({"a": [{2: 1.0, 3: 0.0}], "b": [{2: 1.0, 3: 0.0}]}, [2, 3])
    assert sorted(joined.best.values()) == [2, 3]
