"""Brokers that stall, refuse, or are a stranger's, and addresses that cannot be read: said in a sentence."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from table.config import Settings
from table.doctor import fleet as doctor
from table.fleet.address import Address
from table.fleet.errors import BadAddress, FleetError
from table.fleet.publisher import Publisher
from tests.mosquitto import Mosquitto, mosquitto
from tests.parts import needs
from tests.table.fleet.fleets import documented_rights, hasten, outbox_of, play_some, table, until

pytestmark = [needs("mosquitto"), pytest.mark.usefixtures("impatient")]


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


async def test_a_refusal_that_was_said_is_taken_back_also_where_the_broker_was_started_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever mends a password file starts the broker again; what fails meanwhile is too short for a sentence."""
    monkeypatch.setattr("table.fleet.publisher.GRACE_S", 60.0)
    ends: list[str] = []
    note = Publisher._note

    def noted(self: Publisher, fault: FleetError | None) -> None:
        ends.append(type(fault).__name__)
        note(self, fault)

    monkeypatch.setattr(Publisher, "_note", noted)
    with mosquitto(tmp_path, "allow_anonymous false") as broker:
        async with table(broker, None) as room:

            def said() -> list[str]:
                return [s.text for s in room.desk.said if s.event == "fleet"]

            await until(lambda: len(said()) == 1)
            assert "PT-722" in said()[0]
            broker.kill()
            await until(lambda: "BrokerAway" in ends)
            broker.configure("allow_anonymous true")
            broker.start()
            await until(lambda: len(said()) == 2)
            assert said()[1] == "The broker has this table again."


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
    file = tmp_path / "acl"
    file.write_text("".join(f"{line}\n" for line in documented_rights("north-1", "north")))
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


def test_what_an_address_has_no_use_for_is_refused_and_not_left_out_in_silence() -> None:
    with pytest.raises(BadAddress, match=r"PT-726: .* no user .* mqtts://user@club\.local") as told:
        Address.read("mqtts://club.local", "geheim")
    assert "geheim" not in str(told.value)
    with pytest.raises(BadAddress, match=r"PT-726: .* club\.pem .* no TLS .* mqtts://"):
        Address.read("mqtt://anna@club.local", "geheim", Path("club.pem"))
    assert Address.read("mqtts://anna@club.local", "geheim", Path("club.pem")).password == "geheim"
    assert Address.read("mqtt://club.local", "").password == ""  # POLARTABLE_FLEET__PASSWORD= is none


def test_a_password_in_an_address_is_not_repeated() -> None:
    with pytest.raises(BadAddress, match=r"mqtt://club:…@broker\.local") as told:
        Address.read("mqtt://club:iglu@sch@ft@broker.local")
    assert "iglu" not in str(told.value)


def test_addresses_as_people_write_them() -> None:
    assert Address.read("mqtts://club@broker.local") == Address("broker.local", 8883, True, "club")
    assert Address.read("mqtt://[::1]:1884/").host == "::1"
