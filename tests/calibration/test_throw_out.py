"""A take that is thrown out changes its own line of the list, and nothing else of the file."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import Any

import pytest

from calibration import throw_out as module
from calibration.recordings import LIST
from calibration.throw_out import throw_out
from firmware_bridge.errors import UsageError

OTHERS = [
    b'\xef\xbb\xbf{"file":"a.wav","sensor":"microphone","beads":3, "more" : 1.50}\r\n',
    b'{"file":"no end\n',
    b'{"file":"caf\xe9.wav","sensor":"microphone","beads":4}\n',
]
TAKE = b'{"file":"b.wav","sensor":"microphone","beads":5,"gain":"\xc3\xa9"}\r\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A list that others may read and write, behind a link."""
    kept = tmp_path / "kept.jsonl"
    kept.write_bytes(b"".join([*OTHERS, TAKE]))
    kept.chmod(0o664)
    (tmp_path / LIST).symlink_to(kept)
    return tmp_path / LIST


def test_its_line_alone_is_another(path: Path) -> None:
    (marked,) = throw_out(path.parent, ["b.wav"])
    *others, last = path.read_bytes().splitlines(keepends=True)
    assert others == OTHERS
    assert last.endswith(b"}\r\n")
    assert json.loads(last) == json.loads(TAKE) | {"rejected": marked.rejected}
    assert path.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o664
    assert sorted(one.name for one in path.parent.iterdir()) == ["kept.jsonl", LIST]


def test_where_one_of_several_is_not_there_none_is_thrown_out(path: Path) -> None:
    with pytest.raises(UsageError, match=r"names no take 'c\.wav', so nothing was thrown out"):
        throw_out(path.parent, ["b.wav", "c.wav"])
    assert path.read_bytes() == b"".join([*OTHERS, TAKE])
    assert sorted(one.name for one in path.parent.iterdir()) == ["kept.jsonl", LIST]


def test_nobody_adds_to_the_list_meanwhile(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, plain = os.open(path.parent, os.O_RDONLY), module._check

    def check(*found: Any) -> None:
        with pytest.raises(BlockingIOError):
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        plain(*found)

    monkeypatch.setattr(module, "_check", check)
    assert throw_out(path.parent, ["b.wav"])
    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(folder)


def test_what_others_put_beside_the_list_is_left_alone(path: Path) -> None:
    theirs = path.with_name("kept.jsonl.part")
    theirs.write_text("half of a copy")
    throw_out(path.parent, ["b.wav"])
    with pytest.raises(UsageError):
        throw_out(path.parent, ["b.wav"])
    assert theirs.read_text() == "half of a copy"
    assert len(list(path.parent.iterdir())) == 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_list_stays_its_owners(path: Path) -> None:
    os.chown(path, 65534, 65534)
    throw_out(path.parent, ["b.wav"])
    assert (path.stat().st_uid, path.stat().st_gid, path.stat().st_mode & 0o777) == (65534, 65534, 0o664)
