"""From weights to counts: the twelve weighings of one's own set, and what they scatter by.

A weighing has two sides. `upright` t = (S + B)/M is very exact, but shells differ by more than a bead may weigh. What
is loose, b = t − s = 5/7 · B/M with s = κ·sideways, leaves the shell out: it is proportional to the count. κ, the ratio
of the seat's two moved masses, comes out of the fit (or from a coin, which has nothing loose in it).

t and s scatter each by itself, t by how the nubs are pressed, s by how they are sheared and who leans on the wall; so b
scatters by both, and goes with t. An igloo that was weighed is told by its t and its s. Of one that nobody weighed the
shell is not known, which is in both; it is told by its t and its b.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy  # its parts are loaded when they are first asked
from numpy.typing import NDArray

from sensors.gesture.weigh import Weight

Floats = NDArray[np.float64]
# of docs/gesture.md's seat as drawn, whose base rocks, and of what makers will build, relative: simulated ones have
# 0.43–0.55; what moves would be 0.42 of each other
KAPPA, KAPPA_SPREAD = 0.48, 0.10
FREEDOM = 6.0  # of Student's t: a bead that lies on another now and then is no surprise
ASTRAY = 2e-3  # of the seat's moved mass to and fro: placings that differ by less are alike
AGREE = 0.01  # relative, of taps of one igloo
CALM = 80.0  # quality of a sideways tone that no bead disturbs
EXPECTED = 4.0  # degrees of freedom that the wander found on other seats is worth beside a gesture's own
BEAD_SPREAD = 0.05  # of one bead's mass within a set, relative: diameters differ by 0.5–3 %


@dataclass(frozen=True, slots=True)
class Noise:
    """Standard deviations, in units of the seat's moved mass where nothing else is said. Found on simulated seats."""

    tap_upright: float = 1.0e-4
    tap_loose: float = 2.0e-4
    # from placing to placing, of t²/(1 + t): a nub gives as the load and its frequency squared
    nub: float = 2.0e-3
    wander: float = 0.28  # beads, of b from placing to placing: who leans on the wall, who touches whom
    lean: float = 0.12  # beads, of b from day to day: how the seat leans
    # the same of s: its tone; who leans on the wall, in beads; nubs that are sheared, of s²/(KAPPA + s); days, in beads
    tap_sideways: float = 1.0e-4
    rolling: float = 0.04
    shear: float = 9.0e-4
    lean_sideways: float = 0.06
    # from day to day, of t, relative, alike for all of a day: another table under the base, moisture in all shells
    gain: float = 7.0e-4

    def upright(self, taps: float, placings: float, t: float) -> float:
        """Of t."""
        return math.sqrt(self.tap_upright**2 / taps + (self.nub * t * t / (1 + t)) ** 2 / placings)

    def loose(self, taps: float, placings: float, bead: float, seen: float = 0.0) -> float:
        """Of b, where one bead is `bead`; `taps`: as many as the calm sideways tones are worth; `seen`: what b was seen
        to scatter by among these placings, standard deviation in its own unit."""
        each = (np.asarray(x, np.float64) for x in (taps, placings, bead, seen))
        return math.sqrt(self.loose_variances(*each))

    def sideways(self, taps: float, placings: float, bead: float, s: float, seen: float = 0.0) -> float:
        """Of s; `taps` and `bead` as for what is loose; `seen`: what s was seen to scatter by among these placings."""
        each = (self.rolling * bead) ** 2 + (self.shear * s * s / (KAPPA + s)) ** 2
        each = _with_seen(each, placings, seen)
        return math.sqrt(self.tap_sideways**2 / taps + each / placings + (self.lean_sideways * bead) ** 2)

    def loose_variances(self, taps: Floats, placings: Floats, bead: Floats, seen: Floats) -> Floats:
        """The same of many at once, squared."""
        wander = _with_seen((self.wander * bead) ** 2, placings, seen)
        out: Floats = self.tap_loose**2 / taps + wander / placings + (self.lean * bead) ** 2
        return out


def _with_seen(each: Any, placings: Any, seen: Any) -> Any:
    """Variance of one placing: who sets an igloo down carelessly scatters more than those that it was found on, never
    less."""
    return np.maximum(each, (EXPECTED * each + (placings - 1) * seen**2) / (EXPECTED + placings - 1))


