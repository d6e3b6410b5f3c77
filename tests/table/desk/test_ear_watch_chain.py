"""Igloos that are taken without a look, one after another: each by what was heard, and not by what was taken before."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from firmware_bridge.clock import VirtualClock
from sensors.evidence import Heard, Pressed
from table.desk.desk import Desk
from table.desk.ear_watch import EarWatch
from table.desk.kept_shakes import COUNTS, of_all
from table.desk.sure import SURE
from table.games import GAMES
from table.journal.store import Journal
from tests.table.shakes import CARDS, end_shaking

ROUNDS = 60


def round_of(shakes: list[dict[int, float]]) -> EarWatch:
    """Igloos A, B and C of 6, 7 and 8 beads on cards that these win, each shaken once."""
    options = {"mode": "physical"}
    desk = Desk.new(
        Journal(None), GAMES, VirtualClock(), name="pop", game="igloo-pop", players=["red", "blue"], seed=1,
        options=options,
    )  # fmt: skip
    for slot, card in enumerate(CARDS, 1):
        assert desk.play(f"deal {slot} {card}")
    watch = EarWatch(desk)
    assert watch.pressed(Pressed(0.0, "red"))
    for letter, slot, seat, odds in zip("ABC", (6, 2, 8), ("red", "blue", "red"), shakes, strict=True):
        assert desk.play(f"grab {seat} {letter}", seat)
        heard = Heard(seat, 0.0, 2.0, "unsure", odds, 30.0, False, "sha256:test", doubt="odds")
        assert watch.shaken(seat, heard) == letter
        assert desk.play(f"place {seat} {slot}", seat)
    end_shaking(watch)
    return watch


def drawn(chance: np.random.Generator) -> list[dict[int, float]]:
    shakes = []
    for true in (6, 7, 8):
        middle, spread = math.log(true) + chance.normal(0, 0.06), chance.uniform(0.03, 0.08)
        p = {n: math.exp(-0.5 * ((math.log(n) - middle) / spread) ** 2) + 1e-6 for n in COUNTS}
        shakes.append({n: v / sum(p.values()) for n, v in p.items()})
    return shakes


def by_all_ways(shakes: list[dict[int, float]]) -> list[dict[int, float]]:
    """Marginals over all ways to give three igloos different counts."""
    odds = [of_all(shake) for shake in shakes]
    sums = [dict.fromkeys(COUNTS, 0.0) for _ in odds]
    for way in itertools.permutations(COUNTS, 3):
        p = math.prod(of_one[n] for of_one, n in zip(odds, way, strict=True))
        for of_one, n in zip(sums, way, strict=True):
            of_one[n] += p
    return [{n: p / sum(of_one.values()) for n, p in of_one.items()} for of_one in sums]


def test_no_igloo_is_taken_only_because_others_were() -> None:
    chance, several = np.random.default_rng(0), 0
    for _ in range(ROUNDS):
        shakes = drawn(chance)
        watch, exact = round_of(shakes), by_all_ways(shakes)
        for letter, of_one in zip("ABC", exact, strict=True):
            assert watch.odds()[letter] == pytest.approx(of_one, abs=1e-6)
        watch.settle()
        taken = [step.move.split() for step in watch.desk.sitting.steps if step.by == "ear"]
        several += len(taken) > 1
        for (_, slot, count, _), of_one in zip(taken, exact, strict=False):
            assert of_one[int(count)] >= SURE - 1e-9, (slot, count)
    assert several >= 5


@pytest.mark.parametrize(("heard", "beside"), [(8, 6), (6, 8)])
def test_a_count_that_the_profile_does_not_know_is_as_likely_as_either_of_its_two_neighbours(
    heard: int, beside: int
) -> None:
    """A set of a profile without sevens: the seven sounds like a six or an eight, and somebody looks underneath."""
    watch = round_of([without_seven(heard, beside), without_seven(3, 4), without_seven(12, 11)])
    odds = watch.odds()["A"]
    assert odds[7] == pytest.approx(odds[heard])
    watch.settle()
    assert watch.desk.question
    assert "igloo A" in watch.desk.question.text
    assert [step.move for step in watch.desk.sitting.steps if step.by == "ear"] == []


@pytest.mark.parametrize("known", [(2, 6, 8, 13), (3, 4), (9,), COUNTS])
def test_what_is_heard_of_the_counts_that_are_known_tells_of_all_of_the_game(known: tuple[int, ...]) -> None:
    for likeliest in known:
        odds = {n: 0.9 if n == likeliest else 0.1 for n in known}
        for n, p in of_all(odds).items():
            nearest = min(abs(k - n) for k in known)
            assert p == (0.9 if abs(likeliest - n) == nearest else 0.1)


def without_seven(likeliest: int, beside: int) -> dict[int, float]:
    odds = {n: 0.001 for n in COUNTS if n != 7} | {likeliest: 0.97, beside: 0.02}
    return {n: p / sum(odds.values()) for n, p in odds.items()}
