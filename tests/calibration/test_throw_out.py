"""A take that is thrown out changes its own line of the list, and nothing else of the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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
