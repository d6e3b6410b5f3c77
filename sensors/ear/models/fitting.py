"""Fitting a model: penalties, shares and noise all come from predictions with whole folds left out.

With a model to start from, each of its experts is corrected rather than fitted anew: the ridge works on what the
expert left over, so that few takes move its offset and slope, and many move every weight. Fresh experts compete with
the corrected ones for a share, and win it as recordings grow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sensors.ear.frames.frontend import Floats
from sensors.ear.models.labels import Ints, Labels
from sensors.ear.models.model import LEAN, EarModel, Expert, Weights, blended, likelihood
from sensors.ear.models.population import Populations
from sensors.ear.models.population_fit import enough, left_out_populations, log_score
from sensors.ear.models.reading import KNOWN, UNKNOWN, Reading, readable
from sensors.ear.models.ridge import Grams, Scaling, session_weights
from sensors.ear.models.trust import Trust, trust_of_strangers, trust_of_these

EVENNESS = 0.3  # pull towards equal shares, which fades as sessions grow
FADES_FROM = 20
EASE = 4.0  # the old expert's own prediction may be stretched this much more easily than one feature's weight
PRIOR_TAKES_OF_SHARES = 48.0  # what the shares of a model to start from are worth
PRIOR_TAKES = 48.0  # what the noise of a model to start from is worth
CLEARLY = 3.0  # nats, over all left-out takes, that another weight of an opinion must gain
LEANS = (0.0, 0.25, 0.5, 0.7, 0.85, 1.0)
# Sittings of one person from which what they say is put down to the igloos. Doubt of two is measured in simulated
# folders; the sweeps of the real matchbox, all by one person, were told a little worse when they were doubted as well.
BELIEVED_FROM = 3
FRESH_FROM = 24  # takes: below, fresh experts are not even tried beside corrected ones


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model and, for every recording it was fitted on, what a fit without that recording's fold makes of it."""

    model: EarModel
    left_out: Floats  # m, float64[recordings]
    scores: Floats  # ln p over the counts, float64[recordings, counts]


@dataclass(frozen=True, slots=True)
class _Data:
    z: Floats
    y: Floats
    weights: Floats
    judged: Floats  # weights where the count is one that will be asked for, else 0; sums to 1
    folds: Ints

    def bounded(self, predictions: Floats) -> Floats:
        out: Floats = np.clip(predictions, 0.0, self.y.max() + 0.5)
        return out

    def error(self, predictions: Floats) -> Floats:
        out: Floats = ((self.bounded(predictions) - self.y) ** 2 * self.judged).sum(axis=-1)
        return out


