"""A referee as a PettingZoo AEC environment with action masks."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from rules import games
from table.terminal.boards import BOARDS

from .codec import Codec
from .ice_cult import IceCultCodec
from .igloo import IglooCodec
from .igloo_igloo import IglooIglooCodec
from .igloo_pop import IglooPopCodec

CODECS: dict[str, type[Codec]] = {
    "ice-cult": IceCultCodec,
    "igloo-pop": IglooPopCodec,
    "igloo-igloo": IglooIglooCodec,
    "igloo": IglooCodec,
}
PLAYERS = {
    "ice-cult": ("yellow", "red"),
    "igloo-pop": ("red", "blue"),
    "igloo-igloo": ("red", "blue"),
    "igloo": ("A", "B"),
}


def env(name: str, **arguments: Any) -> AECEnv:
    """The environment as agents should use it: an illegal action loses the game, and the order of calls is enforced."""
    raw = RefereeEnv(name, **arguments)
    illegal = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(illegal))


class RefereeEnv(AECEnv):  # type: ignore[misc]
    """One of the four games in digital play.

    `players`: the seats in their order; `options`: of the game; `most_moves`: after how many moves a game is truncated.
    Raises ValueError for physical play of a game in which people report random events, PositionError for invalid
    players or options.
    """

    def __init__(
        self,
        name: str,
        players: Sequence[str] | None = None,
        options: Mapping[str, Any] | None = None,
        most_moves: int = 2000,
        render_mode: str | None = None,
        **codec: Any,
    ) -> None:
        super().__init__()
        self.game = games.game(name)
        self.metadata = {"name": f"polartable_{name}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.most_moves = most_moves
        self.options = dict(options or {})
        if self.options.get("mode") == "physical" and CODECS[name].reported:
            raise ValueError(
                f"{name} is played by agents in digital mode alone: in physical play people report what chance does"
            )
        self._players = list(players or PLAYERS[name])
        state, _ = self.game.new(self._players, 0, self.options)
        self.possible_agents = list(self.game.seats(state))
        self.codec = CODECS[name](self.possible_agents, self.options, **codec)
        size = len(self.codec.texts)
        seen = spaces.Box(-self.codec.highest, self.codec.highest, (self.codec.width,), np.int32)
        mask = spaces.Box(0, 1, (size,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self._seeds = random.Random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; the same seed gives the same game."""
        if seed is not None:
            self._seeds = random.Random(seed)
        self._rng = random.Random(self._seeds.getrandbits(64))
        self.state_of_game, _ = self.game.new(self._players, self._seeds.getrandbits(64), self.options)
        self.moves_made = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.game.to_act(self.state_of_game)[0]

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """What the agent's seat sees, and the mask of its legal actions (all zero when others are to act)."""
        seen = np.array(self.codec.observe(self.game.view(self.state_of_game, agent), agent), np.int32)
        mask = np.zeros(len(self.codec.texts), np.int8)
        over = self.terminations.get(agent, True) or self.truncations.get(agent, True)
        if agent == self.agent_selection and not over:
            mask[self.codec.actions(self.game, self.state_of_game, agent)] = 1
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make the selected agent's action. Raises a Refusal if the mask forbids it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        move = self.codec.move(self.game, self.state_of_game, agent, int(action), self._rng)
        if move is not None:
            self.state_of_game, _ = self.game.play(self.state_of_game, move, agent)
        self.moves_made += 1
        if self.game.over(self.state_of_game) is not None:
            self._reward()
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.moves_made >= self.most_moves:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._next(agent)
        self._accumulate_rewards()

    def _next(self, agent: str) -> str:
        """The next agent: of those who may act, the first clockwise from the one who just acted."""
        acting = self.game.to_act(self.state_of_game) or self.possible_agents
        at = self.possible_agents.index(agent)
        clockwise = [*self.possible_agents[at + 1 :], *self.possible_agents[: at + 1]]
        return next(one for one in clockwise if one in acting)

    def _reward(self) -> None:
        over = self.game.over(self.state_of_game)
        assert over is not None
        winning = [agent for agent in self.possible_agents if self._wins(agent, over.winners)]
        losing = [agent for agent in self.possible_agents if agent not in winning]
        if winning and losing:
            for agent in self.agents:
                self.rewards[agent] = 1 / len(winning) if agent in winning else -1 / len(losing)

    def _wins(self, agent: str, winners: Sequence[str]) -> bool:
        """Whether the agent won. `winners` are seats, or sides in IGLOO's team game."""
        sides = self.game.view(self.state_of_game, None).get("sides", {})
        return agent in winners or any(agent in sides.get(side, ()) for side in winners)

    def render(self) -> str | None:
        """The board as text, as a spectator sees it."""
        if self.render_mode != "ansi":
            return None
        from rich.console import Console

        console = Console(width=100, no_color=True)
        with console.capture() as drawn:
            console.print(BOARDS[self.game.name](self.game.view(self.state_of_game, None)))
        return drawn.get()

    def close(self) -> None:
        """Nothing to release."""
