"""`polartable settings set`: one setting or several, the comments stay, and nonsense changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from table.cli import run
from table.config import Settings
from table.places import data_directory
from tests.table.settings.back_room import GOOD


def test_one_setting_is_changed_and_the_comments_stay(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["settings", "set", "serve.port", "9100", "--config", str(file)]) == 0
    assert run(["settings", "set", "cubes.ports", '["/dev/a"]', "--config", str(file)]) == 0
    assert run(["settings", "set", "ear.sources.red", "USB Audio", "--config", str(file)]) == 0
    text = file.read_text()
    assert "port = 9100  # beside the club's own page" in text
    settings = Settings.read(file)
    assert (settings.cubes.ports, settings.ear.sources) == (("/dev/a",), {"red": "USB Audio"})
    capsys.readouterr()
    for slip in (["serve.prot", "1"], ["serve.port", "-1"], ["game.name", "chess"], ["serve.port.x", "1"]):
        assert run(["settings", "set", *slip, "--config", str(file)]) == 2
        assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert file.read_text() == text


def test_settings_that_need_one_another_are_set_together_in_any_order(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = ["--config", str(file)]
    assert run(["settings", "set", "taps.source", "USB Audio", "taps.profile", "/seat.profile", *to]) == 0
    assert [line.split(" is ")[0] for line in capsys.readouterr().out.splitlines()] == [
        "taps.source", "taps.profile",
    ]  # fmt: skip
    game = ["game.players", '["A", "B"]', "game.name", "igloo", "game.options", "{}"]
    assert run(["settings", "set", *game, *to, "--json"]) == 0
    assert [json.loads(line)["setting"] for line in capsys.readouterr().out.splitlines()] == game[::2]
    settings = Settings.read(file)
    assert (settings.taps.source, settings.game.players) == ("USB Audio", ("A", "B"))


SEAT, GAME = (f"; set these in one command: {names}\n" for names in (
    "taps.source, taps.profile", "game.name, game.players",
))  # fmt: skip


@pytest.mark.parametrize(
    ("words", "ends"),
    [
        (["taps.source", "USB Audio"], f"name it under `profile` (docs/gesture.md){SEAT}"),
        (["serve.port", "8083", "taps.source", "USB Audio"], SEAT),
        (["game.name", "igloo"], GAME),
        (["fleet", '{password = "hush"}', "game.players", '["red"]'], GAME),
        (["game.name", "igloo-pop", "game.players", '["red"]'], "players must be 2 to 6, and are 1\n"),
        (["game.options", "{lenght = 4}"], "unknown key 'lenght' (did you mean length?)\n"),
        (["serve.port", "99999", "taps.source", "USB Audio"], "less than or equal to 65535\n"),
    ],
)
def test_a_refusal_says_which_settings_need_one_another_where_that_helps(
    file: Path, capsys: pytest.CaptureFixture[str], words: list[str], ends: str
) -> None:
    """And no command to copy: it would want the file's name, and a password that was given."""
    before = file.read_text()
    assert run(["settings", "set", *words, "--config", str(file)]) == 2
    told = capsys.readouterr().err
    assert told.endswith(ends)
    assert told.count("\n") == 1
    assert "hush" not in told
    assert file.read_text() == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["serve.port", "1", "serve.port", "2"], "'serve.port' is named twice"),
        (["serve.port", "8082", "serve", '{host = "::1"}'], "'serve.port' is in 'serve', and both are set"),
        (["serve", '{host = "::1"}', "serve.port", "8082"], "'serve.port' is in 'serve', and both are set"),
        (
            ["game.options.mode", "digital", "game", "{}"],
            "'game.options.mode' is in 'game', and both are set",
        ),
    ],
)
def test_nothing_is_set_that_the_same_command_would_throw_away(
    file: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    before = file.read_text()
    assert run(["settings", "set", *words, "--config", str(file)]) == 2
    assert f"polartable: PT-101: {told} – " in capsys.readouterr().err
    assert file.read_text() == before
    both = ["serve.port", "8082", "serve.host", "::1"]  # nor are these one in the other
    assert run(["settings", "set", *both, "--config", str(file)]) == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["taps.source", "USB", "Audio", "taps.profile", "s.profile"], "after 'taps.source' and its value"),
        (
            ["taps.source", "USB", "Audio", "Codec", "taps.profile", "s.profile"],
            "after 'taps.source' and its",
        ),
        (["fleet.password", "hush", "hush"], "after 'fleet.password' and its value stands no setting"),
        (["fleet.password", "hu", "hush", "hush"], "after 'fleet.password' and its value stands no setting"),
        (["fleet.password", "hu", "hu.sh"], "after 'fleet.password' and its value stands no setting"),
        (["fleet.password", "hu", "hu.sh", "x"], "after 'fleet.password' and its value stands no setting"),
        (["serve.port", "8081", "serve.host"], "'serve.host' has no value"),
        (["serve"], "'serve' has no value"),
    ],
)
def test_forgotten_quotes_are_told_where_they_are_missing(
    file: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    assert run(["settings", "set", *words, "--config", str(file)]) == 2
    said = capsys.readouterr().err
    assert f"polartable: PT-101: {told}" in said
    assert "hush" not in said
    assert file.read_text() == GOOD


def test_a_file_that_is_set_is_told_with_its_whole_path(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whoever types a name stands elsewhere than the settings are."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.profile").touch()
    monkeypatch.chdir(elsewhere)
    assert run(["settings", "set", "ear.profile", "mine.profile", "--config", str(file)]) == 0
    told = f'ear.profile is "mine.profile" ({file.parent}/mine.profile, which is not there yet) – '
    assert told in capsys.readouterr().out
    assert run(["settings", "set", "journal.file", "book.sqlite", "--config", str(file), "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["value"], line["path"]) == ("book.sqlite", str(data_directory() / "book.sqlite"))
    assert run(["settings", "show", "--config", str(file)]) == 0
    assert f'ear.profile = "{file.parent}/mine.profile"  # file: ' in capsys.readouterr().out


def test_a_variable_that_stands_above_what_was_set_is_told(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path that the variable names was shown as the file's, and the table does not take what was set."""
    monkeypatch.setenv("POLARTABLE_EAR__PROFILE", "x.profile")
    words = ["settings", "set", "ear.profile", "y.profile", "serve.port", "9100", "--config", str(file)]
    assert run(words) == 0
    assert capsys.readouterr().out == (
        'ear.profile is "y.profile" – but POLARTABLE_EAR__PROFILE is set, and stands above it\n'
        "serve.port is 9100 – the table takes it at its next start\n"
    )
    assert run([*words, "--json"]) == 0
    profile, port = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    plain = {"setting": "ear.profile", "value": "y.profile", "file": str(file)}
    assert profile == plain | {"above": "POLARTABLE_EAR__PROFILE"}
    assert list(port) == ["setting", "value", "file"]


def test_null_takes_a_setting_out_as_show_prints_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`show` says null where nothing is set; typed back it was a file, or a pin, of that name."""
    to = ["--config", str(file)]
    set_ = [
        "lights.light",
        "17",
        "ear.sources.red",
        "USB",
        "ear.profile",
        "mine.profile",
        "serve.port",
        "9100",
    ]
    assert run(["settings", "set", *set_, *to]) == 0
    capsys.readouterr()
    out = ["lights.light", "null", "ear.sources.red", "null", "ear.profile", "null", "serve.port", "null"]
    assert run(["settings", "set", *out, *to]) == 0
    assert [line.partition(" – ")[0] for line in capsys.readouterr().out.splitlines()] == [
        "lights.light is null", "ear.sources.red is null", "ear.profile is null", "serve.port is 8080",
    ]  # fmt: skip
    settings, text = Settings.read(file), file.read_text()
    assert (settings.lights.light, settings.ear.profile, settings.serve.port) == (None, None, 8080)
    assert "null" not in text
    assert run(["settings", "set", "lights.light", "null", *to]) == 0  # nothing is there, as was wanted
    assert file.read_text() == text
    assert run(["settings", "set", "speech.program", '"null"', *to]) == 0
    assert Settings.read(file).speech.program == "null"


@pytest.mark.parametrize(
    "setting", ["lights.ligth", "lihgts", "ear.sources.green", "serve.port.x", "taps.", "."]
)
def test_what_is_no_setting_cannot_be_taken_out(
    file: Path, capsys: pytest.CaptureFixture[str], setting: str
) -> None:
    before = file.read_text()
    assert run(["settings", "set", setting, "null", "--config", str(file)]) == 2
    assert f"there is no setting {setting!r} in {file}" in capsys.readouterr().err
    assert file.read_text() == before
