"""The referee's voice, offline: through `espeak-ng` (or a program that takes the same arguments).

Off unless the settings name a language. It never blocks: each sentence is spoken by its own process. A sentence that
comes in the meantime replaces the waiting one, and a program that hangs is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import shutil

from firmware_bridge.errors import PolartableError
from table.desk.said import ARROWS, Said, spoken
from table.page.sentences import sentences
from table.page.texts import LANGUAGES, Texts

PATIENCE_S = 20.0  # the longest sentence takes half of this
ALOUD = ("told", "refused", "asks", "over", "fault")
_SIDES = {arrow: side for side, arrow in ARROWS.items()}


class SpeechError(PolartableError):
    """The speech program is not on this machine."""

    number = 322


class Speech:
    """Speaks what everybody may hear. Raises `SpeechError` if there is no such program."""

    def __init__(self, language: str, program: str = "espeak-ng", patience_s: float = PATIENCE_S) -> None:
        self._command = shlex.split(program)
        if not self._command or shutil.which(self._command[0]) is None:
            raise SpeechError(f"{program!r} is not on this machine", "install it: sudo apt install espeak-ng")
        self.language = language if language in LANGUAGES else "en"
        self._patience_s = patience_s
        self._waiting: str | None = None
        self._task: asyncio.Task[None] | None = None

    def said(self, said: Said) -> None:
        """A sentence of the referee. Call it on the event loop; returns at once."""
        if said.to is not None or said.tone not in ALOUD:
            return
        self._waiting = self.words(said.text)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._speak_on())

    def words(self, text: str) -> str:
        """A sentence as it is spoken: in the chosen language, arrows as directions."""
        texts = Texts(self.language)
        out = spoken(sentences(self.language)(text))
        for arrow, side in _SIDES.items():
            out = out.replace(arrow, texts[f"term.side_{side}"])
        return out

    async def close(self) -> None:
        """Stop speaking; idempotent."""
        self._waiting = None
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _speak_on(self) -> None:
        while self._waiting is not None:
            text, self._waiting = self._waiting, None
            await self._speak(text)

    async def _speak(self, text: str) -> None:
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command, "-v", self.language, "--stdin",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
        except OSError:
            return  # no process can be started now: this sentence is not spoken, and is on the page
        try:
            async with asyncio.timeout(self._patience_s):
                await process.communicate(text.encode())
        except (TimeoutError, BrokenPipeError, ConnectionResetError):
            pass
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
