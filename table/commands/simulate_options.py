"""Parses options of `polartable simulate`: numbers, counts of beads, and faults."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields
from typing import Annotated

import typer

from firmware_bridge.errors import UsageError
from table.commands.ranges import with_hyphens

MOST_BEADS = 20


def number(low: float, high: float = math.inf) -> Callable[[str | float], float]:
    """A parser for numbers from `low` to `high`, for an option. NaN is refused: no comparison holds for it."""
    span = f"{low:g} to {high:g}" if high < math.inf else f"{low:g} on"

    def read(text: str | float) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isnan(value):
            raise typer.BadParameter(f"{str(text)!r} is no number; give one from {span}")
        if not low <= value <= high:
            raise typer.BadParameter(f"{text} is out of its range; give a number from {span}")
        return value

    return read


Seconds = Annotated[
    float | None, typer.Option(parser=number(0), metavar="SECONDS", help="Stop after so many seconds.")
]
Faulty = Annotated[
    float | None,
    typer.Option(
        parser=number(0, 1),
        metavar="SHARE",
        help="Share of recordings with a fault, each sensor by itself.  [default: 0; with --fault: 1]",
    ),
]
Fault = Annotated[
    list[str] | None,
    typer.Option(
        help="clipped, gaps, crackling, drowned, cut-short or dead; may be given again.  [default: any]"
    ),
]
WireFault = Annotated[
    list[str] | None,
    typer.Option(help="NAME=SHARE: drop, repeat, reorder, flip, garbage, …; may be given again."),
]


def wrongs(
    share: float | None, named: Sequence[str] | None, known: Collection[str], what: str, option: str
) -> tuple[float, tuple[str, ...]]:
    """The share of faulty recordings, and the possible faults: those `named`, or all `known` ones.

    `what` these are called, and the `option` of the share. Raises UsageError.
    """
    for name in named or ():
        if name not in known:
            raise UsageError(f"no {what} is called {name!r}", f"choose among {', '.join(known)}")
    if named and share == 0:
        raise UsageError(
            f"--{what} says which {what}, and {option} 0 that there is none", f"leave {option} out"
        )
    return (1.0 if named else 0.0) if share is None else share, tuple(dict.fromkeys(named or known))


def shares(words: Sequence[str], never: Collection[str] = (), protocol: str = "") -> dict[str, float]:
    """Faults of a wire, by name; `never`: those impossible with a `protocol`. Raises UsageError."""
    from hw_mock.ports import Faults

    names = [f.name for f in fields(Faults)]
    out: dict[str, float] = {}
    for word in words:
        name, _, share = word.partition("=")
        try:
            value = float(share)
        except ValueError:
            value = -1.0
        if name not in names or not 0 <= value <= 1:
            raise UsageError(
                f"{word!r} is no fault", f"write NAME=SHARE with NAME of {', '.join(names)}, SHARE 0 to 1"
            )
        if name in never:
            raise UsageError(f"{protocol} carries neither node number nor clock", f"leave {name} out with it")
        out[name] = value
    return out


def counts(text: str) -> tuple[int, ...]:
    """Parse bead counts such as 2-13 or 2,5,9; an empty text gives none. Raises UsageError."""
    out: list[int] = []
    for part in filter(None, with_hyphens(text).replace(" ", "").split(",")):
        low, dash, high = part.partition("-")
        try:
            first, last = int(low), int(high if dash else low)
        except ValueError:
            raise UsageError(f"{text!r} is no list of counts", "write it like 2-13 or 2,5,9") from None
        if not 1 <= min(first, last) <= max(first, last) <= MOST_BEADS:
            raise UsageError(f"{text!r} has counts that no igloo holds", f"counts go from 1 to {MOST_BEADS}")
        if first > last:
            raise UsageError(f"{text!r} is no list of counts", f"write the smaller first: {last}-{first}")
        out += range(first, last + 1)
    return tuple(out)


def each_once(given: Sequence[int], option: str, more: str) -> tuple[int, ...]:
    """`given` without repetitions; a person who repeats one is told that it counts once, and that `more` makes more."""
    out = tuple(dict.fromkeys(given))
    if len(out) < len(given):
        twice = next(one for k, one in enumerate(given) if one in given[:k])
        print(
            f"polartable: {option} names {twice} twice, which counts once – {more} makes more",
            file=sys.stderr,
        )
    return out
