"""What a table tells a fleet on a real Mosquitto: its state and Home Assistant's templates, and no secret."""

from __future__ import annotations

import json
import random

import pytest

from firmware_bridge.clock import VirtualClock
from table.desk.desk import Desk
from table.games import GAMES
from table.journal.store import Journal
from tests.mosquitto import Mosquitto
from tests.parts import needs
from tests.table.fleet.fleets import outbox_of, overheard, table, until

pytestmark = [needs("mosquitto"), pytest.mark.usefixtures("impatient")]


KEPT = {
    "polartable/north/online",
    "polartable/north/state",
    "homeassistant/device/polartable_north/config",
}


async def test_the_retained_state_the_last_will_and_home_assistant_tell_how_the_table_stands(
    broker: Mosquitto,
) -> None:
    async with table(broker, None, title="North corner") as room:
        await until(lambda: outbox_of(room).reached == outbox_of(room).newest)
        assert room.desk.play("tilt n>S")
        # on a busy machine they may be told only now, and are not kept yet
        async with overheard(broker) as heard:
            await until(lambda: {m.topic for m in heard} >= KEPT)
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
