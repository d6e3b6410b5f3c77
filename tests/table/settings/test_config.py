"""Settings: one file, checked whole; what cannot be meant is one sentence with the nearest right thing."""

from __future__ import annotations

from pathlib import Path

import pytest

from table import places
from table.config import Settings, SettingsError


def read(tmp_path: Path, text: str) -> Settings:
    file = tmp_path / "table.toml"
    file.write_text(text)
    return Settings.read(file)


def test_without_a_file_everything_has_a_default_and_the_door_is_closed() -> None:
    settings = Settings.read(None)
    assert settings.serve.host == "127.0.0.1"
    assert settings.cubes.ports == ()


def test_a_file_and_the_environment_above_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLARTABLE_SERVE__PORT", "9001")
    settings = read(tmp_path, '[serve]\nport = 9000\n[game]\nname = "igloo-pop"\nplayers = ["red", "blue"]\n')
    assert settings.serve.port == 9001
    assert settings.game.name == "igloo-pop"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[serve]\nprot = 80\n", "there is no setting 'serve.prot' .* did you mean 'port'?"),
        ("[sreve]\nport = 80\n", "there is no setting 'sreve' .* did you mean 'serve'?"),
        ("[serve]\ncolour = 80\n", "known are host, port, browser"),
        ("[serve]\nport = 'x'\n", "setting 'serve.port' .* is 'x'"),
        ("[serve]\nport = 99999\n", "setting 'serve.port' .* is 99999"),
        ("[game]\nname = 'chess'\n", "setting 'game.name' .* is 'chess'"),
        (
            '[ear]\nsources = { rde = "mock" }\n',
            r"there is no seat 'rde' \(ear.sources\) in .*, line 2 – did you mean 'red'?",
        ),
        (
            "[buttons]\nred = 4\nbleu = 17\n",
            r"there is no seat 'bleu' \(buttons\) .*3 – did you mean 'blue'?",
        ),
        ('[ear]\nsources = { purple = "x" }\n', "'purple' .* known are red, .*, table"),
        ("[buttons]\ntable = 17\n", "there is no seat 'table'"),
        ("[serve", r"is no TOML: .*line 1\) – end that line"),
        ('[game]\n\nname = "igloo', r"is no TOML: .*line 3\)"),
        ("\x00", "is no TOML"),
    ],
)
def test_a_slip_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        read(tmp_path, text)


def test_a_seat_that_nobody_plays_is_told() -> None:
    game = {"name": "igloo-pop", "players": ("red", "blue")}
    ear, buttons = {"sources": {"green": "USB", "table": "USB #2"}}, {"red": 4, "white": 5, "black": 6}
    green, others = Settings(game=game, ear=ear, buttons=buttons).notes()
    assert green.startswith(
        "[ear] sources names green, which is no seat of the game in the settings (red, blue)"
    )
    assert others.startswith("[buttons] names white, black, which are no seats")
    assert Settings(ear=ear, buttons=buttons).notes() == []  # who plays is chosen at the page


def test_one_tables_file_is_not_the_next_ones(tmp_path: Path) -> None:
    assert read(tmp_path, "[serve]\nport = 9000\n").serve.port == 9000
    assert Settings.read(None).serve.port == 8080


def test_on_a_tables_machine_whoever_may_looks_at_the_tables_own_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("POLARTABLE_DATA", raising=False)
    monkeypatch.delenv("POLARTABLE_CONFIG", raising=False)
    installed, state = tmp_path / "table.toml", tmp_path / "state"
    monkeypatch.setattr(places, "INSTALLED", installed)
    monkeypatch.setattr(places, "STATE", state)
    assert places.default_file() is None
    assert places.data_directory() != state
    installed.write_text("")
    assert places.data_directory() != state  # it was never started, or we may not look
    state.mkdir()
    assert (places.default_file(), places.data_directory()) == (installed, state)
    monkeypatch.setenv("POLARTABLE_DATA", str(tmp_path))
    assert places.data_directory() == tmp_path


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        Settings.read(tmp_path / "nowhere.toml")


FILES = """
[ear]
profile = "mine.profile"
shell_profile = "profiles/shell.profile"
[taps]
profile = "../seat.profile"
[trainer]
recordings = "mine"
[journal]
file = "books/club.sqlite"
[fleet]
broker = "mqtts://club"
ca = "club.pem"
"""


@pytest.mark.parametrize("named", ["whole", "table.toml", "conf/table.toml"])
def test_files_are_looked_for_beside_the_settings_wherever_the_table_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    """They hung on the folder in which it was started, which is another one for a service."""
    folder = tmp_path / "conf"
    folder.mkdir()
    (folder / "table.toml").write_text(FILES)
    monkeypatch.setenv("POLARTABLE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(folder if named == "table.toml" else tmp_path)
    settings = Settings.read(folder / "table.toml" if named == "whole" else Path(named))
    assert settings.ear.profile == folder / "mine.profile"
    assert settings.ear.shell_profile == folder / "profiles/shell.profile"
    assert settings.taps.profile == folder / "../seat.profile"
    assert settings.trainer.recordings == folder / "mine"
    assert settings.journal.file == tmp_path / "data/books/club.sqlite"  # which the table writes
    assert settings.fleet.ca == folder / "club.pem"


def test_a_file_that_the_environment_names_is_where_whoever_set_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLARTABLE_EAR__PROFILE", "mine.profile")
    settings = read(tmp_path, '[ear]\nprofile = "other.profile"\nshell_profile = "shell.profile"\n')
    assert settings.ear.profile == Path("mine.profile")
    assert settings.ear.shell_profile == tmp_path / "shell.profile"
