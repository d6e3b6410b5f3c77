"""A game waits for what it is played with: a microphone for Igloo Pop, cubes for Ice Cult, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.clock import SystemClock
from table.config import Settings
from table.door.access import Access
from table.journal.store import Journal
from table.page.notice import asleep
from table.page.texts import LANGUAGES, Texts
from table.room.table_room import TableRoom
from tests.table.waiting import until


def lost(room: TableRoom, needed: bool | None = None) -> list[str]:
    return sorted(
        told.split(" (")[0].replace(f"{room.settings.cubes.ports[0]}", "PORT") for told in room.asleep(needed)
    )


async def test_a_game_waits_for_its_own_senses_alone(tmp_path: Path) -> None:
    clock = SystemClock()
    settings = Settings(
        cubes={"ports": (str(tmp_path / "no-port"),), "protocol": "polar"},
        ear={"sources": {"red": "no such microphone"}},
    )
    room = TableRoom(settings, clock, Journal(tmp_path / "book.sqlite"), Access(clock, lan=False))
    room.start()
    try:
        await until(lambda: len(room.asleep()) == 2, "both are missed")
        assert room.desk.sitting.game.name == "ice-cult"
        assert lost(room) == ["cubes on PORT", "microphone of red"]
        assert lost(room, needed=True) == ["cubes on PORT"]
        page, listening = asleep(room, Texts("en")), asleep(room, Texts("en"), all_of_them=True)
        assert page.startswith('<p class="asleep">The game waits: cubes on ')
        assert "microphone" not in page
        # at the page on which microphones are tried nothing can be played meanwhile
        assert listening.startswith('<div class="asleep"><p>Lost:</p><ul tabindex="0"><li>cubes on ')
        assert ".</li><li>microphone of red (" in listening
        assert listening.endswith(".</li></ul><p>It is looked for again and again.</p></div>")
        assert "game waits" not in listening

        room.new_game("igloo-pop", ("red", "blue"), {})
        assert lost(room, needed=True) == ["microphone of red"]
        assert lost(room, needed=False) == ["cubes on PORT"]

        room.new_game("igloo-igloo", ("red", "blue"), {})
        assert lost(room, needed=True) == []
        assert asleep(room, Texts("en")) == ""
        assert lost(room) == [
            "cubes on PORT",
            "microphone of red",
        ]  # the doctor and the fleet are told of all
        assert not room.health()["healthy"]
    finally:
        await room.stop()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lost_sense_is_told_in_every_language(language: str) -> None:
    assert "microphone of red" in Texts(language)("door.lost", sources="microphone of red")
