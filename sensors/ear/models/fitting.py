"""Fitting a model: penalties, shares and noise all come from predictions with whole folds left out.

With a model to start from, each of its experts is corrected rather than fitted anew: the ridge is fitted to the
expert's residuals, so that a few takes move its offset and slope, and many move every weight. Fresh experts compete
with the corrected ones for a share, and win it as recordings grow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sensors.ear.frames.frontend import Floats
from sensors.ear.models.experts_fit import Takes, corrected, fresh, joint_shares
from sensors.ear.models.labels import Ints, Labels
from sensors.ear.models.model import LEAN, EarModel, Expert, Weights, blended, likelihood
from sensors.ear.models.population_fit import enough, left_out_populations, log_score
from sensors.ear.models.populations import Populations
from sensors.ear.models.reading import AFTER_SWEEP, UNCALIBRATED, Reading, readable
from sensors.ear.models.ridge import Scaling, session_weights
from sensors.ear.models.trust import Trust, trust_of_strangers, trust_of_these

PRIOR_TAKES_OF_SHARES = 48.0  # weight, in takes, of the shares of a model to start from
PRIOR_TAKES_OF_NOISE = 48.0  # weight, in takes, of the noise of a model to start from
CLEARLY = 3.0  # nats over all left-out takes: another weight of an opinion must gain this much to be chosen
LEANS = (0.0, 0.25, 0.5, 0.7, 0.85, 1.0)
# From so many sittings of one person on, what they show is put down to the igloos and not to his hand. That two are too
# few was measured in simulated folders; the sweeps of the real matchbox, all by one person, were told a little worse
# when these were doubted as well.
BELIEVED_FROM = 3
FRESH_FROM = 24  # takes: below, fresh experts are not even tried beside corrected ones


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model, and what a fit without its fold predicts for every recording that the model was fitted on."""

    model: EarModel
    left_out: Floats  # m, float64[recordings]
    scores: Floats  # ln p over the counts, float64[recordings, counts]


@dataclass(frozen=True, slots=True)
class _Asked:
    """The task of a fit: takes with their true counts, the counts to be told apart, and the model to start from."""

    names: tuple[str, ...]
    values: Floats  # float64[takes, names]
    labels: Labels
    counts: Sequence[int]
    start: EarModel | None
    others_come: bool  # the model will be asked about devices that are none of these

    @property
    def occasions(self) -> int:
        return len(np.unique(self.labels.sessions))

    @property
    def felt(self) -> bool:
        """Whether the features include the hand's own motion."""
        return any(name.startswith("hand.") for name in self.names)

    @property
    def one_hand(self) -> bool:
        """Whether all takes may be by one person, so that strange igloos cannot be told from a strange hand: when one
        of his sittings is left out, his other ones still teach the hand. A single sitting whose person nobody named
        counts as one hand as well."""
        people = self.labels.people
        hands = self.occasions if people is None else len(np.unique(people))
        alone = hands == 1 and self.occasions < BELIEVED_FROM
        return alone and self.start is not None and self.start.populations is not None


@dataclass(frozen=True, slots=True)
class _Opinions:
    """What the populations and the network's reading say beside the experts, the weight of each, and all of them
    joined."""

    scores: Floats  # ln p over the counts, float64[takes, counts]
    populations: Populations | None
    reading: Reading | None
    believed: Weights
    usual: Weights  # their weights if these takes did not speak against them


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
    """Fit on float64[takes, names] with their true counts; takes whose count is not in `counts` still anchor the
    regression. `strangers`: the model will be asked about devices that are none of these.

    With `start`, `names` must be the names of `start`, and its scaling and its reading are kept. Without it, `reading`
    is the network's own, which was learned from other takes than these.
    """
    devices = len(np.unique(labels.sets))
    asked = _Asked(names, values, labels, counts, start, others_come=strangers and devices > 1)
    scaling = Scaling.of(values) if start is None else start.scaling
    takes = _takes(asked, scaling)
    trust = trust_of_strangers(devices) if asked.others_come else trust_of_these(asked.occasions, asked.felt)
    experts, outside = _experts(takes, asked, trust)
    shares = _shares(outside, takes, asked, trust)
    left_out = shares @ outside
    offset, slope, sigma = _noise(left_out, takes, start, trust)
    alone = likelihood(left_out, counts, offset, slope, sigma)
    said = _opinions(alone, takes, asked, reading if start is None else start.reading)
    model = EarModel(
        names=names,
        scaling=scaling,
        experts=experts,
        shares=shares,
        offset=offset,
        slope=slope,
        sigma=sigma,
        counts=tuple(counts),
        populations=said.populations,
        lean=said.believed.populations,
        reading=said.reading,
        for_strangers=said.usual if asked.one_hand and said.believed != said.usual else None,
    )
    return Fitted(model, left_out, said.scores)


