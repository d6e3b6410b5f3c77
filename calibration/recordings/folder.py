"""Recordings on disk: sound files, and in the same folder `recordings.jsonl`, which has a line for each.

The folder is read as a stream: thousands of recordings are never held in memory. A line that cannot be used is told in
one sentence and the rest goes on. Keys that are not ours are kept.
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
from calibration.recordings.json_line import loads
from calibration.recordings.listed_file import inside
from firmware_bridge.errors import PolartableError
from firmware_bridge.host.durable import give_on, sync_directory
from firmware_bridge.host.utf16 import AS_UTF8, is_utf16
from sensors.ear.frames.frontend import Sensor

LIST = "recordings.jsonl"
LOOKED_AT = 2**16  # bytes of a list, to see whether it is one
MOST_BEADS = 1000
LONGEST_NAME = 1000
SHOWN = 60  # of a name that is none
# Signs that would steer a terminal, and lone halves of signs, which no file can hold.
UNWRITTEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_UNDECODED = re.compile("[\udc80-\udcff]")  # what `surrogateescape` makes of bytes that are no text
KNOWN_PLACES = ("shell", "seat")  # the others are names like any
_NO = ("no", "none", "null", "false")  # told of a take that was not thrown out
BETWEEN = "\x1f"  # a device's name and its session's: no name has it
Complain = Callable[[PolartableError], None]
_OURS = (
    "file", "sensor", "beads", "igloo", "device", "player", "session", "set", "pair", "taken", "rejected",
)  # fmt: skip
# What commands show, beside `file`; other keys may hold what they like.
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
    more: dict[str, Any] = field(default_factory=dict)  # keys that are not ours

    @property
    def path(self) -> Path:
        return self.folder / self.file

    @property
    def kept_with_count(self) -> bool:
        """Is it known what it holds, be it nothing, and was it not thrown out? Only then can it tell of a count."""
        return self.beads is not None and self.rejected is None

    @property
    def below(self) -> str:
        """Where its file lies below the folder, spelled in one way: `./a.wav` is `a.wav`."""
        return os.path.normpath(self.file)

    @property
    def gesture(self) -> str | None:
        """The guided gesture's name (`"gesture":"knock"`); None for shaking as one likes."""
        return gesture_called(self.more.get("gesture"))

    @property
    def occasion(self) -> str:
        """What sits together: sessions of one name on two devices are two occasions."""
        return f"{self.device or ''}{BETWEEN}{self.session or ''}"

    @property
    def place(self) -> str | None:
        """Where a microphone is (`"place":"shell"`); two of them hear one shake as two sensors do."""
        place = str(self.more.get("place") or "").strip()
        return place.lower() if place.lower() in KNOWN_PLACES else place or None

    @property
    def kind(self) -> str:
        """The profile that ships for what it is of: `microphone`, `contact` or `accelerometer`."""
        return "contact" if self.sensor == "microphone" and self.place == "shell" else self.sensor

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"file": self.file, "sensor": self.sensor, "beads": self.beads}
        for key in _OURS[3:]:
            value = getattr(self, key)
            if value is not None or key == "rejected":
                out[key] = value
        return out | self.more


def gesture_called(name: object) -> str | None:
    """A guided gesture's name as it is compared; None for shaking as one likes, however that is called."""
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
    if _UNDECODED.search(line):  # whatever stood there, two names may become one
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
    if doubled:  # nobody knows which of the two was meant; a count that is wrong costs more than a take
        raise RecordingsError(f"{where} has {doubled[0]}", "keep the one that is right")
    return entry


def _name(where: str, entry: dict[str, Any]) -> str:
    """Of the sound file, as it is written."""
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
        raise RecordingsError(f"{where} has the sensor {sensor!r}", 'write "microphone" or "accelerometer"')
    known: Sensor = sensor
    return known


def _beads(where: str, entry: dict[str, Any]) -> int | None:
    beads = entry.get("beads")
    if isinstance(beads, float) and beads.is_integer():
        beads = int(beads)  # what spreadsheets write beside a null
    if beads is None or (isinstance(beads, int) and not isinstance(beads, bool) and 0 <= beads <= MOST_BEADS):
        return beads
    raise RecordingsError(
        f'{where} has {beads!r} as "beads"',
        f"give a whole number from 0 to {MOST_BEADS}, or null where it is unknown",
    )


def _check_shown(where: str, entry: dict[str, Any]) -> None:
    """What commands show has no sign that would steer a terminal."""
    for key in _NAMES:
        value = entry.get(key)
        if isinstance(value, str) and UNWRITTEN.search(value):
            raise RecordingsError(
                f'{where} has a "{key}" that cannot be shown ({value[:SHOWN]!r})',
                f'write the "{key}" without control signs; tabs and line ends are such',
            )


def _check_rejected(where: str, why: object) -> None:
    """Such a word is no reason for throwing a take out, and would do so all the same."""
    if isinstance(why, str) and why.strip().lower() in _NO:
        raise RecordingsError(
            f'{where} has {why!r} as "rejected"',
            "write null where the take counts, else why it was thrown out",
        )


def _text(key: str, value: Any) -> str | None:
    """What stands under a key of ours, as text."""
    if key == "rejected":
        value = "rejected" if value is True else value or None
    elif isinstance(value, float) and value.is_integer():
        value = int(value)
    told = None if value is None else value if isinstance(value, str) else json.dumps(value)
    # spreadsheets write what is missing as empty
    return told if told and not told.isspace() else None


def read(folder: Path, complain: Complain) -> Iterator[Recording]:
    """All usable recordings of a folder, in order; what cannot be used goes to `complain`.

    Raises RecordingsError where there is no list at all.
    """
    path = folder / LIST
    try:
        if not folder.is_dir():
            raise RecordingsError(f"{folder} is no folder", "name a folder that holds " + LIST)
        if path.exists() and not path.is_file():  # a pipe may wait for ever
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
            if not line.strip():
                continue
            try:
                yield parse_line(folder, number, line.lstrip("\ufeff"))
            except RecordingsError as error:
                complain(error)


def _check_lines(path: Path) -> None:
    """Is it lines at all? Raises RecordingsError, once instead of once a line, for what editors make of a list."""
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
    if len(lines) > 2 and all(line.rstrip().endswith(b"},") for line in lines[:-1]):  # the last may lack it
        raise RecordingsError(f"{path} has a comma after each line", "take the commas away")
    if len(lines) > 1 and not any(line.lstrip().startswith(b"{") for line in lines):
        raise RecordingsError(
            f"{path} is no list of JSON lines, a spreadsheet may have saved it",
            "put back the copy from before, or write one JSON object a line",
        )


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """While one run reads the list and writes to it, no other one does, where the disk knows locks."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):  # `read` says what is wrong with the folder
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            held.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def append(recording: Recording) -> None:
    """Add a line to the list, on disk before this returns; a line cut short by a power failure is ended first."""
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
