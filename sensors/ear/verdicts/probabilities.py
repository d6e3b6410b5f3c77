"""What the heads of a profile say together of one shake, before anybody judges whether it is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from sensors.ear.frames.frontend import FrontEnd
from sensors.ear.models.model import joined, of_one_view
from sensors.ear.profiles.profile import Head
from sensors.ear.shakes.shake import Shake


def probabilities_of(
    heads: Sequence[Head], shake: Shake, counts: tuple[int, ...] | None = None
) -> dict[int, float]:
    """Over `counts` (None: those of the profile), whatever the sound is; by all `heads` whose front end shows the
    shake."""
    shown = [(head, s) for head in heads if (s := shake.through(head.front)) is not None]
    models = [head.model if counts is None else replace(head.model, counts=counts) for head, _ in shown]
    told = [
        model.log_likelihood(s.pick(model.names)[None]) for model, (_, s) in zip(models, shown, strict=True)
    ]
    p = joined(told, [head.front.name for head, _ in shown])[0]
    return dict(zip(counts or heads[0].model.counts, map(float, p), strict=True))


def by_one_view(heads: Sequence[Head], shake: Shake, probabilities: Mapping[int, float]) -> dict[int, float]:
    """The probabilities that `sure` is decided by, for all `heads` whose front end shows the shake
    (`model.of_one_view`)."""
    return through_one_view(
        [head.front for head in heads if shake.through(head.front) is not None], probabilities
    )


def through_one_view(fronts: Sequence[FrontEnd], probabilities: Mapping[int, float]) -> dict[int, float]:
    """The same, by the front ends through which they were told."""
    p = of_one_view(np.array([list(probabilities.values())]), fronts)[0]
    return dict(zip(probabilities, map(float, p), strict=True))
