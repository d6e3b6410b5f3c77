"""`polartable setup` below a directory, with real tools: done, done twice, stopped half way, taken back."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from table.cli import run
from table.setup.doing import Doer, SetupFailed, hidden
from table.setup.plan import CURRENT, RULES, SETTINGS, UNIT, USER, Run, plan
from tests.parts import needs

GROUPS = ("audio", "dialout")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A bare root of a Debian: its groups, nothing else."""
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "group").write_text("root:x:0:\naudio:x:29:\ndialout:x:20:\n")
    return tmp_path


def below(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")


def ours(root: Path) -> set[str]:
    """Everything that is ours below a root."""
    return {
        str(path.relative_to(root))
        for path in root.rglob("*")
        if "polartable" in path.name or (path.parent.name == "polartable" and not path.is_dir())
    }


def test_a_dry_run_tells_every_step_and_does_none(capsys: pytest.CaptureFixture[str]) -> None:
    places = (USER, UNIT, RULES, SETTINGS, CURRENT)
    before = [path.exists() for path in places]
    assert run(["setup", "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert [path.exists() for path in places] == before
    for step in plan(Path(sys.prefix), False, GROUPS):
        if isinstance(step, Run):
            assert not step.do or " ".join(step.do) in said
        else:
            assert str(step.path) in said
    assert "ProtectSystem=strict" in said  # what would be written is there to be read


@needs("systemd")
def test_it_is_done_with_real_tools_twice_and_taken_back(root: Path) -> None:
    for _ in range(2):
        assert run(["setup", "--root", str(root), "--lan"]) == 0
    passwd = below(root, Path("/etc/passwd")).read_text()
    assert re.search(r"^polartable:x:\d+:\d+:.*:/var/lib/polartable:/usr/sbin/nologin$", passwd, re.M)
    groups = dict(line.split(":x:") for line in below(root, Path("/etc/group")).read_text().splitlines())
    assert all(groups[name].endswith(":polartable") for name in GROUPS)
    assert "gpio" not in groups  # a group that this machine has not is not made up
    wanted = root / "etc/systemd/system/multi-user.target.wants/polartable.service"
    assert wanted.is_symlink()
    assert run(["settings", "check", str(below(root, SETTINGS))]) == 0
    assert run(["setup", "--root", str(root), "--undo"]) == 0
    assert {name for name in ours(root) if not (root / name).is_dir()} == set()
    assert "polartable" not in below(root, Path("/etc/passwd")).read_text()
    assert run(["setup", "--root", str(root), "--undo"]) == 0  # nothing is left, and that is no error


@needs("systemd")
def test_settings_that_somebody_changed_are_never_overwritten_nor_taken_away(root: Path) -> None:
    file = below(root, SETTINGS)
    file.parent.mkdir(parents=True)
    file.write_text("[serve]\nport = 80\n")
    run(["setup", "--root", str(root)])
    run(["setup", "--root", str(root), "--undo"])
    assert file.read_text() == "[serve]\nport = 80\n"


def test_stopped_after_any_step_it_can_be_done_again_or_taken_back(root: Path) -> None:
    """Files only; the tools are tried above."""
    steps = [step for step in plan(Path("/opt/somewhere"), True, GROUPS) if not isinstance(step, Run)]
    for n in range(len(steps) + 1):
        for after in ("again", "back"):
            doer = Doer(root, False, lambda text: None)
            doer.do(steps[:n])
            if after == "again":
                doer.do(steps)
                assert all(
                    below(root, step.path).is_symlink() or below(root, step.path).exists() for step in steps
                )
            assert doer.undo(steps) == []
            assert not any(below(root, step.path).exists() for step in steps)


def test_a_step_that_fails_is_one_sentence_and_undoing_goes_on(root: Path) -> None:
    doer = Doer(None, False, lambda text: None)
    with pytest.raises(SetupFailed, match="no-such-tool --now"):
        doer.do([Run(("no-such-tool", "--now"))])
    with pytest.raises(SetupFailed, match="false: exit code 1"):
        doer.do([Run(("false",))])
    undone = doer.undo([Run(back=("touch", str(root / "undone"))), Run(back=("false",))])
    assert len(undone) == 1
    assert (root / "undone").exists()


def test_an_environment_that_the_service_could_not_see_is_refused() -> None:
    person = "/" + "home/anna/.local/pipx/venvs/polartable"
    assert hidden(Path(person), Path("/usr")) == person
    assert hidden(Path("/opt/pipx/venvs/polartable"), Path("/usr")) is None
