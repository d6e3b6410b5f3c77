"""The demo without a page: one Igloo Pop round, then one Ice Cult game, through the same wires, in virtual time."""

from __future__ import annotations

import asyncio
import json
from typing import Any, TextIO

from firmware_bridge.clock import VirtualClock
from sensors.ear.profiles.profile import Profile
from sensors.evidence import Heard
from table.demo.stage import Stage
from table.desk.desk import Desk
from table.desk.said import Said, spoken
from table.games import GAMES
from table.journal.replay import replay
from table.journal.store import Journal

TICK_S = 0.02
LONGEST_S = 3600.0  # in virtual time; a game of either kind takes minutes


class Transcript:
    """Prints what is said, as a story or as JSON lines."""

    def __init__(self, out: TextIO, as_json: bool) -> None:
        self._out, self._json = out, as_json
        self._game = ""

    def chapter(self, game: str, title: str) -> None:
        self._game = game
        if self._json:
            self._line({"event": "chapter", "game": game, "text": title})
        else:
            print(f"\n{title}\n{'─' * len(title)}", file=self._out, flush=True)

    def said(self, said: Said) -> None:
        if self._json:
            self._line({"game": self._game, **said.to_json()})
            return
        if said.event == "dealt":
            return
        text = spoken(said.text)
        rule = f" [{said.rule}]" if said.rule else ""
        mark = {"refused": "✗ ", "asks": "? ", "notice": "· ", "fault": "! ", "over": "★ "}.get(said.tone, "")
        print(f"{clock_of(said.t)}  {mark}{text}{rule}", file=self._out, flush=True)

    def heard(self, t: float, heard: Heard, letter: str) -> None:
        """What the ear made of a shake. Shown because this is a demo: a real game hides it until the check."""
        if self._json:
            self._line({"game": self._game, "t": round(t, 3), "igloo": letter, **heard.to_json()})
            return
        if heard.verdict == "not-a-shake":
            return  # the desk has said so
        ranked = sorted(heard.probabilities, key=lambda n: -heard.probabilities[n])[:3]
        odds = ", ".join(f"{n} ({heard.probabilities[n]:.0%})" for n in ranked)
        print(f"{clock_of(t)}      the ear hears {odds}", file=self._out, flush=True)

    def end(self, text: str, **more: Any) -> None:
        if self._json:
            self._line({"event": "end", "game": self._game, "text": text, **more})
        else:
            print(text, file=self._out, flush=True)

    def _line(self, value: dict[str, Any]) -> None:
        print(json.dumps(value, ensure_ascii=False), file=self._out, flush=True)


def clock_of(seconds: float) -> str:
    return f"{int(seconds // 60):2}:{seconds % 60:04.1f}"


async def play(seed: int, profile: Profile, out: TextIO, as_json: bool) -> bool:
    """Play and print the story. False if a game did not end, or its record does not replay."""
    clock = VirtualClock()
    stage = Stage(clock, Journal(None), seed, profile, beside=False)
    transcript = Transcript(out, as_json)
    stage.opened = lambda desk: _follow(desk, transcript)
    transcript.chapter("igloo-pop", "Igloo Pop: one round with twelve simulated igloos")
    pop = stage.new_pop()
    pop.said = lambda heard, letter: transcript.heard(clock.now(), heard, letter)
    done = await _until_done(clock, pop.run(rounds=1), pop.listen())
    scores = pop.desk.sitting.game.score(pop.desk.sitting.state)[0]
    transcript.end("Scores: " + ", ".join(f"{k} {v:g}" for k, v in scores.items()), scores=scores)
    transcript.chapter("ice-cult", "Ice Cult: a game with four simulated cubes on four serial ports")
    cult = stage.new_cult()
    done = await _until_done(clock, cult.run(), cult.pump()) and done
    over = cult.desk.sitting.over
    transcript.end(
        f"Played in {clock_of(clock.now()).strip()} minutes of simulated time.", seconds=round(clock.now(), 1)
    )
    same = all(_replays(stage.journal, desk) for desk in stage.desks.values())
    pop.close()
    cult.close()
    return done and over is not None and same


def _follow(desk: Desk, transcript: Transcript) -> None:
    for said in desk.said:
        transcript.said(said)
    desk.listen(transcript.said)


async def _until_done(clock: VirtualClock, main: Any, *beside: Any) -> bool:
    """Run virtual time until `main` is done; then cancel whatever runs beside it."""
    others = [asyncio.ensure_future(other) for other in beside]
    task = asyncio.ensure_future(main)
    end = clock.now() + LONGEST_S
    while not task.done() and clock.now() < end and not any(other.done() for other in others):
        await clock.advance(TICK_S)
    for other in others:
        if other.done():
            other.result()
        other.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    if not task.done():
        task.cancel()
        return False
    task.result()
    return True


def _replays(journal: Journal, desk: Desk) -> bool:
    """Whether the written record leads to the same position again."""
    return replay(journal.entries(desk.name), GAMES).fingerprint() == desk.sitting.fingerprint()
