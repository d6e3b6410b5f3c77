"""The journal's entries: one for every act, in the order in which they were acknowledged."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

Kind = Literal["new", "play", "undo", "redo", "correct", "refused", "note", "close"]
KINDS: tuple[str, ...] = get_args(Kind)

GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the book.

    `seq` counts from 1 over all games; `at` is UTC, ISO 8601. `chain` is the SHA-256 over the entry before and this
    one, so `verify` finds a line that was changed or lost afterwards.
    """

    seq: int
    game: str
    kind: Kind
    at: str
    body: Mapping[str, Any]
    chain: str

    def to_json(self) -> dict[str, Any]:
        return {
            "seq": self.seq,
            "game": self.game,
            "kind": self.kind,
            "at": self.at,
            "body": dict(self.body),
            "chain": self.chain,
        }


@dataclass(frozen=True, slots=True)
class Act:
    """An entry still to be written: it has no number, time or chain value yet.

    `telling`: what everybody may know of it; None: nothing.
    """

    game: str
    kind: Kind
    body: Mapping[str, Any]
    telling: Mapping[str, Any] | None = None


def canonical(value: Any) -> str:
    """The canonical form of a JSON value: sorted keys, no spaces, non-ASCII kept."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def storable(text: str) -> str:
    """The same JSON for files and databases: a lone surrogate, which UTF-8 cannot encode, becomes an escape."""
    return text.encode("utf-8", "backslashreplace").decode()


def link(before: str, seq: int, game: str, kind: str, at: str, body: str) -> str:
    """The chain value of an entry. `body`: in canonical form; `before`: the chain value of the entry before."""
    whole = "\n".join((before, str(seq), game, kind, at, body))
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def digest(state: Any) -> str:
    """A short fingerprint of a position (a JSON value), to compare a replay with what was played."""
    return hashlib.sha256(canonical(state).encode("utf-8", "surrogatepass")).hexdigest()[:16]
