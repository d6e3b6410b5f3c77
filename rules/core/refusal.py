"""Refusals: why a move or a position was not accepted. Four kinds that are kept apart (docs/contracts.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Refusal(Exception):
    """A move that was not accepted; the state is unchanged. Raised by `Game.play`."""

    rule: str | None
    text: str
    nearest: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    kind: str = field(default="illegal", init=False)

    def __post_init__(self) -> None:
        super().__init__(self.text)

    def to_json(self) -> dict[str, Any]:
        """The `error` object of the protocol."""
        out: dict[str, Any] = {"kind": self.kind, "rule": self.rule, "text": self.text}
        if self.kind == "ambiguous":
            out["candidates"] = list(self.candidates)
        if self.kind == "illegal" or self.nearest:
            out["nearest"] = list(self.nearest)
        return out


class Unreadable(Refusal):
    """The text is not in the game's notation."""

    def __init__(self, text: str) -> None:
        super().__init__(None, text)
        self.kind = "unreadable"


class Ambiguous(Refusal):
    """The text fits several legal moves: `candidates`."""

    def __init__(self, text: str, candidates: tuple[str, ...], rule: str | None = None) -> None:
        super().__init__(rule, text, candidates=candidates)
        self.kind = "ambiguous"


class NotNow(Refusal):
    """No move of this kind is possible now; `rule` is the one that prevents it, if any."""

    def __init__(self, rule: str | None, text: str, nearest: tuple[str, ...] = ()) -> None:
        super().__init__(rule, text, nearest)
        self.kind = "not-now"


class Illegal(Refusal):
    """Moves of this kind are possible, but this one breaks `rule`; `nearest`: the most similar legal ones, five at
    most."""


class Forbidden(Exception):
    """A rule forbids the move; the game turns this into a refusal with the nearest legal moves."""

    def __init__(self, rule: str, text: str) -> None:
        super().__init__(text)
        self.rule = rule
        self.text = text


@dataclass
class PositionError(Exception):
    """An impossible position or set of options; `defects` lists all its defects."""

    defects: tuple[str, ...]

    def __post_init__(self) -> None:
        super().__init__("; ".join(self.defects))
