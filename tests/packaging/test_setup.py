"""`polartable setup` below a directory, with real tools: done, done twice, stopped half way, taken back."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from table.cli import run
from table.setup.acts import SetupFailed
from table.setup.doing import Doer, hidden
from table.setup.plan import (
    CACHE,
    CURRENT,
    GAMES,
    PREVIOUS,
    RULES,
    SETTINGS,
    UNIT,
    USER,
    VERSIONS,
    WHOLE,
    Left,
    Link,
    Run,
    Write,
    plan,
)
from tests.packaging.saying import unheard
from tests.parts import needs

GROUPS = ("audio", "dialout")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A bare root of a Debian: its groups, nothing else."""
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "group").write_text("root:x:0:\naudio:x:29:\ndialout:x:20:\n")
    return tmp_path


def upgraded(root: Path) -> Path:
    """What an upgrade leaves below a root: its environment, the links, and what the service has written since."""
    new = VERSIONS / "polartable-0.2.0-12345678"
    below(root, new).mkdir(parents=True)
    (below(root, new) / WHOLE).touch()
    below(root, CURRENT).symlink_to(new)
    below(root, PREVIOUS).symlink_to("/opt/pipx/venvs/polartable")
    for place in (GAMES, CACHE):
        below(root, place).mkdir(parents=True)
        (below(root, place) / "something").touch()
    return new


