"""What is said to be on the disk is: its bytes before its name changes, and then the name, which a directory holds."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from calibration.recordings.folder import LIST, Recording, append
from firmware_bridge.host.durable import write_whole


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was put on the disk, one after the other, and what was renamed meanwhile."""
    done: list[str] = []
    sync, rename = os.fsync, Path.replace

    def fsync(handle: int) -> None:
        sync(handle)
        done.append("directory" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")

    def replace(self: Path, target: Path) -> Path:
        done.append("renamed")
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    return done


def test_a_file_is_on_the_disk_before_it_replaces_and_then_its_name_is(
    tmp_path: Path, synced: list[str]
) -> None:
    for text in (b"one", b"two"):
        write_whole(tmp_path / "a.profile", text)
        assert synced == ["file", "renamed", "directory"]
        synced.clear()
    assert (tmp_path / "a.profile").read_bytes() == b"two"


def test_a_line_is_on_the_disk_and_with_the_first_one_the_lists_name(
    tmp_path: Path, synced: list[str]
) -> None:
    append(Recording(tmp_path, "s1/1.wav", "microphone", 7))
    assert synced == ["file", "directory"]
    synced.clear()
    append(Recording(tmp_path, "s1/2.wav", "microphone", 8))
    assert synced == ["file"]
    assert len((tmp_path / LIST).read_text().splitlines()) == 2
