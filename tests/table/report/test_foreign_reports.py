"""Reports that somebody else packed: none is unpacked anywhere, and none brings the reader down."""

from __future__ import annotations

import contextlib
import io
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from table.cli import run
from table.report.unpacking import Report


def report(members: dict[str | zipfile.ZipInfo, bytes], compress: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compress) as pack:
        pack.writestr("report.json", '{"format":"polartable-report","version":1}')
        for name, data in members.items():
            pack.writestr(name, data, compress)
    return out.getvalue()


def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def later() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as pack:
        pack.writestr("report.json", '{"format":"polartable-report","version":9}')
    return out.getvalue()


def lying(data: bytes) -> bytes:
    """The same bytes, but the directory says that the first game is small."""
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"games/1.jsonl"))
    return data[: at + 24] + (100).to_bytes(4, "little") + data[at + 28 :]


BOMB = report({"games/1.jsonl": bytes(40 * 2**20)})


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (BOMB, "ZIP bomb"),
        (lying(BOMB), "damaged|cannot be read|no entry|no report"),
        (report({f"games/{n}": b"" for n in range(20_001)}, zipfile.ZIP_STORED), "20002 files"),
        (report({"../../etc/passwd": b"x"}), "points outside its folder"),
        (report({"games/../../x.jsonl": b"x"}), "points outside its folder"),
        (report({"/etc/passwd": b"x"}), "points outside its folder"),
        (report({"C:\\x.jsonl": b"x"}), "points outside its folder"),
        (report({"games\\..\\..\\x": b"x"}), "points outside its folder"),
        (report({link("games/1.jsonl"): b"/etc/passwd"}), "holds a link"),
        (BOMB[: len(BOMB) // 2], "no report, or only a part"),
        (b"PK\x05\x06" + bytes(18), "no report of Polartable"),
        (later(), "later Polartable"),
        (report({"games/1.jsonl": b"[" * 100_000}), "no entry of a journal"),
        (report({"games/1.jsonl": b"x" * 3_000_000}), "ZIP bomb|no entry"),
    ],
    ids=["bomb", "lying", "many", "dots", "dots within", "root", "drive", "backslash", "link", "torn", "empty", "later",
         "deep", "long line"],
)  # fmt: skip
def test_a_report_that_is_not_to_be_trusted_is_refused_in_one_sentence(
    tmp_path: Path, data: bytes, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "foreign.zip"
    file.write_bytes(data)
    assert run(["journal", "replay", str(file)]) == 2
    said = capsys.readouterr().err.strip()
    assert len(said.splitlines()) == 1
    assert any(word in said for word in words.split("|")), said
    assert [path.name for path in tmp_path.iterdir()] == ["foreign.zip"]  # nothing was unpacked anywhere


GOOD = report({"games/1.jsonl": b'{"seq":1,"game":"a","kind":"note","at":"","body":{},"chain":""}\n'})


@given(st.binary(max_size=300), st.integers(0, len(GOOD)), st.integers(0, len(GOOD)))
@example(b"", 0, len(GOOD))
@example(b"\xff" * 40, 20, 60)
def test_no_torn_or_changed_report_brings_the_reader_down(
    tmp: Any, noise: bytes, start: int, end: int
) -> None:
    from firmware_bridge.errors import PolartableError

    data = GOOD[: min(start, end)] + noise + GOOD[max(start, end) :]
    tmp.write_bytes(data)
    with contextlib.suppress(PolartableError), Report(tmp) as opened:
        for _, entries in opened.games():
            list(entries)


@pytest.fixture(scope="module")
def tmp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "report.zip"
