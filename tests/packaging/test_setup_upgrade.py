"""An upgrade that is stopped or broken leaves the running version, and can be taken back."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from table.setup.acts import SetupFailed
from table.setup.upgrade import back, upgrade
from tests.packaging.saying import unheard
from tests.parts import ROOT


def wheel(directory: Path, version: str, exit_code: int) -> Path:
    """A very small wheel with a `polartable` command that tells its version."""
    file = directory / f"polartable-{version}-py3-none-any.whl"
    info = f"polartable-{version}.dist-info"
    with zipfile.ZipFile(file, "w") as out:
        out.writestr(
            "little.py", f"import sys\ndef main():\n    print({version!r})\n    sys.exit({exit_code})\n"
        )
        out.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: polartable\nVersion: {version}\n")
        out.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        out.writestr(f"{info}/entry_points.txt", "[console_scripts]\npolartable = little:main\n")
        out.writestr(f"{info}/RECORD", "")
    return file


UPGRADE = """
import sys
from pathlib import Path
from table.setup.upgrade import upgrade
upgrade(Path(sys.argv[1]), Path(sys.argv[2]), print)
"""


def runs(current: Path) -> str:
    return subprocess.run(
        [current / "bin" / "polartable"], capture_output=True, text=True, check=False
    ).stdout.strip()


def test_an_upgrade_that_is_stopped_or_broken_leaves_the_running_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_DISABLE_PIP_VERSION_CHECK", "1")
    current, old = tmp_path / "opt" / "current", tmp_path / "pipx"
    (old / "bin").mkdir(parents=True)
    (old / "bin" / "polartable").write_text("#!/bin/sh\necho old\n")
    (old / "bin" / "polartable").chmod(0o755)
    current.parent.mkdir()
    current.symlink_to(old)
    new = wheel(tmp_path, "2.0", 0)

    with subprocess.Popen(
        [sys.executable, "-c", UPGRADE, new, current], cwd=ROOT, start_new_session=True
    ) as half:
        while not list(current.parent.glob("versions/*/bin")):
            assert half.poll() is None
            time.sleep(0.01)
        os.killpg(half.pid, 9)
    assert runs(current) == "old"

    upgrade(new, current, unheard)  # what was left half done is made anew
    assert runs(current) == "2.0"
    with pytest.raises(SetupFailed, match="the table runs on as before"):
        upgrade(wheel(tmp_path, "3.0", 1), current, unheard)
    assert runs(current) == "2.0"
    assert [path.name[:14] for path in (current.parent / "versions").iterdir()] == ["polartable-2.0"]
    back(current)
    assert runs(current) == "old"
    back(current)
    assert runs(current) == "2.0"
    with pytest.raises(SetupFailed, match="cannot be read"):
        upgrade(tmp_path / "nothing.whl", current, unheard)


def test_the_cause_is_told_not_the_last_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    broken = tmp_path / "polartable-4.0-py3-none-any.whl"
    with zipfile.ZipFile(broken, "w") as out:
        out.writestr("little.py", "")
    with pytest.raises(SetupFailed, match=r"ERROR: .*polartable"):
        upgrade(broken, tmp_path / "opt" / "current", unheard)
    assert list((tmp_path / "opt").iterdir()) == []


def test_a_wheel_without_a_table_is_no_upgrade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    empty = wheel(tmp_path, "5.0", 0)
    with zipfile.ZipFile(empty) as before:
        parts = {name: before.read(name) for name in before.namelist() if "entry_points" not in name}
    with zipfile.ZipFile(empty, "w") as out:
        for name, data in parts.items():
            out.writestr(name, data)
    with pytest.raises(SetupFailed, match="No such file"):
        upgrade(empty, tmp_path / "opt" / "current", unheard)