def _takes(asked: _Asked, scaling: Scaling) -> Takes:
    """The takes as experts see them."""
    labels = asked.labels
    weights = session_weights(labels.sessions, labels.beads)
    judged = np.where(np.isin(labels.beads, asked.counts), weights, 0.0)
    y = np.log(labels.beads.astype(np.float64))
    return Takes(scaling.apply(asked.values), y, weights, judged / judged.sum(), labels.folds)


def _experts(takes: Takes, asked: _Asked, trust: Trust) -> tuple[tuple[Expert, ...], Floats]:
    """The corrected experts of the start, fresh ones where takes suffice; and the left-out predictions of each,
    float64[experts, takes]."""
    start = asked.start
    pairs = list(corrected(takes, start, trust)) if start is not None else []
    if start is None or (len(takes.y) >= FRESH_FROM and trust.fresh):
        pairs += list(fresh(takes, asked.names))
    return tuple(expert for expert, _ in pairs), np.array([left_out for _, left_out in pairs])


def _shares(outside: Floats, takes: Takes, asked: _Asked, trust: Trust) -> Floats:
    """The share of each expert; where takes are few it is drawn towards the shares of the start."""
    shares = joint_shares(outside - takes.y, takes.judged, asked.occasions)
    if asked.start is not None:
        before = np.pad(asked.start.shares, (0, len(shares) - len(asked.start.shares)))
        lean = max(trust.kept, PRIOR_TAKES_OF_SHARES / (PRIOR_TAKES_OF_SHARES + len(takes.y)))
        shares = lean * before + (1 - lean) * shares
    return shares


def _opinions(scores: Floats, takes: Takes, asked: _Asked, reading: Reading | None) -> _Opinions:
    """Populations and `reading` beside the experts' `scores`; left-out takes decide how far each is believed."""
    start, beads, counts = asked.start, asked.labels.beads, asked.counts
    if reading is not None and not readable(counts):
        reading = None
    usual = _usual(start, reading, asked.felt and not asked.others_come)
    lean, populations = usual.populations, None
    learned = _populations(takes.z, asked)
    if learned is not None:
        populations, others = learned
        if start is not None:
            lean = _lean(lean, scores, others, beads, counts)
        scores = blended(scores, others, lean)
    if reading is not None:
        read = reading.log_likelihood(asked.values, counts)
        # without these labels the model would have to tell igloos that come from none of these sources
        if start is not None or asked.labels.sources is None:
            reading = replace(reading, weight=_lean(usual.reading, scores, read, beads, counts))
        scores = blended(scores, read, reading.weight)
    believed = Weights(lean, reading.weight if reading else 0.0)
    return _Opinions(scores, populations, reading, believed, usual)


def _usual(start: EarModel | None, reading: Reading | None, felt: bool) -> Weights:
    """The weights of populations and reading where left-out takes do not speak against them."""
    if start is not None and start.for_strangers is not None:
        return start.for_strangers if reading else start.for_strangers._replace(reading=0.0)
    lean = LEAN if start is None else start.lean
    return Weights(lean, min(reading.weight, AFTER_SWEEP if felt else UNCALIBRATED) if reading else 0.0)


