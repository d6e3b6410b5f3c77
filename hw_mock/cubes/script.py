"""What simulated hands do by default: tilts and turns as in a game, with some handling in between."""

from __future__ import annotations

import numpy as np

from hw_mock.cubes.table import SimulatedTable
from hw_mock.cubes.turns import PAIRS, SLOTS


async def idle_game(table: SimulatedTable, seed: int, lead_s: float = 1.5) -> None:
    """Two tilts, up to two turns, now and then a knock or a look through a cube; endlessly."""
    random = np.random.default_rng(seed)
    hands = table.hands
    await hands.clock.sleep(lead_s)  # the first rest
    while True:
        for _ in range(2):
            pair = str(random.choice(list(PAIRS)))
            await hands.tilt(pair, str(random.choice(list("NS" if pair in "ns" else "EW"))))
        for _ in range(int(random.integers(0, 3))):
            await hands.turn(str(random.choice(SLOTS)), str(random.choice(["cw", "ccw"])))
        what = random.random()
        if what < 0.1:
            await hands.knock(0.5)
        elif what < 0.25:
            await hands.look_through(str(random.choice(SLOTS)), 2.5)
