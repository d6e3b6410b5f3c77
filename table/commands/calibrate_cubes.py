"""`polartable calibrate cubes`: which cube is which, and how its sensor sits in it; one cube after another, in steps.

Each step can be repeated, and shows a number and its limit. A cube is saved at once when it is complete, and not
before.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from firmware_bridge.bridge import Bridge
from firmware_bridge.clock import SystemClock
from firmware_bridge.detecting import make_decoder
from firmware_bridge.errors import UsageError
from sensors.cubes import calibration, turns
from table.commands.cube_wizard import Maker, Wizard, board_at, say
from table.commands.mock_protocol import spoken_by_mock
from table.leaving import tidying
from table.out_file import check_out
from table.senses.saved_cubes import default_path

EXAMPLE = "Example: polartable calibrate cubes /dev/ttyACM0 /dev/ttyACM1 --slot NW"
app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=EXAMPLE)
def cubes(
    ports: Annotated[
        list[str] | None, typer.Argument(help="The serial ports of the cubes, or of their dongle, or mock.")
    ] = None,
    slot: Annotated[
        list[str] | None, typer.Option(help="Only the cubes of these slots; may be given again.")
    ] = None,
    out: Annotated[  # we report missing permission in our own words
        Path | None, typer.Option(readable=False, help="Where to save; without it where `cubes` looks.")
    ] = None,
    protocol: Annotated[str, typer.Option(help="auto, polar or witmotion.")] = "auto",
    show: Annotated[bool, typer.Option("--show", help="Only say what was saved.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a step.")] = False,
) -> None:
    """Teach the table which cube is which, and how the sensor sits in each."""
    path = out or default_path()
    slots = list(slot or turns.SLOTS)
    for name in slots:
        if name not in turns.SLOTS:
            raise UsageError(f"there is no slot {name!r}", f"use {', '.join(turns.SLOTS)}")
    if show:
        known = calibration.load(path)
        for cube in known:
            where = board_at((cube.port, cube.node), cube.uid)
            fit = f"its faces fit to {cube.off_deg:.1f}°"
            say(cube.to_json(), as_json, f"cube {cube.cube} of slot {cube.slot}: {where}; {fit}")
        if not known:  # with --json as well: each line of output is a cube
            text = f"no cube was taught yet: there is no {path}"
            print(text, file=sys.stderr if as_json else sys.stdout)
        return
    if not ports:
        raise UsageError("no port was named", "see `polartable devices`, or try it with `mock`")
    if protocol != "auto":
        make_decoder(protocol)  # reject an unknown name at once
    if ports == ["mock"]:
        if out is None:
            raise UsageError("simulated cubes would be saved over real ones", "say where: --out FILE")
        from hw_mock.bench.cubes import SimulatedCubes
        from hw_mock.bench.maker import SimulatedMaker

        spoken = spoken_by_mock(protocol)
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        with folder as name, tidying(folder.cleanup):
            cubes = SimulatedCubes(Path(name), protocol=spoken)
            try:
                _teach(cubes.ports, protocol, slots, path, as_json, SimulatedMaker(cubes))
            finally:
                cubes.close()
    else:
        _teach(ports, protocol, slots, path, as_json)


def _teach(
    ports: Sequence[str],
    protocol: str,
    slots: Sequence[str],
    path: Path,
    as_json: bool,
    maker: Maker | None = None,
) -> None:
    known, clock = calibration.load(path, anew=True), SystemClock()
    _check_out(path)
    with Bridge(ports, protocol, clock) as bridge:
        wizard = Wizard(bridge, as_json, clock, maker=maker)
        for name in slots:
            taught = wizard.teach(name)
            known, left = calibration.with_taught(known, taught)
            calibration.save(path, known)
            saved = {"step": "saved", "slot": name, "file": str(path)}
            say(saved, as_json, f"cube {taught.cube} of slot {name} is saved in {path}")
            for cube in left:
                text = f"that is the board which was taught for {cube.slot}: teach that slot again"
                say({"step": "left", "slot": cube.slot, "text": text}, as_json)


def _check_out(path: Path) -> None:
    """Check that it can be saved there, before anybody lays a cube. Raises UsageError."""
    there = next(folder for folder in path.absolute().parents if folder.exists())
    if there == path.absolute().parent:
        check_out(path, b"{", replaced=True)
    elif not os.access(there, os.W_OK | os.X_OK):  # missing folders in between are created
        raise UsageError(
            f"{path} cannot be written (it may not be written to)", "name a file in a folder of your own"
        )
