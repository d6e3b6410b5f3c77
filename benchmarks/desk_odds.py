"""Calibration of the joint odds that the Igloo Pop desk computes for a round: are they right as often as they say?

    polartable simulate shakes --out FOLDER --devices 6 --players 8 --sessions 4 --takes 4 --sensor accelerometer
    python -m benchmarks.desk_odds FOLDER --kind accelerometer

All is simulated. Rounds are composed of the shipped profile's answers to the folder's takes: all igloos of a set are
shaken, by one hand, once each by anyone, or by two hands each; some stand on cards, and nobody has looked at any.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from benchmarks import given
from benchmarks.ear import read
from calibration.testing.evaluate import answer
from sensors.ear.models.sets import join_set
from sensors.ear.profiles.profile import load_shipped
from table.desk.kept_shakes import COUNTS, of_all
from table.desk.sure import SURE

Odds = Mapping[int, float]
Takes = Mapping[int, Mapping[str, list[Odds]]]  # of one set: count → session → odds
WAYS = ("by one hand", "by any hand", "by two hands each")
BARS = (0.0, 0.5, SURE)


def takes_of(folder: Path, kind: str) -> dict[str, Takes]:
    """Set of igloos → its takes."""
    profile = load_shipped(kind)
    out: dict[str, dict[int, dict[str, list[Odds]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for rows in read(folder, kind):
        told = answer(profile, rows)
        of = told.row.recording
        if told.heard.verdict != "not-a-shake" and of.beads in COUNTS:
            out[of.device or ""][of.beads][of.session or ""].append(told.probabilities)
    return {device: by_count for device, by_count in out.items() if len(by_count) == len(COUNTS)}


def a_round(takes: Takes, way: str, random: np.random.Generator) -> list[tuple[int, dict[int, float]]]:
    """The true count and the joint odds of each igloo on a card."""
    everybody = sorted({session for of_one in takes.values() for session in of_one})
    hand, heard = random.choice(everybody), {}
    for n in COUNTS:
        hands = sorted(takes[n])
        if way == "by one hand":
            hands = [hand] if hand in hands else []
        count = min(2 if way == "by two hands each" else 1, len(hands))
        chosen = [takes[n][h] for h in random.choice(hands, count, replace=False)] if hands else []
        heard[str(n)] = [of_all(mine[random.integers(len(mine))]) for mine in chosen]
    cards = random.choice(COUNTS, random.integers(3, 8), replace=False)
    odds = join_set({n: p for n, p in heard.items() if p or int(n) in cards}, COUNTS).marginals
    return [(int(n), odds[str(n)]) for n in cards if heard[str(n)]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=given.recordings)
    parser.add_argument("--kind", default="accelerometer", help="a shipped profile")
    parser.add_argument("--rounds", type=int, default=20, help="of each set")
    args = parser.parse_args()
    sets, random = takes_of(args.folder, args.kind), np.random.default_rng(5)
    print(f"{args.kind}, {len(sets)} sets of igloos, {args.rounds} rounds of each, odds of igloos on cards")
    print(
        f"{'shaken':20s}" + "".join(f"{f'from {bar:.1f}: n':>14s}{'said':>6s}{'right':>7s}" for bar in BARS)
    )
    for way in WAYS:
        told = [
            one for takes in sets.values() for _ in range(args.rounds) for one in a_round(takes, way, random)
        ]
        said = np.array([max(odds.values()) for _, odds in told])
        right = np.array([max(odds, key=lambda n, p=odds: p[n]) == n for n, odds in told])
        cells = [
            f"{mine.sum():14d}{said[mine].mean():6.2f}{right[mine].mean():7.2f}" if mine.any() else 14 * " "
            for mine in (said >= bar for bar in BARS)
        ]
        print(f"{way:20s}" + "".join(cells))


if __name__ == "__main__":
    main()
