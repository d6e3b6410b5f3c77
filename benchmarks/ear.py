"""How well the ear counts: every target that can be measured here, with whole sessions, devices or people left out.

    python benchmarks/ear.py --matchbox FOLDER                     real takes of another box: sweeps held out
    python benchmarks/ear.py --simulated FOLDER                    simulated igloos that no profile was fitted on
    python benchmarks/ear.py --matchbox FOLDER --simulated FOLDER --peers

docs/ear-figures.md lists the simulated folders, and which of them were looked at when anything was chosen.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.ear_peers import left_out, peers
from benchmarks.kept import kept
from calibration.errors import RecordingsError
from calibration.fitting.fit import fit
from calibration.fitting.prior import automatic
from calibration.scores import of_shares, summary
from calibration.takes.features import Row, fronts_of, rows
from calibration.takes.seen_by import seen_by
from calibration.testing.evaluate import Tested, answer, evaluate_left_out, join_sets
from calibration.testing.gather import refused
from sensors.ear.models.model import posterior
from sensors.ear.models.relative import join_rounds
from sensors.ear.profiles.profile import Profile, load_shipped
from sensors.ear.verdicts.pair import of_all

COUNTS = tuple(range(2, 14))
SURE = 0.95  # share of sure answers that must be right
Rows = list[list[Row]]


def read(folder: Path, kind: str | None = None) -> Rows:
    bad: list[Exception] = []
    chosen = [r for r in kept(folder, bad.append) if kind is None or r.kind == kind]
    fronts = fronts_of(chosen) if kind is None else [head.front for head in load_shipped(kind).heads]
    return list(rows(chosen, bad.append, fronts))


def line(name: str, tested: Sequence[Tested], bar: str = "") -> None:
    told = [t.told() for t in tested if t.counted]
    if not told:
        print(f"{name:<58} nobody did", flush=True)
        return
    none = refused(tested)  # counted nevertheless: a gate that is too narrow must show
    print_figures(name, summary(told), bar + (f" · {none} would be refused as no shake" if none else ""))


def print_figures(name: str, figures: dict[str, Any], bar: str = "") -> None:
    """Print one line of the figures of `calibration.scores.summary`."""
    low, high = figures["interval"]["exact"]
    sets = (
        ""
        if figures["exact_in_sets"] is None
        else f" · sets {figures['exact_in_sets']:.2f}/{figures['within_one_in_sets']:.2f}"
    )
    sure = "–" if figures["sure_right"] is None else f"{figures['sure_right']:.2f}"
    print(
        f"{name:<58} {figures['exact']:.2f} ({low:.2f}–{high:.2f}) / {figures['within_one']:.2f}{sets} · "
        f"sure {figures['sure_share']:.2f}, right {sure} · ECE {figures['ece']:.3f} · n {figures['n']}{bar}",
        flush=True,
    )


def matchbox(folder: Path, with_peers: bool) -> None:
    heard = read(folder)
    tested = [
        t for fold in evaluate_left_out(heard, "session", "sweep-*", COUNTS, starts=automatic) for t in fold
    ]
    line("matchbox sweeps (real)", tested, "   wanted .40/.80, sets .65/.90")
    if with_peers:
        anchored = [r[0].recording for r in heard if r[0].recording.beads in COUNTS]
        for peer in peers():
            exact, near = left_out(
                peer,
                anchored,
                [r.session or "" for r in anchored],
                lambda r: (r.session or "").startswith("sweep"),
            )
            print(f"  {peer:<56} {exact:.2f} / {near:.2f}", flush=True)


def simulated(folder: Path, with_peers: bool) -> None:
    by_kind: dict[str, Rows] = {}
    own: dict[str, list[Tested]] = {}
    for kind, wanted in (("accelerometer", ".45/.85"), ("contact", ".45/.82"), ("microphone", ".28/.60")):
        heard = by_kind[kind] = read(folder, kind)
        shipped = load_shipped(kind)
        fresh = join_sets([answer(shipped, r) for r in heard], shipped)
        line(
            f"simulated {kind}: unseen set, shipped profile",
            fresh,
            "   wanted .38/.75" if kind == "accelerometer" else "",
        )
        others, same = calibrated(heard, shipped)
        own[kind] = others
        line(f"simulated {kind}: owner calibrated, others shake", others, f"   wanted {wanted}")
        line(
            f"simulated {kind}: owner calibrated, owner shakes",
            same,
            "   wanted .60/.92" if kind == "accelerometer" else "",
        )
        several(f"simulated {kind}: set of twelve, several shakes by several people", heard, shipped)
        if with_peers:
            some = [r[0].recording for r in heard if r[0].recording.beads in COUNTS]
            for peer in peers():
                exact, near = left_out(peer, some, [r.device or "" for r in some], lambda r: True)
                print(
                    f"  {peer:<56} {exact:.2f} / {near:.2f}   (trained on the other sets: unseen set)",
                    flush=True,
                )
    both_together(own["accelerometer"], own["microphone"])
    told_of_every_hit([r[0] for r in by_kind["accelerometer"]])


def calibrated(heard: Rows, shipped: Profile) -> tuple[list[Tested], list[Tested]]:
    """Each person in turn calibrates each set with one session; others shake, and the owner on another occasion."""
    others: list[Tested] = []
    same: list[Tested] = []
    for device in sorted({r[0].recording.device or "" for r in heard}):
        mine = [r for r in heard if r[0].recording.device == device]
        for player in sorted({r[0].recording.player or "" for r in mine}):
            sessions = sorted({r[0].recording.session or "" for r in mine if r[0].recording.player == player})
            train = [r for r in mine if r[0].recording.session == sessions[0]]
            profile = fit(train, COUNTS, start_from=shipped).profile
            rest = [r for r in mine if r[0].recording.player != player]
            others += join_sets([answer(profile, r) for r in rest], profile)
            again = [r for r in mine if r[0].recording.session in sessions[1:]]
            same += join_sets([answer(profile, r) for r in again], profile)
    return others, same


def several(name: str, heard: Rows, profile: Profile) -> None:
    """All rounds of a set judged together, with the shipped profile."""
    right = []
    sets = []
    for device in sorted({r[0].recording.device or "" for r in heard}):
        rounds: dict[str, dict[str, Row]] = defaultdict(dict)
        truth: dict[str, int] = {}
        for r in (r for r in heard if r[0].recording.device == device):
            heads = profile.heads_for(r[0].recording.sensor, r[0].rate)
            row = seen_by(heads, r)
            known = row.recording
            if known.beads in COUNTS and known.set and known.igloo:
                rounds[known.set][known.igloo] = row
                truth[known.igloo] = known.beads
        if not rounds:
            continue
        shakes = [{name: row.shake for name, row in r.items()} for r in rounds.values()]
        joined = join_rounds([judge for head in heads for judge in head.judges], shakes, COUNTS)
        if joined is not None:
            right += [joined.best[igloo] == truth[igloo] for igloo in joined.best]
            sets += [device] * len(joined.best)
    if right:
        hits = np.array(right)
        low, high = of_shares(sets, hits)
        print(
            f"{name:<58} {hits.mean():.2f} ({low:.2f}–{high:.2f}) of {len(hits)} igloos   wanted .90",
            flush=True,
        )


def both_together(first: Iterable[Tested], second: Iterable[Tested]) -> None:
    """Two sensors of one shake (`pair`), calibrated by the same owner, combined as in `polartable evaluate`."""
    by_pair: dict[tuple[str | None, int], list[Tested]] = defaultdict(list)
    for tested in (first, second):
        seen: dict[str | None, int] = defaultdict(int)
        for t in tested:
            if t.counted:
                pair = t.row.recording.pair
                by_pair[pair, seen[pair]].append(t)
                seen[pair] += 1
    exact, near = [], []
    for both in by_pair.values():
        if len(both) == 2:
            p = of_all([(t.heard, t.probabilities) for t in both])
            miss = abs(max(p, key=lambda n: p[n]) - (both[0].row.recording.beads or 0))
            exact.append(miss == 0)
            near.append(miss <= 1)
    if exact:
        name = "simulated accelerometer and microphone: others shake"
        print(
            f"{name:<58} {np.mean(exact):.2f} / {np.mean(near):.2f} · n {len(exact)}   wanted .48/.87",
            flush=True,
        )


def told_of_every_hit(heard: Sequence[Row]) -> None:
    """For comparison (it is no bound): a listener who knows the number of hits and how hard the hand shook; others
    shake. It is sure from a probability of .95 on, with errors of ln N taken as Gaussian."""
    exact: list[bool] = []
    near: list[bool] = []
    sure: list[bool] = []
    for device in sorted({r.recording.device or "" for r in heard}):
        mine = [r for r in heard if r.recording.device == device and "hits" in r.recording.more]
        if not mine:
            continue
        hits = np.array([r.recording.more["hits"] for r in mine], dtype=float)
        seconds = np.array([[r.shake.seconds] for r in mine])
        hard = np.log(np.array([[r.recording.more["strength_g"]] for r in mine], dtype=float))
        x = np.column_stack(
            [np.log(hits / seconds + 1), np.log(hits.sum(axis=1, keepdims=True) / seconds), hard]
        )
        x = np.column_stack([x, x**2])
        beads = np.array([r.recording.beads or 0 for r in mine])
        players = np.array([r.recording.player for r in mine])
        for player in sorted(set(players)):
            train, test = players != player, (players == player) & np.isin(beads, COUNTS)
            mean, spread = x[train].mean(axis=0), x[train].std(axis=0) + 1e-9
            a, y = (x - mean) / spread, np.log(beads)
            slopes = np.linalg.solve(
                a[train].T @ a[train] + np.eye(a.shape[1]), a[train].T @ (y[train] - y[train].mean())
            )
            m = a[test] @ slopes + y[train].mean()
            sigma = float((a[train] @ slopes + y[train].mean() - y[train]).std())
            p = posterior(-0.5 * np.square((m[:, None] - np.log(COUNTS)) / sigma))
            said = np.array(COUNTS)[p.argmax(axis=1)]
            sure += list(p.max(axis=1) >= SURE)
            exact += list(said == beads[test])
            near += list(np.abs(said - beads[test]) <= 1)
    if exact:
        name = "simulated: told of every single hit, others shake"
        right = f"{np.mean(np.array(exact)[sure]):.2f}" if any(sure) else "–"
        print(
            f"{name:<58} {np.mean(exact):.2f} / {np.mean(near):.2f} · sure {np.mean(sure):.2f}, right {right} "
            f"· n {len(exact)}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matchbox", type=Path, help="real recordings with sessions named sweep-*")
    parser.add_argument("--simulated", type=Path, help="simulated recordings of other devices and people")
    parser.add_argument("--peers", action="store_true", help="also run MiniRocket, MFCC + MLP and a CNN")
    options = parser.parse_args()
    if options.matchbox is None and options.simulated is None:
        print(
            "nothing is measured: name a folder with --matchbox or --simulated (how to make one: docs/ear-figures.md)"
        )
        return
    print("exact (95 % by whole sessions) / within one, from one shake; sets: one shake each, joined")
    for given, run in ((options.matchbox, matchbox), (options.simulated, simulated)):
        if given is None:
            continue
        if not given.is_dir():
            print(f"{given} is not here: skipped")
            continue
        try:
            run(given, options.peers)
        except RecordingsError as error:
            print(error)


if __name__ == "__main__":
    main()
