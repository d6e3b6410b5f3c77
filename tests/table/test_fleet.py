"""A fleet on a real Mosquitto: tables tell, a hub follows; whatever happens in between, nothing is lost or twice."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.clock import SystemClock, VirtualClock
from table.access import Access
from table.config import Settings
from table.desk.desk import Desk
from table.doctor import fleet as doctor
from table.fleet.address import Address, Message
from table.fleet.broker import connect
from table.fleet.errors import BadAddress
from table.fleet.following import Following
from table.fleet.hub import Hub, Line
from table.fleet.hub_book import Book
from table.fleet.messages import Online
from table.games import GAMES
from table.journal.store import Journal
from table.table_room import TableRoom
from tests.mosquitto import Mosquitto, mosquitto
from tests.parts import ROOT, needs

pytestmark = needs("mosquitto")
PATIENCE_S = 60.0


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as running:
        yield running


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits that people do not notice, made shorter: a test should not sit through them."""
    monkeypatch.setattr("table.fleet.publisher.FIRST_WAIT_S", 0.05)
    monkeypatch.setattr("table.fleet.publisher.LONGEST_WAIT_S", 0.2)
    monkeypatch.setattr("table.fleet.publisher.GRACE_S", 0.0)
    monkeypatch.setattr("table.fleet.publisher.CLAIM_S", 0.5)
    monkeypatch.setattr("table.fleet.publisher.AGAIN_S", 0.05)
    monkeypatch.setattr("table.fleet.following.WAIT_S", 0.1)
    monkeypatch.setattr("table.fleet.following.TICK_S", 0.05)
    monkeypatch.setattr("table.fleet.hub.FIRST_WAIT_S", 0.2)


