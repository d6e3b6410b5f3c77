"""From weights to counts: a model of one's own set's igloos on the seat, with its noise.

A weighing has two numbers. `upright` t = (S + B)/M is very exact, but shells differ by more than the mass of a bead.
The loose mass, b = t − s = 5/7 · B/M with s = κ·sideways, does not contain the shell: it is proportional to the count.
κ, the ratio of the seat's two moved masses, comes out of the fit (or from a coin, which has no loose mass).

t and s have independent errors: t from how the nubs are pressed, s from how they are sheared and which beads lean on
the wall. So b has both, and correlates with t. An igloo that was weighed is identified by t and s. For one that was
never weighed the shell is unknown, which is in both; it is identified by t and b.
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
# The seat of docs/gesture.md as drawn, whose base rocks, and the relative spread over what makers will build: simulated
# ones have 0.43–0.55. The ratio of the moved masses alone would be 0.42.
KAPPA, KAPPA_SPREAD = 0.48, 0.10
FREEDOM = 6.0  # of Student's t: a bead that now and then lies on another is no surprise
ASTRAY = 2e-3  # in units of the mass moved sideways: placings that differ by less agree
AGREE = 0.01  # relative, between taps of one igloo
CALM = 80.0  # quality factor of a sideways tone that no bead disturbs
EXPECTED = 4.0  # degrees of freedom of the wander found on other seats, beside a gesture's own
BEAD_SPREAD = 0.05  # of one bead's mass within a set, relative: diameters differ by 0.5–3 %


@dataclass(frozen=True, slots=True)
class Noise:
    """Standard deviations, in units of the seat's moved mass where nothing else is said. Found on simulated seats."""

    tap_upright: float = 1.0e-4
    tap_loose: float = 2.0e-4
    # of t²/(1 + t), from placing to placing: a nub yields in proportion to the load and its frequency squared
    nub: float = 2.0e-3
    # in beads, of b from placing to placing: which beads lean on the wall or touch each other
    wander: float = 0.28
    lean: float = 0.12  # in beads, of b from day to day: the tilt of the seat
    # The same of s: its tone; beads that lean on the wall, in beads; sheared nubs, of s²/(KAPPA + s); days, in beads.
    tap_sideways: float = 1.0e-4
    rolling: float = 0.04
    shear: float = 9.0e-4
    lean_sideways: float = 0.06
    # relative, of t from day to day, the same for all igloos of a day: another table under the base, moisture in all
    # shells
    gain: float = 7.0e-4

    def upright(self, taps: float, placings: float, t: float) -> float:
        """Standard deviation of t."""
        return math.sqrt(self.tap_upright**2 / taps + (self.nub * t * t / (1 + t)) ** 2 / placings)

    def loose(self, taps: float, placings: float, bead: float, seen: float = 0.0) -> float:
        """Standard deviation of b, where one bead is `bead`. `taps`: the effective number of taps with calm sideways
        tones; `seen`: the standard deviation of b among these placings, in its own unit."""
        each = (np.asarray(x, np.float64) for x in (taps, placings, bead, seen))
        return math.sqrt(self.loose_variances(*each))

    def sideways(self, taps: float, placings: float, bead: float, s: float, seen: float = 0.0) -> float:
        """Standard deviation of s; `taps` and `bead` as for `loose`; `seen`: the standard deviation of s among these
        placings."""
        each = (self.rolling * bead) ** 2 + (self.shear * s * s / (KAPPA + s)) ** 2
        each = _with_seen(each, placings, seen)
        return math.sqrt(self.tap_sideways**2 / taps + each / placings + (self.lean_sideways * bead) ** 2)

    def loose_variances(self, taps: Floats, placings: Floats, bead: Floats, seen: Floats) -> Floats:
        """Variances, as of `loose`, of many weighings at once."""
        wander = _with_seen((self.wander * bead) ** 2, placings, seen)
        out: Floats = self.tap_loose**2 / taps + wander / placings + (self.lean * bead) ** 2
        return out


def _with_seen(each: Any, placings: Any, seen: Any) -> Any:
    """Variance of one placing: a person who sets igloos down carelessly scatters more than the people of the fit; it is
    never taken as less."""
    return np.maximum(each, (EXPECTED * each + (placings - 1) * seen**2) / (EXPECTED + placings - 1))


