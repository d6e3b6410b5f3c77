"""Gaussian factors in canonical form: evidence about an unknown vector, which can be multiplied and marginalised.

After Koller and Friedman (2009), Probabilistic Graphical Models, 14.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sensors.ear.frames.frontend import Floats


@dataclass(frozen=True, slots=True)
class Belief:
    """The posterior of w, and ln of the evidence (marginal likelihood) of the data that it was learned from."""

    mean: Floats  # [n]
    unsure: Floats  # [n, n], covariance
    size: float


@dataclass(frozen=True, slots=True)
class Factor:
    """The likelihood of what was heard, as a function of an unknown w: ln p = size + towards · w − w · information · w
    / 2."""

    information: Floats  # [n, n]
    towards: Floats  # [n]
    size: float

    @staticmethod
    def nothing(n: int) -> Factor:
        """The empty factor over n unknowns: nothing was heard."""
        return Factor(np.zeros((n, n)), np.zeros(n), 0.0)

    def __add__(self, other: Factor) -> Factor:
        return Factor(
            self.information + other.information, self.towards + other.towards, self.size + other.size
        )

    def __sub__(self, other: Factor) -> Factor:
        return Factor(
            self.information - other.information, self.towards - other.towards, self.size - other.size
        )

    def beyond(self, covariance: Floats) -> Factor:
        """The factor of w alone, if the data told of w + v, where v has zero mean and this covariance [n, n]: v is
        summed out."""
        widened = np.eye(len(covariance)) + covariance @ self.information
        taken = np.linalg.solve(widened, covariance)
        taken = (taken + taken.T) / 2
        share = self.information @ taken
        information = self.information - share @ self.information
        more = self.towards @ taken @ self.towards - np.linalg.slogdet(widened)[1]
        return Factor(
            (information + information.T) / 2,
            self.towards - share @ self.towards,
            self.size + 0.5 * float(more),
        )

    def learned(self, mean: Floats, unsure: Floats) -> Belief:
        """The posterior of w under the prior with this `mean` [n] and the covariance `unsure` [n, n]."""
        away = self.towards - self.information @ mean
        widened = np.eye(len(unsure)) + unsure @ self.information
        left = np.linalg.solve(widened, unsure)
        left = (left + left.T) / 2
        size = self.size + 0.5 * float((self.towards + away) @ mean)
        size += 0.5 * float(away @ left @ away - np.linalg.slogdet(widened)[1])
        return Belief(np.asarray(mean + left @ away), left, size)