def hasten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits ten seconds for a broker that will not answer."""
    read = Address.read
    monkeypatch.setattr(Address, "read", lambda *given: replace(read(*given), answer_s=1.0))


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not true():
            await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def table(
    broker: Mosquitto,
    file: Path | None,
    name: str = "north",
    game: dict[str, Any] | None = None,
    **fleet: Any,
) -> AsyncIterator[TableRoom]:
    """A table of the service, as `polartable serve` makes it."""
    values: dict[str, Any] = {"fleet": {"broker": broker.url, "table": name} | fleet}
    settings = Settings.model_validate(values | ({} if game is None else {"game": game}))
    clock = SystemClock()
    room = TableRoom(settings, clock, Journal(file), Access(clock, lan=False))
    room.start()
    try:
        yield room
    finally:
        await room.stop()


@contextlib.asynccontextmanager
async def hub(broker: Mosquitto, file: Path | None = None) -> AsyncIterator[tuple[Hub, list[Line]]]:
    lines: list[Line] = []
    book = Book(file)
    following = Following(Hub(book, SystemClock()), Address.read(broker.url), "hub-test", lines.append)
    task = asyncio.create_task(following.run())
    try:
        yield following.hub, lines
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        book.close()


@contextlib.asynccontextmanager
async def overheard(broker: Mosquitto, topic: str = "#") -> AsyncIterator[list[Message]]:
    """Everything that anybody who listens at this broker receives."""
    heard: list[Message] = []
    async with connect(Address.read(broker.url), "ear", heard.append, lambda: None, None) as link:
        await link.subscribe(topic)
        yield heard


def play_some(room: TableRoom, moves: int, chance: random.Random) -> None:
    """Any legal moves, and now and then one that is not or that is taken back; a new game where one has ended."""
    game = room.desk.sitting.game
    for _ in range(moves):
        if room.desk.sitting.over is not None:
            room.new_game("ice-cult", ("yellow", "red"), {})
        legal = [m for m in game.moves(room.desk.sitting.state) if m != "abandon"]
        move = "tilt n>N" if chance.random() < 0.1 else chance.choice(legal or ["abandon"])
        room.desk.play(move)
        if chance.random() < 0.05:
            room.desk.undo()


def told(lines: list[Line]) -> list[int]:
    return [line["n"] for line in lines if line["event"] == "told"]


def outbox_of(room: TableRoom) -> Any:
    assert room.journal.outbox is not None
    return room.journal.outbox


async def test_broker_killed_and_restarted_in_mid_stream_hub_too_and_everything_comes_once(
    broker: Mosquitto, tmp_path: Path
) -> None:
    chance = random.Random(7)
    got: list[Line] = []
    async with table(broker, tmp_path / "book.sqlite") as room:
        for _ in range(3):
            async with hub(broker, tmp_path / "hub.sqlite") as (_, lines):
                for _ in range(2):
                    for _ in range(15):
                        play_some(room, 4, chance)
                        await asyncio.sleep(0)
                    broker.kill()
                    play_some(room, 20, chance)  # the table is playable, and knows nothing of brokers
                    broker.start()
                    play_some(room, 20, chance)
                    await until(lambda: bool(told(lines)))
                got += lines
            play_some(room, 10, chance)  # nobody follows
        async with hub(broker, tmp_path / "hub.sqlite") as (_, lines):
            await until(lambda: max(told(got) + told(lines)) == outbox_of(room).newest)
            got += lines
        assert told(got) == list(range(1, outbox_of(room).newest + 1))
        assert not [line for line in got if line["event"] == "missed"]
        room.journal.verify()
        entries = {entry.seq: entry for entry in room.journal.entries()}
        for line in got:
            if line["event"] == "told":
                assert entries[line["seq"]].kind == line["kind"]
                assert entries[line["seq"]].at == line["at"]


async def test_an_hour_without_a_broker_and_a_restart_of_the_table_lose_nothing(
    broker: Mosquitto, tmp_path: Path
) -> None:
    broker.kill()
    async with table(broker, tmp_path / "book.sqlite") as room:
        await until(lambda: any(s.event == "fleet" for s in room.desk.said))
        assert "PT-721" in next(s.text for s in room.desk.said if s.event == "fleet")
        play_some(room, 300, random.Random(1))
    broker.start()
    async with hub(broker) as (_, lines):
        await until(lambda: bool(lines))
        async with table(broker, tmp_path / "book.sqlite") as room:
            newest = outbox_of(room).newest
            assert newest > 250
            await until(lambda: told(lines)[-1:] == [newest] and outbox_of(room).reached == newest)
    assert told(lines) == list(range(1, newest + 1))


async def test_the_retained_state_the_last_will_and_home_assistant_tell_how_the_table_stands(
    broker: Mosquitto,
) -> None:
    async with table(broker, None, title="North corner") as room:
        await until(lambda: outbox_of(room).reached == outbox_of(room).newest)
        assert room.desk.play("tilt n>S")
        async with overheard(broker) as heard:
            await until(lambda: sum(m.retained for m in heard) == 3)
            first = {m.topic: json.loads(m.payload) for m in heard if m.retained}
            await until(lambda: any(m.topic == "polartable/north/state" for m in heard))
            assert first["polartable/north/online"]["online"] is True
            found = first["homeassistant/device/polartable_north/config"]
            assert found["device"]["name"] == "North corner"
            assert found["state_topic"] in first
            assert found["availability_topic"] in first
            assert len({c["unique_id"] for c in found["components"].values()}) == len(found["components"])
            for task in room._tasks:
                task.cancel()  # the table is gone without a word
            await until(lambda: any(not json.loads(m.payload).get("online", True) for m in heard))
        async with overheard(broker, "polartable/north/state") as heard:
            await until(lambda: bool(heard))
            state = json.loads(heard[0].payload)
            assert heard[0].retained
            assert state["phase"] == "tilt-2"
            assert state["said"]["rule"] == "IC-4"


async def test_home_assistants_templates_read_what_the_table_says(broker: Mosquitto) -> None:
    """The templates are Jinja over the state that is really published, as Home Assistant would render them."""
    from jinja2 import Environment

    async with overheard(broker) as heard, table(broker, None) as room:
        await until(lambda: any(m.topic.endswith("/state") for m in heard))
        room.desk.play("tilt n>S")
        await until(lambda: b"tilt-2" in [m for m in heard if m.topic.endswith("/state")][-1].payload)
        messages = {m.topic: json.loads(m.payload) for m in heard}
    config, state = (
        messages["homeassistant/device/polartable_north/config"],
        messages["polartable/north/state"],
    )
    shown = {
        key: Environment().from_string(part["value_template"]).render(value_json=state)
        for key, part in config["components"].items()
    }
    assert shown["game"] == "ice-cult"
    assert shown["to_act"] == "yellow"
    assert shown["phase"] == "tilt-2"
    assert shown["asks"] == shown["problem"] == "OFF"
    assert shown["said"]


async def test_what_is_secret_never_reaches_the_broker(broker: Mosquitto) -> None:
    """IGLOO's real colours, Igloo Pop's bead counts and seed, refused moves: every byte at the broker is read."""
    looney = {"name": "igloo", "players": ["A", "B"]}
    async with overheard(broker) as heard, table(broker, None, game=looney) as room:
        assert room.desk.play("commit A yellow", "A")
        assert not room.desk.play("commit A red", "A")
        assert not room.desk.play("commit A red")
        assert room.desk.undo()
        assert room.desk.redo()
        assert room.desk.correct(0, "commit A red")
        assert room.desk.play("commit B green", "B")
        room.new_game("igloo-pop", ("red", "blue"), {"mode": "digital"})
        for move in ("count", "grab red A", "grab blue B", "place red 1", "place blue 2"):
            assert room.desk.play(move), room.desk.said[-1].text
        await until(lambda: outbox_of(room).reached == outbox_of(room).newest)
        await until(lambda: b"place blue 2" in b"".join(m.payload for m in heard))
        secret = [e.body for e in room.journal.entries() if e.kind == "new"]
    everything = b"\n".join(m.payload for m in heard).decode()
    assert "commit A ?" in everything
    for word in (
        "commit A yellow",
        "commit A red",
        "commit B green",
        '"seed"',
        '"values"',
        '"deck"',
        "chance",
    ):
        assert word not in everything
    kinds = {json.loads(m.payload)["kind"] for m in heard if m.topic.endswith("/event")}
    assert kinds == {"new", "play", "undo", "redo", "correct", "close"}  # no refusal of a secret move
    assert all(set(body) >= {"seed"} for body in secret)


async def test_a_second_table_of_that_name_waits_says_so_and_loses_nothing(
    broker: Mosquitto, tmp_path: Path
) -> None:
    async with hub(broker) as (follower, lines):
        evening = contextlib.AsyncExitStack()
        first = await evening.enter_async_context(table(broker, tmp_path / "one.sqlite"))
        await until(lambda: outbox_of(first).reached == 1)
        async with table(broker, tmp_path / "two.sqlite") as second:

            def said() -> list[str]:
                return [s.text for s in second.desk.said if s.event == "fleet"]

            await until(lambda: any("PT-724" in text for text in said()))
            play_some(second, 5, random.Random(2))
            play_some(first, 5, random.Random(3))
            await until(lambda: outbox_of(first).reached == outbox_of(first).newest)
            await until(lambda: follower.tables["north"].online)
            assert outbox_of(second).reached == 0
            assert {x["book"] for x in lines if x["event"] == "told"} == {outbox_of(first).book}
            assert len(said()) == 1  # one sentence, however often it tries
            await evening.aclose()  # the other one has gone home: the name is free
            await until(lambda: outbox_of(second).reached == outbox_of(second).newest)
            await until(lambda: len(said()) == 2)
            assert said()[1] == "The broker has this table again."
            book, newest = outbox_of(second).book, outbox_of(second).newest
            await until(
                lambda: (book, newest) in {(x.get("book"), x.get("n")) for x in lines if x["event"] == "told"}
            )
            assert not follower.tables["north"].closed
        await until(lambda: follower.tables["north"].closed)


async def test_a_name_left_over_by_a_dead_table_is_taken(broker: Mosquitto, tmp_path: Path) -> None:
    """A broker that persists may still say `online` for a table whose card was thrown away."""
    stale = {"v": 1, "table": "north", "book": "0" * 32, "online": True}
    async with overheard(broker, "nothing"):
        async with connect(Address.read(broker.url), "ghost", lambda m: None, lambda: None, None) as link:
            await link.publish("polartable/north/online", json.dumps(stale).encode(), retain=True)
        async with table(broker, None) as room:
            await until(lambda: outbox_of(room).reached == 1)


async def test_a_copied_card_is_one_sentence_and_both_tables_play(broker: Mosquitto, tmp_path: Path) -> None:
    with Journal(tmp_path / "one.sqlite") as journal:
        journal.open_outbox()
    (tmp_path / "two.sqlite").write_bytes((tmp_path / "one.sqlite").read_bytes())
    async with table(broker, tmp_path / "one.sqlite", "north") as first:
        await until(lambda: outbox_of(first).reached == 1)
        async with table(broker, tmp_path / "two.sqlite", "south") as second:
            await until(lambda: any("PT-725" in s.text for s in second.desk.said))
            assert first.desk.play("tilt n>S")
            assert second.desk.play("tilt n>S")
            await until(lambda: outbox_of(first).reached == 2)
            assert outbox_of(second).reached == 0
            assert [s.text for s in first.desk.said if s.event == "fleet"] == []


async def test_after_a_crash_the_same_table_is_no_rival_of_itself(broker: Mosquitto, tmp_path: Path) -> None:
    """The broker has not noticed yet that the first run is gone; its last will comes when the second one stands."""
    async with hub(broker) as (follower, _), table(broker, tmp_path / "book.sqlite") as first:
        await until(lambda: outbox_of(first).reached == 1)
        with_old_will = Online(table="north", book=outbox_of(first).book, online=False, run="the run before")
        async with connect(Address.read(broker.url), "ghost", lambda m: None, lambda: None, None) as ghost:
            await ghost.publish(
                "polartable/north/online", with_old_will.model_dump_json().encode(), retain=True
            )
        await until(lambda: "north" in follower.tables and follower.tables["north"].online)
        async with overheard(broker, "polartable/north/online") as heard:
            await until(lambda: bool(heard) and json.loads(heard[-1].payload)["online"])


async def test_a_broker_that_stalls_is_said_and_the_table_plays_on(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasten(monkeypatch)
    async with table(broker, None) as room:
        await until(lambda: outbox_of(room).reached == 1)
        broker.stall()
        play_some(room, 20, random.Random(4))  # nobody at the table waits for a broker
        assert outbox_of(room).newest > 15
        await until(lambda: any("PT-723" in s.text for s in room.desk.said))
        broker.kill()
        broker.start()
        await until(lambda: outbox_of(room).reached == outbox_of(room).newest)
        assert (
            room.desk.said[-1].text == "The broker has this table again." or room.desk.said[-1].tone == "told"
        )


async def test_a_broker_that_refuses_is_said(tmp_path: Path) -> None:
    with mosquitto(tmp_path, "allow_anonymous false") as closed:
        async with table(closed, None) as room:
            await until(lambda: any("PT-722" in s.text for s in room.desk.said))
            assert room.desk.play("tilt n>S")
            assert outbox_of(room).reached == 0


@needs("openssl")
async def test_over_tls_only_the_authority_that_was_named_is_trusted(tmp_path: Path) -> None:
    key, own, other = tmp_path / "key.pem", tmp_path / "own.pem", tmp_path / "other.pem"
    request = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=127.0.0.1",
    ]
    request += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out"]
    for certificate in (other, own):
        subprocess.run([*request, str(certificate)], check=True, capture_output=True)
    lines = ("allow_anonymous true", f"certfile {own}", f"keyfile {key}")
    with mosquitto(tmp_path, *lines) as closed:
        closed.scheme = "mqtts"
        async with table(closed, None, ca=own) as room:
            await until(lambda: outbox_of(room).reached == 1)
        for ca in (other, tmp_path / "none.pem"):
            async with table(closed, None, ca=ca) as room:
                await until(lambda: any("PT-722" in s.text for s in room.desk.said))
                assert outbox_of(room).reached == 0


async def test_a_broker_that_takes_nothing_under_our_topics_is_said(tmp_path: Path) -> None:
    rights = tmp_path / "acl"
    rights.write_text("topic read #\n")
    with mosquitto(tmp_path, "allow_anonymous true", f"acl_file {rights}") as deaf:
        async with table(deaf, None) as room:
            await until(lambda: any("PT-722" in s.text for s in room.desk.said))
            assert outbox_of(room).reached == 0


async def test_the_documented_rights_suffice_and_another_tables_name_is_out_of_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasten(monkeypatch)
    page = (ROOT / "docs" / "fleet.md").read_text(encoding="utf-8")
    rights = [line.strip() for line in page.splitlines() if line.startswith("    topic ")]
    assert len(rights) == 4
    file = tmp_path / "acl"
    file.write_text("\n".join(line.replace("north-1", "north") for line in rights) + "\n")
    with mosquitto(tmp_path, "allow_anonymous true", f"acl_file {file}") as fenced:
        async with table(fenced, None) as room:
            await until(lambda: outbox_of(room).reached == outbox_of(room).newest)
        async with table(fenced, None, "south") as room:
            await until(lambda: any("PT-722" in s.text for s in room.desk.said))


async def test_the_doctor_says_whether_the_broker_is_there_and_how_much_waits(
    broker: Mosquitto, tmp_path: Path
) -> None:
    book = tmp_path / "book.sqlite"
    broker.kill()
    async with table(broker, book) as room:
        assert room.desk.play("tilt n>S")
        finding = doctor.broker(room.settings, book)
        assert finding.state == "look"
        assert "2 events wait" in finding.what
        broker.start()
        await until(lambda: outbox_of(room).reached == 2)
        finding = doctor.broker(room.settings, book)
        assert (finding.state, "0 events wait" in finding.what) == ("good", True)
    assert doctor.broker(Settings.read(None), book).state == "not here"


@pytest.mark.parametrize("game", GAMES)
def test_no_sentence_for_a_seat_alone_and_no_seed_is_ever_put_into_the_outbox(game: str) -> None:
    """Whole random games: whatever was said to one seat only is in no telling, nor is any position."""
    rules, chance = GAMES[game], random.Random(11)
    players = {"igloo": ["A", "B"], "igloo-igloo": ["red", "blue"]}.get(game, ["red", "blue"])
    with Journal(None) as journal:
        outbox = journal.open_outbox()
        desk = Desk.new(
            journal, GAMES, VirtualClock(), name="g", game=game, players=players, seed=90125, options={}
        )
        whispered: set[str] = set()
        for _ in range(150):
            move = rules.random_move(desk.sitting.state, chance.randrange)
            if move is None or desk.sitting.over is not None:
                break
            assert desk.play(move)
            if chance.random() < 0.1:
                desk.undo()
                desk.redo()
            whispered |= {s.text for s in desk.said if s.to is not None}
        public = {s.text for s in desk.said if s.to is None}
        sent = json.dumps([dict(event.telling) for event in outbox.after(0, 1000)], ensure_ascii=False)
    assert outbox.newest > 20
    assert game in ("ice-cult", "igloo-pop") or whispered
    for text in whispered - public:
        assert text not in sent
        assert text[:1].upper() + text[1:] not in sent
    assert "90125" not in sent
    assert "chance" not in sent


async def test_nonsense_from_strangers_hurts_neither_table_nor_hub(broker: Mosquitto) -> None:
    async with hub(broker) as (follower, lines), table(broker, None) as room:
        await until(lambda: told(lines) == [1])
        book = outbox_of(room).book
        odd: list[tuple[str, bytes]] = [
            ("event", b""),
            ("event", b"{"),
            ("event", b"\xff\xfe"),
            ("event", b"[" * 100_000),
            ("state", b"null"),
            ("state", b"x" * 300_000),
            ("online", b'{"v":2,"table":"north","book":"0","online":true}'),
            ("again", b'{"v":1,"table":"north","book":"%s","from":-5}' % book.encode()),
            ("again", b'{"v":1,"table":"north","book":"%s","from":1}' % book.encode()),
            ("elsewhere/event", b"{}"),
        ]
        address = Address.read(broker.url)
        async with connect(address, "stranger", lambda m: None, lambda: None, None) as link:
            for where, payload in odd:
                await link.publish(f"polartable/north/{where}", payload)
                await link.publish(f"polartable/UPPER {where}", payload)
        play_some(room, 10, random.Random(5))
        await until(lambda: told(lines)[-1] == outbox_of(room).newest)
        assert told(lines) == list(range(1, outbox_of(room).newest + 1))
        assert follower.tables["north"].odd is not None
        assert len(follower.tables) == 1


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost",
        "http://x",
        "mqtt://",
        "mqtt://a:b@c",
        "mqtt://host:99999",
        "mqtt://ho st",
        "mqtt://h/x",
    ],
)
def test_an_address_that_cannot_be_read_is_a_sentence(url: str) -> None:
    with pytest.raises(BadAddress, match="PT-726"):
        Address.read(url)


def test_addresses_as_people_write_them() -> None:
    assert Address.read("mqtts://club@broker.local") == Address("broker.local", 8883, True, "club")
    assert Address.read("mqtt://[::1]:1884/").host == "::1"
