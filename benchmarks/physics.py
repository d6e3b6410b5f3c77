"""How similar simulated and real shakes are: features that carry the count, their slopes, spreads and correlations.

    python -m benchmarks.physics [--real FOLDER] [--simulated FOLDER] [--owners N] [--json]

It also prints how hits grow with N, what an accelerometer tells, and what a shake costs compared with a general
rigid-body engine (MuJoCo, if it is installed).

Real: a folder of recordings (docs/contracts.md 3) with sessions called `sweep-*`; without one, only simulated shakes
are shown, and the table says so. Simulated: a folder, or a small one made here, with many sets, people and rooms; and,
like the real recordings, owners: one set, one person, one room and one microphone, on several days. A matchbox is no
igloo: the form of the dependence on N and the size of the spreads must agree, not the values.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import soundfile as sf
from numpy.typing import NDArray
from scipy.signal import butter, sosfiltfilt
from scipy.stats import spearmanr

from benchmarks import given

Array = NDArray[np.float64]
ENVELOPE_HZ = 2200.0
NAMES = ("participation", "crest", "shot noise", "acf 4 ms", "fill 20 ms", "level dB", "bright dB")


def features(sound: Array, rate: int) -> Array:
    """Seven numbers of one take, in the order of NAMES; the first five do not depend on gain."""
    top = min(16000.0, 0.45 * rate)
    band = sosfiltfilt(butter(3, [2000.0, top], "band", fs=rate, output="sos"), sound)
    low = sosfiltfilt(butter(3, [300.0, 2000.0], "band", fs=rate, output="sos"), sound)
    step = rate / ENVELOPE_HZ
    edges = (np.arange(int(len(band) / step)) * step).astype(int)
    e = np.add.reduceat(band**2, edges) / step + 1e-14
    loud = e > 0
    blocks = e[: len(e) // 22 * 22].reshape(-1, 22).mean(axis=1)
    strong = np.flatnonzero(blocks > 0.1 * np.quantile(blocks, 0.9))
    e = e[strong[0] * 22 : (strong[-1] + 1) * 22]
    loud = e
    pr, crest = _windows(loud, 220)
    fill, _ = _windows(loud, 44)
    spectrum = np.abs(np.fft.rfft(loud / loud.mean() - 1)) ** 2 / len(loud)
    hz = np.fft.rfftfreq(len(loud), 1 / ENVELOPE_HZ)
    shot = float(np.log(spectrum[(hz > 75) & (hz < 210)].mean()))
    log = np.log(loud) - np.log(loud).mean()
    lag = round(0.004 * ENVELOPE_HZ)
    acf = float((log[:-lag] * log[lag:]).mean() / (log**2).mean())
    level = 10 * np.log10(float((band**2).mean()) + 1e-14)
    bright = level - 10 * np.log10(float((low**2).mean()) + 1e-14)
    return np.array([np.log(pr), np.log(crest), shot, acf, np.log(fill), level, bright])


def _windows(e: Array, size: int) -> tuple[float, float]:
    rows = e[: max(1, len(e) // size) * size].reshape(-1, min(size, len(e))) if len(e) >= size else e[None, :]
    rows = rows[rows.sum(axis=1) >= np.median(rows.sum(axis=1))]
    share = rows.sum(axis=1) ** 2 / (rows.shape[1] * (rows**2).sum(axis=1))
    return float(np.median(share)), float(np.median(rows.max(axis=1) / rows.mean(axis=1)))


def table(folder: Path, sessions: str, sensor: str, place: str | None, most: int) -> dict[str, Any]:
    """Slopes, spreads and correlations over the sessions of `folder` whose name starts with `sessions`."""
    groups: dict[str, list[tuple[int, Array]]] = defaultdict(list)
    with (folder / "recordings.jsonl").open(encoding="utf-8") as lines:
        for text in lines:
            line = json.loads(text)
            if line["sensor"] != sensor or not str(line.get("session", "")).startswith(sessions):
                continue
            if (place is not None and line.get("place") != place) or not 2 <= (line["beads"] or 0) <= 13:
                continue
            if line["session"] not in groups and len(groups) >= most:
                continue
            sound, rate = sf.read(folder / line["file"])
            if sound.ndim > 1:
                sound = np.linalg.norm(sound, axis=1)
            groups[line["session"]].append((line["beads"], features(sound, rate)))
    rhos, offsets, slopes, within, rest, cross = [], [], [], [], [], []
    for rows in groups.values():
        if len(rows) < 8:
            continue
        n = np.log([r[0] for r in rows])
        x = np.array([r[1] for r in rows])
        rhos.append([spearmanr(n, x[:, k]).statistic for k in range(x.shape[1])])
        centred = n - np.log(6.5)
        fit = np.linalg.lstsq(np.stack([np.ones_like(n), centred], 1), x, rcond=None)[0]
        slopes.append(fit[1])
        offsets.append(fit[0])
        residual = x - fit[0] - np.outer(centred, fit[1])
        within.append(residual.std(axis=0, ddof=2))
        rest.append(residual)
    residuals = np.concatenate(rest)
    cross = np.corrcoef(residuals.T)[0]
    return {
        "sessions": len(rhos),
        "rho": np.nanmedian(rhos, axis=0),
        "rho_low": np.nanmin(rhos, axis=0),
        "slope": np.mean(slopes, axis=0),
        "slope_spread": np.std(slopes, axis=0),
        "within": np.mean(within, axis=0),
        "between": np.std(offsets, axis=0),
        "with_participation": cross,
    }


def owners(folder: Path, n: int) -> dict[str, dict[str, Any]]:
    """The same tables for `n` owners, each with one set, in one room, on four days, for each place of a microphone.
    They are means of the owners' own tables, so that no spread contains the differences between owners."""
    from hw_mock.igloo.plan import Plan, jobs
    from hw_mock.igloo.recordings import PLACES, write

    plan, rooms = Plan(7, devices=n, players=1, sensors=tuple(PLACES), sessions=4), dict[int, int]()
    with (folder / "recordings.jsonl").open("w", encoding="utf-8") as index:
        for job in jobs(plan):
            room = rooms.setdefault(job.device, job.room)
            for line in write(folder, replace(job, room=room, player=job.device)):
                index.write(json.dumps(line) + "\n")
    out = {}
    for place in PLACES.values():
        own = [table(folder, f"D{k + 1:02d}/", "microphone", place, 99) for k in range(n)]
        mean = {key: np.mean([one[key] for one in own], axis=0) for key in own[0]}
        out[f"simulated, microphone: {place}, one owner"] = mean | {
            "sessions": sum(o["sessions"] for o in own)
        }
    return out


