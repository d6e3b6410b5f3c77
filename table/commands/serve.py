"""`polartable serve`: the table itself – page, referee, journal, and whatever senses the settings name."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog="Example: polartable serve --config table.toml --lan")
def serve(
    config: Annotated[
        Path | None, typer.Option(help="Settings (TOML); default: what `setup` installed, else none.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port of the page; 0: any free one.")
    ] = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let phones on the local network in, with a pairing code.")
    ] = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line on standard output.")
    ] = False,
) -> None:
    """The service: one game on the table, its page, its senses; it plays on where the journal left it."""
    from table.service.serving import Wishes, once

    again_at = asyncio.run(once(Wishes(config, port, lan, browser, as_json)))
    if again_at is not None:  # somebody asked to leave safe mode: the same process, the same page, all anew
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:], "--port", str(again_at)])
