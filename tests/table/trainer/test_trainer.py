"""The ear trainer: lessons from recordings and from simulated igloos, in a real Chromium, a table that is kept."""

from __future__ import annotations

import asyncio
import errno
import json
import random
import re
from pathlib import Path

import httpx
import numpy as np
import pytest
from playwright.sync_api import expect

from calibration.errors import RecordingsError
from table.page import confusion_table
from table.page.texts import Texts
from table.page.trainer_page import ear_key
from table.trainer.confusions import MOST_LEARNERS, Confusions, Learner, Learners
from table.trainer.rattles import Rattles
from table.trainer.room import OWN, TrainerRoom
from tests.parts import needs
from tests.rattle import RATE
from tests.table.pages import Watched, chromium, service
from tests.table.trainer.own_recordings import folder_of

PATIENT = 60_000


@pytest.mark.parametrize(
    ("right", "sure", "by_us", "said"),
    [
        (True, True, True, "The ear says 5 as well: right."),
        (True, True, False, "The ear would have said 5: right."),  # we said something else
        (True, False, True, "The ear was not sure and would have guessed 5: right."),
        (False, True, True, "The ear would have said 5."),
        (False, False, False, "The ear is not sure and would have guessed 5."),
    ],
)
def test_the_ear_is_said_to_agree_only_with_who_was_right(
    right: bool, sure: bool, by_us: bool, said: str
) -> None:
    assert Texts("en")(ear_key(right, sure, by_us), beads=5) == said


def no_igloos() -> Rattles:
    raise AssertionError("own recordings need no simulated igloo")


async def test_a_lesson_from_ones_own_recordings_is_guessed_told_and_kept(tmp_path: Path) -> None:
    kept = tmp_path / "kept" / "trainer.json"
    room = TrainerRoom(no_igloos, folder_of([3, 5, 9], tmp_path), kept=kept, seed=4)
    lesson = await room.lesson(OWN, room.learners.learner("Ada"))
    assert lesson.source.counts == (3, 5, 9)
    for _ in range(4):
        asked = await lesson.next()
        assert asked.rate == RATE
        answer = await lesson.guess(5)
        assert answer.beads == asked.beads
        with pytest.raises(RuntimeError):
            await lesson.guess(3)  # one guess a rattle
        assert answer.ear is None or sum(answer.ear.probabilities.values()) == pytest.approx(1.0, abs=1e-3)
    assert room.learners.keep()
    lesson.close()
    again = Learners(kept).learner("  Ada ")
    assert again.own.total == 4
    assert {guess for _, guess, _ in again.own} == {5}
    assert room.sound(room.put(asked)) is not None
    assert room.sound("what-nobody-put") is None


def guessed(learner: Learner, beads: int = 5, guess: int = 6) -> None:
    learner.own.add(beads, guess)


def test_who_begins_anew_takes_nothing_from_who_trains_on_under_the_same_name(tmp_path: Path) -> None:
    """Two pages without a name, as everybody opens them: what was guessed at the other one was said to be kept."""
    learners = Learners(tmp_path / "trainer.json")
    ours, theirs = learners.learner(""), learners.learner("")
    guessed(theirs)
    assert learners.keep()
    assert learners.forget(ours.name)
    assert theirs.own.total == 0
    assert learners.learner("") is theirs
    guessed(theirs, guess=7)
    assert learners.keep()
    assert learners.has(theirs)
    assert list(Learners(tmp_path / "trainer.json").learner("").own) == [(5, 7, 1)]


def test_who_only_looked_takes_nobodys_place(tmp_path: Path) -> None:
    file = tmp_path / "trainer.json"
    learners = Learners(file)
    looking = [learners.learner(f"looks {n}") for n in range(MOST_LEARNERS + 5)]
    ada = learners.learner("Ada")
    guessed(ada)
    assert learners.keep()
    assert learners.has(ada)
    assert list(json.loads(file.read_text())) == ["Ada"]
    assert learners.learner("looks 3") is looking[3]


