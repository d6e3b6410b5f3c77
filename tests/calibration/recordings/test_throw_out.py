"""A take that is thrown out changes its own line of the list and nothing else; its igloo is asked for again."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calibration.recordings import folder as store
from calibration.recordings import throw_out as module
from calibration.recordings.folder import LIST
from calibration.recordings.throw_out import throw_out
from firmware_bridge.errors import UsageError
from table.cli import run as run_cli
from tests.calibration.recordings.wizard import KEPT, RECORD, lines

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


def test_a_whole_path_is_the_same_take(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As other programs write it, and whoever copies it from the list gives it."""
    whole = str(path.parent / "b.wav")
    path.write_bytes(path.read_bytes().replace(b'"b.wav"', json.dumps(whole).encode()))
    monkeypatch.chdir(path.parent.parent)
    (marked,) = throw_out(Path(path.parent.name), [whole])
    assert marked.file == "b.wav"
    assert json.loads(path.read_bytes().splitlines()[-1])["file"] == whole


@pytest.mark.parametrize("name", ["b.wav", "./b.wav", "sub/../b.wav"])
def test_a_take_that_is_listed_under_two_spellings_is_thrown_out_under_both(path: Path, name: str) -> None:
    """Else it would still count, although it was said to be thrown out."""
    path.write_bytes(path.read_bytes() + TAKE.replace(b"b.wav", b"./b.wav"))
    assert len(throw_out(path.parent, [name])) == 2
    assert [json.loads(line)["rejected"] for line in path.read_bytes().splitlines()[-2:]] == [
        "thrown out"
    ] * 2


def test_where_one_of_several_is_not_there_none_is_thrown_out(path: Path) -> None:
    with pytest.raises(UsageError, match=r"names no take 'c\.wav', so nothing was thrown out"):
        throw_out(path.parent, ["b.wav", "c.wav"])
    assert path.read_bytes() == b"".join([*OTHERS, TAKE])
    assert sorted(one.name for one in path.parent.iterdir()) == ["kept.jsonl", LIST]


@pytest.mark.parametrize("name", ["d.wav", "./d.wav"])
def test_a_take_whose_line_cannot_be_read_is_told_by_what_is_wrong_with_it(path: Path, name: str) -> None:
    path.write_bytes(path.read_bytes() + b'{"file":"d.wav","sensor":"microfone","beads":3}\n')
    kept = path.read_bytes()
    with pytest.raises(
        UsageError,
        match=r'line 5, has the sensor "microfone", so nothing was thrown out – write "microphone"',
    ):
        throw_out(path.parent, [name])
    assert path.read_bytes() == kept


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


def test_an_old_take_is_thrown_out_and_its_igloo_asked_for_again_in_the_same_sweep(
    tmp_path: Path, run: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    run(*KEPT * 4, sweeps=2)
    path = tmp_path / "mine" / store.LIST
    head, *rest = path.read_bytes().splitlines(keepends=True)
    foreign = b'\xef\xbb\xbf{"file": "caf\xc3\xa9.wav",  "sensor":"microphone","beads":3, "x":[1]}\r\n\n'
    path.write_bytes(foreign + b"no json \xff\n" + head + b"".join(rest))
    odd = json.loads(rest[0])
    assert run_cli([*RECORD, str(path.parent), "--throw-out", str(path.parent / odd["file"])]) == 0
    assert "--device=D --player=anna" in capsys.readouterr().err
    thrown = json.dumps(odd | {"rejected": "thrown out"}, ensure_ascii=False).encode() + b"\n"
    assert path.read_bytes() == foreign + b"no json \xff\n" + head + thrown + b"".join(rest[1:])
    path.write_bytes(head + thrown + b"".join(rest[1:]))
    assert f"igloo with {odd['beads']} beads" in run(*KEPT)[0]
    again = lines(tmp_path)[-1]
    assert (again.set, again.session, again.beads) == (odd["set"], odd["session"], odd["beads"])
    assert again.file != odd["file"]
    assert (path.parent / odd["file"]).exists()


@pytest.mark.parametrize(
    ("files", "words"), [(["gone.wav"], "names no take 'gone.wav'"), (["a.wav", "b.wav"], "too gentle")]
)
def test_only_takes_that_count_can_be_thrown_out_all_or_none(
    tmp_path: Path, files: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / store.LIST
    text = (
        '{"file":"a.wav","sensor":"microphone","beads":3}\n'
        '{"file":"b.wav","sensor":"microphone","beads":4,"rejected":"too gentle"}\n'
    )
    path.write_text(text)
    assert run_cli([*RECORD, str(tmp_path), *(word for f in files for word in ("--throw-out", f))]) == 2
    said = capsys.readouterr().err
    assert said.startswith("polartable: PT-101: ")
    assert words in said
    assert [p.name for p in tmp_path.iterdir()] == [store.LIST]
    assert path.read_text() == text


def test_nothing_is_promised_where_no_sweep_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = (
        '{{"file":"{0}.wav","sensor":"microphone","beads":3,'
        '"device":"D","player":"{0}","session":"s","set":"D/s/1"}}\n'
    )
    (tmp_path / store.LIST).write_text(line.format("anna") + line.format("bert"))
    assert run_cli([*RECORD, str(tmp_path), "--throw-out", "anna.wav", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["rejected"] == "thrown out"
    assert "nothing asks for it again" in said.err
