"""Built twice, in other places, at other times, by somebody with other habits: byte for byte the same files."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from tests.parts import ROOT, needs

STAMP = "1796083200"  # 2026-12-01


def checkout(place: Path, umask: int, mtime: int) -> Path:
    """The tracked files as another checkout would lay them down."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    names = [name.decode() for name in listed.split(b"\0") if name and (ROOT / name.decode()).is_file()]
    for name in names if umask else reversed(names):
        to = place / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, to)
        to.chmod((0o777 if os.access(ROOT / name, os.X_OK) else 0o666) & ~umask)
        os.utime(to, (mtime, mtime))
    return place


def built(place: Path, **environment: str) -> dict[str, bytes]:
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(place / "out")]
    given = os.environ | {"SOURCE_DATE_EPOCH": STAMP} | environment
    done = subprocess.run(command, cwd=place, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return {file.name: file.read_bytes() for file in (place / "out").iterdir()}


@needs("git")
def test_wheel_and_sdist_are_the_same_byte_for_byte(tmp_path: Path) -> None:
    one = built(checkout(tmp_path / "one", 0o022, 1_600_000_000), TZ="UTC", LC_ALL="C.UTF-8")
    two = built(checkout(tmp_path / "another" / "place", 0o077, 1_700_000_007), TZ="Asia/Tokyo", LC_ALL="C")
    assert sorted(one) == sorted(two)
    assert {Path(name).suffix for name in one} == {".whl", ".gz"}
    for name, data in one.items():
        assert hashlib.sha256(data).hexdigest() == hashlib.sha256(two[name]).hexdigest(), name
    wheel = next(name for name in one if name.endswith(".whl"))
    sdist = next(name for name in one if name.endswith(".gz"))
    out = tmp_path / "one" / "out"
    with zipfile.ZipFile(out / wheel) as archive:
        assert {info.date_time[:3] for info in archive.infolist()} == {(2026, 12, 1)}
    with tarfile.open(out / sdist) as archive:
        assert {(member.mtime, member.uid, member.uname) for member in archive} == {(int(STAMP), 0, "")}
