"""A table that listens: a real PortAudio stream from a virtual card, a shake, a card that goes away and comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import numpy as np
import soundfile

from sensors.ear.profiles import profile as profiles
from tests.parts import needs
from tests.rattle import RATE, rattle
from tests.rattle_profile import rattle_profile
from tests.table.pages import service
from tests.table.waiting import waited_until
from tests.virtual_sound import VirtualSound

CARDS = ["5", "7-8", "9-10-11", "2", "3-4", "6", "12-13", "4-5-6", "11-12-13"]


@needs("portaudio", "pulseaudio")
def test_a_shake_at_a_seat_is_kept_for_the_check_and_a_lost_microphone_is_said(tmp_path: Path) -> None:
    shake, taught, settings = tmp_path / "shake.wav", tmp_path / "rattle.profile", tmp_path / "table.toml"
    profiles.save(rattle_profile(), taught)
    sound = np.concatenate([np.zeros(RATE // 2, np.float32), rattle(7, 3), np.zeros(RATE, np.float32)])
    soundfile.write(shake, sound, RATE, subtype="PCM_16")
    settings.write_text(
        '[game]\nname = "igloo-pop"\nplayers = ["red", "blue"]\n'
        f'[ear]\nsources = {{ red = "default" }}\nprofile = "{taught}"\n'
    )
    card = VirtualSound(tmp_path)
    with (
        card,
        service(
            "serve", "--port", "0", "--config", str(settings), data=tmp_path, environment=card.environment
        ) as (_, ready),
        # a connection each: an idle one is closed after some seconds, on a busy machine just when it is asked again
        httpx.Client(
            base_url=ready["address"], timeout=20, limits=httpx.Limits(max_keepalive_connections=0)
        ) as table,
    ):

        def play(move: str) -> None:
            answer = table.post("/api/play", json={"move": move})
            assert answer.status_code == 200, answer.text

        waited_until(
            lambda: table.get("/health").json()["sources"][0]["state"] == "healthy", "the microphone is heard"
        )
        for slot, cards in enumerate(CARDS, 1):
            play(f"deal {slot} {cards}")
        play("count")
        play("grab red A")
        before = table.get("/api/table").json()
        card.play(shake)
        waited_until(
            lambda: table.get("/api/table").json()["ear"]["shakes"] > 0, "the shake was heard to its end"
        )
        after = table.get("/api/table").json()
        assert after["view"] == before["view"]  # what was heard is kept, and shown to nobody
        assert _of_the_game(after) == _of_the_game(before)
        assert after["ear"]["seat"] == "red"
        for move in ("place red 2", "pass red", "pass blue"):
            play(move)
        waited_until(
            lambda: table.get("/api/table").json()["question"] is not None or _found(table),
            "the cards are checked",
        )
        question = table.get("/api/table").json()["question"]
        if question is not None:  # the ear was not sure: it asks, and says what it heard
            assert question["choices"][0]["odds"] is not None
            best = int(question["choices"][0]["text"])
            assert abs(best - 7) <= 3

        card.unplug()
        waited_until(lambda: table.get("/health").status_code == 503, "the table says that it is deaf")
        assert "microphone of red" in table.get("/health").text
        card.start()
        waited_until(lambda: table.get("/health").status_code == 200, "it goes on by itself")


def _found(table: httpx.Client) -> bool:
    return any(said["event"] == "found" for said in table.get("/api/table").json()["said"])


def _of_the_game(told: dict[str, Any]) -> list[Any]:
    """Without what the table says of its devices: a busy machine may lose sound."""
    return [said for said in told["said"] if said["event"] != "source"]
