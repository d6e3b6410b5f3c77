"""The shakes of another world, written as files and lines of docs/contracts.md 3, like those of `hw_mock`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import soundfile as sf
from numpy.typing import NDArray
from scipy.io import wavfile

Array = NDArray[np.float64]
COUNTS = range(2, 14)
SOUND_RATE = 48000
HARD = 0.03  # m/s, least speed of an impact that is counted


class Shake(NamedTuple):
    """One shake of a folder. `take` is unique in the folder."""

    device: int
    session: int
    player: int
    beads: int
    take: int


def arguments(doc: str | None, devices: int, players: int) -> argparse.ArgumentParser:
    """The command-line arguments of every world; `devices` and `players` are defaults."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--devices", type=int, default=devices)
    parser.add_argument("--players", type=int, default=players)
    parser.add_argument("--sessions", type=int, default=4, help="a device; players take turns")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, help="Hz of every accelerometer, instead of what is drawn")
    return parser


def each_shake(options: argparse.Namespace) -> Iterator[Shake]:
    """One shake of each count per session, in random order; reports progress on stderr."""
    for device in range(options.devices):
        for session in range(options.sessions):
            order = np.random.default_rng([options.seed, device, session]).permutation(list(COUNTS))
            for beads in order.tolist():
                take = 100 * (100 * device + session) + beads
                yield Shake(device, session, (session + device) % options.players, beads, take)
            print(f"device {device}, session {session}", file=sys.stderr, flush=True)


def add(folder: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Append lines to a folder's list."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "recordings.jsonl").open("a", encoding="utf-8") as index:
        index.writelines(json.dumps(line) + "\n" for line in lines)


def about(beads: int, player: int, pair: str, felt: Array, blows: Array) -> dict[str, Any]:
    """The entries common to all recordings of a shake. felt: float64[n, 3], m/s²; blows: float64[m, 7] as engines
    return them."""
    hard = blows[:, 3] > HARD
    return {
        "beads": beads,
        "player": f"P{player:02d}",
        "pair": pair,
        "simulated": True,
        "strength_g": float(np.sqrt(np.square(felt - felt.mean(0)).sum(1).mean()) / 9.81),
        "hits": [int((hard & (blows[:, 2] >= 0)).sum()), int((hard & (blows[:, 2] < 0)).sum())],
    }


def kept(
    folder: Path, device: int, session: int, told: Mapping[str, Any], rate: float, heard: Mapping[str, Array]
) -> Iterator[dict[str, Any]]:
    """Write one shake's recordings and yield their lines; `rate` of the accelerometer, Hz."""
    for kind, samples in heard.items():
        name = f"D{device:02d}/s{session}/{told['beads']:02d}-{kind}.wav"
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        line: dict[str, Any] = {
            "file": name,
            "igloo": f"D{device}-{told['beads']}",
            "device": f"D{device:02d}",
            "session": f"D{device:02d}/{session}",
            "set": f"D{device}/{session}",
            **told,
        }
        if kind == "accelerometer":
            wavfile.write(path, round(rate), samples.astype(np.float32))
            yield line | {"sensor": "accelerometer"}
        else:
            sf.write(path, samples, SOUND_RATE, subtype="PCM_16")
            yield line | {"sensor": "microphone", "place": "shell" if kind == "contact" else "table"}
