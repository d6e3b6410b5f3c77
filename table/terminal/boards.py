"""Which drawing belongs to which game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rich.console import RenderableType

from . import ice_cult, igloo, igloo_igloo, igloo_pop

BOARDS: dict[str, Callable[[Mapping[str, Any]], RenderableType]] = {
    "ice-cult": ice_cult.draw,
    "igloo-pop": igloo_pop.draw,
    "igloo-igloo": igloo_igloo.draw,
    "igloo": igloo.draw,
}
