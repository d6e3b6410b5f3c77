"""The systemd unit that `polartable setup` writes: understood, little exposed, and writing only where it may."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from table.setup.plan import CURRENT, UNIT, unit
from tests.parts import ROOT, needs


@pytest.fixture
def unit_file(tmp_path: Path) -> Path:
    """The unit, with a command that exists here."""
    file = tmp_path / UNIT.name
    file.write_text(unit(lan=True).replace(str(CURRENT / "bin" / "polartable"), "/bin/true"))
    return file


@needs("systemd")
def test_systemd_understands_every_line_of_the_unit(unit_file: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit_file)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    unit_file.write_text(unit_file.read_text().replace("ProtectHome=yes", "ProtectHome=yess"))
    again = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit_file)], capture_output=True, text=True, check=False
    )
    assert "yess" in again.stderr  # a slip would have been seen


@needs("systemd")
def test_systemd_finds_the_service_little_exposed(unit_file: Path) -> None:
    command = [
        "systemd-analyze",
        "security",
        "--offline=true",
        "--no-pager",
        "--threshold=17",
        str(unit_file),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    exposure = re.search(r"exposure level for polartable.service: ([\d.]+)", done.stdout)
    assert exposure is not None, done.stdout + done.stderr
    assert float(exposure[1]) <= 1.7
    assert done.returncode == 0


WATCHER = """
import os, sys
allowed = tuple(os.environ["MAY_WRITE"].split(":")) + ("/dev/", "/proc/self/")
log = open(os.environ["SEEN"], "a", buffering=1)
def hook(event, args):
    if event == "open" and isinstance(args[0], str) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        path = os.path.abspath(args[0])
    elif event in ("os.mkdir", "os.rename", "os.remove") and isinstance(args[0], str):
        path = os.path.abspath(args[0])
    else:
        return
    if not path.startswith(allowed) and "__pycache__" not in path:
        log.write(f"{event} {path}\\n")
sys.addaudithook(hook)
"""


def test_the_service_writes_only_where_its_unit_lets_it(tmp_path: Path) -> None:
    """ProtectSystem=strict cannot be switched on in a container; what Python opens for writing can be watched."""
    import httpx

    from tests.table.pages import service

    state, cache, temporary, watcher = (tmp_path / name for name in ("state", "cache", "tmp", "watcher"))
    for directory in (state, cache, temporary, watcher):
        directory.mkdir()
    (watcher / "sitecustomize.py").write_text(WATCHER)
    text = (
        unit(lan=False)
        .replace("/var/lib/polartable", str(state))
        .replace("/var/cache/polartable", str(cache))
    )
    given = dict(
        pair.split("=", 1) for line in re.findall(r"^Environment=(.*)$", text, re.M) for pair in line.split()
    )
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    seen = tmp_path / "seen"
    environment = kept | given | {
        "PYTHONPATH": f"{watcher}:{ROOT}", "SEEN": str(seen), "TMPDIR": str(temporary), "HOME": "/nonexistent",
        "MAY_WRITE": f"{state}:{cache}:{temporary}:{seen}", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    with service("serve", "--port", "0", environment=environment) as (_, ready):
        assert httpx.post(ready["address"] + "api/play", json={"move": "tilt n>S"}, timeout=60).json()["ok"]
        assert httpx.get(ready["address"], timeout=60).status_code == 200
    assert seen.read_text() == ""
    assert (state / "journal.sqlite").exists()