def hits(folder: Path) -> dict[str, float]:
    """How the hits of each shake (as the simulator counted them) grow with N, and how they vary at equal N."""
    rows: dict[str, tuple[str, float, float, float, float]] = {}
    filled: dict[str, list[tuple[float, float]]] = defaultdict(list)
    with (folder / "recordings.jsonl").open(encoding="utf-8") as lines:
        for text in lines:
            line = json.loads(text)
            lasts = sf.info(folder / line["file"]).duration - 0.5  # half a second in all is before and after
            wall, pair = line["hits"]
            rows[line["pair"]] = (
                line["session"],
                float(line["beads"]),
                wall / lasts,
                pair / lasts,
                line["strength_g"],
            )
            if line["sensor"] == "accelerometer" and 2 <= line["beads"] <= 13:
                shaken, rate = sf.read(folder / line["file"])
                filled[line["session"]].append((line["beads"], _gaps(shaken, line.get("true_rate_hz", rate))))
    sessions = np.array([r[0] for r in rows.values()])
    n, wall, pair, strength = np.array([r[1:] for r in rows.values()]).T
    use = (n > 1) & (wall > 0)
    growth = np.polyfit(np.log(n[use]), np.log(wall[use]), 1)
    rest = np.log(wall[use]) - np.polyval(growth, np.log(n[use]))
    inside = [
        rest[sessions[use] == one].var(ddof=1)
        for one in set(sessions[use])
        if (sessions[use] == one).sum() > 3
    ]
    rhos = [spearmanr(*zip(*v, strict=True)).statistic for v in filled.values() if len(v) > 5]
    return {
        "shakes": len(rows),
        "wall hits grow as N^": float(growth[0]),
        "wall hits a second at N = 6": float(np.exp(np.polyval(growth, np.log(6)))),
        "bead-bead hits grow as (N(N-1))^": float(
            np.polyfit(np.log(n * (n - 1))[use], np.log(pair[use] + 0.3), 1)[0]
        ),
        "spread of wall hits at equal N (ln)": float(rest.std()),
        "the same inside a session (ln)": float(np.sqrt(np.mean(inside))),
        "correlation with ln strength": float(np.corrcoef(rest, np.log(strength[use]))[0, 1]),
        "accelerometer above 110 Hz, filled gaps: rho(N) a session": float(np.median(rhos))
        if rhos
        else float("nan"),
    }


def _gaps(shaken: Array, rate: float) -> float:
    band = sosfiltfilt(butter(3, [110.0, 0.45 * rate], "band", fs=rate, output="sos"), shaken, axis=0)
    return float(np.log(_windows((band**2).sum(axis=1) + 1e-12, round(0.1 * rate))[0]))


