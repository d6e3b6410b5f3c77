"""Checks of the table as a service: its settings file, its recent starts, its unit."""

from __future__ import annotations

import subprocess
from pathlib import Path

from firmware_bridge.errors import PolartableError
from table.config import Settings
from table.doctor.findings import Finding, good
from table.setup.plan import UNIT, unit
from table.starts import Starts


def settings_file(file: Path | None) -> Finding:
    """Whether the file is valid; every fault has its line (`polartable settings check`)."""
    if file is None:
        return Finding("not here", "no settings file: the defaults, and the environment")
    try:
        Settings.read(file)
    except PolartableError as error:
        return Finding("bad", error.cause, error.mend)
    return good(str(file))


def starts(data: Path) -> Finding:
    """Starts that did not finish; after two the table is in safe mode."""
    known = Starts(data)
    if not known.any():
        return Finding("not here", "no table was started here yet")
    last = known.last()
    if last.safe:
        return Finding("bad", last.reason, "mend what it names; the next good start leaves safe mode")
    if last.unfinished:
        return Finding(
            "look", f"the last start did not finish, or goes on: {last.why}", "see: journalctl -u polartable"
        )
    return good("the last start went well")


def installed(file: Path = UNIT) -> Finding:
    """The unit: installed, of this version, and running."""
    if not file.exists():
        return Finding("not here", "no unit: the table does not start by itself")
    text = file.read_text(encoding="utf-8", errors="replace")
    if text not in (unit(lan=True), unit(lan=False)):
        return Finding(
            "look", f"{file} is not the one of this version", "sudo polartable setup (add --lan as before)"
        )
    done = subprocess.run(
        ["systemctl", "is-active", file.name], capture_output=True, text=True, timeout=10, check=False
    )
    state = done.stdout.strip() or "unknown"
    return (
        good("it runs")
        if state == "active"
        else Finding("look", f"it is {state}", f"sudo systemctl restart {file.name}")
    )


def inside(text: str, command: list[str]) -> list[str]:
    """A command line that runs `command` under the restrictions of the unit `text`, and shows its output."""
    left_out = ("Type", "NotifyAccess", "Exec", "Restart", "Timeout", "Watchdog")
    section, properties = "", list[str]()
    for line in text.splitlines():
        if line.startswith("["):
            section = line
        elif section == "[Service]" and "=" in line and not line.startswith(("#", *left_out)):
            properties.append(line)
    options = [option for line in properties for option in ("-p", line)]
    return ["systemd-run", "--quiet", "--wait", "--pipe", "--collect", *options, *command]
