"""Writes a report: one ZIP file, atomically, never larger than allowed."""

from __future__ import annotations

import contextlib
import json
import re
import zipfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from firmware_bridge.errors import PolartableError
from table.config import Settings
from table.journal.errors import JournalError
from table.journal.store import Journal
from table.places import data_directory
from table.report import FORMAT, VERSION, contents
from table.report.errors import ReportError
from table.report.recordings import of_folder
from table.report.redact import Redactor

GAMES = 5
MOST = 8 * 2**20  # maximum size of the file in bytes, without recordings
_SPARE = 64 * 1024  # reserved for the list of what was left out, and the ZIP's own directory


class Pack:
    """A report that is being written."""

    def __init__(self, file: Path, most: int) -> None:
        self._zip = zipfile.ZipFile(file, "x", zipfile.ZIP_DEFLATED, compresslevel=6)
        self._file, self._most = file, most
        self.left_out: list[str] = []

    def add(self, name: str, lines: Iterable[str | bytes], compress: bool = True) -> bool:
        """Add a member, piece by piece; if it would not fit it is left out, and that is noted."""
        kind = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
        data = bytearray()
        for line in lines:
            data += line.encode() if isinstance(line, str) else line
            if len(data) > 8 * self._most:  # would not fit even if it compressed well
                self.left_out.append(name)
                return False
        room = self._most - _SPARE - self._file.stat().st_size
        before = len(self._zip.filelist), self._zip.start_dir
        info = zipfile.ZipInfo(name, _date(datetime.now(UTC)))
        info.compress_type = kind
        info.external_attr = 0o600 << 16
        self._zip.writestr(info, bytes(data))
        if info.compress_size > room:  # undone: the next member overwrites it
            self._zip.filelist.pop()
            self._zip.NameToInfo.pop(name)
            self._zip.start_dir = before[1]
            assert self._zip.fp is not None
            self._zip.fp.truncate(before[1])
            self.left_out.append(name)
            return False
        assert self._zip.fp is not None
        self._zip.fp.flush()
        return True

    def json(self, name: str, value: Any) -> None:
        self.add(name, [json.dumps(value, ensure_ascii=False, indent=1), "\n"])

    def close(self) -> None:
        self._zip.close()


def _date(now: datetime) -> tuple[int, int, int, int, int, int]:
    """A member's date. ZIP knows only 1980 to 2107; a clock that was never set may show another year."""
    year = min(max(now.year, 1980), 2107)
    day = min(now.day, 28) if year != now.year else now.day  # not every year has a leap day
    return year, now.month, day, now.hour, now.minute, now.second


def write(
    out: Path,
    settings: Settings,
    file: Path | None,
    *,
    games: int = GAMES,
    recordings: Path | None = None,
    most: int = MOST,
    complain: Callable[[PolartableError], None],
) -> dict[str, Any]:
    """Write the report; returns its contents in words. Raises ReportError if it cannot be written."""
    if out.exists():
        raise ReportError(f"{out} is there already", "give another name with --out")
    part = out.with_name(f".{out.name}.part")
    try:
        part.unlink(missing_ok=True)
        pack = Pack(part, most)
        try:
            told = _fill(pack, settings, file, games, recordings, complain)
        finally:
            pack.close()
        part.replace(out)
    except OSError as error:
        raise ReportError(
            f"{out} cannot be written ({error.strerror})", "give another place with --out"
        ) from error
    finally:
        with contextlib.suppress(OSError):  # on a read-only disk; the sentence above says so
            part.unlink(missing_ok=True)
    return told | {"file": str(out), "bytes": out.stat().st_size}


def _fill(
    pack: Pack,
    settings: Settings,
    file: Path | None,
    games: int,
    recordings: Path | None,
    complain: Callable[[PolartableError], None],
) -> dict[str, Any]:
    redactor = Redactor()
    pack.json("versions.json", contents.versions())
    pack.json("settings.json", contents.settings_of(settings, file, redactor))
    pack.json("doctor.json", contents.doctor(settings, file, redactor))
    log = contents.log(redactor)
    if log:
        pack.add("log.txt", [log])
    kept = []
    book = settings.journal.book
    if book.exists():
        try:
            with Journal(book) as journal:
                pack.json("counters.json", contents.counters(journal, data_directory()))
                for number, (name, lines) in enumerate(contents.games(journal, games, redactor), 1):
                    member = f"games/{number:02}-{re.sub(r'[^A-Za-z0-9_-]+', '_', name)[:40]}.jsonl"
                    if pack.add(member, (f"{line}\n" for line in lines)):
                        kept.append(name)
        except JournalError as error:
            complain(error)
    count = 0 if recordings is None else _recordings(pack, recordings, complain)
    told = {"games": kept, "recordings": count, "left_out": pack.left_out[:100]}
    made = {"format": FORMAT, "version": VERSION, "made": datetime.now(UTC).isoformat(timespec="seconds")}
    pack.json("report.json", made | told | {"left_out_in_all": len(pack.left_out)})
    return told


def _recordings(pack: Pack, folder: Path, complain: Callable[[PolartableError], None]) -> int:
    lines = []
    for recording, line in of_folder(folder, complain):
        try:
            sound = recording.path.read_bytes()
        except OSError as error:
            complain(
                ReportError(f"{recording.path} cannot be read ({error.strerror})", "the others are packed")
            )
            continue
        if pack.add(f"recordings/{line['file']}", [sound]):
            lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    pack.add("recordings/recordings.jsonl", lines)
    return len(lines)
