"""`polartable serve`: the table itself – page, referee, journal, and the senses in the settings."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Annotated

import typer

from table.commands.options import AnyConfig, Browser, Json, PagePort

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog="Example: polartable serve --config table.toml --lan")
def serve(
    config: AnyConfig = None,
    port: PagePort = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let phones on the local network in, with a pairing code.")
    ] = False,
    browser: Browser = False,
    as_json: Json = False,
) -> None:
    """The service: one game on the table, its page, its senses; it plays on where the journal left it."""
    from table.service.serving import Wishes, once

    again_at = asyncio.run(once(Wishes(config, port, lan, browser, as_json)))
    # somebody asked to leave safe mode: restart everything in the same process, on the same port
    if again_at is not None:
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:], "--port", str(again_at)])