@dataclass(frozen=True, slots=True)
class Weighing:
    """One gesture: the average of its taps."""

    upright: float
    sideways: float
    taps: int
    spread: float  # of `upright` among the taps
    placings: int = 1
    calm: float | None = None  # effective number of undisturbed taps in the sideways tones; None: all
    placed: Floats | None = None  # [placings, 2] upright and sideways of each

    def scatter(self, kappa: float) -> float:
        """Standard deviation of the loose mass b among the placings; 0 where there is only one."""
        if self.placed is None or len(self.placed) < 2:
            return 0.0
        return float(np.std(self.placed[:, 0] - kappa * self.placed[:, 1], ddof=1))

    def scatter_sideways(self, kappa: float) -> float:
        """Standard deviation of s among the placings; 0 where there is only one."""
        if self.placed is None or len(self.placed) < 2:
            return 0.0
        return float(np.std(kappa * self.placed[:, 1], ddof=1))

    @property
    def loose_taps(self) -> float:
        """The effective number of taps that determine the loose mass: those that no bead disturbed."""
        return float(self.taps) if self.calm is None else self.calm

    @classmethod
    def of(cls, weights: Sequence[Weight]) -> Weighing:
        """The average of the taps that agree (of two equally large groups, the later one). Raises ValueError for none.

        The blow of setting down rings, too, while the hand still holds the igloo: it agrees with nothing.
        """
        if not weights:
            raise ValueError("no tap was weighed")
        up = np.array([w.upright for w in weights])
        friends = np.sum(np.abs(up[:, None] - up[None, :]) < AGREE * up[:, None], axis=1)
        most = int(np.flatnonzero(friends == friends.max())[-1])
        weights = [w for w, u in zip(weights, up, strict=True) if abs(u - up[most]) < AGREE * up[most]]
        up = np.array([w.upright for w in weights])
        side = np.array([w.sideways for w in weights])
        # a louder tone has a more exact frequency; where beads knock on the wall, the sideways one decays early
        sizes = np.array([w.sizes for w in weights])
        loud = np.minimum(sizes, 2 * np.median(sizes, axis=0)) ** 2
        loud[:, 0] *= np.minimum([w.qualities[0] for w in weights], CALM) ** 2
        # now and then a bead is wedged and moves with the wall: values far from the median count less
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
    weighed: tuple[int, ...]  # number of labelled gestures of each count

    def loose(self, weighing: Weighing) -> float:
        """b = t − κ·sideways, in units of the seat's moved mass: what moves only with the beads."""
        return weighing.upright - self.kappa * weighing.sideways

    @property
    def unweighed(self) -> NDArray[np.bool_]:
        """[counts]: whose loads are extrapolated from those of the others."""
        out: NDArray[np.bool_] = np.array(self.weighed) == 0
        return out

    @property
    def stiff(self) -> Floats:
        """[counts]: s of each igloo."""
        out: Floats = self.means[:, 0] - self.means[:, 1]
        return out

    def beside(self, t: float, s: Floats) -> Floats:
        """[..., counts]: the deviation of a weight of `t` and `s` [...] from each igloo's s where that was weighed,
        else from its b."""
        out: Floats = np.where(self.unweighed, t - s[..., None] - self.means[:, 1], s[..., None] - self.stiff)
        return out

    def deviations(self, weighing: Weighing) -> tuple[Floats, Floats]:
        """[counts] each: standard deviations of t, and of `beside`, about each igloo's, without what a day changes for
        all."""
        t, s = weighing.upright, self.kappa * weighing.sideways
        of, noise, taps = weighing.placings, self.noise, weighing.loose_taps
        upright = noise.upright(weighing.taps, of, t)
        sideways = noise.sideways(taps, of, self.bead, s, weighing.scatter_sideways(self.kappa))
        loose = noise.loose(taps, of, self.bead, weighing.scatter(self.kappa))
        second = np.where(self.unweighed, loose, sideways)
        return np.sqrt(self.known[:, 0] + upright**2), np.sqrt(self.known[:, 1] + second**2)


def student(z: Floats) -> Floats:
    """Log density of Student's t with `FREEDOM` degrees at each z, without the constant −½·ln(π·FREEDOM)."""
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
    for _ in range(4):  # the weights depend on the beads' own scatter
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
    """A set from labelled weighings, one or more of each igloo; counts without any lie on the others' line.

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
        # of t minus its beads' share: the line through all igloos helps each of them
        on_line = prior_var + of_t
        share = on_line / (on_line + of_s)
        means.append([upright, float((1 - share) * bead * n + share * (upright - sideways))])
        known.append([of_t, share * of_s])
    return SetModel(tuple(counts), kappa, bead, np.array(means), np.array(known), noise, tuple(weighed))