def test_who_finds_no_place_is_told(tmp_path: Path) -> None:
    file = tmp_path / "trainer.json"
    learners = Learners(file)
    for n in range(MOST_LEARNERS):
        guessed(learners.learner(f"learner {n}"))
        assert learners.keep()
    late = learners.learner("late")
    assert learners.has(late)  # of whom there is nothing to keep yet
    guessed(late)
    assert learners.keep()
    assert not learners.has(late)
    assert learners.learner("late") is late
    assert len(json.loads(file.read_text())) == MOST_LEARNERS
    assert learners.forget("learner 7")
    assert learners.keep()
    assert learners.has(late)


def test_a_learner_of_whom_nothing_was_kept_takes_no_place_after_a_start(tmp_path: Path) -> None:
    file = tmp_path / "trainer.json"
    empty = {"own": {}, "ear": {}}
    file.write_text(json.dumps({f"looked {n}": empty for n in range(MOST_LEARNERS)}))
    learners = Learners(file)
    guessed(learners.learner("Ada"))
    assert learners.keep()
    assert Learners(file).learner("Ada").own.total == 1


async def test_a_count_that_is_missed_is_asked_for_more_often(tmp_path: Path) -> None:
    room = TrainerRoom(no_igloos, folder_of([3, 5, 9], tmp_path), seed=1)
    learner = room.learners.learner("")
    for _ in range(30):
        learner.own.add(3, 3)
        learner.own.add(5, 5)
        learner.own.add(9, 5)
    lesson = await room.lesson(OWN, learner)
    asked = [lesson._choose() for _ in range(300)]
    assert asked.count(9) > asked.count(3) * 2
    assert asked.count(3) > 10  # what is known is asked for too
    assert learner.own.pairs() == [(5, 9, 30)]
    assert learner.own.share(0) == pytest.approx(2 / 3)
    assert learner.own.bias() == pytest.approx(-4 / 3)


def test_a_habit_is_told_from_ten_guesses_on() -> None:
    learner = Learners(None).learner("")
    for _ in range(9):
        learner.own.add(9, 5)
    assert len(confusion_table.words(learner, Texts("it"))) == 1
    learner.own.add(9, 5)
    _, pairs, bias = confusion_table.words(learner, Texts("it"))
    assert "5 e 9 (10×)" in pairs
    assert "−4,0" in bias
    assert "−4.0" in confusion_table.words(learner, Texts("en"))[2]


async def test_a_folder_without_two_counts_says_so(tmp_path: Path) -> None:
    room = TrainerRoom(no_igloos, folder_of([4], tmp_path))
    with pytest.raises(RecordingsError, match="two different known counts"):
        await room.lesson(OWN, room.learners.learner(""))


