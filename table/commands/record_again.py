"""Takes of earlier runs of the wizard: thrown out, and what to type so that their igloos are asked for again."""

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
    """Throw out takes of earlier runs, and say how each comes again. Raises UsageError or RecordingsError."""
    thrown = throw_out(folder, files)
    have = list(store.read(folder, lambda _: None))
    for take in thrown:
        if as_json:
            print(json.dumps(take.to_json(), ensure_ascii=False), flush=True)
        tell(f"{take.file}: thrown out; {_again(take, have)}")


def _again(take: Recording, have: list[Recording]) -> str:
    usual = COUNTS
    counts = counts_of(take) or usual
    lines = [r for r in have if r.set == take.set]
    if not (take.set or "").startswith(f"{take.device}/{take.session}/") or not goes_on(
        Sweep(str(take.set), counts), lines, take.player or ""
    ):
        return "it is of no sweep that can go on, so nothing asks for it again"
    options = [f"--device={take.device}", f"--player={take.player}", f"--session={take.session}"]
    if counts != usual:
        options.append(f"--counts={','.join(map(str, counts))}")
    options += [f"--{key}={value}" for key, value in as_before(take) if value]
    command = shlex.join(["polartable", "calibrate", "igloos", "record", str(take.folder), *options])
    return f"`{command}` asks for the igloo with {many(take.beads or 0, 'bead')} again"


def as_before(take: Recording) -> list[tuple[str, str | None]]:
    """The options that a take was recorded with, but for the profile's own file: its kind does as well."""
    source = take.more.get("source") or ("mock" if take.more.get("simulated") else None)
    # where a microphone that is shaken is not what `record` takes for granted (`record_way.way_of`)
    named = take.place != "seat" and source is not None and (source == "mock" or is_port(str(source)))
    return [
        ("source", None if source in (None, "default") else str(source)),
        ("profile", None if take.kind == "microphone" and not named else take.kind),
        ("gesture", take.gesture),
    ]
