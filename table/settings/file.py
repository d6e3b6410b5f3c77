"""A settings file as text and as a TOML table, before anything is validated."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from firmware_bridge.host.utf16 import AS_UTF8, is_utf16
from table.settings.faults import Keys, SettingsError, SettingsTooNew, line_of, place

VERSION = 1  # version of the file's layout; a file without `version` has the first
LARGEST = 1 << 20  # bytes; a longer file cannot be a settings file


def read_text(file: Path) -> str:
    """The file's text. Raises `SettingsError` if it cannot be read, or was torn by a power cut."""
    try:
        with file.open("rb") as source:
            data = source.read(LARGEST + 1)
    except OSError as error:
        raise SettingsError(
            f"{file} cannot be read ({error.strerror})",
            "name a file that is there and that this user may read",
        ) from error
    if len(data) > LARGEST:
        raise SettingsError(f"{file} is longer than a settings file can be", "name the right file")
    if is_utf16(data):
        raise SettingsError(f"{file} is written in UTF-16", AS_UTF8)
    if data.strip(b"\0") != data:
        raise SettingsError(
            f"{file} is no TOML: it ends in zero bytes, as after a pulled plug",
            "write it anew, or from a copy",
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise SettingsError(
            f"{file} is no TOML: line {line} is not UTF-8", "save it as UTF-8 text"
        ) from error


def parse(text: str, file: Path) -> dict[str, Any]:
    """Parse the TOML table. Raises `SettingsError` naming the line, `SettingsTooNew` for a later version's file."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        why = str(error) or "nested too deeply"
        if "at end of document" in why:  # here the parser gives no line
            why = why.replace("at end of document", f"at its end, line {len(text.splitlines())}")
            raise SettingsError(
                f"{file} is no TOML: {why}", "end that line: a value, a bracket or a quote is missing"
            ) from error
        raise SettingsError(f"{file} is no TOML: {why}", "mend that line") from error
    torn = _with_zero_byte(table)
    if torn is not None:
        at = line_of(text, torn)
        raise SettingsError(
            f"{file} holds a zero byte in {'.'.join(torn)!r}, line {at}",
            "no name and no address has one: take it out",
        )
    version = table.pop("version", VERSION)
    where = place(file, line_of(text, ("version",)))
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise SettingsError(
            f"setting 'version'{where} is {version!r}", f"this Polartable writes version {VERSION}"
        )
    if version > VERSION:
        raise SettingsTooNew(
            f"the settings{where} are of version {version}, and this Polartable knows them up to {VERSION}",
            "update Polartable, or restore the file of before",
        )
    return table


def _with_zero_byte(table: dict[str, Any]) -> Keys | None:
    """The key of a string with a zero byte: no file or name can contain one."""
    waiting: list[tuple[Keys, Any]] = [((), table)]
    while waiting:
        keys, value = waiting.pop()
        if isinstance(value, dict):
            if any("\0" in key for key in value):
                return keys
            waiting += [((*keys, key), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            waiting += [(keys, inner) for inner in value]
        elif isinstance(value, str) and "\0" in value:
            return keys
    return None
