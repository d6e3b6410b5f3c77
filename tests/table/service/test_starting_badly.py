"""Starts that do not finish: killed, crashed, refused. After two the table is in safe mode, and finds the way out."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from firmware_bridge.clock import VirtualClock
from table.cli import run
from table.config import Settings
from table.door.access import Access
from table.journal.errors import JournalBusy
from table.journal.holding import Hold
from table.journal.store import Journal
from table.last_good import keep, load
from table.service.safe_mode import SafeRoom, without_devices
from table.service.serving import Wishes, once
from table.starts import NAME, PATIENCE, Start, Starts
from tests.parts import ROOT
from tests.table.pages import service
from tests.table.service.starting import COMMAND, goes_on, mark


def killed_while_starting(data: Path) -> None:
    """A real start, killed as soon as it has made its mark."""
    file = data / NAME
    before = file.stat().st_ino if file.exists() else None
    with subprocess.Popen(COMMAND, env=os.environ | {"POLARTABLE_DATA": str(data)}, cwd=ROOT) as process:
        while not file.exists() or file.stat().st_ino == before:
            goes_on(process)
        process.kill()


def finished(data: Path, unfinished: int) -> None:
    """Wait until the start is told to be finished."""
    for _ in range(2000):
        if mark(data)["unfinished"] == unfinished:
            return
        time.sleep(0.05)
    pytest.fail(f"the start was never finished: {mark(data)}")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table's data after an evening on the last good settings: its file was torn; somebody made one move."""
    data = tmp_path_factory.mktemp("data")
    file = data / "table.toml"
    file.write_text('[game]\nname = "ice-cult"\nplayers = ["red", "blue"]\n')
    keep(load(file, data), data)
    file.write_text(file.read_text()[:20])
    with (
        service("serve", "--port", "0", "--config", str(file), data=data) as (_, ready),
        httpx.Client(base_url=ready["address"], timeout=60) as client,
    ):
        (data / "health.json").write_text(client.get("/health").text)
        assert client.post("/api/play", json={"move": "tilt n>S"}).json()["ok"]
        finished(data, 0)
    return data


async def test_a_second_service_on_the_same_book_is_refused_before_it_opens_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLARTABLE_DATA", str(tmp_path))
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    hold = Hold(tmp_path / "journal.sqlite")
    with pytest.raises(JournalBusy, match="another Polartable serves"):
        await once(Wishes(None, 0, lan=False, browser=False, as_json=True))
    hold.close()
    assert mark(tmp_path)["unfinished"] == 0
    assert not (tmp_path / "journal.sqlite").exists()


