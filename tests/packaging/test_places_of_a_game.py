"""What docs/extend.md asks of whoever adds a game or a decoder: each place that one of them still lacks is named."""

from __future__ import annotations

from typing import get_args

import pytest

from firmware_bridge.detecting import DECODERS, ENOUGH
from rules import games
from table import config
from table.commands.play import PLAYERS
from table.envs.aec import CODECS
from table.envs.aec import PLAYERS as AGENTS
from table.page import house_rules, new_game
from table.page.page import panels
from table.page.texts import LANGUAGES, catalogue
from table.terminal.boards import BOARDS


def choices(section: type[config.BaseModel], name: str) -> set[str]:
    return set(get_args(section.model_fields[name].annotation))


@pytest.mark.parametrize("game", games.NAMES)
def test_a_game_is_in_every_room(game: str) -> None:
    rooms = {
        "table/config.py: [game] name": choices(config.Game, "name"),
        "table/commands/play.py: PLAYERS": PLAYERS,
        "table/terminal/boards.py: BOARDS": BOARDS,
        "table/page/page.py: panels": panels(),
        "table/page/new_game.py: GAMES": new_game.GAMES,
        "table/envs/aec.py: CODECS": CODECS,
        "table/envs/aec.py: PLAYERS": AGENTS,
    }
    assert [room for room, known in rooms.items() if game not in known] == []
    referee = games.game(game)
    state, _ = referee.new(PLAYERS[game].split(","), 1, {})
    view = referee.view(state, None)
    assert {"game", "to_act", "phase", "over", "options"} <= set(view)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games.NAMES)
def test_each_option_of_a_game_has_words(game: str, language: str) -> None:
    texts = catalogue(language)
    missing = [o.name for o in house_rules.offered(game) if f"rule.{o.name}" not in texts]
    assert missing == []


@pytest.mark.parametrize("name", sorted(DECODERS))
def test_a_decoder_can_be_found_and_named(name: str) -> None:
    assert name in ENOUGH
    assert name in choices(config.Cubes, "protocol")
