"""`polartable serve`: the table itself – page, referee, journal, and whatever senses the settings name."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from typing import Annotated

import typer

from table.config import Settings, data_directory

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog="Example: polartable serve --config table.toml --lan")
def serve(
    config: Annotated[
        Path | None, typer.Option(help="Settings (TOML); default: none, and the environment.")
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
    asyncio.run(_serve(Settings.read(config), port, lan, browser, as_json))


async def _serve(settings: Settings, port: int | None, lan: bool, browser: bool, as_json: bool) -> None:
    from firmware_bridge.clock import SystemClock
    from table.access import Access
    from table.journal.store import Journal
    from table.service import address_of, listen, names_of, run
    from table.table_room import TableRoom
    from table.web import web

    host = "0.0.0.0" if lan else settings.serve.host
    sock = listen(host, port if port is not None else settings.serve.port)
    clock = SystemClock()
    lan = lan or host not in ("127.0.0.1", "::1", "localhost")
    access = Access(clock, lan, data_directory() / "tokens.json" if lan else None)
    journal = Journal(settings.journal.file or data_directory() / "journal.sqlite")
    room = TableRoom(settings, clock, journal, access)
    room.start()
    address = address_of(sock)

    async def ready() -> None:
        said = {"event": "ready", "address": address}
        if lan:
            said |= {"code": access.code, "host_code": access.host_code}
        if as_json:
            print(json.dumps(said), flush=True)
        else:
            print(f"The table is at {address} – Ctrl-C ends it.", flush=True)
            if lan:
                print(f"Players type {access.code}; whoever hosts types {access.host_code}.", flush=True)
        if browser or settings.serve.browser:
            import webbrowser

            await asyncio.to_thread(webbrowser.open, address)

    try:
        await run(web(room, access, names_of(socket.gethostname())), sock, ready)
    finally:
        await room.stop()
