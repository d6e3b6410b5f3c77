"""The test statistics of the traps (checks of a folder) with their thresholds, whether or not they raise an alarm.

    python -m benchmarks.traps FOLDER…
    python -m benchmarks.traps FOLDER --only 'batch-*' --deal 4 --takes 8 --tries 20

With --deal, takes of the folder (`--takes` of each count) are dealt at random to `--deal` sessions without times,
`--tries` times: how often is that noticed (`calibration.traps.dealt`)?
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.ear import read
from calibration.recordings.named_as import fits
from calibration.takes.features import Row
from calibration.traps import along_counts, dealt, in_order
from calibration.traps.given_away import given_away


def asked(rows: Sequence[Row]) -> None:
    for one in along_counts.each_thing(rows):
        if one.takes:
            bound = f"{one.thing.least_correlation:.2f} and 1"
            print(
                f"  {one.what:<28} correlation {one.correlation:5.2f}, {one.change:5.2f} of what matters "
                f"(a trap from {bound} on; {one.takes} takes)"
            )
    if (order := in_order.order_of([row.recording for row in rows])) is not None:
        print(
            f"  {'the order of the takes':<28} correlation {order:5.2f} (warns from {in_order.IN_ORDER} on)"
        )
    for group in dealt.groups_of(rows):
        if (seen := dealt.measured(group)) is not None:
            print(
                f"  sessions of {group[0].recording.device or 'no set'}: same session nearer {seen.session:.2f} "
                f"(dealt up to {dealt.SESSION_NEARER}), "
                f"same count nearer {seen.alike:.2f} (from {dealt.COUNT_NEARER}), "
                f"counts told beyond chance {seen.told - seen.chance:.2f} (from {dealt.TOLD})"
            )
    found = given_away([[row] for row in rows])
    for trap in found:
        print(f"  {'refuses figures' if trap.refuses else 'warns'}: {trap.what}")
    if not found:
        print("  nothing is said")


def deal(rows: Sequence[Row], sessions: int, takes: int, seed: int) -> list[Row]:
    """`takes` random takes of each count, dealt in turn to `sessions` sessions."""
    random = np.random.default_rng(seed)
    of_count: dict[int, list[Row]] = defaultdict(list)
    for i in random.permutation(len(rows)):
        of_count[rows[i].recording.beads or 0].append(rows[i])
    return [
        replace(row, recording=replace(row.recording, session=f"s{i % sessions}", set=None, taken=None))
        for _, mine in sorted(of_count.items())
        for i, row in enumerate(mine[:takes])
    ]


def main() -> None:
    asks = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asks.add_argument("folders", nargs="+", type=Path)
    asks.add_argument("--only", default="*", help="sessions so named")
    asks.add_argument("--deal", type=int, help="to so many sessions")
    asks.add_argument("--takes", type=int, default=8, help="of each count, that are dealt")
    asks.add_argument("--tries", type=int, default=20)
    wants = asks.parse_args()
    for folder in wants.folders:
        kinds: dict[str, list[Row]] = defaultdict(list)
        for of_one in read(folder):
            r = of_one[0].recording
            if r.beads is not None and fits(r.session, wants.only):
                kinds[r.kind].append(of_one[0])
        if not kinds:
            asks.error(f"{folder} has no counted take of a session called {wants.only}")
        for kind, rows in sorted(kinds.items()):
            print(f"{folder.name}, {kind}, {len(rows)} takes", flush=True)
            if wants.deal is None:
                asked(rows)
                continue
            tries = [deal(rows, wants.deal, wants.takes, seed) for seed in range(wants.tries)]
            noticed = sum(dealt.dealt(one) is not None for one in tries)
            print(
                f"  {wants.takes} of each count dealt to {wants.deal} sessions: "
                f"noticed {noticed} of {wants.tries} times"
            )


if __name__ == "__main__":
    main()
