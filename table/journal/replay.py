"""Replays a record and compares every verdict with the one given at the table."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO, cast

from firmware_bridge.host.utf16 import AS_UTF8, is_utf16
from rules.core.refusal import Refusal
from table.journal.entries import KINDS, Entry, Kind, storable
from table.journal.errors import JournalDamaged, ReplayDiffers
from table.journal.fold import Registry, Sitting, fold

LONGEST_LINE = 1 << 20
_LIST = re.compile(rb"\s*\[\s*\{")  # a JSON list: some editors turn lines into one


def export(entries: Iterable[Entry]) -> Iterator[str]:
    """The entries as JSON Lines."""
    for entry in entries:
        yield storable(json.dumps(entry.to_json(), ensure_ascii=False))


def read_export(path: Path) -> Iterator[Entry]:
    """The entries of an exported file, as a stream. Raises `JournalDamaged` naming the line that cannot be read."""
    try:
        with path.open("rb") as file:
            start = file.read(64)
        if is_utf16(start):
            raise JournalDamaged(f"{path} is written in UTF-16", AS_UTF8)
        if _LIST.match(start.removeprefix(codecs.BOM_UTF8)):
            raise JournalDamaged(
                f"{path} is one JSON list", "write one entry a line, without brackets or commas around"
            )
        # editors and shells on Windows put a byte order mark first
        with path.open("r", encoding="utf-8-sig", errors="replace") as lines:
            yield from entries_of(lines, str(path))
    except OSError as error:
        raise JournalDamaged(
            f"{path} cannot be read ({error.strerror})", "give a file written by: journal export"
        ) from error


def entries_of(lines: TextIO, where: str) -> Iterator[Entry]:
    """The entries of a text, as a stream; `where` names it in errors. Raises `JournalDamaged`."""
    for number, line in enumerate(iter(lambda: lines.readline(LONGEST_LINE + 1), ""), 1):
        if line.strip():
            yield _parse(where, number, line)


def games_in(entries: Iterable[Entry]) -> Iterator[tuple[str, Iterator[Entry]]]:
    """The games of a record, one after the other, each with its name; read each before you take the next."""
    begun = 0

    def which(entry: Entry) -> tuple[int, str]:
        nonlocal begun
        begun += entry.kind == "new"
        return begun, entry.game

    for (_, name), of_one in groupby(entries, which):
        yield name, of_one


def _parse(path: str, number: int, line: str) -> Entry:
    try:
        value: Any = json.loads(line)
        kind, body = value["kind"], value["body"]
        if kind not in KINDS or not isinstance(body, dict):
            raise ValueError("kind or body")
        seq, game = int(value["seq"]), str(value["game"])
        return Entry(seq, game, cast("Kind", kind), str(value["at"]), body, str(value["chain"]))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise JournalDamaged(
            f"line {number} of {path} is no entry of a journal",
            "give a file written by: polartable journal export",
        ) from error


def replay(entries: Iterable[Entry], games: Registry, reworded: list[str] | None = None) -> Sitting:
    """Replay the record; returns the sitting at its end. Raises `ReplayDiffers` at the first verdict that differs.

    `reworded`: receives a sentence for each move that is refused as before, but by another rule or in another way.
    Without it that counts as a differing verdict, too.
    """
    return fold(entries, games, check=partial(_compare, reworded))


def _compare(reworded: list[str] | None, entry: Entry, sitting: Sitting) -> None:
    if entry.kind == "refused":
        told = _refused_again(entry, sitting)
        if told is not None and reworded is None:
            raise ReplayDiffers(told, "replay it with the version that recorded it")
        if told is not None and reworded is not None:
            reworded.append(told)
    expected = entry.body.get("after")
    if expected is not None and expected != sitting.fingerprint():
        what = f"{entry.kind} {entry.body.get('move', '')}".rstrip()
        raise ReplayDiffers(
            f"after entry {entry.seq} ({what}) the position is another one",
            "replay it with the version that recorded it",
        )


def _refused_again(entry: Entry, sitting: Sitting) -> str | None:
    """How the refusal differs now; None if it does not. Raises `ReplayDiffers` if the move is accepted now."""
    error, move, at = entry.body.get("error"), entry.body.get("move"), entry.body.get("at")
    if not isinstance(error, dict) or not isinstance(move, str) or not isinstance(at, int | None):
        raise JournalDamaged(
            f"entry {entry.seq} is a refusal that does not say of what", "restore the file from a copy"
        )
    if sitting.closed is not None:
        return None  # whatever the reason was: a closed game takes no move
    try:
        if at is None:
            sitting.played(move, entry.body.get("seat"), "hand")
        else:  # the move was meant as a correction of that step
            sitting.corrected(at, move)
    except IndexError as error_of_step:
        raise JournalDamaged(
            f"entry {entry.seq} speaks of a step that there is not", "restore the file from a copy"
        ) from error_of_step
    except Refusal as refusal:
        if (refusal.kind, refusal.rule) == (error.get("kind"), error.get("rule")):
            return None
        now = _named(refusal.to_json())
        return f"entry {entry.seq} was refused as {_named(error)} and is now refused as {now}"
    raise ReplayDiffers(
        f"entry {entry.seq} ({move}) was refused at the table and is taken now",
        "replay it with the version that recorded it",
    )


def _named(error: Mapping[str, Any]) -> str:
    """Name a refusal by its kind and, if a rule forbids the move, by that rule."""
    kind, rule = error.get("kind") or "nothing known", error.get("rule")
    return f"{kind}" if rule is None else f"{kind} by {rule}"
