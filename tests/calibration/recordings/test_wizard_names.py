"""Names and folders that the wizard is given: what can name a file is taken, what cannot is refused before a take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.errors import UsageError
from table.cli import run as run_cli
from table.commands.record_source import opener
from tests.calibration.recordings.wizard import KEPT, RECORD, lines


@pytest.mark.parametrize(
    "name", ["../../evil", "/etc", "", ".", "..", "a/b", "a\\b", "a\0b", "a\nb", "\udcff", "x" * 99]
)
@pytest.mark.parametrize("option", ["device", "player", "session"])
def test_names_that_make_bad_paths_are_refused_before_anything_is_recorded(
    tmp_path: Path, run: Callable[..., list[str]], option: str, name: str
) -> None:
    with pytest.raises(UsageError, match=f"--{option} .* is no name for files"):
        run(**{option: name})
    assert not list(tmp_path.iterdir())


def test_names_of_people_are_names(tmp_path: Path, run: Callable[..., list[str]]) -> None:
    run(*KEPT, player="Zoë O'Neill Jr.", device="table 1", session="Kinderfest-2")
    assert lines(tmp_path)[0].path.exists()


def test_a_folder_that_cannot_be_one_is_told_in_a_sentence(
    tmp_path: Path, run: Callable[..., list[str]]
) -> None:
    (tmp_path / "mine").write_text("a file")
    with pytest.raises(UsageError, match="mine cannot take recordings \\(it is a file\\)"):
        run(*KEPT)
    (tmp_path / "mine").unlink()
    (tmp_path / "mine").symlink_to("/proc/foo")
    with pytest.raises(UsageError, match="cannot take recordings"):
        run(*KEPT)


@pytest.mark.parametrize("options", [["--lan"], ["--port", "0"], ["--browser"]])
def test_options_of_a_page_without_one_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    """The wizard asked in the terminal, and a phone waited for a page."""
    assert run_cli([*RECORD, str(tmp_path / "mine"), *options]) == 2
    assert f"{options[0]} is of a page – add --page" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("source", ["", "  "])
def test_a_source_without_a_name_is_no_recording(source: str) -> None:
    """It was said to be recorded already: nothing is the folder where one stands."""
    with pytest.raises(UsageError, match="--source has no name"):
        opener(source, 2.0)
