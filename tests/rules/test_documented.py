"""The conversations in the documentation, spoken with the referee; and every option of a game has its line there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules import games
from rules.protocol.session import Session
from tests.parts import ROOT

PAGES = ("referee.md", *(f"games/{game}.md" for game in games.NAMES))


@pytest.mark.parametrize("page", PAGES)
def test_the_documented_conversation(page: str) -> None:
    lines = (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()
    session, answer, spoken = Session(), {}, 0
    for line in lines:
        if line.startswith("→ "):
            answer = json.loads(session.answer(line[2:]))
        elif line.startswith("← "):
            holds(answer, json.loads(line[2:]))
            spoken += 1
    least = 10 if page == "referee.md" else 2
    assert spoken >= least, f"docs/{page} lacks: a conversation (→ …, ← …) with {least} answers or more"


@pytest.mark.parametrize("game", games.NAMES)
def test_every_option_stands_on_the_games_page_with_its_default(game: str) -> None:
    known = json.loads(Session().answer('{"do":"games"}'))["games"]
    page = (ROOT / "docs" / "games" / f"{game}.md").read_text(encoding="utf-8")
    rows = [
        row.split("|")[1:3] for row in page.partition("## Options")[2].splitlines() if row.startswith("| `")
    ]
    told = {name.strip(" `"): default.strip(" `") for name, default in rows}
    options = next(g for g in known if g["name"] == game)["options"]
    wrong = told.keys() ^ {option["name"] for option in options}
    assert not wrong, f"docs/games/{game}.md, ## Options: a row too few or too many for {sorted(wrong)}"
    for option in options:
        default = "none" if option["default"] is None else str(option["default"])
        assert told[option["name"]].lower() == default.lower(), option["name"]


def holds(whole: Any, part: Any) -> None:
    """Everything that is in `part` is in `whole`."""
    if isinstance(part, dict):
        for key, value in part.items():
            holds(whole[key], value)
    else:
        assert whole == part