def fit_model(
    names: tuple[str, ...],
    values: Floats,
    labels: Labels,
    counts: Sequence[int],
    start: EarModel | None = None,
    *,
    reading: Reading | None = None,
    strangers: bool = False,
) -> Fitted:
    """Fit on float64[takes, names] with their true counts; those outside `counts` serve as anchors of the line.
    `strangers`: devices will be asked about that are none of these.

    With `start`, `names` must be its names, and its scaling and reading are kept; without, `reading` is the network's,
    learned from other takes than these.
    """
    beads, sessions, folds, devices = labels.beads, labels.sessions, labels.folds, labels.sets
    scaling = Scaling.of(values) if start is None else start.scaling
    weights = session_weights(sessions, beads)
    judged = np.where(np.isin(beads, counts), weights, 0.0)
    data = _Data(
        scaling.apply(values), np.log(beads.astype(np.float64)), weights, judged / judged.sum(), folds
    )
    occasions = len(np.unique(sessions))
    felt = any(name.startswith("hand.") for name in names)
    others_come = strangers and len(np.unique(devices)) > 1
    trust = trust_of_strangers(len(np.unique(devices))) if others_come else trust_of_these(occasions, felt)
    pairs = list(_corrected(data, start, trust)) if start is not None else []
    if start is None or (len(values) >= FRESH_FROM and trust.fresh):
        pairs += list(_fresh(data, names))
    experts = tuple(expert for expert, _ in pairs)
    outside = np.array([left_out for _, left_out in pairs])
    shares = joint_shares(outside - data.y, data.judged, occasions)
    if start is not None:
        before = np.pad(start.shares, (0, len(shares) - len(start.shares)))
        lean = max(trust.kept, PRIOR_TAKES_OF_SHARES / (PRIOR_TAKES_OF_SHARES + len(values)))
        shares = lean * before + (1 - lean) * shares
    left_out = shares @ outside
    offset, slope, sigma = _noise(left_out, data, start, trust)
    scores = likelihood(left_out, counts, offset, slope, sigma)
    reading = reading if start is None else start.reading
    if reading is not None and not readable(counts):
        reading = None
    usual = _usual(start, reading, felt and not others_come)
    lean = usual.populations
    learned = _populations(start, data.z, labels, names, counts, felt, others_come)
    populations = None
    if learned is not None:
        populations, others = learned
        if start is not None:
            lean = _lean(lean, scores, others, beads, counts)
        scores = blended(scores, others, lean)
    if reading is not None:
        read = reading.log_likelihood(values, counts)
        # else igloos are to come that are of none of these sources
        if start is not None or labels.sources is None:
            reading = replace(reading, weight=_lean(usual.reading, scores, read, beads, counts))
        scores = blended(scores, read, reading.weight)
    believed = Weights(lean, reading.weight if reading else 0.0)
    # One person cannot tell igloos that sound like none from a hand that shakes like nobody, for a sitting that is left
    # out is told by his others. Nor can one sitting of nobody knows whom.
    hands = occasions if labels.people is None else len(np.unique(labels.people))
    alone = hands == 1 and occasions < BELIEVED_FROM
    one_hand = alone and start is not None and start.populations is not None
    model = EarModel(
        names=names,
        scaling=scaling,
        experts=experts,
        shares=shares,
        offset=offset,
        slope=slope,
        sigma=sigma,
        counts=tuple(counts),
        populations=populations,
        lean=lean,
        reading=reading,
        for_strangers=usual if one_hand and believed != usual else None,
    )
    return Fitted(model, left_out, scores)


def _usual(start: EarModel | None, reading: Reading | None, felt: bool) -> Weights:
    """How far populations and reading are believed where left-out takes do not speak against them."""
    if start is not None and start.for_strangers is not None:
        return start.for_strangers if reading else start.for_strangers._replace(reading=0.0)
    lean = LEAN if start is None else start.lean
    return Weights(lean, min(reading.weight, KNOWN if felt else UNKNOWN) if reading else 0.0)


def _lean(usual: float, one: Floats, other: Floats, beads: Ints, counts: Sequence[int]) -> float:
    """How far the other opinion is believed: as usual, unless left-out takes speak clearly for another weight. Igloos
    that are like nothing that was learned are heard better without what was learned."""
    told = {tried: log_score(blended(one, other, tried), beads, counts) for tried in (usual, *LEANS)}
    best = max(told, key=lambda tried: told[tried])
    return best if told[best] > told[usual] + CLEARLY / len(beads) else usual


def _populations(
    start: EarModel | None,
    z: Floats,
    labels: Labels,
    names: tuple[str, ...],
    counts: Sequence[int],
    felt: bool,
    strangers: bool,
) -> tuple[Populations, Floats] | None:
    """Those of the start, moved to these takes, or learned from them; and ln p of every take under such as were not
    told of it. None where there are none, or too few takes. `strangers`: as in `_adapted_left_out`."""
    beads, sessions, devices = labels.beads, labels.sessions, labels.sets
    if start is not None and start.populations is not None:
        people = np.zeros_like(sessions) if labels.people is None else labels.people
        if strangers:
            populations = start.populations.beside(z, beads, sessions, devices, felt)
        else:
            populations = start.populations.adapted(z, beads, sessions, people, felt)
        return populations, _adapted_left_out(start.populations, z, labels, counts, felt, strangers)
    if start is None and enough(beads, sessions, devices):
        sources = np.zeros_like(sessions) if labels.sources is None else labels.sources
        return left_out_populations(z, beads, sessions, devices, names, sources, labels.folds, counts)
    return None