def cost() -> dict[str, float]:
    """CPU seconds for a shake of three seconds with seven beads: our dynamics, and MuJoCo's at a step of 20 µs."""
    from hw_mock.igloo.device import Device
    from hw_mock.igloo.hand import Player
    from hw_mock.igloo.shake import simulate

    for _ in range(2):  # in the first round numba compiles, or loads its cache
        began = time.process_time()
        for seed in range(6):
            simulate(7, Device.draw(seed), Player.draw(seed), seed, 2.5)
    out = {"this simulator, microphone and accelerometer": (time.process_time() - began) / 6}
    try:
        import mujoco
    except ImportError:
        print("mujoco is not installed: no peer to measure against (pip install mujoco)", file=sys.stderr)
        return out
    k = np.arange(40) + 0.5
    across = np.sqrt(1 - (k / 40) ** 2)
    normals = np.stack([across * np.cos(k * 2.399963), across * np.sin(k * 2.399963), k / 40], axis=1)
    planes = "".join(
        f'<geom type="plane" size=".1 .1 .1" pos="{a * 0.024} {b * 0.024} {c * 0.024}" zaxis="{-a} {-b} {-c}"/>'
        for a, b, c in normals
    )
    balls = "".join(
        f'<body pos="{(i % 3 - 1) * 0.006} {(i // 3 - 1) * 0.006} .008"><freejoint/>'
        '<geom type="sphere" size=".0025" density="2500" solref="-3000 -0.1"/></body>'
        for i in range(7)
    )
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><option timestep="2e-5" iterations="10"/><worldbody><geom type="plane" size=".1 .1 .1"/>'
        f"{planes}{balls}</worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    began = time.process_time()
    for _ in range(5000):  # the dome is forty planes; gravity is shaken instead of the dome
        model.opt.gravity[2] = -9.81 + 25 * np.sin(2 * np.pi * 4.5 * data.time)
        mujoco.mj_step(model, data)
    out["MuJoCo, dynamics alone"] = (time.process_time() - began) * 150000 / 5000
    return out


def _print(title: str, t: dict[str, Any]) -> None:
    print(f"\n{title} ({t['sessions']} sessions)")
    print(
        f"{'feature':15s}  rho(N)  lowest   slope/lnN   ±   within  between  within/slope  between/slope  r(part.)"
    )
    for k, name in enumerate(NAMES):
        slope = t["slope"][k]
        unit = abs(slope) if abs(slope) > 1e-9 else np.nan
        first = f"{name:15s}  {t['rho'][k]:6.2f}  {t['rho_low'][k]:6.2f}   {slope:7.3f} {t['slope_spread'][k]:6.3f}"
        second = f"  {t['within'][k]:6.3f}   {t['between'][k]:6.3f}     {t['within'][k] / unit:6.2f}"
        print(
            f"{first}{second}         {t['between'][k] / unit:6.2f}       {t['with_participation'][k]:5.2f}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--real", type=given.recordings)
    parser.add_argument("--simulated", type=given.recordings)
    parser.add_argument("--sessions", type=int, default=40, help="simulated sessions to read at most")
    parser.add_argument("--owners", type=int, default=3, help="simulated owners of one set each; 0: none")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    shown: dict[str, dict[str, Any]] = {}
    if arguments.real is not None:
        shown["real sweeps, microphone"] = table(arguments.real, "sweep", "microphone", None, 99)
    else:
        print("no folder of real recordings was given (--real): simulated shakes only", file=sys.stderr)
    with tempfile.TemporaryDirectory() as made:
        folder = arguments.simulated
        if folder is None:
            from table.cli import run

            folder = Path(made)
            wanted = ["--sensor", "microphone", "--sensor", "contact", "--sensor", "accelerometer"]
            if run(["simulate", "shakes", "--out", made, "--devices", "8", "--sessions", "2", *wanted]):
                return 1
        for place in ("table", "near", "shell"):
            try:
                shown[f"simulated, microphone: {place}"] = table(
                    folder, "", "microphone", place, arguments.sessions
                )
            except ValueError:
                continue
        counted = hits(folder)
    if arguments.owners:
        with tempfile.TemporaryDirectory() as made:
            shown |= owners(Path(made), arguments.owners)
    _tell(shown, {"hits, simulated": counted, "CPU seconds a shake of 3 s": cost()}, arguments.json)
    return 0


def _tell(shown: dict[str, dict[str, Any]], counted: dict[str, dict[str, Any]], as_json: bool) -> None:
    for title, values in shown.items():
        if as_json:
            print(json.dumps({"what": title} | {k: np.asarray(v).tolist() for k, v in values.items()}))
        else:
            _print(title, values)
    for title, numbers in counted.items():
        if as_json:
            print(json.dumps({"what": title} | numbers))
        else:
            print(f"\n{title}")
            for name, value in numbers.items():
                print(f"  {name:60s} {value:8.2f}")


if __name__ == "__main__":
    raise SystemExit(main())
