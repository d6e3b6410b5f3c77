"""Refusals: why a move or a position was not taken. Four kinds that are never mixed up (docs/contracts.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Refusal(Exception):
    """A move that was not taken; the state is unchanged. Raised by `Game.play`."""

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
    """The text is not of the game's notation."""

    def __init__(self, text: str) -> None:
        super().__init__(None, text)
        self.kind = "unreadable"


class Ambiguous(Refusal):
    """The text fits several legal moves: `candidates`."""

    def __init__(self, text: str, candidates: tuple[str, ...], rule: str | None = None) -> None:
        super().__init__(rule, text, candidates=candidates)
        self.kind = "ambiguous"


class NotNow(Refusal):
    """No move of that kind is open now; `rule` says which one closes it, where one does."""

    def __init__(self, rule: str | None, text: str, nearest: tuple[str, ...] = ()) -> None:
        super().__init__(rule, text, nearest)
        self.kind = "not-now"


class Illegal(Refusal):
    """Moves of that kind are open, but this one is against `rule`; `nearest`: the likest legal ones, five at most."""


class Forbidden(Exception):
    """A rule forbids the move; a game makes it a refusal with the nearest legal moves."""

    def __init__(self, rule: str, text: str) -> None:
        super().__init__(text)
        self.rule = rule
        self.text = text


@dataclass
class PositionError(Exception):
    """A position or set of options that cannot be on a table; `defects` names every defect at once."""

    defects: tuple[str, ...]

    def __post_init__(self) -> None:
        super().__init__("; ".join(self.defects))
