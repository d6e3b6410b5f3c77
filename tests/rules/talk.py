"""A conversation with the referee, in dictionaries."""

from __future__ import annotations

import json
from typing import Any

from rules.protocol.session import Session


class Talk:
    """A session that is spoken to in dictionaries; every answer is checked to be one JSON line."""

    def __init__(self) -> None:
        self.session = Session(seeds=lambda: 42)
        self.count = 0

    def raw(self, line: str | bytes) -> dict[str, Any]:
        reply = self.session.answer(line)
        assert "\n" not in reply
        value: dict[str, Any] = json.loads(reply)
        assert isinstance(value["ok"], bool)
        assert value["ok"] or value["error"]["kind"] in ("unreadable", "ambiguous", "illegal", "not-now")
        return value

    def __call__(self, do: str, **request: Any) -> dict[str, Any]:
        self.count += 1
        reply = self.raw(json.dumps({"id": self.count, "do": do, **request}))
        assert reply.pop("id") == self.count
        return reply

    def kind(self, do: str, **request: Any) -> str:
        reply = self(do, **request)
        assert not reply["ok"], reply
        kind: str = reply["error"]["kind"]
        return kind
