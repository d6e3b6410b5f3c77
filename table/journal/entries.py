"""What stands in the journal: one entry for everything that was done, in the order in which it was acknowledged."""

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

    `seq` counts from 1 over all games; `at` is UTC, ISO 8601; `chain` is the SHA-256 over the entry before and this
    one, so that a line that was changed or lost afterwards is found by `verify`.
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
    """What is to be written: an entry that has no number, time and chain yet.

    `telling`: what everybody may know of it; None: nothing.
    """

    game: str
    kind: Kind
    body: Mapping[str, Any]
    telling: Mapping[str, Any] | None = None


def canonical(value: Any) -> str:
    """The one spelling of a JSON value: sorted keys, no spaces, non-ASCII kept."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def storable(text: str) -> str:
    """The same JSON for files and databases: half a character, which UTF-8 cannot hold, as an escape."""
    return text.encode("utf-8", "backslashreplace").decode()


def link(before: str, seq: int, game: str, kind: str, at: str, body: str) -> str:
    """The chain value of an entry; `body` in canonical spelling, `before` the chain value of the entry before."""
    whole = "\n".join((before, str(seq), game, kind, at, body))
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def digest(state: Any) -> str:
    """A short fingerprint of a position (a JSON value), to compare a replay with what was played."""
    return hashlib.sha256(canonical(state).encode("utf-8", "surrogatepass")).hexdigest()[:16]
