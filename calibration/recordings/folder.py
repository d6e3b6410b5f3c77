"""Recordings on disk: sound files, and in the same folder a list of them, `recordings.jsonl`, with a line for each.

The folder is read as a stream: thousands of recordings are never held in memory. An unusable line is reported in one
sentence, and the others are read. Unknown keys are kept.
"""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calibration.errors import RecordingsError
from calibration.recordings.json_line import loads, told
from calibration.recordings.listed_file import inside
from firmware_bridge.errors import PolartableError
from firmware_bridge.host.durable import give_on, sync_directory
from firmware_bridge.host.utf16 import AS_UTF8, is_utf16
from sensors.ear.frames.frontend import Sensor

LIST = "recordings.jsonl"
LOOKED_AT = 2**16  # bytes of a list, to see whether it is one
MOST_BEADS = 1000
LONGEST_NAME = 1000
SHOWN = 60  # characters shown of an invalid name
# control characters, which would steer a terminal, and lone surrogates, which no file can hold
UNWRITTEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_UNDECODED = re.compile("[\udc80-\udcff]")  # what `surrogateescape` makes of undecodable bytes
KNOWN_PLACES = ("shell", "seat")  # with a meaning; other places are mere names
_NO = ("no", "none", "null", "false")  # words written for takes that were not thrown out
BETWEEN = "\x1f"  # separates a device's name from its session's: no name contains it
Complain = Callable[[PolartableError], None]
_OURS = (
    "file", "sensor", "beads", "igloo", "device", "player", "session", "set", "pair", "taken", "rejected",
)  # fmt: skip
# Keys shown by commands, beside `file`; other keys may hold anything.
_NAMES = (*_OURS[3:], "place", "gesture", "source")


@dataclass(frozen=True, slots=True)
class Recording:
    """One line of the list. `beads` None: unknown; `rejected`: why it was thrown out, None where it counts."""

    folder: Path
    file: str
    sensor: Sensor
    beads: int | None = None
    igloo: str | None = None
    device: str | None = None
    player: str | None = None
    session: str | None = None
    set: str | None = None
    pair: str | None = None
    taken: str | None = None
    rejected: str | None = None
    more: dict[str, Any] = field(default_factory=dict)  # unknown keys

    @property
    def path(self) -> Path:
        return self.folder / self.file

    @property
    def kept_with_count(self) -> bool:
        """Is its count known (zero included), and was it not thrown out? Only then can it say anything about a
        count."""
        return self.beads is not None and self.rejected is None

    @property
    def below(self) -> str:
        """Its file's path below the folder, normalised: `./a.wav` is `a.wav`."""
        return os.path.normpath(self.file)

    @property
    def gesture(self) -> str | None:
        """The guided gesture's name (`"gesture":"knock"`); None for free shaking."""
        return gesture_called(self.more.get("gesture"))

    @property
    def occasion(self) -> str:
        """What forms one sitting: sessions of the same name on two devices are two occasions."""
        return f"{self.device or ''}{BETWEEN}{self.session or ''}"

    @property
    def place(self) -> str | None:
        """Where a microphone is (`"place":"shell"`). Microphones at two places hear a shake as two sensors do."""
        place = str(self.more.get("place") or "").strip()
        return place.lower() if place.lower() in KNOWN_PLACES else place or None

    @property
    def kind(self) -> str:
        """The kind of shipped profile for it: `microphone`, `contact` or `accelerometer`."""
        return "contact" if self.sensor == "microphone" and self.place == "shell" else self.sensor

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"file": self.file, "sensor": self.sensor, "beads": self.beads}
        for key in _OURS[3:]:
            value = getattr(self, key)
            if value is not None or key == "rejected":
                out[key] = value
        return out | self.more


def gesture_called(name: object) -> str | None:
    """A guided gesture's name in comparable form; None for free shaking, whatever it is called."""
    word = str(name or "shake").strip().lower()
    return None if "shak" in word or word.startswith("free") else word


def parse_line(folder: Path, number: int, line: str) -> Recording:
    """One line of the list. Raises RecordingsError that names file and line."""
    where = f"{folder / LIST}, line {number},"
    entry = _entry(where, line)
    file, sensor, beads = _name(where, entry), _sensor(where, entry), _beads(where, entry)
    file = inside(where, folder, file)
    _check_shown(where, entry)
    _check_rejected(where, entry.get("rejected"))
    texts = {key: _text(key, entry.get(key)) for key in _OURS[3:]}
    more = {key: value for key, value in entry.items() if key not in _OURS}
    return Recording(folder, file, sensor, beads, more=more, **texts)


def _entry(where: str, line: str) -> dict[str, Any]:
    if _UNDECODED.search(line):  # with the original bytes lost, two names may become one
        raise RecordingsError(f"{where} is not in UTF-8", "save the list as UTF-8")
    doubled: list[str] = []
    try:
        entry = loads(line, doubled)
    except (ValueError, RecursionError) as error:
        if line.rstrip().endswith("},"):
            raise RecordingsError(f"{where} ends with a comma", "take it away") from error
        raise RecordingsError(f"{where} is no JSON", "mend or delete that line") from error
    if not isinstance(entry, dict):
        raise RecordingsError(f"{where} is no JSON object", "mend or delete that line")
    if doubled:  # it is unknown which value was meant, and a wrong count costs more than a take
        raise RecordingsError(f"{where} has {doubled[0]}", "keep the one that is right")
    return entry


