"""Files that stand whole: what a write that fails leaves, and to whom belongs what root writes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_bridge.host.durable import give_on, make_directory, replacing, write_whole


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[Path | int]:
    """What root gave away, in order; nothing really changes hands."""
    given: list[Path | int] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda what, uid, gid, follow_symlinks=True: given.append(what))
    return given


def half_written(file: Path) -> None:
    with replacing(file) as out:
        out.write(b"half of the new")
        raise ValueError("in the midst")


def test_a_write_that_breaks_off_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    write_whole(file, b"old")
    with pytest.raises(ValueError, match="in the midst"):
        half_written(file)
    assert [path.name for path in tmp_path.iterdir()] == ["table.toml"]
    assert file.read_bytes() == b"old"


def test_what_failed_first_is_told_where_the_disk_then_refuses_to_tidy_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(self: Path, missing_ok: bool = False) -> None:
        raise OSError("read-only")

    monkeypatch.setattr(Path, "unlink", read_only)
    with pytest.raises(ValueError, match="in the midst"):
        half_written(tmp_path / "a")


def test_folders_that_root_makes_belong_to_the_owner_of_what_they_are_in_the_outermost_first(
    tmp_path: Path, given: list[Path | int]
) -> None:
    make_directory(tmp_path / "a" / "b" / "c")
    assert (tmp_path / "a" / "b" / "c").is_dir()
    assert given == [tmp_path / "a", tmp_path / "a" / "b", tmp_path / "a" / "b" / "c"]
    given.clear()
    make_directory(tmp_path / "a" / "b")
    assert given == []


def test_a_new_file_of_roots_belongs_to_the_owner_of_its_folder_and_an_old_one_to_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owners: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda what, uid, gid, follow_symlinks=True: owners.append((uid, gid)))
    write_whole(tmp_path / "a", b"new", mode=0o640)
    write_whole(tmp_path / "a", b"again", mode=0o600)
    folder, file = tmp_path.stat(), (tmp_path / "a").stat()
    assert owners == [(folder.st_uid, folder.st_gid), (file.st_uid, file.st_gid)]
    assert file.st_mode & 0o777 == 0o640


def test_nobody_but_root_gives_anything_away_and_a_disk_that_knows_no_owners_costs_nothing(
    tmp_path: Path, given: list[Path | int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(what: object, uid: int, gid: int, follow_symlinks: bool = True) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    write_whole(tmp_path / "new" / "a", b"x")
    assert given == []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", refused)
    give_on(tmp_path, tmp_path)
    make_directory(tmp_path / "b")
