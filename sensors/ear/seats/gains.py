"""The gains of one table's microphones relative to each other, from the hits that all of them hear.

A hit is loudest in the microphone nearest to it, and loses about as much from seat a to seat b as from b to a: the
asymmetry is the difference of their gains. Nobody says who shook, so hits form clusters, one for each seat that
somebody shakes at, and one of sounds equally loud everywhere (talk, music, reverberation). Assigning hits to clusters
and measuring alternate (EM: Dempster, Laird and Rubin, J. R. Stat. Soc. B 39, 1, 1977). Gains are taken as equal as
long as the evidence does not clearly speak against it.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are first asked

from sensors.ear.seats.neighbours import Floats

BLOCK_S = 0.006  # s, one hit including its delay at other seats
CLEAR_TIMES = 8.0  # times the background, at one seat at least
HEARD_TIMES = 0.5  # times the background: below, a hit's level there is unknown
LOUD_DB = 15.0  # hits further below a stretch's loudest do not count
HITS_AT_ONCE, HITS_KEPT = 32, 512  # from one stretch, and in all
FLOOR_QUANTILE = 0.05
ROUNDS = 6  # of EM
SPREAD_DB = 2.5  # standard deviation of a cluster's hits at each seat
# prior weight of every cluster, as a share of all hits: somebody who has not shaken yet may begin
OTHERS = 0.3
# Priors; all were chosen on simulated evenings (`hw_mock.igloo.together.Evening`, seed 909), where a shake was 3 to 14
# dB softer at another seat, with variations of some 3 dB.
AWAY_DB = 8.0  # attenuation to another seat; its standard deviations:
OF_TABLES_DB, OF_PAIRS_DB = 20.0, 4.0  # a microphone that faces its player hears less of the others
MEASURED_DB, OF_ONE_SHAKE = 3.0, 50.0  # error of one shake's measurement, which has about so many hits
# Standard deviations of the gains: at first, and for a table where all seem equal. The smaller the second, the less is
# made of small differences; at 2 dB, tables with equal gains got worse.
GAIN_DB, ALIKE_DB = 6.0, 1.0
MOST_DB = 18.0  # no gain is set wrongly by more: that would be an input without a microphone
# No microphone hears a hit this much softer than where it is loudest; an input without one hears a little crosstalk.
DEAF_DB = 30.0
# Smaller differences are ignored: acting on them would decide where two seats hear exactly alike.
PLAIN_DB = 2.0
# Two clusters closer than the first value are one shake taken for two; from the second on they are separate.
APART_DB = (2.0, 4.0)


class SeatGains:
    """The gains of `seats` microphones, learned from hits. Constant memory."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._hits: Floats = np.zeros((0, seats))  # dB, the oldest first; NaN: that seat did not hear it
        self._know_nothing()
        # unknowns: gains, the attenuation between each two seats, and the mean attenuation
        first, second = np.nonzero(~np.eye(seats, dtype=bool))
        lower, upper = np.tril_indices(seats, -1)
        pairs = np.zeros((seats, seats), dtype=np.intp)
        pairs[lower, upper] = pairs[upper, lower] = np.arange(len(lower))
        self._from, self._to, self._pairs = first, second, pairs
        unknown = np.eye(seats + len(lower) + 1)
        gain, away, mean = unknown[:seats], unknown[seats:-1], unknown[-1:]
        seen = gain[second] - gain[first] - away[pairs[first, second]]
        self._rows = np.concatenate([seen, away - mean, mean, gain])

    def _know_nothing(self) -> None:
        self.db: Floats = np.zeros(self._seats)  # float64[seats], of mean 0; positive: set louder
        # dB by which a seat's hits (row) are softer at the others
        self._away = AWAY_DB * (1 - np.eye(self._seats))
        # of all hits, by cluster; the last: equally loud everywhere
        self._shares = np.full(self._seats + 1, 1 / (self._seats + 1))

    @property
    def scale(self) -> Floats:
        """Factors on energies that make all gains equal, float64[seats]."""
        if np.ptp(self.db) < PLAIN_DB:
            return np.ones(self._seats)
        return np.asarray(10 ** (-self.db / 10))

    def forget(self, seat: int) -> None:
        """Another microphone may be there now: forget its hits and its gain."""
        self._hits[:, seat] = np.nan
        self._hits = _compared(self._hits)
        self.db[seat] = 0.0
        self._learn()

    def hear(self, there: list[int], wide: Floats, fresh: int, rate: float) -> None:
        """Take wide-band energies, float64[seats that are `there`, frames at `rate` Hz], of which the last `fresh`
        frames are new."""
        levels = hits(wide, fresh, rate)
        if len(levels):
            new = np.full((len(levels), self._seats), np.nan)
            new[:, there] = levels
            self._hits = _compared(np.concatenate([self._hits, new]))
            self._learn()

    def _learn(self) -> None:
        if not len(self._hits):
            self._know_nothing()
            return
        unsure_db2 = GAIN_DB**2
        for _ in range(ROUNDS):
            heaps = self._heaps()
            self._measure(heaps, unsure_db2)
            # a prior from many tables: gains that come out nearly equal are equal
            unsure_db2 = float(np.sum(self.db**2) + ALIKE_DB**2) / self._seats
        # the largest cluster makes room, its oldest hits first: somebody who shakes rarely is not forgotten
        of = heaps.argmax(axis=1)
        kept = np.ones(len(of), dtype=bool)
        for _ in range(len(of) - HITS_KEPT):
            most = np.bincount(of[kept]).argmax()
            kept[np.flatnonzero(kept & (of == most))[0]] = False
        self._hits = self._hits[kept]

    def _heaps(self) -> Floats:
        """E-step: the probability of each cluster for each hit, float64[hits, seats + 1]; the last: equally loud
        everywhere."""
        middles = self.db - np.vstack([self._away, np.zeros(self._seats)])
        known = np.isfinite(self._hits).astype(float)
        levels = np.where(known > 0, self._hits, 0.0)
        # squared distances from the cluster means, ignoring the overall level of the hit
        off = levels.sum(axis=1, keepdims=True) - known @ middles.T
        far = np.sum(levels**2, axis=1, keepdims=True) - 2 * levels @ middles.T + known @ (middles**2).T
        far -= off**2 / known.sum(axis=1, keepdims=True)
        log = np.log(self._shares) - far / (2 * SPREAD_DB**2)
        likely = np.exp(log - log.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        share = likely.mean(axis=0) + OTHERS
        self._shares = share / share.sum()
        return np.asarray(likely)

    def _measure(self, heaps: Floats, unsure_db2: float) -> None:
        """M-step: gains and attenuations that fit the clusters' levels at all seats, by least squares with priors."""
        known = np.isfinite(self._hits).astype(float)
        levels = np.where(known > 0, self._hits, 0.0)
        mine = heaps[:, :-1] * known
        many = mine.T @ known  # [seat that shook, seat that heard]
        over = (mine.T @ levels - (mine * levels).T @ known) / (many + 1e-9)
        own = np.diag(many)
        trust = self._believed(own, over)[:, None] * many / (many + OF_ONE_SHAKE)
        pairs = self._seats * (self._seats - 1) // 2
        weight = np.concatenate(
            [
                trust[self._from, self._to] / MEASURED_DB**2,
                np.full(pairs, 1 / OF_PAIRS_DB**2),
                [1 / OF_TABLES_DB**2],
                np.full(self._seats, 1 / unsure_db2),
            ]
        )
        aim = np.concatenate([over[self._from, self._to], np.zeros(pairs), [AWAY_DB], np.zeros(self._seats)])
        weighed = self._rows * weight[:, None]
        found = np.linalg.solve(self._rows.T @ weighed, weighed.T @ aim)
        self.db = np.clip(found[: self._seats] - found[: self._seats].mean(), -MOST_DB, MOST_DB)
        self._away[self._from, self._to] = found[self._seats + self._pairs[self._from, self._to]]

    def _believed(self, own: Floats, over: Floats) -> Floats:
        """How far each seat's cluster is taken as separate, 0 … 1: one too near to a larger cluster is part of it."""
        between = -(over + over.T) / 2
        larger = (own[None, :] >= own[:, None]) & (np.minimum(own[None, :], own[:, None]) > 3)
        np.fill_diagonal(larger, False)
        nearest = np.where(larger, between, np.inf).min(axis=1)
        low, high = APART_DB
        return np.asarray(np.clip((nearest - low) / (high - low), 0.0, 1.0))


def _compared(levels: Floats) -> Floats:
    """Only the hits that more than one seat heard."""
    return np.asarray(levels[np.isfinite(levels).sum(axis=1) > 1])


def hits(wide: Floats, fresh: int, rate: float) -> Floats:
    """Levels at all seats of the loudest hits in the last `fresh` frames, dB [hits, seats], at most `HITS_AT_ONCE`; NaN
    where a seat did not hear one. `wide`: energies [seats, frames at `rate` Hz]."""
    n = max(1, round(BLOCK_S * rate))
    blocks = wide.shape[1] // n
    if blocks < 2 or len(wide) < 2:
        return np.zeros((0, len(wide)))
    energy = wide[:, wide.shape[1] - blocks * n :].reshape(len(wide), blocks, n).mean(axis=2)
    floor = np.quantile(energy, FLOOR_QUANTILE, axis=1, keepdims=True)
    clear = energy - floor
    level = 10 * np.log10(np.maximum(clear, floor) + 1e-15)
    loud = level.mean(axis=0)  # loudness of the hit whatever the gains
    hit = (
        (loud >= scipy.ndimage.maximum_filter1d(loud, 5))
        & (clear > CLEAR_TIMES * floor).any(axis=0)
        & (loud > loud.max() - LOUD_DB)
    )
    hit[: blocks - fresh // n] = False
    at = np.flatnonzero(hit)
    at = at[np.argsort(-loud[at], kind="stable")[:HITS_AT_ONCE]]
    known = (clear > HEARD_TIMES * floor) & (level > level.max(axis=0) - DEAF_DB)
    return np.asarray(np.where(known, level, np.nan)[:, at].T)
