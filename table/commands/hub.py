"""`polartable hub`: all tables of a club or a fair on one page, or as lines."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from table.commands.options import AnyConfig, PagePort
from table.leaving import ends

if TYPE_CHECKING:
    from table.config import Settings
    from table.fleet.following import Following
    from table.fleet.hub import Line

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog="Example: polartable hub --broker mqtt://192.168.7.1")
def hub(
    broker: Annotated[
        str | None,
        typer.Option(
            help="mqtt://[user@]host[:1883] or mqtts://…; default: [fleet] broker of the settings. Another one than "
            "that gets neither the password nor the ca of the settings."
        ),
    ] = None,
    config: AnyConfig = None,
    port: PagePort = None,
    book: Annotated[
        Path | None, typer.Option(help="The hub's own book of what it has; default: in the data directory.")
    ] = None,
    page: Annotated[bool, typer.Option("--page/--no-page", help="Show the page.")] = True,
    seconds: Annotated[float | None, typer.Option(min=0.1, help="End after so many seconds.")] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of the messages.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line on standard output: every event, once.")
    ] = False,
) -> None:
    """Follow all tables of a broker: who plays what, who needs somebody, and every event once and in order."""
    from firmware_bridge.errors import UsageError
    from table.config import Settings
    from table.places import default_file

    if schema:
        from table.fleet.messages import schema as messages

        print(json.dumps(messages(), indent=2))
        return
    settings = Settings.read(config or default_file())
    if broker is None and settings.fleet.broker is None:
        raise UsageError("there is no broker to follow", "give --broker mqtt://HOST, or [fleet] broker")
    asyncio.run(_follow(settings, broker, port, book, page, seconds, as_json))


async def _follow(
    settings: Settings,
    broker: str | None,
    port: int | None,
    file: Path | None,
    page: bool,
    seconds: float | None,
    as_json: bool,
) -> None:
    from firmware_bridge.clock import SystemClock
    from table.fleet.following import Following
    from table.fleet.hub import Hub
    from table.fleet.hub_book import Book
    from table.places import data_directory

    fleet = settings.fleet
    address = fleet.address(broker)
    book = Book(file or data_directory() / "hub.sqlite")
    hub = Hub(book, SystemClock(), fleet.prefix)
    following = Following(
        hub, address, f"polartable-hub-{secrets.token_hex(8)}", _print if as_json else _tell
    )
    ready = asyncio.Event()  # the program that starts us reads the page's address first

    async def follow() -> None:
        await ready.wait()
        await following.run()

    if not page:
        ready.set()
    work = asyncio.create_task(follow())
    shown = asyncio.create_task(_page(following, port, as_json, ready) if page else _until_asked())
    try:
        async with asyncio.timeout(seconds):
            # a page whose hub has stopped would look like a quiet evening: end both together
            await asyncio.wait((shown, work), return_when=asyncio.FIRST_COMPLETED)
            await (work if work.done() else shown)
    except TimeoutError:
        pass
    finally:
        for task in (shown, work):
            task.cancel()
        await asyncio.gather(shown, work, return_exceptions=True)
        book.close()


async def _page(following: Following, port: int | None, as_json: bool, opened: asyncio.Event) -> None:
    import socket

    from fastapi import FastAPI

    from table.door.guard import Guard
    from table.page.hub_page import install
    from table.service.web_service import address_of, listen, names_of, run

    sock = listen("127.0.0.1", port)
    web = FastAPI(title="Polartable hub", docs_url=None, redoc_url=None, openapi_url=None)
    web.add_middleware(Guard, names=names_of(socket.gethostname()))
    install(web, following)

    async def ready() -> None:
        if as_json:
            _print({"event": "ready", "address": address_of(sock)})
        else:
            print(f"All tables are at {address_of(sock)} – Ctrl-C ends it.", flush=True)
        opened.set()

    await run(web, sock, ready)


async def _until_asked() -> None:
    """Wait for Ctrl-C, SIGTERM, or the end of the terminal."""
    asked = asyncio.Event()
    for number in ends():
        asyncio.get_running_loop().add_signal_handler(number, asked.set)
    await asked.wait()


def _print(line: Line) -> None:
    print(json.dumps(line, ensure_ascii=False), flush=True)


def _tell(line: Line) -> None:
    """Tell people about the hub itself; the page has the rest."""
    match line["event"]:
        case "hub":
            here = [] if line["state"] == "lost" else [f"The broker at {line['broker']} is here."]
            words = [*here, *([line["why"]] if "why" in line else [])]
        case "odd":
            words = [f"{line['table']}: {line['text']}"]
        case "missed":
            count = line["to"] - line["from"] + 1
            words = [f"{line['table']}: {count} events are only in its own journal"]
        case _:
            words = []
    with contextlib.suppress(OSError):  # a full log, a closed terminal: the page has these words, too
        for text in words:
            print(text, file=sys.stderr)
