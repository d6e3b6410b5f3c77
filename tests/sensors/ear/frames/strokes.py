"""Levels of strokes and of what is between them, one a hundredth of a second; and what is found in them."""

from __future__ import annotations

import numpy as np

from sensors.ear.frames.finder import BLOCK_S, Finder, Found


def levels(*parts: tuple[float, float, float]) -> list[float]:
    """Parts (seconds, level in dB, swing in dB): strokes at 5 Hz."""
    random = np.random.default_rng(1)
    out: list[float] = []
    for seconds, level, swing in parts:
        t = np.arange(round(seconds / BLOCK_S)) * BLOCK_S
        out += list(level + swing * np.sin(2 * np.pi * 5 * t) + random.standard_normal(len(t)))
    return out


def found(sequence: list[float]) -> list[Found]:
    """What a finder reports of the levels, with the end of their source."""
    finder = Finder(-84.0)
    out = [f for level in sequence if (f := finder.push(level)) is not None]
    last = finder.finish()
    return [*out, last] if last else out