def below(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")


def ours(root: Path) -> set[str]:
    """Everything that is ours below a root."""
    return {
        str(path.relative_to(root))
        for path in root.rglob("*")
        if "polartable" in path.name or (path.parent.name == "polartable" and not path.is_dir())
    }


def files(environment: str) -> list[Write | Link | Left]:
    """The plan without its commands; the tools are tried by others."""
    return [step for step in plan(Path(environment), True, GROUPS) if not isinstance(step, Run)]


def test_a_dry_run_tells_every_step_and_does_none(capsys: pytest.CaptureFixture[str]) -> None:
    places = (USER, UNIT, RULES, SETTINGS, CURRENT)
    before = [path.exists() for path in places]
    assert run(["setup", "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert [path.exists() for path in places] == before
    for step in plan(Path(sys.prefix), False, GROUPS):
        if isinstance(step, Run):
            assert not step.do or " ".join(step.do) in said
        elif not isinstance(step, Left):
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
    steps = files("/opt/somewhere")
    for n in range(len(steps) + 1):
        for after in ("again", "back"):
            doer = Doer(root, False, unheard)
            doer.do(steps[:n])
            if after == "again":
                doer.do(steps)
                done = [below(root, step.path) for step in steps if not isinstance(step, Left)]
                assert all(path.is_symlink() or path.exists() for path in done)
            assert doer.undo(steps) == []
            assert not any(below(root, step.path).exists() for step in steps)


def test_a_step_that_fails_is_one_sentence_and_undoing_goes_on(root: Path) -> None:
    doer = Doer(None, False, unheard)
    with pytest.raises(SetupFailed, match="no-such-tool --now"):
        doer.do([Run(("no-such-tool", "--now"))])
    with pytest.raises(SetupFailed, match="false: exit code 1"):
        doer.do([Run(("false",))])
    undone = doer.undo([Run(back=("touch", str(root / "undone"))), Run(back=("false",))])
    assert len(undone) == 1
    assert (root / "undone").exists()


def test_what_an_upgrade_put_there_runs_on_and_goes_with_the_rest(root: Path) -> None:
    """`polartable` on the path is still the version of before when somebody lets the phones in."""
    new = upgraded(root)
    told: list[str] = []
    doer = Doer(root, False, lambda step, what, text="": told.append(f"{step} {what}"))
    doer.do(files("/opt/pipx/venvs/polartable"))
    assert below(root, CURRENT).readlink() == new
    [kept] = [line for line in told if line.startswith(f"keep {below(root, CURRENT)} -> {new} (an upgrade")]
    assert "--upgrade WHEEL" in kept  # for whoever has a newer one on the path
    assert f"{CURRENT}/bin/polartable setup" in kept  # for the unit that belongs to what runs on
    told.clear()
    doer.do(files(str(new)))  # which is just that
    assert f"link {below(root, CURRENT)} -> {new}" in told
    assert doer.undo(files("/opt/pipx/venvs/polartable")) == []
    assert [path.name for path in below(root, Path("/opt")).iterdir()] == []
    assert not below(root, CACHE).exists()
    assert (below(root, GAMES) / "something").exists()


def test_a_link_that_leads_nowhere_is_set_again(root: Path) -> None:
    below(root, CURRENT.parent).mkdir(parents=True)
    below(root, CURRENT).symlink_to(VERSIONS / "taken-away")
    Doer(root, False, unheard).do(files("/opt/pipx/venvs/polartable"))
    assert below(root, CURRENT).readlink() == Path("/opt/pipx/venvs/polartable")


def test_what_failed_can_be_taken_back_once_it_is_mended(root: Path) -> None:
    made, mended = root / "made", root / "mended"
    steps = [Write(made, "x"), Run(back=("test", "-e", str(mended)), back_if=(made,))]
    doer = Doer(None, False, unheard)
    doer.do(steps)
    assert len(doer.undo(steps)) == 1
    assert made.exists()
    mended.touch()
    assert doer.undo(steps) == []
    assert not made.exists()
    assert doer.undo([Run(back=("sh", "-c", "exit 6"), gone=6)]) == []  # there was nothing to take back


@needs("systemd")
def test_a_root_may_be_named_from_where_one_stands(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root.parent)
    assert run(["setup", "--root", root.name]) == 0
    below(root, GAMES).mkdir(parents=True)
    capsys.readouterr()
    assert run(["setup", "--root", root.name, "--undo"]) == 0
    assert "polartable" not in below(root, Path("/etc/passwd")).read_text()
    told = capsys.readouterr()
    assert told.err == ""
    assert f"sudo rm -r {below(root, GAMES)} takes" in told.out  # not those of this machine


@needs("systemd")
def test_a_user_that_was_never_made_keeps_nothing_from_being_taken_back(root: Path) -> None:
    below(root, USER).parent.mkdir(parents=True)
    below(root, USER).write_text("")
    below(root, Path("/etc/passwd")).write_text("root:x:0:0::/root:/bin/sh\n")
    assert run(["setup", "--root", str(root), "--undo"]) == 0
    assert not below(root, USER).exists()


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (["--undo", "--upgrade", "polartable-2.0-py3-none-any.whl"], "--undo and --upgrade"),
        (["--undo", "--previous"], "--undo and --previous"),
        (["--previous", "--upgrade", "polartable-2.0-py3-none-any.whl"], "--upgrade and --previous"),
        (["--undo", "--lan"], "--undo and --lan"),
        (["--root", ".", "--previous"], "--previous does not work below a directory"),
        (["--root", "./nowhere"], "'./nowhere' is no directory"),
        (["--root", ""], "'' is no directory"),
        (["--root", __file__], "test_setup.py' is no directory"),
        (["--upgrade", "nosuch.whl"], "nosuch.whl cannot be read"),
        (["--upgrade", "."], "is no wheel of Polartable"),
        (["--upgrade", __file__], "is no wheel of Polartable"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_done(
    options: list[str], cause: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["setup", "--dry-run", *options]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert cause in told.err


def test_to_programs_each_step_is_one_object(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["setup", "--dry-run", "--json", "--root", str(root)]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {step["step"] for step in told} == {"write", "run", "link"}
    texts = {step["what"]: step["text"] for step in told if step["step"] == "write"}
    for written in files("/opt/somewhere"):
        if isinstance(written, Write) and written.path in (SETTINGS, RULES):
            assert texts[str(below(root, written.path))] == written.text
    assert all("text" not in step for step in told if step["step"] != "write")


def test_sudo_is_advised_only_where_it_helps(root: Path) -> None:
    below(root, UNIT.parent.parent).write_text("a file in the way")
    with pytest.raises(SetupFailed, match="mend that; then once more, or --undo"):
        Doer(root, False, unheard).do([Write(UNIT, "x")])


def test_an_environment_that_the_service_could_not_see_is_refused() -> None:
    person = "/" + "home/anna/.local/pipx/venvs/polartable"
    assert hidden(Path(person), Path("/usr")) == person
    assert hidden(Path("/opt/pipx/venvs/polartable"), Path("/usr")) is None
