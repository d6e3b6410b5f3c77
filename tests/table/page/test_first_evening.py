"""The lines of `docs/first-evening.md` that are for a terminal, said to a table as that page starts it."""

from __future__ import annotations

import shlex
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from firmware_bridge.clock import VirtualClock
from table.cli import run
from table.config import Settings
from table.door.access import Access
from table.journal.store import Journal
from table.room.table_room import TableRoom
from tests.parts import ROOT
from tests.table.pages import service


def said_to(*program: str) -> list[list[str]]:
    text = (ROOT / "docs" / "first-evening.md").read_text(encoding="utf-8")
    begins = "    " + " ".join((*program, ""))
    return [shlex.split(line) for line in text.splitlines() if line.startswith(begins)]


def test_the_lines_for_a_game_with_options_begin_one_at_a_table_on_the_network(tmp_path: Path) -> None:
    lines = said_to("curl")
    assert lines
    with (
        service("serve", "--port", "0", "--lan", data=tmp_path) as (_, ready),
        httpx.Client(base_url=f"http://127.0.0.1:{urlsplit(ready['address']).port}", timeout=20) as client,
    ):
        for words in lines:  # the client keeps cookies, as `curl` does in its jar
            where = urlsplit(next(word for word in words if word.startswith("http"))).path
            body = words[words.index("--json") + 1].replace("12345678", ready["host_code"])
            answer = client.post(where, content=body, headers={"content-type": "application/json"})
            assert answer.json()["ok"] is True, answer.text
        view = client.get("/api/table").json()["view"]
    assert view["game"] == "ice-cult"
    assert view["options"]["length"] == 7


def test_the_lines_for_afterwards_tell_of_the_evening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = VirtualClock()
    with Journal(tmp_path / "journal.sqlite") as kept:
        table = TableRoom(Settings.read(None), clock, kept, Access(clock, lan=False))
        assert table.desk.play("tilt n>S")
    monkeypatch.setenv("POLARTABLE_DATA", str(tmp_path))
    lines = said_to("polartable", "journal")
    assert [words[2] for words in lines] == ["list", "show", "replay"]
    for words in lines:
        assert run(words[1:]) == 0
        assert capsys.readouterr().err == ""
