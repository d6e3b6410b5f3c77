"""`polartable demo`: the whole product on simulated hardware, behind a page or as a story in the terminal."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from table.commands.options import Browser, Json, PagePort

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog="Example: polartable demo --headless --seed 7")
def demo(
    headless: Annotated[
        bool,
        typer.Option(
            "--headless", help="No page: play one Igloo Pop round and one Ice Cult game, and tell it."
        ),
    ] = False,
    port: PagePort = None,
    browser: Browser = True,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same people and pieces.")] = 1,
    profile: Annotated[
        Path | None, typer.Option(help="How the ear was taught; default: the profile that ships.")
    ] = None,
    as_json: Json = False,
) -> None:
    """The whole product on simulated hardware: igloos that rattle, cubes that turn, buttons, referee, page."""
    if headless:
        from table.demo.headless import play

        done = asyncio.run(play(seed, _ear(profile), sys.stdout, as_json))
        if not done:
            print("polartable: the demo did not come to its end", file=sys.stderr)
        raise typer.Exit(0 if done else 1)
    asyncio.run(_serve(port, browser, seed, profile, as_json))


def _ear(profile: Path | None):  # type: ignore[no-untyped-def]
    from sensors.ear.profiles.profile import load, load_shipped
    from table.trainer.rattles import SENSOR

    return load_shipped(SENSOR) if profile is None else load(profile)


async def _serve(port: int | None, browser: bool, seed: int, profile: Path | None, as_json: bool) -> None:
    from fastapi import FastAPI

    from firmware_bridge.clock import SystemClock
    from table.config import Trainer
    from table.demo.clock import StageClock
    from table.demo.stage import Stage
    from table.door.guard import Guard
    from table.journal.store import Journal
    from table.page.page import install
    from table.service.web_service import address_of, listen, run
    from table.trainer.room import TrainerRoom

    sock = listen("127.0.0.1", port)
    trainer = TrainerRoom(lambda: stage.rattles, kept=Trainer().file())
    stage = Stage(StageClock(SystemClock()), Journal(None), seed, _ear(profile), beside=True, trainer=trainer)
    web = FastAPI(title="Polartable", docs_url=None, redoc_url=None)
    web.add_middleware(Guard, names=("127.0.0.1", "localhost"))
    stage.start()
    install(web, stage)
    address = address_of(sock)

    async def ready() -> None:
        if as_json:
            print(f'{{"event":"ready","address":"{address}"}}', flush=True)
        else:
            print(f"The demo is at {address} – Ctrl-C ends it.", flush=True)
        if browser and has_screen():
            import webbrowser

            await asyncio.to_thread(webbrowser.open, address)

    try:
        await run(web, sock, ready)
    finally:
        await stage.stop()


def has_screen() -> bool:
    """Whether a browser would open in a window, not in this terminal."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
