"""The settings with which the table last ran well: kept, and used while the file is unusable."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from firmware_bridge.host.durable import write_whole
from table.config import Settings
from table.places import data_directory
from table.settings.faults import SettingsError

NAME = "last-good-settings.json"


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings to run with. `fault`: why these are the last good ones and not the file's own."""

    settings: Settings
    file: Path | None
    text: str
    fault: SettingsError | None = None


def load(file: Path | None, data: Path | None = None) -> Loaded:
    """The settings of `file`, or its last good ones and why. Raises `SettingsError` if there are none.

    `data`: the directory of the last good text (default: this user's).
    """
    if file is None:
        return Loaded(Settings.read(None), None, "")
    kept = _kept(file, data)
    try:
        settings, text = Settings.read_with_text(file)
        if not text.strip() and kept.strip():
            raise SettingsError(
                f"{file} is empty, and was not when the table last ran well", "write it anew, or from a copy"
            )
        return Loaded(settings, file, text)
    except SettingsError as fault:
        if not kept:
            raise
        try:
            return Loaded(Settings.of_text(kept, file), file, kept, fault)
        except SettingsError:  # kept by an older version, with keys that no longer exist
            raise fault from None


def keep(loaded: Loaded, data: Path | None = None) -> None:
    """The table runs well with these settings: keep their text. A full disk costs only the copy."""
    if loaded.file is None or loaded.fault is not None or loaded.text == _kept(loaded.file, data):
        return
    value = {"file": str(loaded.file.absolute()), "at": datetime.now(UTC).isoformat(), "text": loaded.text}
    try:
        write_whole((data or data_directory()) / NAME, json.dumps(value, ensure_ascii=False).encode())
    except OSError as error:
        logging.getLogger("polartable").warning("the last good settings could not be kept: %s", error)


def _kept(file: Path, data: Path | None) -> str:
    """The text kept for this file; empty if there is none."""
    try:
        value = json.loads(((data or data_directory()) / NAME).read_text(encoding="utf-8"))
        return str(value["text"]) if value["file"] == str(file.absolute()) else ""
    except (OSError, ValueError, TypeError, KeyError):
        return ""
