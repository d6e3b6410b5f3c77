"""Numbers in a profile's JSON: written short, and checked when they are read."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sensors.ear.frames.frontend import Floats

LARGEST = 1e9  # numbers in profiles are below 1e5; 1e308 is not a number of ours
DIGITS = 7  # significant digits that are written
EXACT = 15
# powers of ten up to 22 are exact, so dividing or multiplying by one gives the float nearest to the decimal number
TENS = 10.0 ** np.arange(EXACT + DIGITS + 1)


def rounded(values: Floats) -> list[float]:
    """Each of float64[n], rounded to seven digits."""
    size = np.abs(values)
    known = np.isfinite(values) & (size > 10.0**-EXACT) & (size < 10.0**EXACT)
    plain = np.where(known, values, 1.0)
    places = DIGITS - 1 - np.floor(np.log10(np.abs(plain)))
    power = TENS[np.abs(places).astype(np.intp)]
    digits = np.rint(np.where(places >= 0, plain * power, plain / power))
    zero = values == 0.0  # most of a population's directions are zero
    out = np.where(zero, values, np.where(places >= 0, digits / power, digits * power)).tolist()
    for i in np.flatnonzero(~(known | zero)):
        out[i] = float(f"{values[i]:.{DIGITS}g}")
    numbers: list[float] = out
    return numbers


def array(values: Any, length: int) -> Floats:
    """Float64[length]. Raises ValueError for another length, and for values that are not finite or too large."""
    out = np.asarray(values, dtype=np.float64)
    if out.shape != (length,) or not np.all(np.abs(out) <= LARGEST):
        raise ValueError("numbers")
    return out


def finite(value: Any) -> float:
    """Raises ValueError for a value that is not finite or is too large: a text may say "nan", which JSON's own numbers
    cannot."""
    number = float(value)
    if not abs(number) <= LARGEST:
        raise ValueError("not finite")
    return number


def indices(values: Any, size: int) -> npt.NDArray[np.intp]:
    """Indices into something of `size`, intp[any]. Raises ValueError for one out of range."""
    columns = np.asarray(values, dtype=np.intp)
    if columns.ndim != 1 or (len(columns) and not (columns.min() >= 0 and columns.max() < size)):
        raise ValueError("columns")
    return columns


def positive(value: Any, below: float = 100.0) -> float:
    """A number above 0 and `below` that. Raises ValueError otherwise."""
    number = float(value)
    if not 0 < number < below:
        raise ValueError("out of range")
    return number


def share(value: Any) -> float:
    """A number from 0 to 1. Raises ValueError otherwise."""
    number = float(value)
    if not 0 <= number <= 1:
        raise ValueError("out of range")
    return number
