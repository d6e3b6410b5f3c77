"""The four games as PettingZoo environments: PettingZoo's own tests, and whole games seed by seed."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from table.commands.play import PLAYERS
from tests.parts import needs, proof

pytestmark = needs("pettingzoo")

TABLES = [
    ("ice-cult", ["red", "blue"]),
    ("ice-cult", ["red", "blue", "green"]),
    ("ice-cult", ["yellow", "red", "blue", "green"]),
    ("igloo-pop", ["red", "blue"]),
    ("igloo-pop", ["red", "blue", "white"]),
    ("igloo-pop", ["red", "blue", "white", "black"]),
    ("igloo-pop", ["red", "blue", "white", "black", "green"]),
    ("igloo-pop", ["red", "blue", "white", "black", "green", "yellow"]),
    ("igloo-igloo", ["red", "blue"]),
    ("igloo-igloo", ["red", "blue", "yellow"]),
    ("igloo-igloo", ["red", "blue", "yellow", "green"]),
    ("igloo", ["A", "B"]),
    ("igloo", ["red", "blue", "yellow", "green"]),
]
TABLES += [(name, PLAYERS[name].split(",")) for name in sorted(PLAYERS.keys() - dict(TABLES))]


def made(name: str, players: list[str], **rest: Any) -> Any:
    from table.envs import aec, env

    assert name in aec.CODECS, f"{name} lacks: CODECS of table/envs/aec.py"
    return env(name, players=players, **rest)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_pettingzoos_own_tests(name: str, players: list[str]) -> None:
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        # it recommends other names for agents, and boxes instead of dictionaries
        warnings.simplefilter("ignore")
        api_test(made(name, players), num_cycles=proof(30, 1000))
        seed_test(lambda: made(name, players), num_cycles=proof(10, 500))


def told(game: Any, seed: int) -> list[Any]:
    """A whole game of random legal actions: all that every agent is told, step by step."""
    import numpy as np

    out = []
    rng = np.random.default_rng(seed)
    game.reset(seed=seed)
    for agent in game.agent_iter():
        seen, reward, terminated, truncated, _ = game.last()
        mask = seen["action_mask"]
        ended = terminated or truncated
        assert game.observation_space(agent).contains(seen)
        assert mask.any() != ended
        action = None if ended else int(rng.choice(np.flatnonzero(mask)))
        out.append((agent, seen["observation"].tobytes(), mask.tobytes(), reward, ended, action))
        game.step(action)
    return out


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_same_seed_is_the_same_game_to_its_end(name: str, players: list[str]) -> None:
    few = 1 if name.startswith("igloo-i") or name == "igloo" else 2
    most = proof(120, 2000)
    for seed in range(proof(few, 1000)):
        one, other = (told(made(name, players, most_moves=most), seed) for _ in range(2))
        assert one == other
        rewards = [entry[3] for entry in one if entry[4]]
        assert len(rewards) == len(players)
        assert sum(rewards) == pytest.approx(0) or set(rewards) == {0}


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_mask_is_the_list_of_legal_moves(name: str, players: list[str]) -> None:
    import numpy as np

    raw = made(name, players).unwrapped
    rng = np.random.default_rng(1)
    raw.reset(seed=5)
    for _ in range(proof(8 if name == "igloo" else 60, 2000)):
        if any(raw.terminations.values()):
            break
        agent = raw.agent_selection
        legal = np.flatnonzero(raw.observe(agent)["action_mask"])
        written = {raw.codec.move(raw.game, raw.state_of_game, agent, action, raw._rng) for action in legal}
        moves = set(raw.game.moves(raw.state_of_game, agent))
        if name == "igloo":
            assert written <= moves
        else:
            assert written - {None} == moves
        for other in raw.possible_agents:
            assert other == agent or not raw.observe(other)["action_mask"].any()
        raw.step(int(rng.choice(legal)))


def test_an_agent_sees_no_more_than_its_seat() -> None:
    """Observations are made of the view: other igloos under the same letters look the same."""
    raw = made("igloo-pop", ["red", "blue"]).unwrapped
    seen = set()
    for seed in range(4):
        raw.reset(seed=seed)
        position = raw.game.to_json(raw.state_of_game)
        table = {**position, "table": [[n] for n in range(2, 11)], "deck": [None] * 20, "chance": None}
        raw.state_of_game = raw.game.setup(table, seed)
        seen.add(raw.observe("red")["observation"].tobytes())
    assert len(seen) == 1


def test_a_piece_of_igloo_stands_in_the_row_of_its_number() -> None:
    """`capture #5` is the action of the piece that is seen in the fifth row, also when others were taken."""
    raw = made("igloo", ["A", "B"]).unwrapped
    seen = set()
    for first, second in ((1, 2), (5, 9), (60, 1)):
        pieces = [
            {"id": first, "colour": "red", "size": "S", "x": 0, "y": 0},
            {"id": second, "colour": "blue", "size": "M", "x": 20, "y": 0},
        ]
        given = {"to_act": ["B"], "phase": "before", "stash": {"red": {"S": 1}}, "pieces": pieces}
        raw.reset(seed=1)
        raw.state_of_game = raw.game.setup(given, 1)
        raw.agent_selection = "B"
        row = raw.observe("B")["observation"]
        assert list(row[5 * first - 5 : 5 * first]) == [0, 0, 0, 0, 1]
        assert list(row[5 * second - 5 : 5 * second]) == [2, 1, 20, 0, 0]
        assert list(row[: 5 * 60]).count(-1) == 5 * 58
        seen.add(row.tobytes())
    assert len(seen) == 3


@pytest.mark.parametrize("name", ["igloo-pop", "igloo-igloo"])
def test_what_only_people_can_report_is_refused_at_once(name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} is played by agents in digital mode alone"):
        made(name, ["red", "blue"], options={"mode": "physical"})


@pytest.mark.parametrize("name", ["ice-cult", "igloo"])
def test_where_no_move_reports_anything_the_mode_is_all_one(name: str) -> None:
    players = ["red", "blue"] if name == "ice-cult" else ["A", "B"]
    told(made(name, players, options={"mode": "physical"}, most_moves=20), 1)


def test_an_illegal_action_loses() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game = made("ice-cult", ["red", "blue"])
        game.reset(seed=1)
        game.step(len(game.unwrapped.codec.texts) - 1)  # `end` before any tilt
        assert game.terminations == {"red": True, "blue": True}
        assert game.rewards["red"] == -1


def test_a_game_that_goes_on_for_ever_is_cut() -> None:
    game = made("igloo-pop", ["red", "blue"], most_moves=20)
    entries = told(game, 1)
    assert len(entries) == 22
    assert [entry[3] for entry in entries[-2:]] == [0, 0]


def test_the_board_can_be_shown() -> None:
    game = made("igloo-igloo", ["red", "blue"], render_mode="ansi")
    game.reset(seed=1)
    assert "action points" in game.render() or "sea" in game.render()
