"""Folders of a named gesture – here a knock – are fitted, tested and listened to with the gesture's own model.

The knocks know no physics: a blow, and some hits a bead a moment later.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from typer.testing import CliRunner

from sensors.ear.profiles.profile import load
from table.cli import app
from tests.rattle import write_sweeps

RATE = 16000
COUNTS = (2, 4, 6, 8, 10, 12, 13)


def knock(beads: int, seed: int) -> np.ndarray:
    random = np.random.default_rng([beads, seed])
    out = 1e-4 * random.standard_normal(round(1.4 * RATE))
    length = round(0.006 * RATE)
    fade = np.exp(-np.arange(length) / (0.001 * RATE))

    def hit(at: float, size: float) -> None:
        begin = round(at * RATE)
        out[begin : begin + length] += size * random.standard_normal(length) * fade

    for blow in (0.4, 0.4 + random.uniform(0.45, 0.6)):
        hit(blow, 1.0)
        for _ in range(2 * beads):
            hit(blow + 0.008 + random.exponential(0.03), 0.25 * np.exp(0.5 * random.standard_normal()))
    sound: np.ndarray = (0.3 * out / np.abs(out).max()).astype(np.float32)
    return sound


@pytest.fixture(scope="module")
def knocks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("knocks")
    lines = []
    for session in range(3):
        for beads in COUNTS:
            name = f"s{session}-{beads:02d}.wav"
            soundfile.write(folder / name, knock(beads, session), RATE, subtype="FLOAT")
            lines.append(
                {"file": name, "sensor": "microphone", "place": "shell", "gesture": "Knock", "beads": beads,
                 "device": "D1", "player": f"P{session}", "session": f"s{session}"}
            )  # fmt: skip
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


@pytest.fixture(scope="module")
def profile(knocks: Path) -> Path:
    out = knocks / "knock.profile"
    assert run("calibrate", "igloos", "fit", knocks, "--out", out)[0] == 0
    return out


def test_knocks_that_are_felt_need_no_profile_of_shakes(tmp_path: Path) -> None:
    """Of shakes beads are imagined, of knocks not: the profile that ships is no start for them."""
    rate, lines = 1600, []
    for session in range(3):
        for beads in COUNTS:
            heard = knock(beads, session)
            felt = np.repeat(heard[: len(heard) // 10 * 10].reshape(-1, 10).mean(axis=1)[:, None], 3, axis=1)
            felt[:, 2] += 1.0
            soundfile.write(tmp_path / f"s{session}-{beads:02d}.wav", felt, rate, subtype="FLOAT")
            lines.append(
                {"file": f"s{session}-{beads:02d}.wav", "sensor": "accelerometer", "gesture": "knock", "beads": beads,
                 "device": "D1", "session": f"s{session}"}
            )  # fmt: skip
    (tmp_path / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = tmp_path / "felt.profile"
    assert run("calibrate", "igloos", "fit", tmp_path, "--out", out)[0] == 0
    code, lines, _ = run("listen", tmp_path / "s1-10.wav", "--profile", out, "--json")
    assert (code, [line["verdict"] in ("sure", "unsure") for line in lines]) == (0, [True])
    code, _, said = run("calibrate", "igloos", "fit", tmp_path, "--out", out, "--start-from", "accelerometer")
    assert code != 0
    assert "--start-from nothing" in said


def run(*words: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    """Exit code, lines of JSON, and what was said about it."""
    done = CliRunner().invoke(app, [str(w) for w in words])
    lines = [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{"]
    return done.exit_code, lines, f"{done.stderr} {done.exception}"


def test_a_knock_counts_though_it_is_no_shake(knocks: Path, profile: Path) -> None:
    code, lines, _ = run("calibrate", "igloos", "evaluate", knocks, "--leave-out", "session", "--json")
    assert code == 0
    figures = lines[-1]["summary"]
    assert figures["n"] == 21
    assert figures["mae"] < 1.5
    assert {line["verdict"] for line in lines[:-1]} <= {"sure", "unsure"}
    code, lines, _ = run("listen", knocks / "s1-10.wav", "--profile", profile, "--json")
    assert code == 0
    assert [line["event"] for line in lines] == ["shake"]  # two blows, one gesture
    told = lines[0]["probabilities"]
    assert sum(p for n, p in told.items() if int(n) >= 7) > 0.8


def test_the_network_that_learned_from_shakes_does_not_read_a_knock(profile: Path) -> None:
    assert all(head.model.reading is None for head in load(profile).heads)


def test_gestures_are_not_mixed_up(knocks: Path, profile: Path, tmp_path: Path) -> None:
    shakes = tmp_path / "shakes"
    write_sweeps(shakes, sessions=1, counts=range(2, 4))
    code, _, said = run("calibrate", "igloos", "evaluate", shakes, "--profile", profile, "--json")
    assert code != 0
    assert "counts by the gesture knock, and this is a shake" in said
    both = tmp_path / "both"
    both.mkdir()
    lines = []
    for folder in (knocks, shakes):
        for line in (folder / "recordings.jsonl").read_text().splitlines():
            entry = json.loads(line)
            (both / f"{folder.name}-{entry['file']}").symlink_to(folder / entry["file"])
            lines.append(json.dumps(entry | {"file": f"{folder.name}-{entry['file']}"}))
    (both / "recordings.jsonl").write_text("\n".join(lines) + "\n")
    code, _, said = run("calibrate", "igloos", "fit", both, "--out", tmp_path / "mixed.profile")
    assert code != 0
    assert "knock, shake are mixed" in said
    assert "--only gesture=" in said
