"""With which profile the trainer's ear hears a person's own recordings."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sensors.ear.profiles.profile import load_shipped
from table.trainer.rattles import Rattles
from table.trainer.room import OWN, TrainerRoom
from tests.table.trainer.own_recordings import folder_of


@pytest.mark.parametrize(
    ("place", "kind"), [("shell", "contact"), ("table", "microphone"), (None, "microphone")]
)
async def test_the_ear_hears_own_recordings_with_the_profile_for_where_they_were_made(
    tmp_path: Path, place: str | None, kind: str
) -> None:
    folder = folder_of([3, 5], tmp_path)
    lines = [
        json.loads(line) | {"place": place} for line in (folder / "recordings.jsonl").read_text().splitlines()
    ]
    (folder / "recordings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    chosen = replace(load_shipped("microphone"), digest="chosen")
    used = []
    for profile in (None, lambda: load_shipped("microphone"), lambda: chosen):
        room = TrainerRoom(lambda: Rattles(0, beside=False), folder, profile=profile)
        lesson = await room.lesson(OWN, room.learners.learner("Ada"))
        await lesson.next()
        used.append((await lesson.guess(5)).ear)
        lesson.close()
    assert [said.profile for said in used if said is not None] == [*2 * [load_shipped(kind).digest], "chosen"]
