"""A game or a decoder that is added is known everywhere: docs/adding.md names the places, this names those it lacks."""

from __future__ import annotations

from typing import get_args

import pytest

from firmware_bridge.bno08x_rvc import RvcDecoder
from firmware_bridge.detecting import DECODERS, PROTOCOLS, Detector
from hw_mock.cubes.node import PROTOCOLS as SPOKEN
from rules import games
from table.commands import simulate_cubes
from table.commands.play import PLAYERS
from table.config import Settings
from table.envs import aec
from table.page import hub_page, new_game
from table.page.house_rules import offered
from table.page.page import panels
from table.page.texts import catalogue
from table.terminal.boards import BOARDS
from tests.parts import ROOT


def literal(section: str, key: str) -> tuple[str, ...]:
    """What the settings take there."""
    model = Settings.model_fields[section].annotation
    assert model is not None
    return get_args(model.model_fields[key].annotation)


@pytest.mark.parametrize("name", games.NAMES)
def test_a_game_lacks_nothing(name: str) -> None:
    places = {
        "PLAYERS of table/commands/play.py": PLAYERS,
        "BOARDS of table/terminal/boards.py": BOARDS,
        "PLAYERS of table/envs/aec.py": aec.PLAYERS,
        "GAMES of table/page/new_game.py": new_game.GAMES,
        "panels of table/page/page.py": panels(),
        "Game of table/config.py": literal("game", "name"),
        "docs/games": [path.stem for path in (ROOT / "docs" / "games").glob("*.md")],
    }
    lacking = [place for place, known in places.items() if name not in known]
    texts = {f"hub.game_{name.replace('-', '_')}", *(f"rule.{option.name}" for option in offered(name))}
    lacking += [f"text {key}" for key in sorted(texts - catalogue("en").keys())]
    if f"hub.game_{name.replace('-', '_')}" not in hub_page.GAMES:
        lacking.append("GAMES of table/page/hub_page.py")
    assert lacking == []
    view = games.game(name).view(games.game(name).new(PLAYERS[name].split(","), 1, {})[0], None)
    assert view["game"] == name
    assert isinstance(view["options"], dict)  # the page asks it for the mode


def test_a_decoder_is_known_to_the_settings_too() -> None:
    assert set(literal("cubes", "protocol")) == set(PROTOCOLS)


def test_what_simulated_cubes_speak_is_offered() -> None:
    assert simulate_cubes._PROTOCOLS == SPOKEN


def test_a_decoder_that_says_nothing_of_how_much_settles_it_is_listened_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The link ended with a traceback, and `cubes` went on as if nothing came."""
    monkeypatch.setitem(DECODERS, "other", RvcDecoder)
    detector = Detector(("other",))
    detector.feed(bytes(64))
    assert detector.chosen is None
