"""A broker's password in the settings: set, it is neither said nor left for everybody on the machine to read."""

from __future__ import annotations

import grp
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.cli import run
from table.config import Settings

STARS = "*" * 10


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """Settings that everybody may read, with the umask that most have."""
    file = tmp_path / "table.toml"
    file.write_text("[serve]\nport = 9000\n")
    file.chmod(0o644)
    before = os.umask(0o022)
    yield file
    os.umask(before)


def mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


def change(file: Path, *words: str) -> None:
    assert run(["settings", "set", *words, "--config", str(file)]) == 0


@pytest.mark.parametrize("words", [["fleet.password", "geheim"], ["fleet", '{ password = "geheim" }']])
def test_a_password_is_not_said(file: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    change(file, *words)
    change(file, *words, "--json")
    said = capsys.readouterr()
    assert "geheim" not in said.out + said.err
    sentence, line = said.out.splitlines()
    assert STARS in sentence
    assert STARS in json.dumps(json.loads(line)["value"])
    password = Settings.read(file).fleet.password
    assert password is not None
    assert password.get_secret_value() == "geheim"


def test_whoever_is_neither_owner_nor_in_the_group_cannot_read_it(file: Path) -> None:
    change(file, "serve.port", "9001")
    assert mode(file) == 0o644
    change(file, "fleet.password", "geheim")
    assert mode(file) == 0o640
    new = file.with_name("new.toml")
    change(new, "fleet.password", "geheim")
    assert mode(new) == 0o600
    os.umask(0o077)
    plain = file.with_name("plain.toml")
    change(plain, "serve.port", "9001")
    assert mode(plain) == 0o600


def test_a_file_that_holds_one_already_is_closed_with_the_next_change(file: Path) -> None:
    file.write_text('[fleet]\npassword = "geheim"\n')
    change(file, "serve.port", "9001")
    assert mode(file) == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to another group")
def test_the_table_itself_can_read_what_root_has_set(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    group = next(g for g in grp.getgrall() if g.gr_gid != 0)
    monkeypatch.setattr("table.settings.secret.GROUP", group.gr_name)
    for of_root in (file, file.with_name("new.toml")):
        change(of_root, "fleet.password", "geheim")
        assert (of_root.stat().st_gid, mode(of_root)) == (group.gr_gid, 0o640)


def test_a_file_that_can_be_used_is_a_line_for_programs_too(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["settings", "check", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(file), "usable": True}
