"""Ways to move an igloo, by name: free shaking, and gestures that might make the count plain."""

from __future__ import annotations

from collections.abc import Callable

from hw_mock.igloo.hand import Motion, Player, shaking

GESTURES: dict[str, Callable[[Player, int, float], Motion]] = {"shake": shaking}


def gesture(name: str, player: Player, seed: int, seconds: float) -> Motion:
    """The motion called `name`. Raises ValueError for a name that is not in `GESTURES`."""
    if name not in GESTURES:
        raise ValueError(f"no gesture called {name!r}; there are {', '.join(GESTURES)}")
    return GESTURES[name](player, seed, seconds)
