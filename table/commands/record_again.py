"""Rejects takes of earlier runs of the wizard, and says what to type so that their igloos are asked for again."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from calibration.recordings import folder as store
from calibration.recordings.folder import Recording
from calibration.recordings.sweep import Sweep, counts_of, goes_on
from calibration.recordings.throw_out import throw_out
from calibration.words import many
from sensors.ear.sources.igloo_port import is_port
from sensors.evidence import COUNTS
from table.commands.record_screen import tell


def throw_out_takes(folder: Path, files: list[str], as_json: bool) -> None:
    """Reject takes of earlier runs, and say how each is recorded again. Raises UsageError or RecordingsError."""
    thrown = throw_out(folder, files)
    have = list(store.read(folder, lambda _: None))
    for take in thrown:
        if as_json:
            print(json.dumps(take.to_json(), ensure_ascii=False), flush=True)
        tell(f"{take.file}: thrown out; {by_command(take, have)}")


def by_command(take: Recording, have: list[Recording]) -> str:
    """What to type so that its igloo is asked for again."""
    usual = COUNTS
    counts = counts_of(take) or usual
    if not comes_again(take, have, counts):
        return "it is of no sweep that can go on, so nothing asks for it again"
    options = [f"--device={take.device}", f"--player={take.player}", f"--session={take.session}"]
    if counts != usual:
        options.append(f"--counts={','.join(map(str, counts))}")
    options += [f"--{key}={value}" for key, value in as_before(take) if value]
    command = shlex.join(["polartable", "calibrate", "igloos", "record", str(take.folder), *options])
    return f"`{command}` asks for the igloo with {many(take.beads or 0, 'bead')} again"


def comes_again(take: Recording, have: list[Recording], counts: tuple[int, ...]) -> bool:
    """Whether the take's sweep can go on, with these igloos."""
    lines = [r for r in have if r.set == take.set]
    return (take.set or "").startswith(f"{take.device}/{take.session}/") and goes_on(
        Sweep(str(take.set), counts), lines, take.player or ""
    )


def as_before(take: Recording) -> list[tuple[str, str | None]]:
    """The options with which a take was recorded; instead of the profile's file its kind, which does as well."""
    source = take.more.get("source") or ("mock" if take.more.get("simulated") else None)
    # only if it differs from what `record` assumes, a shaken microphone (`record_way.way_of`)
    named = take.place != "seat" and source is not None and (source == "mock" or is_port(str(source)))
    return [
        ("source", None if source in (None, "default") else str(source)),
        ("profile", None if take.kind == "microphone" and not named else take.kind),
        ("gesture", take.gesture),
    ]
