"""What one sweep corrects of a model that it starts from, where the hand is felt and where it is not."""

from __future__ import annotations

import numpy as np

from sensors.ear.fitting import fit_model
from sensors.ear.model import EarModel

COUNTS = tuple(range(2, 14))


def sweeps(names: tuple[str, ...], sessions: int, shift: float, start: EarModel | None = None) -> EarModel:
    """Fitted on sessions of one set whose features rise with ln N, all shifted alike."""
    random = np.random.default_rng(sessions)
    beads = np.tile(COUNTS, sessions).astype(np.intp)
    of = np.repeat(np.arange(sessions), len(COUNTS)).astype(np.intp)
    values = np.log(beads)[:, None] + shift + random.normal(0, 0.1, (len(beads), len(names)))
    folds = of if sessions > 1 else (np.arange(len(beads)) % 4).astype(np.intp)
    return fit_model(names, values, beads, of, folds, COUNTS, start).model


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
