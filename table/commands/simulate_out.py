"""The output folder of `polartable simulate shakes`, `taps` and `together`, which can also be continued."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import typer

from calibration.recordings.folder import LIST, read
from calibration.words import many
from firmware_bridge.errors import PolartableError, UsageError
from firmware_bridge.host.durable import NO_ROOM
from firmware_bridge.host.shown import shown
from sensors.interrupted import interrupted

# recordings in a folder: such a list is still read in a few seconds, and making them takes a day
MOST = 100_000


def check_many(n: int, what: str, options: str) -> None:
    """Raises UsageError for more than a folder can hold; checked before they are planned one by one."""
    if n > MOST:
        raise UsageError(
            f"these would be {n} {what}, and a folder is meant for {MOST}", f"ask for less with {options}"
        )


class _Unsaid(Exception):
    """Standard output failed, which has nothing to do with the folder."""

    def __init__(self, why: OSError) -> None:
        super().__init__(why)
        self.why = why


@contextmanager
def writing_to(out: Path) -> Iterator[None]:
    """While writing to `out`: turn errors and Ctrl-C into one sentence."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file", "give a folder")
    if (real := _not_simulated(out)) > 0:
        raise UsageError(
            f"{out} holds {many(real, 'recording')} of something real, and simulated ones would stand among them",
            "name another folder",
        )
    try:
        yield
    except (PolartableError, BrokenPipeError):  # the reader of our output has gone
        raise
    except _Unsaid as unsaid:
        raise unsaid.why from None
    except OSError as error:
        room = "make room, or choose another folder"
        raise unwritable(
            out, error, room if error.errno in NO_ROOM else "choose a folder of your own"
        ) from error
    except BaseException as error:
        if not interrupted(error):
            raise
        print("polartable: broken off by Ctrl-C; the same command goes on where it stopped", file=sys.stderr)
        raise typer.Exit(130) from None


def _not_simulated(out: Path) -> int:
    """How many lines of the folder's list are not marked as simulated.

    Raises UsageError for a list without any readable line: nobody knows what it contains.
    """
    told: list[PolartableError] = []
    if not (out / LIST).is_file():
        return 0
    recordings = list(read(out, told.append))
    if told and not recordings:
        raise UsageError(
            f"no line of {out / LIST} can be read, and simulated ones would stand among them",
            "name another folder, or move that list away",
        )
    return sum(recording.more.get("simulated") is not True for recording in recordings)


def unwritable(out: Path, error: OSError, mend: str) -> UsageError:
    """The sentence for a system error of a file or folder."""
    return UsageError(f"{error.filename or out} cannot be written ({error.strerror or error})", mend)


def put_down(lines: Sequence[dict[str, Any]], done: Collection[str], index: TextIO, as_json: bool) -> None:
    """Add what was made to the list; files in `done` are in it already."""
    for line in lines:
        text = json.dumps(line, ensure_ascii=False)
        if line["file"] not in done:
            index.write(text + "\n")
        if as_json:
            try:
                print(text, flush=True)
            except OSError as error:
                raise _Unsaid(error) from error
    index.flush()


def say_made(made: int, what: str, out: Path, others: int) -> None:
    """Print the last sentence; `others`: recordings in the folder that belong to another plan."""
    beside = f", which also holds {many(others, 'recording')} that this plan does not make" if others else ""
    print(f"{many(made, what)} simulated in {shown(out)}{beside}", file=sys.stderr)
