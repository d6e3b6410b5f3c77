"""Lines of any sort that a program may send to a session: one answer each."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from rules import games
from tests.parts import proof
from tests.rules.walks import Walk, options_of, tables

ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLNSEWU0123456789 >#@,~-\t\n"\\{}[]é\x00\ud800'


@pytest.mark.parametrize("name", games.NAMES)
def test_fuzzed_lines_get_one_answer_each(name: str) -> None:
    """100,000 lines over all games in a proof: always one answer, never an exception, refusals change nothing."""
    walk = Walk(name, 1)
    rng = random.Random(f"fuzz {name}")
    verbs = [
        "games",
        "new",
        "setup",
        "moves",
        "play",
        "undo",
        "redo",
        "state",
        "view",
        "score",
        "record",
        "load",
    ]
    seats = [None, "red", "blue", "A", "B", "", 7, [], "green"]
    for _ in range(proof(250 if name == "igloo" else 1200, 25_000)):
        state_before = walk.session._timeline
        moment = state_before.state if state_before else None
        line = fuzzed(rng, walk, verbs, seats)
        answer = walk.session.answer(line)
        assert "\n" not in answer
        reply = json.loads(answer)
        if not reply["ok"]:
            assert reply["error"]["kind"] in ("unreadable", "ambiguous", "illegal", "not-now")
            assert walk.session._timeline is state_before
            assert (state_before.state if state_before else None) is moment
        if not walk.try_("moves")["ok"] or rng.random() < 0.01:
            walk = Walk(name, rng.randrange(999))
        elif rng.random() < 0.5:
            walk.step()


def fuzzed(rng: random.Random, walk: Walk, verbs: list[str], seats: list[Any]) -> str | bytes:
    choice = rng.random()
    if choice < 0.15:
        noise = "".join(rng.choice(ALPHABET) for _ in range(rng.randrange(40)))
        return rng.choice([noise, noise.encode("utf-8", "surrogatepass"), json.dumps(noise)])
    request: dict[str, Any] = {"id": rng.choice([None, 1, "x", [1], {"a": 1}]), "do": rng.choice(verbs)}
    if choice < 0.6:
        request["do"] = "play"
        moves = walk.ask("moves")["moves"] or ["end"]
        move = rng.choice(moves)
        for _ in range(rng.randrange(3)):
            k = rng.randrange(len(move) + 1)
            move = move[:k] + rng.choice([rng.choice(ALPHABET), "", " "]) + move[k + rng.randrange(3) :]
        words = move.split(" ")
        if rng.random() < 0.3:
            rng.shuffle(words)
        if rng.random() < 0.3:
            words = words[: rng.randrange(len(words) + 1)]
        request["move"] = rng.choice([" ".join(words)] * 9 + [None, 3, []])
    if request["do"] in ("setup", "load", "new") and rng.random() < 0.7:
        request["game"] = rng.choice([walk.name] * 8 + ["chess", None, 3])
        request["players"] = rng.choice([*tables(walk.name), ["red"], [], "red", None, [None], [[]]])
        request["options"] = rng.choice(
            [{}, None, *options_of(walk.name), {"x": 1}, [], {"mode": []}, {"first": 3}]
        )
        request["seed"] = rng.choice([1, None, -5, "x", 10**50, 1.5])
        request["state"] = rng.choice([walk.ask("state")["state"], {}, None, []])
        request["record"] = rng.choice([walk.ask("record")["record"], {}, None, [], {"moves": [1]}])
    if rng.random() < 0.4:
        request["seat"] = rng.choice(seats)
    return json.dumps(request)
