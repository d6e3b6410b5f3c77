"""`polartable train`: the ear trainer in a terminal."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from calibration.words import ranges
from table.commands.options import Json

if TYPE_CHECKING:
    from table.trainer.confusions import Learner
    from table.trainer.lesson import Answer, Lesson
    from table.trainer.room import TrainerRoom
    from table.trainer.sources import Rattle

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog="Examples: polartable train · polartable train my-igloos --rounds 20 --name Ada")
def train(
    folder: Annotated[
        Path | None,
        typer.Argument(help="A folder of your own recordings; default: simulated igloos."),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How many igloos to guess.")] = 10,
    name: Annotated[str, typer.Option(help="Whose table of confusions to keep.")] = "",
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed shakes the same igloos.")] = None,
    as_json: Json = False,
) -> None:
    """Hear an igloo, guess how many beads, learn what you confuse. An empty line: hear it again; q: leave."""
    asyncio.run(_train(folder, rounds, name, seed, as_json))


async def _train(folder: Path | None, rounds: int, name: str, seed: int | None, as_json: bool) -> None:
    from table.config import Trainer
    from table.leaving import tidying
    from table.trainer.confusions import MOST_LEARNERS
    from table.trainer.rattles import Rattles
    from table.trainer.room import OWN, SIMULATED, TrainerRoom

    rattles = Rattles(0, beside=True)
    room = TrainerRoom(lambda: rattles, folder, kept=Trainer().file(), seed=seed)
    learner = room.learners.learner(name)
    lesson, kept, cleared = None, True, ExitStack()
    place = cache(lambda: Path(cleared.enter_context(_private())))  # created only if needed
    try:
        lesson = await room.lesson(OWN if folder is not None else SIMULATED, learner)
        with tidying(cleared.close):
            for _ in range(rounds):
                answer = await _one(room, lesson, place)
                if answer is None:
                    break
                kept = await asyncio.to_thread(room.learners.keep)
                _told(answer, as_json)
        _end(learner, as_json)
        if not room.learners.has(learner):
            _unkept(
                f"keeps the tables of {MOST_LEARNERS} people, and yours has no place: take one of their names"
            )
        elif not kept:
            _unkept(
                "could not be written: what you guessed is not kept; make room on its disk, or see whose it is"
            )
    finally:
        if lesson is not None:
            lesson.close()
        await asyncio.to_thread(rattles.close)
        cleared.close()


def _unkept(why: str) -> None:
    from table.config import Trainer

    print(f"polartable: {Trainer().file()} {why}", file=sys.stderr, flush=True)


async def _one(room: TrainerRoom, lesson: Lesson, place: Callable[[], Path]) -> Answer | None:
    """One igloo until it is guessed; None: the person wants to stop. `place`: the folder for sounds as files."""
    print("An igloo is being shaken …", file=sys.stderr, flush=True)
    rattle = await lesson.next()
    counts = ranges(lesson.source.counts)
    let_hear = partial(_let_hear, room, rattle, place)
    await asyncio.to_thread(let_hear)
    while True:
        print(f"How many beads ({counts}; Enter: again; q: leave)? ", end="", file=sys.stderr, flush=True)
        line = await asyncio.to_thread(sys.stdin.readline)
        text = line.strip()
        if not line or text.lower() in ("q", "quit"):
            return None
        if not text:
            await asyncio.to_thread(let_hear)
        elif text.isdecimal() and len(text) < 4:
            return await lesson.guess(int(text))
        else:
            print(f"{text!r} is no number", file=sys.stderr, flush=True)


def _let_hear(room: TrainerRoom, rattle: Rattle, place: Callable[[], Path]) -> None:
    """Play it on this machine's loudspeaker; without one, write a file for another program."""
    sound = rattle.sound / max(1e-9, float(abs(rattle.sound).max())) * 0.8
    from sensors.ear.sources.system_words import kept_apart

    try:
        with kept_apart():  # PortAudio prints while it is loaded, and while it opens and closes a device
            import sounddevice

            sounddevice.play(sound, round(rattle.rate), blocking=True)
    except (
        Exception
    ) as error:  # no PortAudio, no output device, a busy one: PortAudio has no common error class
        data = room.sound(room.put(rattle))
        assert data is not None
        file = place() / "rattle.wav"
        file.write_bytes(data)
        print(
            f"No loudspeaker here ({error}): listen to {file} before you leave", file=sys.stderr, flush=True
        )


def _private() -> tempfile.TemporaryDirectory[str]:
    """A folder private to this user: in a shared one, somebody else may own a file with a predictable name."""
    return tempfile.TemporaryDirectory(prefix="polartable-", ignore_cleanup_errors=True)


def _told(answer: Answer, as_json: bool) -> None:
    ear = None if answer.ear is None else answer.ear.best
    if as_json:
        line = {"event": "guessed", "guess": answer.guess, "beads": answer.beads, "ear": ear}
        print(json.dumps(line), flush=True)
        return
    right = "Right" if answer.off == 0 else f"You said {answer.guess}"
    heard = "the ear heard no shake" if ear is None else f"the ear would have said {ear}"
    print(f"{right}: there are {answer.beads} beads; {heard}.", flush=True)


def _end(learner: Learner, as_json: bool) -> None:
    from table.page.confusion_table import words
    from table.page.texts import Texts

    own = learner.own
    if as_json:
        line = {"event": "table", "total": own.total, "exact": own.share(0), "within_one": own.share(1)}
        print(json.dumps(line | {"confusions": own.to_json()}), flush=True)
        return
    for sentence in words(learner, Texts("en")):
        print(sentence, flush=True)