def test_a_disk_that_cannot_be_written_is_told_once_with_its_mend(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    starts = Starts(tmp_path / "file" / "data")
    starts.begin()
    starts.refused()
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith("PT-602: unfinished starts cannot be counted: ")
    assert "check who owns that directory" in caplog.messages[0]


def test_a_full_disk_is_no_matter_of_owners(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = tmp_path / "table.toml"
    file.write_text("")
    monkeypatch.setattr("os.fsync", full)
    Starts(tmp_path).begin()
    assert caplog.messages[0].startswith("PT-601: unfinished starts cannot be counted: ")
    assert "make room" in caplog.messages[0]
    assert "own" not in caplog.messages[0]
    assert run(["settings", "set", "serve.port", "8081", "--config", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.endswith("(No space left on device) – make room on its disk\n")


def test_a_file_that_goes_bad_is_replaced_by_the_last_good_one(table: Path) -> None:
    health = json.loads((table / "health.json").read_text())
    assert "is no TOML" in health["settings"]
    assert health["healthy"] is True
    with Journal(table / "journal.sqlite") as journal:
        assert next(journal.entries()).body["players"] == ["red", "blue"]


@pytest.fixture(scope="module")
def safe(table: Path) -> Iterator[tuple[Path, httpx.Client, dict[str, Any]]]:
    """The same table, killed twice while it started, and started once more."""
    for n in range(PATIENCE):
        killed_while_starting(table)
        assert mark(table)["unfinished"] == n + 1
    with (
        service("serve", "--port", "0", data=table) as (_, ready),
        httpx.Client(base_url=ready["address"], timeout=60) as client,
    ):
        yield table, client, ready


def test_after_two_unfinished_starts_the_page_is_up_and_says_why(
    safe: tuple[Path, httpx.Client, dict[str, Any]],
) -> None:
    data, client, ready = safe
    assert "the last 2 starts did not finish" in ready["safe_mode"]
    health = client.get("/health")
    assert health.status_code == 503
    assert health.json()["safe_mode"] == ready["safe_mode"]
    assert client.get("/").status_code == 200
    finished(data, PATIENCE - 1)  # a good safe start gives the next one an honest try


def test_the_game_of_before_goes_on_with_simulated_cubes(
    safe: tuple[Path, httpx.Client, dict[str, Any]],
) -> None:
    _, client, _ = safe
    assert client.get("/api/table").json()["view"]["first_tilt"] == "n>S"
    assert client.post("/api/play", json={"move": "tilt w>E"}).json()["ok"]
    assert client.post("/api/undo").json()["ok"]
    assert client.get("/api/table").json()["view"]["first_tilt"] == "n>S"


def test_when_asked_it_starts_again_as_always_at_the_same_address(
    safe: tuple[Path, httpx.Client, dict[str, Any]],
) -> None:
    data, client, _ = safe
    assert client.post("/api/safe-mode/leave").json() == {"ok": True}
    for _ in range(2000):
        try:
            health = client.get("/health")
            if health.json()["safe_mode"] is None:
                break
        except httpx.HTTPError:
            pass
        time.sleep(0.05)
    assert (health.status_code, health.json()["safe_mode"]) == (200, None)
    assert client.get("/api/table").json()["view"]["first_tilt"] == "n>S"
    assert client.post("/api/safe-mode/leave").status_code == 409
    finished(data, 0)


def test_a_start_that_is_refused_with_a_sentence_counts_only_where_nobody_reads_it(tmp_path: Path) -> None:
    """Pins that this machine does not have: a person is told; under a service manager the third start is safe."""
    file = tmp_path / "table.toml"
    file.write_text('[buttons]\nred = "NO-SUCH-PIN"\n')
    environment = os.environ | {"POLARTABLE_DATA": str(tmp_path), "POLARTABLE_CONFIG": str(file)}
    done = subprocess.run(
        COMMAND, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=150, check=False
    )
    assert (done.returncode, mark(tmp_path)["unfinished"]) == (2, 0)
    assert done.stderr.startswith("polartable: PT-320: ")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        environment["NOTIFY_SOCKET"] = str(tmp_path / "notify")
        Starts(tmp_path).failed("another one before")
        subprocess.run(COMMAND, env=environment, cwd=ROOT, capture_output=True, timeout=150, check=False)
        assert mark(tmp_path)["unfinished"] == PATIENCE
    assert "PT-320" in Start(**{key: mark(tmp_path)[key] for key in ("unfinished", "why")}).reason


@pytest.mark.parametrize(
    ("text", "more", "words"),
    [
        ("[serve]\nprot = 80\n", {}, "'serve.prot'"),
        ("", {"POLARTABLE_GAME__PLAYERS": "red,blue"}, "POLARTABLE_GAME__PLAYERS"),
    ],
)
def test_settings_that_cannot_be_used_leave_an_unattended_table_playable(
    tmp_path: Path, text: str, more: dict[str, str], words: str
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(text)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        environment = os.environ | more
        environment |= {"POLARTABLE_DATA": str(tmp_path), "NOTIFY_SOCKET": str(tmp_path / "notify")}
        with service("serve", "--port", "0", "--config", str(file), environment=environment) as (_, ready):
            assert words in ready["safe_mode"]
            told = httpx.post(ready["address"] + "api/play", json={"move": "tilt n>S"}, timeout=60)
            assert told.json()["ok"]


def test_safe_mode_opens_no_device_of_any_kind() -> None:
    everything = Settings(
        cubes={"ports": ("/dev/a",)},
        ear={"sources": {"red": "USB"}},
        taps={"source": "Seat", "profile": "seat.profile"},
        lights={"light": 5, "buzzer": 6},
        buttons={"red": 17},
        serve={"port": 9000},
    )
    assert without_devices(everything) == Settings(serve={"port": 9000})


def test_in_safe_mode_the_cubes_lie_as_what_was_told_also_where_one_move_stands_for_another() -> None:
    clock, laid = VirtualClock(), list[str]()
    settings = Settings(game={"name": "ice-cult", "players": ("red", "yellow")})
    room = SafeRoom(settings, clock, Journal(None), Access(clock, lan=False), "why")

    def lay() -> None:
        laid.append(" ".join(step.move for step in room.desk.sitting.steps))

    cubes: Any = SimpleNamespace(ready=True, watch=SimpleNamespace(register=lay))
    room._cult = cubes
    assert room.desk.play("tilt n>S")
    assert room.desk.correct(0, "tilt w>E")
    room.desk.tell("nothing of the game")
    assert room.desk.play("tilt n>S", by="cubes")
    assert laid == ["tilt n>S", "tilt w>E"]


# the mark itself


def test_the_mark_over_an_evening_of_bad_starts(tmp_path: Path) -> None:
    def start() -> tuple[Starts, Start]:
        starts = Starts(tmp_path)
        return starts, starts.begin()

    assert [start()[1].safe for _ in range(4)] == [False, False, True, True]
    starts, _ = start()
    starts.finished()
    assert not start()[1].safe  # one honest try
    starts, begun = start()
    assert begun.safe  # it did not finish either
    starts.forgive()
    starts, begun = start()
    assert begun == Start(0, "it was killed, or the power went")
    starts.failed("OSError: the moon")
    assert start()[1].why == "OSError: the moon"


@pytest.mark.parametrize("torn", [b"", b"{", b'{"unfinished": "many", "why": 1}', b"[1]", b"\0" * 50])
def test_a_torn_mark_counts_as_one_and_stops_nothing(tmp_path: Path, torn: bytes) -> None:
    (tmp_path / NAME).write_bytes(torn)
    assert Starts(tmp_path).begin().unfinished == 1


def test_a_disk_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    starts = Starts(tmp_path / "file")
    assert not starts.begin().safe
    starts.finished()


async def test_in_safe_mode_a_tilt_after_the_end_is_refused_in_words_and_no_cube_is_turned() -> None:
    clock = VirtualClock()
    room = SafeRoom(Settings.read(None), clock, Journal(None), Access(clock, lan=False), "why")
    room.start()
    try:
        for _ in range(200):
            await clock.advance(0.05)
        room.desk.close("abandoned by the host")
        await asyncio.wait_for(room.act("ice-cult", None, "tilt n>S"), 5)
        assert room.desk.said[-1].text == "this game was closed; another one can be begun"
        assert room.watch is not None
        assert room.watch.differences() == ()
    finally:
        await room.stop()
