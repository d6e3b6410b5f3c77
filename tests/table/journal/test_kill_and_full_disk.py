"""Pull the plug at any moment, fill the disk: what was acknowledged is kept, and the table stands as it last said."""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from firmware_bridge.clock import VirtualClock
from table.desk.desk import Desk
from table.games import GAMES
from table.journal.store import Journal
from tests.parts import ROOT, proof
from tests.table.pages import service

# plays for ever, and says each move after the desk has acknowledged it, and only then
PLAYER = """
import sys
from pathlib import Path
from tests.table.games import new_ice_cult, play_on
from table.journal.store import Journal
journal = Journal(Path(sys.argv[1]))
print("ready", flush=True)
game = 0
while True:
    game += 1
    desk = new_ice_cult(journal, seed=game, name=f"game-{game}")
    print("new", flush=True)
    while desk.sitting.over is None:
        for move in play_on(desk, 1, seed=game):
            print(move, flush=True)
"""

FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from tests.table.games import new_ice_cult, play_on
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
desk = new_ice_cult(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (Path(sys.argv[1] + "-wal").stat().st_size + 200_000, resource.RLIM_INFINITY))
moves = 0
while desk.play(next(desk.sitting.game.moves(desk.sitting.state))):
    moves += 1
    assert moves < 5000
print(moves, desk.sitting.fingerprint())
print(desk.said[-1].tone, desk.said[-1].text)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert desk.play(next(desk.sitting.game.moves(desk.sitting.state)))  # there is room again: the game goes on
"""


@pytest.mark.parametrize("round_", range(proof(6, 200)))
def test_killed_at_a_random_moment_nothing_acknowledged_is_lost(tmp_path: Path, round_: int) -> None:
    file = tmp_path / "book.sqlite"
    chance = random.Random(round_)
    with subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(file)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        # up to here it certainly came; then the plug is pulled in mid-flight
        said = [process.stdout.readline() for _ in range(chance.randint(1, 60))]
        process.kill()
        said += process.stdout.read().splitlines()
    lines = [line.strip() for line in said]
    games = lines.count("new")
    with Journal(file) as journal:
        journal.verify()
        assert len(journal.games()) >= games
        if games:
            acknowledged = lines[len(lines) - lines[::-1].index("new") :]
            desk = Desk.resume(journal, GAMES, VirtualClock(), f"game-{games}")
            kept = [step.move for step in desk.sitting.steps]
            assert kept[: len(acknowledged)] == acknowledged
            assert len(kept) - len(acknowledged) <= 1  # one more may be on the disk, not yet said


def test_a_full_disk_takes_no_move_and_keeps_every_acknowledged_one(tmp_path: Path) -> None:
    file = tmp_path / "book.sqlite"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(file)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    counted, said = done.stdout.splitlines()[:2]
    moves, fingerprint = counted.split()
    assert int(moves) > 3
    assert said.startswith("fault PT-601: ")
    with Journal(file) as journal:
        journal.verify()
        desk = Desk.resume(journal, GAMES, VirtualClock())
        assert len(desk.sitting.steps) == int(moves) + 1  # and the one after there was room again
        assert desk.undo()
        assert desk.sitting.fingerprint() == fingerprint


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of a megabyte of its own, where mounting is allowed."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no disk may be mounted here; RLIMIT_FSIZE stands in for a full one in another test")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> None:
    with contextlib.suppress(OSError), (folder / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)


def play(table: httpx.Client) -> tuple[int, dict[str, Any]]:
    """The status and the answer."""
    move = next(m for m in table.get("/api/moves").json()["moves"] if m != "abandon")
    answer = table.post("/api/play", json={"move": move})
    return answer.status_code, answer.json()


def test_on_a_full_disk_the_page_stays_up_and_on_one_that_cannot_be_written_too(small_disk: Path) -> None:
    with (
        service("serve", "--port", "0", data=small_disk) as (process, ready),
        httpx.Client(base_url=ready["address"], timeout=20) as table,
    ):
        assert [play(table)[0] for _ in range(3)] == [200] * 3
        fill(small_disk)
        while (answer := play(table))[0] == 200:
            pass
        assert (answer[0], answer[1]["error"]["number"]) == (503, 601)  # no rule forbade it
        before = table.get("/api/table").json()["view"]
        assert table.get("/").status_code == 200
        assert table.get("/health").status_code == 503
        process.kill()  # and now the plug as well
        process.wait()
    with (
        service("serve", "--port", "0", data=small_disk) as (_, ready),
        httpx.Client(base_url=ready["address"], timeout=20) as table,
    ):
        assert table.get("/api/table").json()["view"] == before
        assert play(table)[0] == 503
        (small_disk / "filler").unlink()
        assert play(table)[0] == 200  # there is room again: the game goes on by itself
        assert table.get("/health").status_code == 200
        before = table.get("/api/table").json()["view"]
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with (
        service("serve", "--port", "0", data=small_disk) as (_, ready),
        httpx.Client(base_url=ready["address"], timeout=20) as table,
    ):
        shown = table.get("/api/table").json()
        assert shown["view"] == before
        assert shown["said"][-1]["text"].startswith("PT-602: ")
        assert play(table)[0] == 503
        assert table.get("/health").status_code == 503
        assert table.get("/").status_code == 200
        subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
        assert play(table)[0] == 200