def _name(where: str, entry: dict[str, Any]) -> str:
    """The sound file's name as written."""
    file = entry.get("file")
    if not isinstance(file, str) or not file:
        raise RecordingsError(f'{where} names no "file"', "name the sound file")
    if len(file) > LONGEST_NAME or UNWRITTEN.search(file):
        raise RecordingsError(
            f'{where} has a "file" that no sound file is called ({file[:SHOWN]!r})', "name the sound file"
        )
    return file


def _sensor(where: str, entry: dict[str, Any]) -> Sensor:
    sensor = entry.get("sensor")
    if sensor not in ("microphone", "accelerometer"):
        what = 'names no "sensor"' if sensor is None else f"has the sensor {told(sensor)}"
        raise RecordingsError(f"{where} {what}", 'write "microphone" or "accelerometer"')
    known: Sensor = sensor
    return known


def _beads(where: str, entry: dict[str, Any]) -> int | None:
    beads = entry.get("beads")
    if isinstance(beads, float) and beads.is_integer():
        beads = int(beads)  # spreadsheets write integers so in columns with missing values
    if beads is None or (isinstance(beads, int) and not isinstance(beads, bool) and 0 <= beads <= MOST_BEADS):
        return beads
    raise RecordingsError(
        f'{where} has {told(beads)} as "beads"',
        f"give a whole number from 0 to {MOST_BEADS}, or null where it is unknown",
    )


def _check_shown(where: str, entry: dict[str, Any]) -> None:
    """What commands show must not contain control characters."""
    for key in _NAMES:
        value = entry.get(key)
        if isinstance(value, str) and UNWRITTEN.search(value):
            raise RecordingsError(
                f'{where} has a "{key}" that cannot be shown ({value[:SHOWN]!r})',
                f'write the "{key}" without control signs; tabs and line ends are such',
            )


def _check_rejected(where: str, why: object) -> None:
    """Rejects words like "no", which give no reason but would throw the take out."""
    if isinstance(why, str) and why.strip().lower() in _NO:
        raise RecordingsError(
            f'{where} has {why!r} as "rejected"',
            "write null where the take counts, else why it was thrown out",
        )


def _text(key: str, value: Any) -> str | None:
    """The value of one of our keys, as text."""
    if key == "rejected":
        value = "rejected" if value is True else value or None
    elif isinstance(value, float) and value.is_integer():
        value = int(value)
    text = None if value is None else value if isinstance(value, str) else json.dumps(value)
    # spreadsheets write missing values as empty texts
    return text if text and not text.isspace() else None


def read(folder: Path, complain: Complain) -> Iterator[Recording]:
    """All usable recordings of a folder, in order; unusable lines go to `complain`.

    Raises RecordingsError where there is no list at all.
    """
    for number, line in lines(folder):
        try:
            yield parse_line(folder, number, line)
        except RecordingsError as error:
            complain(error)


def lines(folder: Path) -> Iterator[tuple[int, str]]:
    """The lines of a folder's list that are not blank, each with its number. Raises RecordingsError as `read` does."""
    path = folder / LIST
    try:
        if not folder.is_dir():
            raise RecordingsError(f"{folder} is no folder", "name a folder that holds " + LIST)
        if path.exists() and not path.is_file():  # opening a pipe may wait for ever
            raise RecordingsError(f"{path} is no file", "write the list into a file")
        file = path.open(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError as error:
        raise RecordingsError(
            f"{folder} has no {LIST}", "record with `polartable calibrate igloos record`, or write the list"
        ) from error
    except OSError as error:
        raise RecordingsError(f"{path} cannot be read ({error.strerror})", "check its permissions") from error
    with file:
        _check_lines(path)
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, line.lstrip("\ufeff")


def _check_lines(path: Path) -> None:
    """Is it a list of lines at all? Raises RecordingsError, once instead of for each line, for what editors make of
    lists."""
    with path.open("rb") as file:
        start = file.read(LOOKED_AT)
    if is_utf16(start):
        raise RecordingsError(f"{path} is written in UTF-16", AS_UTF8)
    first = start.removeprefix(codecs.BOM_UTF8).lstrip().split(b"\n", 1)[0].strip()
    if first in (b"{", b"[") or first.startswith((b"[{", b"[ {")):
        raise RecordingsError(
            f"{path} is one JSON text over many lines",
            "write one object a line, without brackets or commas around",
        )
    lines = [line for line in start.removeprefix(codecs.BOM_UTF8).splitlines() if line.strip()]
    # the last one may lack the comma
    if len(lines) > 2 and all(line.rstrip().endswith(b"},") for line in lines[:-1]):
        raise RecordingsError(f"{path} has a comma after each line", "take the commas away")
    if len(lines) > 1 and not any(line.lstrip().startswith(b"{") for line in lines):
        raise RecordingsError(
            f"{path} is no list of JSON lines, a spreadsheet may have saved it",
            "put back the copy from before, or write one JSON object a line",
        )


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """While one run reads the list and appends to it, no other one does, where the file system has locks."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):  # `read` reports what is wrong with the folder
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            held.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def append(recording: Recording) -> None:
    """Append a line to the list, on disk before this returns; a line truncated by a power failure is ended first."""
    path = recording.folder / LIST
    line = json.dumps(recording.to_json(), ensure_ascii=False) + "\n"
    begun = not path.exists()
    with path.open("ab+") as file:
        if begun:
            give_on(file.fileno(), path.resolve().parent)
        if file.tell() > 0:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(line.encode())
        file.flush()
        os.fsync(file.fileno())
    if begun:
        sync_directory(path.parent)
