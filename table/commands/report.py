"""`polartable report`: what happened at this table, in one file for a helper; without names and secrets."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from calibration.words import many
from firmware_bridge.errors import PolartableError
from firmware_bridge.host.shown import shown
from table.commands.options import InstalledConfig, Json

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog="Example: polartable report --out report.zip")
def report(
    out: Annotated[Path | None, typer.Option(help="The file to write; default: a dated name, here.")] = None,
    config: InstalledConfig = None,
    games: Annotated[int, typer.Option(min=0, max=1000, help="How many of the last games go in.")] = 5,
    recordings: Annotated[
        Path | None, typer.Option(help="Also pack this folder of recordings: sound! Only if you mean it.")
    ] = None,
    most: Annotated[
        int | None, typer.Option(min=1, max=2000, help="Largest size in MiB; default: 8, with recordings 64.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Pack settings, versions, last games and counters; secrets, codes and names are taken out."""
    from table.config import Settings, SettingsError
    from table.places import default_file
    from table.report.packing import MOST, write

    def complain(error: PolartableError) -> None:
        print(f"polartable: {error}", file=sys.stderr)

    file = config or default_file()
    try:
        settings = Settings.read(file)
    except SettingsError as error:
        complain(error)
        settings = Settings.read(None)
    size = most * 2**20 if most is not None else MOST * (8 if recordings else 1)
    name = out or Path(f"polartable-report-{datetime.now():%Y%m%d-%H%M%S}.zip")
    told = write(name, settings, file, games=games, recordings=recordings, most=size, complain=complain)
    if as_json:
        print(json.dumps(told, ensure_ascii=False))
        return
    print(
        f"{shown(told['file'])}: {told['bytes'] / 1024:,.0f} KiB, {many(len(told['games']), 'game')}, "
        f"{many(told['recordings'], 'recording')}"
    )
    if told["left_out"]:
        print(f"left out, so that it stays small: {', '.join(told['left_out'][:5])} … (--most, --games)")
    print(
        "Look into it before you send it: unzip -l; it is text. `polartable journal replay FILE` plays it again."
    )
