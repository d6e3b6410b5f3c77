"""Reads an untrusted report. Nothing is written to the disk, and no claim in it is believed.

A ZIP file can declare a small size and be endless, name files outside its folder, or contain links. If any member does,
the whole file is refused: no report of ours looks like that.
"""

from __future__ import annotations

import io
import json
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath

from table.journal.entries import Entry
from table.journal.replay import entries_of
from table.report import FORMAT, VERSION
from table.report.errors import ReportError

MOST_MEMBERS = 20_000
MOST_BYTES = 512 * 2**20  # of everything, unpacked
MOST_RATIO = 250  # compression ratio of a member; our own JSON reaches about 30
SMALL = 1 << 20  # below this size a ratio says nothing: a thousand blanks are no bomb
_ASK = "ask for another report: polartable report"


class Report:
    """A report, checked before anything in it is read. Raises ReportError, with one sentence. A context manager."""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise ReportError(f"{file} is no report, or only a part of one ({error})", _ASK) from error
        try:
            _check(file, self._zip.infolist())
            self._check_format()
        except BaseException:
            self._zip.close()
            raise

    def games(self) -> Iterator[tuple[str, Iterator[Entry]]]:
        """Each game: its place in the report, and its entries as a stream."""
        for name in sorted(self._zip.namelist()):
            if name.startswith("games/") and name.endswith(".jsonl"):
                with io.TextIOWrapper(self._open(name), encoding="utf-8", errors="replace") as lines:
                    yield name, self._guarded(name, entries_of(lines, f"{self._file}: {name}"))

    def __enter__(self) -> Report:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def _open(self, name: str) -> zipfile.ZipExtFile:
        try:
            return self._zip.open(name)  # type: ignore[return-value]
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError) as error:
            raise ReportError(f"{name} in {self._file} cannot be read ({error})", _ASK) from error

    def _guarded(self, name: str, entries: Iterator[Entry]) -> Iterator[Entry]:
        """Translate errors: zlib and ZIP detect damage only while reading."""
        try:
            yield from entries
        except (
            zipfile.BadZipFile,
            OSError,
            EOFError,
            ValueError,
            RuntimeError,
            NotImplementedError,
        ) as error:
            raise _damaged(self._file, name, error) from error
        except Exception as error:
            if type(error).__module__ == "zlib":
                raise _damaged(self._file, name, error) from error
            raise

    def _check_format(self) -> None:
        try:
            with self._open("report.json") as member:
                told = json.loads(member.read(1 << 20))
            fits = told["format"] == FORMAT and int(told["version"]) <= VERSION
        except (KeyError, ValueError, TypeError, RecursionError, zipfile.BadZipFile, EOFError) as error:
            raise ReportError(f"{self._file} is no report of Polartable", _ASK) from error
        if not fits:
            raise ReportError(
                f"{self._file} is a report of a later Polartable, or of something else", "update Polartable"
            )


def _check(file: Path, members: list[zipfile.ZipInfo]) -> None:
    total = sum(member.file_size for member in members)
    if len(members) > MOST_MEMBERS or total > MOST_BYTES:
        raise ReportError(
            f"{file} would unpack to {total / 2**20:,.0f} MiB in {len(members)} files, which no report does",
            _ASK,
        )
    if len({member.filename for member in members}) != len(members):
        raise ReportError(f"{file} holds two files of one name", _ASK)
    for member in members:
        name = member.filename
        path, windows = PurePosixPath(name), PureWindowsPath(name)
        outside = (
            path.is_absolute()
            or windows.drive
            or windows.is_absolute()
            or ".." in (*path.parts, *windows.parts)
        )
        if outside or "\0" in name or not name:
            raise ReportError(f"{file} points outside its folder ({name[:80]!r})", _ASK)
        if stat.S_ISLNK(member.external_attr >> 16):
            raise ReportError(f"{file} holds a link ({name[:80]!r})", _ASK)
        if member.file_size > SMALL and member.file_size > MOST_RATIO * max(1, member.compress_size):
            raise ReportError(
                f"{name[:80]!r} in {file} swells more than {MOST_RATIO} times: a ZIP bomb", _ASK
            )
        if member.flag_bits & 1:
            raise ReportError(f"{name[:80]!r} in {file} is encrypted", _ASK)


def _damaged(file: Path, name: str, error: Exception) -> ReportError:
    return ReportError(f"{name} in {file} is damaged ({error})", _ASK)
