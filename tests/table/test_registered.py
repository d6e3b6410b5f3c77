"""A game or a decoder that is added is known everywhere: docs/adding.md names the places, this names those it lacks."""

from __future__ import annotations

import random
import re
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
from table.page.house_rules import _key, offered
from table.page.page import panels
from table.page.texts import LANGUAGES, catalogue
from table.terminal.boards import BOARDS
from tests.parts import ROOT


def literal(section: str, key: str) -> tuple[str, ...]:
    """What the settings take there."""
    model = Settings.model_fields[section].annotation
    assert model is not None
    return get_args(model.model_fields[key].annotation)


def phases(name: str) -> set[str]:
    """Those that a few random games come through; what is over has a text of its own."""
    game, found = games.game(name), set[str]()
    for seed in range(3):
        chance = random.Random(seed)
        state, _ = game.new(PLAYERS[name].split(","), seed, {})
        for _ in range(300):
            view = game.view(state, None)
            found |= set() if view["over"] else {view["phase"]}
            move = game.random_move(state, chance.randrange)
            if move is None:
                break
            state, _ = game.play(state, move)
    return found


def without_text(name: str) -> list[str]:
    """What the page and the hub would say of it, and have no text for, with the languages that lack it."""
    keys = {f"hub.game_{name}"} | {f"rule.{option.name}" for option in offered(name)}
    keys |= {f"option.{_key(word)}" for o in offered(name) for word in o.choices if isinstance(word, str)}
    if name in PLAYERS:  # else it is named, and these with the next run
        keys |= {f"hub.phase_{phase}" for phase in phases(name)}
    keys = {key.replace("-", "_") if key.startswith("hub.") else key for key in keys}
    without = {key: [one for one in LANGUAGES if key not in catalogue(one)] for key in sorted(keys)}
    return [f"{key} of table/page/texts ({', '.join(those)})" for key, those in without.items() if those]


@pytest.mark.parametrize("name", games.NAMES)
def test_a_game_lacks_nothing(name: str) -> None:
    places = {
        "PLAYERS of table/commands/play.py": PLAYERS,
        "BOARDS of table/terminal/boards.py": BOARDS,
        "CODECS of table/envs/aec.py": aec.CODECS,
        "PLAYERS of table/envs/aec.py": aec.PLAYERS,
        "GAMES of table/page/new_game.py": new_game.GAMES,
        "panels of table/page/page.py": panels(),
        "GAMES of table/page/hub_page.py": [
            known for known in games.NAMES if f"hub.game_{known.replace('-', '_')}" in hub_page.GAMES
        ],
        "Game of table/config.py": literal("game", "name"),
        f"docs/games/{name}.md": [path.stem for path in (ROOT / "docs" / "games").glob("*.md")],
        "mkdocs.yml": re.findall(r"games/(\S+)\.md", (ROOT / "mkdocs.yml").read_text()),
    }
    lacking = [place for place, known in places.items() if name not in known] + without_text(name)
    assert not lacking, f"{name} lacks: {'; '.join(lacking)}"
    view = games.game(name).view(games.game(name).new(PLAYERS[name].split(","), 1, {})[0], None)
    assert view["game"] == name, f"{name} lacks: its name, as `game`, in its view"
    # the page asks it for the mode
    assert isinstance(view["options"], dict), f"{name} lacks: its `options` in its view"


@pytest.mark.parametrize("name", DECODERS)
def test_a_decoder_lacks_nothing(name: str) -> None:
    places = {
        "[cubes] protocol of table/config.py": literal("cubes", "protocol"),
        "docs/wire.md": (ROOT / "docs" / "wire.md").read_text(),
    }
    if name in SPOKEN:
        places["_PROTOCOLS of table/commands/simulate_cubes.py"] = simulate_cubes._PROTOCOLS
    if name in simulate_cubes._PROTOCOLS:
        places["_SPEAKERS of hw_mock/cubes/node.py"] = SPOKEN
    lacking = [place for place, known in places.items() if name not in known]
    assert not lacking, f"{name} lacks: {'; '.join(lacking)}"


def test_what_is_offered_there_is() -> None:
    unknown = set(literal("cubes", "protocol")) - set(PROTOCOLS)
    assert not unknown, (
        f"[cubes] protocol of table/config.py has {unknown}, DECODERS of detecting.py have not"
    )
    unknown = set(SPOKEN) ^ set(simulate_cubes._PROTOCOLS)
    assert not unknown, f"{unknown}: in one of _SPEAKERS (node.py) and _PROTOCOLS (simulate_cubes.py) alone"


def test_a_decoder_that_says_nothing_of_how_much_settles_it_is_listened_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The link ended with a traceback, and `cubes` went on as if nothing came."""
    monkeypatch.setitem(DECODERS, "other", RvcDecoder)
    detector = Detector(("other",))
    detector.feed(bytes(64))
    assert detector.chosen is None
