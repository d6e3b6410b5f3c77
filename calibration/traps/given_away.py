"""All confounders that give the counts of a folder away: the common check of `fit`, `evaluate` and the page."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.recordings.folds import Unit
from calibration.takes.features import Takes
from calibration.traps.along_counts import along_counts
from calibration.traps.confounding import Confounding, by_ear, by_its_name
from calibration.traps.dealt import dealt
from calibration.traps.in_order import in_order
from calibration.traps.own_igloos import own_igloos
from calibration.traps.takes_in_rows import in_rows


def given_away(heard: Takes, unit: Unit | None = "session", tested: Takes | None = None) -> list[Confounding]:
    """The confounders of these recordings, where each `unit` is left out by turns and these are `tested` (None: all);
    those that refuse figures come first.

    `unit` None: nothing is left out, and a profile that knows none of the recordings is tested. It learned nothing
    here, so neither names of sessions nor hands tell it anything.
    """
    rows, asked = [of_one[0] for of_one in heard], [of_one[0] for of_one in tested or heard]
    if unit is None:
        return [*by_ear(rows), *along_counts(rows, learned=False)]
    hidden: list[Confounding | None] = [
        by_its_name([row.recording for row in asked], unit),
        # with players left out no hand is known, and `by_its_name` says what such a test is worth
        own_igloos([row.recording for row in rows], [row.recording for row in asked])
        if unit != "player"
        else None,
        in_rows(asked) if unit == "session" else None,
        dealt(rows, asked) if unit == "session" else None,
        in_order([row.recording for row in rows]),
    ]
    along = along_counts(rows, None if tested is None else asked)
    found = [*(trap for trap in hidden if trap is not None), *along]
    found += by_ear(rows, left_out=not any(trap.refuses for trap in found))
    return sorted(found, key=lambda trap: not trap.refuses)


def refusals(traps: Sequence[Confounding]) -> list[str]:
    """Why no figures of these takes are shown: they flatter, or say nothing, even with whole sessions left out."""
    return [trap.sentence() for trap in traps if trap.refuses]