@pytest.mark.parametrize("text", ['{"A": 3}', '{"A": {"own": {"x": {"1": 2}, "3": {"4": -1}}}}'])
def test_counts_that_cannot_be_are_left_out(tmp_path: Path, text: str) -> None:
    file = tmp_path / "trainer.json"
    file.write_text(text)
    assert Learners(file).learner("A").own.total == 0


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"A": {"own": {"5": {"6": 17}}, "ear'])
def test_tables_that_cannot_be_read_are_kept_beside_and_told(
    tmp_path: Path, data: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    file, beside = tmp_path / "trainer.json", tmp_path / "trainer-unread.json"
    for kept in (
        beside,
        tmp_path / "trainer-unread-2.json",
    ):  # the second does not take the first one's place
        file.write_bytes(data)
        learners = Learners(file)
        assert learners.unread == kept
        assert kept.read_bytes() == data
        (told,) = caplog.messages
        assert told.startswith(f"{file} could not be read (")
        assert told.endswith(f"it is kept as {kept}, and everybody's table begins anew")
        caplog.clear()
        guessed(learners.learner("A"))
        assert learners.keep()
        assert Learners(file).unread is None
    assert beside.read_bytes() == data


def test_tables_that_cannot_be_read_nor_moved_stay_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def not_here(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    file = tmp_path / "trainer.json"
    file.write_bytes(b"{")
    monkeypatch.setattr(Path, "rename", not_here)
    learners = Learners(file)
    guessed(learners.learner("A"))
    assert learners.keep() is False
    assert file.read_bytes() == b"{"
    (told,) = caplog.messages
    assert told.endswith("nothing is kept until it is moved away (Read-only file system)")


def test_a_disk_that_takes_nothing_is_told_and_training_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    learners = Learners(tmp_path / "file" / "trainer.json")
    learners.learner("A").own.add(3, 4)
    assert learners.keep() is False
    assert Confusions.of(learners.learner("A").own.to_json()).pairs() == [(3, 4, 1)]


async def test_igloos_are_shaken_beside_the_table_and_nothing_waits_for_them() -> None:
    """While an igloo is being computed the event loop goes on."""
    rattles = Rattles(1, beside=True)
    room = TrainerRoom(lambda: rattles, seed=2)
    lesson = await room.lesson("simulated", room.learners.learner(""))
    turns = 0
    task = asyncio.create_task(lesson.next())
    while not task.done():
        await asyncio.wait([task], timeout=0.001)
        turns += 1
    shaken = task.result()
    assert turns > 10  # computed in the loop it would be one, or two
    assert shaken.sound.shape[1] == 1
    assert float(np.abs(shaken.sound).max()) > 0.01
    answer = await lesson.guess(random.Random(0).choice(list(lesson.source.counts)))
    assert answer.ear is not None  # the ear hears a shake in what it was made for
    lesson.close()
    await asyncio.to_thread(rattles.close)


@needs("chromium", "playwright")
def test_a_person_listens_guesses_compares_and_sees_what_is_confused(tmp_path: Path) -> None:
    settings = tmp_path / "table.toml"
    (tmp_path / "sounds").mkdir()
    settings.write_text(f'[trainer]\nrecordings = "{folder_of([3, 8], tmp_path / "sounds")}"\n')
    (tmp_path / "trainer.json").write_text('{"": {"own": {"3": {"8"')
    with (
        service("serve", "--port", "0", "--config", str(settings), data=tmp_path) as (_, ready),
        chromium() as browser,
    ):
        address = ready["address"]
        watched = Watched(browser)
        page = watched.page
        page.goto(f"{address}")
        page.get_by_role("link", name="Train your ear").click()
        page.get_by_role("button", name="Shake an igloo").click(timeout=PATIENT)
        says = page.locator("[data-part=says]")
        expect(says).to_contain_text("How many beads?", timeout=PATIENT)
        expect(page.locator("[data-part=unread]")).to_contain_text("kept as trainer-unread.json")
        page.wait_for_function("document.querySelector('audio').currentTime > 0.2", timeout=PATIENT)
        sound = page.locator("audio").get_attribute("src")
        assert sound is not None
        served = httpx.get(address.rstrip("/") + sound)
        assert served.headers["content-type"] == "audio/wav"
        assert served.content[:4] == b"RIFF"
        page.get_by_role("button", name="Hear it again").click()
        page.get_by_role("button", name="8", exact=True).click()
        expect(says).to_contain_text(re.compile("Right: 8 beads|You said 8; there are 3"))
        expect(page.locator(".earsays").first).to_contain_text("The ear")
        if "You said" in says.inner_text():
            page.get_by_role("button", name="Hear 3 beads to compare").click()
            expect(says).to_contain_text("These are 3 beads", timeout=PATIENT)
        expect(page.get_by_text("of 1.").first).to_be_visible()
        assert page.locator(".confusion .hit").count() == 1
        page.get_by_role("button", name="Next igloo").click()
        expect(says).to_contain_text("How many beads?", timeout=PATIENT)
        assert watched.outside(address) == []
        assert watched.complaints == []
        assert json.loads((tmp_path / "trainer.json").read_text())[""]["own"]
