"""`hub --broker`, on a machine whose settings name a broker of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from table.cli import run
from table.config import Settings
from table.fleet.address import Address
from table.fleet.settings import Fleet

CLUB = {"broker": "mqtts://anna@club.local", "password": "secret", "ca": "/etc/ssl/club.pem"}


def address(broker: str, fleet: dict[str, str]) -> Address:
    return Fleet.model_validate(fleet).address(broker)


@pytest.mark.parametrize(
    ("fleet", "variable"),
    [
        ('broker = "mqtts://anna@club.local"\npassword = "secret"\nca = "/etc/ssl/club.pem"', {}),
        ("", {"POLARTABLE_FLEET__PASSWORD": "secret", "POLARTABLE_FLEET__CA": "/etc/ssl/club.pem"}),
    ],
)
def test_another_broker_is_followed_whatever_the_settings_have_for_their_own(
    fleet: str,
    variable: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("POLARTABLE_DATA", str(tmp_path))
    for name, value in variable.items():
        monkeypatch.setenv(name, value)
    file = tmp_path / "table.toml"
    file.write_text(f"[fleet]\n{fleet}\n")
    file.chmod(0o600)
    other = ["--broker", "mqtt://127.0.0.1:1", "--no-page", "--json", "--seconds", "1"]
    assert run(["hub", "--config", str(file), *other]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["broker"], "PT-721" in line["why"]) for line in told] == [("127.0.0.1:1", True)]


@pytest.mark.parametrize(
    "broker", ["mqtts://anna@fair.local", "mqtts://anna@club.local:8884", "mqtt://club.local:8883"]
)
def test_a_password_goes_to_nobody_but_the_broker_that_it_is_for(broker: str) -> None:
    assert address(broker, CLUB) == Address.read(broker)


def test_the_settings_own_broker_is_the_same_whoever_follows_it() -> None:
    hub = "mqtts://hub@club.local:8883"
    assert address(hub, CLUB) == Address.read(hub, "secret", Path("/etc/ssl/club.pem"))
    nobody = "mqtts://club.local"
    assert address(nobody, CLUB) == Address.read(nobody, None, Path("/etc/ssl/club.pem"))


def test_settings_without_a_broker_are_for_the_one_that_is_named() -> None:
    alone = {"password": "secret", "ca": "/etc/ssl/club.pem"}
    assert address("mqtts://hub@fair.local", alone).password == "secret"
    assert address("mqtts://hub@fair.local", alone).ca == Path("/etc/ssl/club.pem")
    assert address("mqtt://fair.local", alone) == Address.read("mqtt://fair.local")


def test_without_a_name_it_is_the_broker_of_the_settings() -> None:
    fleet = Settings.model_validate({"fleet": CLUB}).fleet
    assert fleet.address() == Address.read(CLUB["broker"], "secret", Path("/etc/ssl/club.pem"))
