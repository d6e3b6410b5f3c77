"""Numbers of a profile's JSON: written short, and checked when they come back."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sensors.ear.frames.frontend import Floats

LARGEST = 1e9  # a profile's numbers are below 1e5; whoever writes 1e308 has something else in mind
DIGITS = 7  # that are written
EXACT = 15
# exact up to 22, and so what one of them divides or multiplies is the decimal number's own float
TENS = 10.0 ** np.arange(EXACT + DIGITS + 1)


def rounded(values: Floats) -> list[float]:
    """Seven digits of each, float64[n]."""
    size = np.abs(values)
    known = np.isfinite(values) & (size > 10.0**-EXACT) & (size < 10.0**EXACT)
    plain = np.where(known, values, 1.0)
    places = DIGITS - 1 - np.floor(np.log10(np.abs(plain)))
    power = TENS[np.abs(places).astype(np.intp)]
    digits = np.rint(np.where(places >= 0, plain * power, plain / power))
    zero = values == 0.0  # as most of a population's directions are
    out = np.where(zero, values, np.where(places >= 0, digits / power, digits * power)).tolist()
    for i in np.flatnonzero(~(known | zero)):
        out[i] = float(f"{values[i]:.{DIGITS}g}")
    numbers: list[float] = out
    return numbers


def array(values: Any, length: int) -> Floats:
    """Float64[length]. Raises ValueError for another length, or what is not finite or beyond all measure."""
    out = np.asarray(values, dtype=np.float64)
    if out.shape != (length,) or not np.all(np.abs(out) <= LARGEST):
        raise ValueError("numbers")
    return out


def finite(value: Any) -> float:
    """Raises ValueError for what is not, or is beyond all measure: a text may say "nan", which JSON's own numbers
    cannot."""
    number = float(value)
    if not abs(number) <= LARGEST:
        raise ValueError("not finite")
    return number


def indices(values: Any, size: int) -> npt.NDArray[np.intp]:
    """Places in something of `size`, intp[any]. Raises ValueError for one beyond it."""
    columns = np.asarray(values, dtype=np.intp)
    if columns.ndim != 1 or (len(columns) and not (columns.min() >= 0 and columns.max() < size)):
        raise ValueError("columns")
    return columns


def positive(value: Any) -> float:
    """Between 0 and 100. Raises ValueError otherwise."""
    number = float(value)
    if not 0 < number < 100:
        raise ValueError("out of range")
    return number


def share(value: Any) -> float:
    """From 0 to 1. Raises ValueError otherwise."""
    number = float(value)
    if not 0 <= number <= 1:
        raise ValueError("out of range")
    return number
