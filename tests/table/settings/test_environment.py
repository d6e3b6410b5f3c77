"""Settings by environment variables: what they say, beside a file or alone, and whom a sentence blames."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from table.cli import run
from table.config import Settings
from table.settings.faults import SettingsError, named_by


def test_the_environment_is_blamed_for_what_it_says(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLARTABLE_SERVE__PORT", "door")
    with pytest.raises(SettingsError, match=r"in the environment .POLARTABLE_SERVE__PORT. is 'door'"):
        Settings.read(file)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        (
            "SERVE",
            "foo",
            r"'serve' in the environment .POLARTABLE_SERVE. is no JSON – write .*POLARTABLE_SERVE__HOST",
        ),
        ("BUTTONS", "red=17", r"'buttons' .*.POLARTABLE_BUTTONS. is no JSON: 'red=17' – write"),
        (
            "GAME__PLAYERS",
            "red, blue",
            r"'game.players' .* is no JSON: 'red, blue' – write \[.red., .blue.\]",
        ),
        ("CUBES__PORTS", "/dev/ttyUSB0", r"is no JSON: '/dev/ttyUSB0' – write \[./dev/ttyUSB0.\]"),
        ("EAR__SOURCES", "mock", r"'ear.sources' .*: 'mock' – write .*POLARTABLE_EAR__SOURCES__SEAT=…"),
        ("SERV__PORT", "1", r"no setting 'serv.port' .*POLARTABLE_SERV__PORT. – did you mean 'serve'"),
        ("SERVE__PROT", "1", r"no setting 'serve.prot' .*POLARTABLE_SERVE__PROT. – did you mean 'port'"),
        ("MOON__PHASE", "1", r"no setting 'moon.phase' .* – known are serve, game"),
        ("SERVE", '{"port": "door"}', r"'serve.port' in the environment .POLARTABLE_SERVE. is 'door'"),
        (
            "SERVE",
            "5",
            r"'serve' in the environment .POLARTABLE_SERVE. is no section – .*POLARTABLE_SERVE__HOST",
        ),
        ("GAME__PLAYERS", '["red","blue"', r"is no JSON: .* – write \[.red., .blue.\]$"),
        ("GAME__PLAYERS", "['red', 'blue']", r"is no JSON: .* – write \[.red., .blue.\]$"),
        ("CUBES__PORTS", "[", r"is no JSON: '\[' – write \[.…., .….\]$"),
        ("LIGHTS__LIGHT", "true", r"'lights.light' .*.POLARTABLE_LIGHTS__LIGHT. is 'true' – write a number"),
        ("BUTTONS__RED", "False", r"'buttons.red' .*.POLARTABLE_BUTTONS__RED. is 'False' – write a number"),
    ],
)
def test_what_the_environment_cannot_mean_is_one_sentence_too(
    file: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.setenv(f"POLARTABLE_{name}", value)
    for known in (None, file):
        with pytest.raises(SettingsError, match=words) as caught:
            Settings.read(known)
        assert "\n" not in str(caught.value)
    monkeypatch.delenv(f"POLARTABLE_{name}")
    monkeypatch.setenv(f"polartable_{name.lower()}", value)  # as it is read, too
    with pytest.raises(SettingsError, match=r"polartable_\w+"):
        Settings.read(file)


def test_of_two_variables_the_one_that_says_it_is_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLARTABLE_SERVE", "5")
    monkeypatch.setenv("POLARTABLE_SERVE__PORT", "1")
    with pytest.raises(SettingsError, match=r"'serve' in the environment .POLARTABLE_SERVE. is no section"):
        Settings.read(None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FLEET", '"mqtt://u:geheim@h"'),
        ("FLEET", '["mqtt://u:geheim@h"]'),
        ("FLEET", '{"broker": {"user": "u", "password": "geheim"}}'),
        ("FLEET", "mqtt://u:geheim@h"),
        ("FLEET__BROKER", "mqtt://u:geheim@h"),
        ("FLEET__BROKER", "mqtt://u:geheim@home@h/" + "x" * 80),
        ("FLEET__BROKER", "u:geheim@h"),
        ("FLEET__BROKER", "mqtt://u://geheim@h"),
        ("FLEET__BROKER", "mqtt://u:" + "geheim" * 20 + "@h"),
    ],
)
def test_no_sentence_tells_a_password_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"POLARTABLE_{name}", value)
    [fault] = Settings.faults_of("", None)
    assert "fleet" in fault.cause
    assert "geheim" not in str(fault)


def test_variables_that_are_no_settings_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CI", "PROOF", "DATA", "DEBUG", "OF_ANOTHER_PROGRAM"):
        monkeypatch.setenv(f"POLARTABLE_{name}", "1")
    monkeypatch.setenv("POLARTABLE_BUTTONS__RED", "GPIO17")
    monkeypatch.setenv("POLARTABLE_GAME", '{"players": ["red", "blue"], "options": {"length": 4}}')
    settings = Settings.read(None)
    assert (settings.buttons, settings.game.options) == ({"red": "GPIO17"}, {"length": 4})


def test_show_tells_where_each_value_comes_from(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLARTABLE_SERVE__HOST", "::1")
    assert run(["settings", "show", "--config", str(file), "--json"]) == 0
    said = {line["setting"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert {name: said[name]["from"] for name in ("serve.host", "serve.port", "serve.browser")} == {
        "serve.host": "environment",
        "serve.port": "file",
        "serve.browser": "default",
    }
    assert all(line["meaning"] for line in said.values())
    monkeypatch.setenv("POLARTABLE_SERVE", '{"port": 9}')
    monkeypatch.setenv("POLARTABLE_GAME__OPTIONS__MODE", "digital")
    assert run(["settings", "show", "--config", str(file), "--json"]) == 0
    said = {line["setting"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert said["serve.port"].items() >= {"value": 9, "from": "environment"}.items()
    assert {name: said[name]["from"] for name in ("serve.browser", "game.options", "game.players")} == {
        "serve.browser": "default",
        "game.options": "environment",
        "game.players": "file",
    }


def test_a_section_is_given_by_its_own_variable_by_one_that_holds_it_or_by_one_of_its_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("POLARTABLE_SERVE__PORT", "8081")
    assert named_by(("serve", "port")) == named_by(("serve",)) == "POLARTABLE_SERVE__PORT"
    assert named_by(("serve",), inside=False) is None
    assert named_by(("serve", "host")) is None
    monkeypatch.setenv("POLARTABLE_SERVE", '{"host": "::1"}')
    assert named_by(("serve", "host")) == named_by(("serve",)) == "POLARTABLE_SERVE"
    assert named_by(("serve", "port")) == "POLARTABLE_SERVE__PORT"


def test_a_value_that_is_long_is_shown_up_to_eighty_characters(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for length, shown in ((78, "'" + "x" * 78 + "'"), (79, "'" + "x" * 76 + "…")):
        monkeypatch.setenv("POLARTABLE_SERVE__PORT", "x" * length)
        with pytest.raises(SettingsError) as caught:
            Settings.read(file)
        assert f" is {shown} – " in str(caught.value)