@dataclass(frozen=True, slots=True)
class Weighing:
    """One gesture: the middle of its taps."""

    upright: float
    sideways: float
    taps: int
    spread: float  # of `upright` among the taps
    placings: int = 1
    calm: float | None = None  # how many undisturbed taps the sideways tones are worth; None: all
    placed: Floats | None = None  # [placings, 2] upright and sideways of each

    def scatter(self, kappa: float) -> float:
        """What is loose scatters by so much among the placings, standard deviation; 0 where there is but one."""
        if self.placed is None or len(self.placed) < 2:
            return 0.0
        return float(np.std(self.placed[:, 0] - kappa * self.placed[:, 1], ddof=1))

    def scatter_sideways(self, kappa: float) -> float:
        """The same of s."""
        if self.placed is None or len(self.placed) < 2:
            return 0.0
        return float(np.std(kappa * self.placed[:, 1], ddof=1))

    @property
    def loose_taps(self) -> float:
        """How many taps what is loose is known from: those that no bead disturbed, as many as they are worth."""
        return float(self.taps) if self.calm is None else self.calm

    @classmethod
    def of(cls, weights: Sequence[Weight]) -> Weighing:
        """The middle of those taps that agree (the later ones, if two views stand equal). Raises ValueError for none.

        The blow of setting down rings too while the hand still holds: it agrees with nothing.
        """
        if not weights:
            raise ValueError("no tap was weighed")
        up = np.array([w.upright for w in weights])
        friends = np.sum(np.abs(up[:, None] - up[None, :]) < AGREE * up[:, None], axis=1)
        most = int(np.flatnonzero(friends == friends.max())[-1])
        weights = [w for w, u in zip(weights, up, strict=True) if abs(u - up[most]) < AGREE * up[most]]
        up = np.array([w.upright for w in weights])
        side = np.array([w.sideways for w in weights])
        # a tone's frequency is known as well as it is loud; where beads knock on the wall the sideways one dies early
        sizes = np.array([w.sizes for w in weights])
        loud = np.minimum(sizes, 2 * np.median(sizes, axis=0)) ** 2
        loud[:, 0] *= np.minimum([w.qualities[0] for w in weights], CALM) ** 2
        # now and then a bead is wedged, and goes with the wall: what lies far from the middle counts less
        far = np.abs(side - np.median(side))
        loud[:, 0] /= 1 + (far / (3 * np.median(far) + ASTRAY)) ** 2
        placing = np.array([w.placing for w in weights])
        each = [np.flatnonzero(placing == k) for k in np.unique(placing)]
        return cls(
            float(np.average(up, weights=loud[:, 1])),
            float(np.average(side, weights=loud[:, 0])),
            len(weights),
            float(np.max(np.abs(up - np.median(up)))),
            len(each),
            float(np.sum((np.minimum([w.qualities[0] for w in weights], CALM) / CALM) ** 4)),
            np.array(
                [
                    [np.average(up[i], weights=loud[i, 1]), np.average(side[i], weights=loud[i, 0])]
                    for i in each
                ]
            ),
        )


@dataclass(frozen=True, slots=True)
class SetModel:
    """One set of igloos on one seat. means [counts, 2] of t and b; known [counts, 2]: variances of the means of t, and
    of s where the igloo was weighed, else of b."""

    counts: tuple[int, ...]
    kappa: float
    bead: float  # b of one bead
    means: Floats
    known: Floats
    noise: Noise
    weighed: tuple[int, ...]  # how many labelled gestures each count had

    def loose(self, weighing: Weighing) -> float:
        """b = t − κ·sideways, in units of the seat's moved mass: what moves with the beads alone."""
        return weighing.upright - self.kappa * weighing.sideways

    @property
    def unweighed(self) -> NDArray[np.bool_]:
        """[counts]: where each igloo lies is a guess from the others'."""
        out: NDArray[np.bool_] = np.array(self.weighed) == 0
        return out

    @property
    def stiff(self) -> Floats:
        """[counts]: s of each igloo."""
        out: Floats = self.means[:, 0] - self.means[:, 1]
        return out

    def beside(self, t: float, s: Floats) -> Floats:
        """[..., counts]: how far a weight of `t` and `s` [...] lies from each igloo's s where that was weighed, else
        from its b."""
        out: Floats = np.where(self.unweighed, t - s[..., None] - self.means[:, 1], s[..., None] - self.stiff)
        return out

    def deviations(self, weighing: Weighing) -> tuple[Floats, Floats]:
        """[counts] each: what t scatters by about each igloo's, and what `beside` does, standard deviations, beside
        what is alike for all that is weighed on a day."""
        t, s = weighing.upright, self.kappa * weighing.sideways
        of, noise, taps = weighing.placings, self.noise, weighing.loose_taps
        upright = noise.upright(weighing.taps, of, t)
        sideways = noise.sideways(taps, of, self.bead, s, weighing.scatter_sideways(self.kappa))
        loose = noise.loose(taps, of, self.bead, weighing.scatter(self.kappa))
        second = np.where(self.unweighed, loose, sideways)
        return np.sqrt(self.known[:, 0] + upright**2), np.sqrt(self.known[:, 1] + second**2)