def _adapted_left_out(
    start: Populations,
    z: Floats,
    labels: Labels,
    counts: Sequence[int],
    felt: bool,
    strangers: bool,
) -> Floats:
    """ln p of every take under populations that know the others, as if a stranger had shaken it: where a fold is
    part of a sitting, to know the hand would flatter. `strangers`: other devices than these will be asked about."""
    beads, sessions = labels.beads, labels.sessions
    scores = np.zeros((len(z), len(counts)))
    for fold in np.unique(labels.folds):
        out = labels.folds == fold
        inside = ~out
        known = start
        if inside.any() and strangers:
            known = start.beside(z[inside], beads[inside], sessions[inside], labels.sets[inside], felt)
        elif inside.any():
            of_these = z[inside], beads[inside], sessions[inside], sessions[inside]
            known = start.adapted(*of_these, felt, remembered=False)
        scores[out] = known.in_strangers_hands().log_likelihood(z[out], counts)
    return scores


def _fresh(data: _Data, names: tuple[str, ...]) -> Iterator[tuple[Expert, Floats]]:
    prefixes = np.array([name.split(".")[0] for name in names])
    for group in (*dict.fromkeys(prefixes.tolist()), "all"):
        columns = np.flatnonzero((prefixes == group) | (group == "all"))
        grams = Grams(data.z[:, columns], data.y, data.weights, data.folds)
        predictions = grams.left_out()
        best = int(np.argmin(data.error(predictions)))
        beta = grams.solve(None)[best]
        yield Expert(group, columns, float(beta[0]), beta[1:]), data.bounded(predictions[best])


def _corrected(data: _Data, start: EarModel, trust: Trust) -> Iterator[tuple[Expert, Floats]]:
    for old in start.experts:
        before = old.predict(data.z)
        middle = float((data.weights * before).sum())
        z = np.column_stack([data.z[:, old.columns], EASE * (before - middle)])
        grams = Grams(z, data.y - before, data.weights, data.folds)
        predictions = before + trust.correction * grams.left_out(trust.penalties)
        best = int(np.argmin(data.error(predictions)))
        change = trust.correction * grams.solve(None, trust.penalties)[best]
        stretch = 1.0 + EASE * float(change[-1])
        expert = Expert(
            old.group,
            old.columns,
            float(change[0]) + stretch * old.intercept - (stretch - 1.0) * middle,
            change[1:-1] + stretch * old.slopes,
        )
        yield expert, data.bounded(predictions[best])


def joint_shares(errors: Floats, weights: Floats, sessions: int) -> Floats:
    """Shares ≥ 0, float64[experts] of sum 1, that make the joined error least, given how the experts err together;
    pulled towards equal shares. `errors` [experts, recordings], in ln N; `weights` [recordings]."""
    evenness = EVENNESS * min(1.0, FADES_FROM / max(1, sessions))
    together = (errors * weights) @ errors.T
    scale = max(float(np.trace(together)) / len(together), 1e-9)
    together = together + evenness * scale * np.eye(len(together))
    active = np.ones(len(together), bool)
    while True:
        solved = np.linalg.solve(together[np.ix_(active, active)], np.ones(int(active.sum())))
        if np.all(solved > 0) or active.sum() == 1:
            break
        active[np.flatnonzero(active)[solved <= 0]] = False
    shares = np.zeros(len(together))
    shares[active] = np.maximum(solved, 1e-9)
    normal: Floats = shares / shares.sum()
    return normal


def _noise(m: Floats, data: _Data, start: EarModel | None, trust: Trust) -> tuple[float, float, float]:
    """Offset, slope and noise of m = a + b · ln N over left-out predictions; `start`'s count where takes are few."""
    w, y = data.judged, data.y
    y_mean, m_mean = float((w * y).sum()), float((w * m).sum())
    spread = max(float((w * (y - y_mean) ** 2).sum()), 1e-9)
    lean = 0.0 if start is None else max(trust.kept, PRIOR_TAKES / (PRIOR_TAKES + len(y)))
    slope = float((w * (y - y_mean) * (m - m_mean)).sum()) / spread
    slope = float(np.clip(slope, 0.3, 1.2)) * (1 - lean) + (start.slope * lean if start is not None else 0.0)
    offset = m_mean - slope * y_mean
    if start is not None:  # the sitting's own shift is not the igloos'
        offset = start.offset * (1 - trust.offset) + offset * trust.offset
    # an error estimated from few folds is itself uncertain, and too sure is worse than modest
    few = 1 + 1 / max(1, len(np.unique(data.folds)))
    square = float((w * (m - offset - slope * y) ** 2).sum()) * few + 1e-4
    if start is not None:
        square = square * (1 - lean) + start.sigma**2 * lean
    return offset, slope, float(np.sqrt(square))
