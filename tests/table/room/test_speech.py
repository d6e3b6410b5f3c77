"""Speech without the Internet: said in a process of its own, in the language chosen, and nothing ever waits for it."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import pytest

from table.desk.said import Said
from table.room.speech import Speech, SpeechError


def speaker(folder: Path, body: str) -> str:
    """A program with the arguments of `espeak-ng` that does `body` with the sentence in `text`."""
    script = folder / "speak.py"
    script.write_text(f"import sys, time\ntext = sys.stdin.read()\nout = {str(folder / 'said')!r}\n{body}\n")
    return f"{sys.executable} {script}"


def told(text: str, tone: str = "told", to: tuple[str, ...] | None = None) -> Said:
    return Said(0.0, tone, "x", text, to=to)  # type: ignore[arg-type]


async def until_silent(speech: Speech) -> None:
    assert speech._task is not None
    await speech._task


async def test_it_says_what_everybody_may_hear_in_the_language_chosen(tmp_path: Path) -> None:
    write = "open(out, 'a').write(' '.join(sys.argv[1:]) + '|' + text + '\\n')"
    speech = Speech("de", speaker(tmp_path, write))
    for said in (
        told("yellow tilts the north pair to the south: NW shows red>N, NE circle"),
        told("you keep: harpoon", to=("red",)),  # a secret is no sentence for a loudspeaker
        told("The cubes lie as they should again.", "notice"),
    ):
        speech.said(said)
    await until_silent(speech)
    assert (tmp_path / "said").read_text().splitlines() == [
        "-v de --stdin|Gelb kippt das Paar im Norden nach Süden: NW zeigt Rot Norden, NE Kreis."
    ]
    await speech.close()
    await speech.close()


async def test_what_comes_meanwhile_replaces_what_waits(tmp_path: Path) -> None:
    speech = Speech("en", speaker(tmp_path, "open(out, 'a').write(text + '\\n')"))
    speech.said(told("red begins"))
    await asyncio.sleep(0)
    for number in range(50):
        speech.said(told(f"red takes igloo {number}"))
    await until_silent(speech)
    assert (tmp_path / "said").read_text().splitlines() == ["Red begins.", "Red takes igloo 49."]


async def test_a_program_that_hangs_holds_up_nobody_and_is_ended(tmp_path: Path) -> None:
    speech = Speech("en", speaker(tmp_path, "time.sleep(600)"), patience_s=0.2)
    began = time.monotonic()
    speech.said(told("red begins"))
    assert time.monotonic() - began < 0.1
    await until_silent(speech)
    hanging = Speech("en", speaker(tmp_path, "time.sleep(600)"))
    hanging.said(told("red begins"))
    await asyncio.sleep(0)
    await hanging.close()
    assert time.monotonic() - began < 60


def test_a_machine_without_a_voice_says_how_to_get_one() -> None:
    with pytest.raises(SpeechError, match="apt install espeak-ng"):
        Speech("en", "no-such-voice")
