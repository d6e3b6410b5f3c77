"""One run of the service, from the mark that it has begun until the page is closed."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.clock import Clock, SystemClock
from firmware_bridge.errors import PolartableError
from table.config import Settings
from table.door.access import Access
from table.door.addresses import loopback
from table.last_good import Loaded, keep, load
from table.places import data_directory, default_file
from table.service.ending import Ended, Ending, ending
from table.service.pulse import Manager, Pulse
from table.service.web_service import address, listen, names_of, run
from table.starts import Start, Starts

if TYPE_CHECKING:
    from table.journal.holding import Hold
    from table.room.table_room import TableRoom

LOOK_S = 5.0  # interval of the check for an address that the table did not have at its start, or has lost


@dataclass(frozen=True, slots=True)
class Wishes:
    """The options from the command line."""

    config: Path | None
    port: int | None
    lan: bool
    browser: bool
    as_json: bool


async def once(wishes: Wishes) -> int | None:
    """Serve until somebody ends it. Returns the page's port if the table is to restart in normal mode, else None.

    Raises a `PolartableError` if it cannot start. If a person started it at a terminal, he gets the sentence, and the
    start does not count. Under a service manager, which restarts us again and again, it counts as an unfinished start.
    """
    with ending() as ended:
        starts, manager = Starts(data_directory()), Manager()
        start = starts.begin()
        try:
            ended.at_once()
            return await _Run(wishes, starts, manager, start, ended).serve()
        except Ended:
            starts.refused()  # started by hand, and the page was not up yet
            return None
        except PolartableError as error:
            if manager.waits:
                starts.failed(str(error))
            else:
                starts.refused()
            raise
        except Exception as error:
            if ended.asked:  # compiled code and its cleanup may turn it into another error
                starts.refused()
                return None
            starts.failed(f"{type(error).__name__}: {error}")
            raise


class _Run:
    def __init__(self, wishes: Wishes, starts: Starts, manager: Manager, start: Start, ended: Ending) -> None:
        self._wishes, self._starts, self._manager, self._ended = wishes, starts, manager, ended
        self._why = start.reason if start.safe else None
        self._again = False
        self._hold: Hold | None = None  # on the journal, while it is served
        self._loaded = self._load()

    def _load(self) -> Loaded:
        """The settings. If none can be used and nobody is there to correct them: safe mode."""
        file = self._wishes.config or default_file()
        try:
            return load(file)
        except PolartableError as error:
            if self._why is None and not self._manager.waits:
                raise
            self._why = str(error) if self._why is None else f"{self._why}; {error}"
            try:
                settings = Settings.read(None)
            except PolartableError:  # the fault is in the environment variables
                settings = Settings.model_construct()
            return Loaded(settings, file, "")

    async def serve(self) -> int | None:
        from table.service.web import web

        wishes, settings = self._wishes, self._loaded.settings
        host = "0.0.0.0" if wishes.lan else settings.serve.host
        sock = listen(host, wishes.port if wishes.port is not None else settings.serve.port)
        clock, lan = SystemClock(), not loopback(host)
        access = Access(clock, lan, data_directory() / "tokens.json" if lan else None)
        try:
            room = self._room(clock, access)
        except BaseException:
            self._let_go()
            sock.close()
            raise
        here, port = sock.getsockname()[:2]
        where = partial(address, here, port)
        room.leave, room.where = self._leave, where
        room.settings_file = self._loaded.file
        try:
            room.start()
            beating: list[asyncio.Task[None]] = []
            names = names_of(socket.gethostname(), host)

            async def ready() -> None:
                self._say(where(), access, room)
                pulse = Pulse(self._manager, clock, here, port, lambda: room.ticked)
                beating.append(
                    asyncio.create_task(pulse.run(lambda: room.senses.settled, self._finished, room.status))
                )
                if lan:
                    beating.append(asyncio.create_task(self._follow(where, clock)))
                if wishes.browser or settings.serve.browser:
                    import webbrowser

                    await asyncio.to_thread(webbrowser.open, where())

            page = web(room, access, names)
            self._ended.at_once()  # it may have been swallowed on the way: some libraries catch everything
            if not await run(page, sock, ready, page.state.leaving.set):
                raise Ended
            # RELOADING, not STOPPING: after STOPPING systemd would wait for an end that does not come
            self._manager.tell("RELOADING=1" if self._again else "STOPPING=1")
            for task in beating:
                task.cancel()
            # the page was up and could be closed: a start that was ended by hand is not a failed one
            if beating:
                self._finished()
        finally:
            await room.stop()
            self._let_go()
            sock.close()
        return port if self._again else None

    def _room(self, clock: Clock, access: Access) -> TableRoom:
        from table.journal.holding import Hold
        from table.journal.shelf import tidied
        from table.journal.store import Journal
        from table.room.table_room import TableRoom
        from table.service.safe_mode import SafeRoom

        settings = self._loaded.settings
        most = settings.journal.most_bytes
        book = settings.journal.book
        if self._why is None:
            self._hold = Hold(book)
            journal = Journal(tidied(book, most), most_bytes=most // 2, hold=self._hold)
            room = TableRoom(settings, clock, journal, access)
        else:
            try:
                self._hold = Hold(book)
                book = tidied(book, most)
                journal = Journal(book, most_bytes=most // 2, hold=self._hold)
                room = SafeRoom(settings, clock, journal, access, self._why)
            # whatever is wrong with the book, people can play; the book stays as it is
            except Exception as error:
                foreseen = isinstance(error, PolartableError)
                logging.getLogger("polartable").warning(
                    "safe mode without the journal: %s", error, exc_info=None if foreseen else error
                )
                why = f"{self._why}; the journal is left alone, and this game is not kept ({error})"
                room = SafeRoom(settings, clock, Journal(None), access, why)
        if self._loaded.fault is not None:
            room.settings_fault = str(self._loaded.fault)
        return room

    def _let_go(self) -> None:
        if self._hold is not None:
            self._hold.close()

    def _say(self, at: str, access: Access, room: TableRoom) -> None:
        said = {"event": "ready", "address": at}
        if access.lan:
            said |= {"code": access.code, "host_code": access.host_code}
        if room.safe_mode is not None:
            said["safe_mode"] = room.safe_mode
            print(f"polartable: safe mode, on simulated hardware: {room.safe_mode}", file=sys.stderr)
        if room.settings_fault is not None:
            print(f"polartable: {room.settings_fault}; the last good settings are used", file=sys.stderr)
        for note in (*room.profile_faults, *room.profile_notes, *self._loaded.settings.notes()):
            print(f"polartable: {note}", file=sys.stderr)
        if self._wishes.as_json:
            print(json.dumps(said, ensure_ascii=False), flush=True)
            return
        print(f"The table is at {at} – Ctrl-C ends it.", flush=True)
        if access.lan:
            print(f"Players type {access.code}; whoever hosts types {access.host_code}.", flush=True)
            invitation = room.invitation()
            if invitation is not None and sys.stdout.isatty():
                import segno

                segno.make(invitation, error="m", micro=False).terminal(compact=True)

    async def _follow(self, where: Callable[[], str], clock: Clock) -> None:
        """Announce the page's address whenever it changes: a machine often starts before its network is up."""
        told = where()
        while True:
            await clock.sleep(LOOK_S)
            now = where()
            if now == told:
                continue
            told = now
            if self._wishes.as_json:
                print(json.dumps({"event": "address", "address": now}), flush=True)
            else:
                print(f"The table is at {now} now.", flush=True)

    def _finished(self) -> None:
        if self._again:
            return
        self._starts.finished()
        if self._why is None:
            keep(self._loaded)

    def _leave(self) -> None:
        """Somebody asked for a normal start: reset the mark, close everything, start again."""
        self._again = True
        self._starts.forgive()
        os.kill(os.getpid(), signal.SIGTERM)