def student(z: Floats) -> Floats:
    """Log density of Student's t with `FREEDOM` at each of z, but for −½·ln(π·FREEDOM), which is alike for all z."""
    v = FREEDOM
    out: Floats = (
        scipy.special.gammaln((v + 1) / 2) - scipy.special.gammaln(v / 2) - (v + 1) / 2 * np.log1p(z * z / v)
    )
    return out


def fit_kappa(weighings: Sequence[Weighing], beads: Sequence[int], noise: Noise) -> tuple[float, float]:
    """κ and b of one bead from labelled weighings: t = κ·sideways + bead·N, with the seat as drawn as a prior on κ."""
    t = np.array([w.upright for w in weighings])
    side = np.array([w.sideways for w in weighings])
    n = np.array(beads, dtype=np.float64)
    kappa, bead = KAPPA, 0.0
    for _ in range(4):  # the weights follow the beads' own scatter
        sd = np.sqrt([noise.loose(w.loose_taps, w.placings, bead) ** 2 + (BEAD_SPREAD * bead) ** 2 * k
                      for w, k in zip(weighings, n, strict=True)])  # fmt: skip
        rows = np.stack([side / sd, n / sd], axis=1)
        prior = np.array([[1 / (KAPPA * KAPPA_SPREAD), 0.0]])
        (kappa, bead), *_ = np.linalg.lstsq(
            np.concatenate([rows, prior]), np.concatenate([t / sd, [1 / KAPPA_SPREAD]]), rcond=None
        )
    return float(kappa), float(max(bead, 1e-6))


def fit_set(
    weighings: Sequence[Weighing], beads: Sequence[int], counts: tuple[int, ...], noise: Noise
) -> SetModel:
    """A set from labelled weighings, one or more of an igloo; counts without any lie on the line of the others.

    Raises ValueError where fewer than two counts were weighed.
    """
    if len(set(beads)) < 2:
        raise ValueError("two counts at least have to be weighed")
    kappa, bead = fit_kappa(weighings, beads, noise)
    t = np.array([w.upright for w in weighings])
    s = kappa * np.array([w.sideways for w in weighings])
    shells = t - 1.4 * bead * np.array(beads)
    shell, spread = float(np.median(shells)), float(np.std(shells) + 0.004)
    means, known, weighed = [], [], []
    for n in counts:
        mine = [i for i, k in enumerate(beads) if k == n]
        prior_var = n * (BEAD_SPREAD * bead) ** 2 + 1e-12
        weighed.append(len(mine))
        if not mine:
            means.append([shell + 1.4 * bead * n, bead * n])
            known.append([spread**2, prior_var + noise.loose(1, 1, bead) ** 2])
            continue
        taps = float(np.mean([weighings[i].taps for i in mine]))
        calm = float(np.mean([weighings[i].loose_taps for i in mine]))
        placings = float(np.mean([weighings[i].placings for i in mine]))
        upright, sideways = float(np.mean(t[mine])), float(np.mean(s[mine]))
        of_t = noise.upright(taps, placings, upright) ** 2 / len(mine)
        of_s = noise.sideways(calm, placings, bead, sideways) ** 2 / len(mine)
        on_line = prior_var + of_t  # of t less what so many beads are: the line of all igloos helps each one
        share = on_line / (on_line + of_s)
        means.append([upright, float((1 - share) * bead * n + share * (upright - sideways))])
        known.append([of_t, share * of_s])
    return SetModel(tuple(counts), kappa, bead, np.array(means), np.array(known), noise, tuple(weighed))
