"""The contents of a report, piece by piece; a missing piece is named in the report, and does not stop the others."""

from __future__ import annotations

import json
import platform
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from table.config import Settings
from table.doctor.checks import all_checks
from table.doctor.findings import to_json
from table.doctor.running import senses_of_running_table
from table.journal.store import Journal
from table.report.redact import Redactor
from table.settings.faults import SettingsError
from table.settings.file import read_text
from table.setup.plan import UNIT

LOG_LINES = 500
REDACTED = (
    "note",
    "close",
)  # kinds of entries with free text, which is redacted: their hashes need not match


def versions() -> dict[str, Any]:
    """The versions of Polartable, Python, the machine, and every required package."""
    from packaging.requirements import Requirement

    packages: dict[str, str | None] = {}
    for requirement in metadata.requires("polartable") or []:
        name = Requirement(requirement).name
        try:
            packages[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            packages[name] = None
    return {
        "polartable": metadata.version("polartable"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": f"{platform.system()} {platform.release()}",
        "libc": "-".join(platform.libc_ver()),
        "packages": packages,
    }


def settings_of(settings: Settings, file: Path | None, redactor: Redactor) -> dict[str, Any]:
    """The settings in force, and the faults of the file if it has any."""
    found: Sequence[SettingsError] = ()
    if file is not None and file.exists():
        try:
            found = Settings.faults_of(read_text(file), file)
        except SettingsError as error:  # it is not even text
            found = [error]
    faults = [redactor.text(str(fault)) for fault in found]
    return {"in_force": redactor.value(settings.model_dump(mode="json")), "faults": faults}


def doctor(settings: Settings, file: Path | None, redactor: Redactor) -> list[Any]:
    live = senses_of_running_table(settings)  # a microphone that it holds would be reported as taken
    return [redactor.value(to_json(check, check.found())) for check in all_checks(settings, file, live)]


def counters(book: Journal, data: Path) -> dict[str, Any]:
    """Counts: entries by kind, moves by source, refusals by rule, bytes on the disk."""
    kinds: Counter[str] = Counter()
    told: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for entry in book.entries():
        kinds[entry.kind] += 1
        if entry.kind == "play":
            told[str(entry.body.get("by", "hand"))] += 1
        elif entry.kind == "refused":
            refused[str(entry.body.get("error", {}).get("rule"))] += 1
    sizes = (
        {path.name: path.stat().st_size for path in sorted(data.iterdir()) if path.is_file()}
        if data.is_dir()
        else {}
    )
    return {"entries": dict(kinds), "told_by": dict(told), "refused": dict(refused), "bytes": sizes}


def games(book: Journal, most: int, redactor: Redactor) -> Iterator[tuple[str, Iterator[str]]]:
    """The last games, latest first: name, and its lines as `journal export` writes them."""
    for name in reversed(book.games()[-most:] if most else []):
        yield (
            name,
            (
                json.dumps(_entry(entry.to_json(), redactor), ensure_ascii=False)
                for entry in book.entries(name)
            ),
        )


def _entry(entry: dict[str, Any], redactor: Redactor) -> dict[str, Any]:
    """Moves and positions stay as they are, so that the game can be replayed; free text is redacted."""
    if entry["kind"] in REDACTED:
        return entry | {"body": redactor.value(entry["body"])}
    return entry


def log(redactor: Redactor) -> str:
    """The last lines of the service in the system's log; empty if there are none."""
    command = [
        "journalctl",
        "--unit",
        UNIT.name,
        "--lines",
        str(LOG_LINES),
        "--no-pager",
        "--output",
        "short-iso",
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "".join(f"{redactor.text(line)}\n" for line in done.stdout.splitlines()[-LOG_LINES:])
