"""What one sweep corrects of a model that it starts from, where the hand is felt and where it is not."""

from __future__ import annotations

import numpy as np

from sensors.ear.models.fitting import fit_model
from sensors.ear.models.labels import Labels
from sensors.ear.models.model import EarModel

COUNTS = tuple(range(2, 14))


def sweeps(names: tuple[str, ...], sessions: int, shift: float, start: EarModel | None = None) -> EarModel:
    """Fitted on sessions of one set whose features rise with ln N, all shifted alike."""
    random = np.random.default_rng(sessions)
    beads = np.tile(COUNTS, sessions).astype(np.intp)
    of = np.repeat(np.arange(sessions), len(COUNTS)).astype(np.intp)
    values = np.log(beads)[:, None] + shift + random.normal(0, 0.1, (len(beads), len(names)))
    folds = of if sessions > 1 else (np.arange(len(beads)) % 4).astype(np.intp)
    return fit_model(names, values, Labels(beads, of, folds), COUNTS, start).model


def corrected(names: tuple[str, ...]) -> float:
    """By how much a sweep whose features all lie higher by half lowers what is predicted, unit of ln N."""
    start = sweeps(names, 6, 0.0)
    after = sweeps(names, 1, 0.5, start)
    z = start.scaling.apply(np.full((1, len(names)), np.mean(np.log(COUNTS))))
    moved = [
        old.predict(z)[0] - new.predict(z)[0] for old, new in zip(start.experts, after.experts, strict=False)
    ]
    return float(np.mean(moved))


def test_a_sweep_corrects_by_half_where_the_hand_is_felt_and_by_a_quarter_where_not() -> None:
    felt, unfelt = corrected(("hand.rms", "loc.a", "loc.b")), corrected(("mod.a", "loc.a", "loc.b"))
    assert 0.15 < felt < 0.35
    assert 0.35 < unfelt / felt < 0.65


def gains(devices: list[float], random: np.random.Generator):
    """Two sweeps of each set: a feature that tells the count, and one that does so but for the set's own gain."""
    beads = np.tile(COUNTS, 2 * len(devices)).astype(np.intp)
    of = np.repeat(np.arange(len(devices)), 2 * len(COUNTS)).astype(np.intp)
    sessions = np.repeat(np.arange(2 * len(devices)), len(COUNTS)).astype(np.intp)
    rough = np.log(beads) + random.normal(0, 0.15, len(beads))
    fine = np.log(beads) + np.array(devices)[of] + random.normal(0, 0.02, len(beads))
    return np.column_stack([rough, fine]), beads, sessions, of


def test_a_few_sets_do_not_teach_what_another_set_may_be() -> None:
    """Of many sets the start knows that gains differ. Four of nearly the same gain do not unteach it for a fifth of
    another gain; for themselves they do."""
    names, random = ("loc.a", "size.b"), np.random.default_rng(1)
    values, beads, sessions, of = gains(list(random.normal(0, 2.0, 12)), random)
    start = fit_model(names, values, Labels(beads, sessions, of, of), COUNTS).model
    few = gains([0.0, 0.05, -0.05, 0.02], random)
    strange, true, *_ = gains([2.5], random)

    def off(strangers: bool, values: np.ndarray, beads: np.ndarray) -> float:
        given, told, sessions, of = few
        labels = Labels(told, sessions, of, of, people=sessions)
        model = fit_model(names, given, labels, COUNTS, start, strangers=strangers).model
        return float(np.abs(model.measure(values) - np.log(beads)).mean())

    assert off(True, strange, true) < 0.3
    assert off(False, strange, true) > 2 * off(True, strange, true)
    assert off(False, few[0], few[1]) < off(True, few[0], few[1])