def _lean(usual: float, one: Floats, other: Floats, beads: Ints, counts: Sequence[int]) -> float:
    """The weight of the other opinion: the usual one, unless left-out takes clearly speak for another. Igloos that are
    unlike everything that was learned are told better without what was learned."""
    told = {tried: log_score(blended(one, other, tried), beads, counts) for tried in (usual, *LEANS)}
    best = max(told, key=lambda tried: told[tried])
    return best if told[best] > told[usual] + CLEARLY / len(beads) else usual


def _populations(z: Floats, asked: _Asked) -> tuple[Populations, Floats] | None:
    """The populations of the start, moved to these takes, or new ones learned from them; and ln p of every take under
    populations that were not told of it. None where there are none, or too few takes."""
    start, labels = asked.start, asked.labels
    beads, sessions, devices = labels.beads, labels.sessions, labels.sets
    if start is not None and start.populations is not None:
        people = np.zeros_like(sessions) if labels.people is None else labels.people
        if asked.others_come:
            populations = start.populations.beside(z, beads, sessions, devices, asked.felt)
        else:
            populations = start.populations.adapted(z, beads, sessions, people, asked.felt)
        return populations, _adapted_left_out(start.populations, z, asked)
    if start is None and enough(beads, sessions, devices):
        sources = np.zeros_like(sessions) if labels.sources is None else labels.sources
        return left_out_populations(
            z=z,
            beads=beads,
            occasions=sessions,
            devices=devices,
            names=asked.names,
            sources=sources,
            folds=labels.folds,
            counts=asked.counts,
        )
    return None


def _adapted_left_out(start: Populations, z: Floats, asked: _Asked) -> Floats:
    """ln p of every take under populations that know the other takes, as if a stranger had shaken it: where a fold is
    only a part of a sitting, knowing the hand would flatter the figure."""
    labels, felt = asked.labels, asked.felt
    beads, sessions = labels.beads, labels.sessions
    scores = np.zeros((len(z), len(asked.counts)))
    for fold in np.unique(labels.folds):
        out = labels.folds == fold
        inside = ~out
        known = start
        if inside.any() and asked.others_come:
            known = start.beside(z[inside], beads[inside], sessions[inside], labels.sets[inside], felt)
        elif inside.any():
            of_these = z[inside], beads[inside], sessions[inside], sessions[inside]
            known = start.adapted(*of_these, felt, remembered=False)
        scores[out] = known.in_strangers_hands().log_likelihood(z[out], asked.counts)
    return scores


def _noise(m: Floats, takes: Takes, start: EarModel | None, trust: Trust) -> tuple[float, float, float]:
    """Offset a, slope b and noise of m = a + b · ln N over left-out predictions; shrunk to those of `start` where takes
    are few."""
    w, y = takes.judged, takes.y
    y_mean, m_mean = float((w * y).sum()), float((w * m).sum())
    spread = max(float((w * (y - y_mean) ** 2).sum()), 1e-9)
    lean = 0.0 if start is None else max(trust.kept, PRIOR_TAKES_OF_NOISE / (PRIOR_TAKES_OF_NOISE + len(y)))
    slope = float((w * (y - y_mean) * (m - m_mean)).sum()) / spread
    slope = float(np.clip(slope, 0.3, 1.2)) * (1 - lean) + (start.slope * lean if start is not None else 0.0)
    offset = m_mean - slope * y_mean
    if start is not None:  # the sitting's own shift is not the igloos'
        offset = start.offset * (1 - trust.offset) + offset * trust.offset
    # an error estimated from few folds is itself uncertain, and an overconfident model is worse than a modest one
    few = 1 + 1 / max(1, len(np.unique(takes.folds)))
    square = float((w * (m - offset - slope * y) ** 2).sum()) * few + 1e-4
    if start is not None:
        square = square * (1 - lean) + start.sigma**2 * lean
    return offset, slope, float(np.sqrt(square))
