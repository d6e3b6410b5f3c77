"""The lines of `docs/first-evening.md` that are for a terminal, said to a table as that page starts it."""

from __future__ import annotations

import shlex
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from tests.parts import ROOT
from tests.table.pages import service


def test_the_lines_for_a_game_with_options_begin_one_at_a_table_on_the_network(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "first-evening.md").read_text(encoding="utf-8")
    lines = [shlex.split(line) for line in text.splitlines() if line.startswith("    curl ")]
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
