"""Values that are chosen by name: an unknown name is refused, and the nearest known one is suggested."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def one_of(what: str, name: str, known: Iterable[str]) -> None:
    """Raises ValueError if `name` is none of the `known`; `what`: the word for this kind of value."""
    names = list(known)
    if name in names:
        return
    near = difflib.get_close_matches(str(name), names, 1)
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"
    raise ValueError(f"there is no {what} {name!r}; {hint}")
