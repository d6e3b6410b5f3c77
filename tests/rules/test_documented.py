"""The conversation in docs/referee.md, spoken with the referee."""

from __future__ import annotations

import json
from typing import Any

from rules.protocol.session import Session
from tests.parts import ROOT


def test_the_documented_conversation() -> None:
    lines = (ROOT / "docs" / "referee.md").read_text(encoding="utf-8").splitlines()
    session, answer, spoken = Session(), {}, 0
    for line in lines:
        if line.startswith("→ "):
            answer = json.loads(session.answer(line[2:]))
        elif line.startswith("← "):
            holds(answer, json.loads(line[2:]))
            spoken += 1
    assert spoken == 10


def holds(whole: Any, part: Any) -> None:
    """Everything that is in `part` is in `whole`."""
    if isinstance(part, dict):
        for key, value in part.items():
            holds(whole[key], value)
    else:
        assert whole == part
