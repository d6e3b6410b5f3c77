"""The four games as PettingZoo environments, for other people's agents (optional extra `env`).

    from table.envs import env
    game = env("ice-cult", players=["red", "blue"])
    game.reset(seed=1)

Each is an AEC environment with action masks. Observations are built only from `view(state, seat)`, so an agent sees
what its seat may know and nothing else. Rewards come at the end: winners share 1, the others share -1; a game that
nobody wins, or that all win together, pays nothing. A game that could go on for ever is truncated after `most_moves`.
"""

from table.envs.aec import RefereeEnv, env

__all__ = ["RefereeEnv", "env"]
