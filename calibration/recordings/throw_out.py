"""Rejects takes afterwards: marks their lines in the list and leaves every other byte of it unchanged."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from calibration.errors import RecordingsError
from calibration.recordings.folder import LIST, Recording, alone, parse_line, read
from calibration.recordings.json_line import loads
from calibration.recordings.listed_file import from_the_list
from firmware_bridge.errors import UsageError
from firmware_bridge.host.durable import replacing

THROWN_OUT = "thrown out"


def throw_out(folder: Path, files: Sequence[str]) -> list[Recording]:
    """Mark the takes with these names as rejected, all or none, and return them; their sound stays.

    A later line of the list does not override an earlier one, so the list is replaced atomically, while nobody appends
    to it. Raises UsageError for a name that no kept take has, RecordingsError where there is no list or it cannot be
    replaced.
    """
    next(read(folder, lambda _: None), None)  # reports what is wrong with a folder without a list
    path = folder / LIST
    # a take's path below the folder → names as asked for, which may be two for one take
    names: dict[str, set[str]] = {}
    for file in files:
        for name in (file, from_the_list(folder, file), _below(folder, file)):
            names.setdefault(os.path.normpath(name), set()).add(file)
    marked: list[Recording] = []
    found: dict[str, str | None] = {}  # name as asked for → why the take is rejected already
    unread: dict[str, RecordingsError] = {}  # name as asked for → why the line that holds it cannot be read
    try:
        with (
            alone(folder),
            path.open(encoding="utf-8", errors="surrogateescape", newline="") as old,
            replacing(path) as new,
        ):
            for line in _rewritten(folder, old, names, marked, found, unread):
                new.write(line.encode("utf-8", "surrogateescape"))
            _check(folder, files, found, unread)
    except OSError as error:
        raise RecordingsError(
            f"{path} cannot be replaced ({error.strerror})",
            "check its permissions and the room on the disk; nothing was changed",
        ) from error
    return marked


def _rewritten(
    folder: Path,
    lines: Iterable[str],
    names: Mapping[str, set[str]],
    marked: list[Recording],
    found: dict[str, str | None],
    unread: dict[str, RecordingsError],
) -> Iterator[str]:
    """The lines of a list, with those of `names` marked; fills `marked`, `found` and `unread` on the way."""
    for number, line in enumerate(lines, start=1):
        text = line.lstrip("\ufeff")
        try:
            take = parse_line(folder, number, text)
        except RecordingsError as error:
            take = None  # readers of the list are told about it
            for name in names:
                if json.dumps(name) in text or json.dumps(name, ensure_ascii=False) in text:
                    unread.update(dict.fromkeys(names[name], error))
        if take is None or take.below not in names:
            yield line
        elif take.rejected is not None:
            for one in names[take.below]:
                found.setdefault(one, take.rejected)
            yield line
        else:
            head, tail = line[: len(line) - len(text)], text[len(text.rstrip("\r\n")) :]
            text = _marked(text)
            marked.append(parse_line(folder, number, text))
            found.update(dict.fromkeys(names[take.below]))
            yield head + text + tail


def _below(folder: Path, file: str) -> str:
    """A path that the shell completed, as the list names it."""
    try:
        return Path(file).relative_to(folder).as_posix()
    except ValueError:
        return file


def _marked(text: str) -> str:
    entry = loads(text)
    entry["rejected"] = THROWN_OUT
    try:
        told = json.dumps(entry, ensure_ascii=text.isascii())
        told.encode()
    except UnicodeEncodeError:  # a lone surrogate, written as \\ud800
        told = json.dumps(entry)
    return told


def _check(
    folder: Path,
    files: Sequence[str],
    found: Mapping[str, str | None],
    unread: Mapping[str, RecordingsError],
) -> None:
    for file in files:
        if file not in found and (error := unread.get(file)) is not None:
            raise UsageError(f"{error.cause}, so nothing was thrown out", error.mend)
        if file not in found:
            raise UsageError(
                f"{folder / LIST} names no take {file!r}, so nothing was thrown out",
                'give its "file" as the list has it',
            )
        if (why := found[file]) is not None:
            raise UsageError(
                f"{file!r} is rejected already ({why}), so nothing was thrown out", "name takes that count"
            )
