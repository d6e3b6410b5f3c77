"""`polartable setup`: a table that starts by itself; every privileged step can be read first and undone."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from table.setup.doing import Doer, Say
    from table.setup.plan import Step

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog="Example: sudo polartable setup --dry-run")
def setup(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only print every step, with what would be written.")
    ] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Take everything back; games and changed settings stay.")
    ] = False,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let phones on the local network in, with a pairing code.")
    ] = False,
    root: Annotated[
        str | None,
        typer.Option(metavar="<path>", help="Do it below this directory instead (an image of a card)."),
    ] = None,
    upgrade: Annotated[
        Path | None, typer.Option(help="Install this wheel beside the running version, try it, swap it in.")
    ] = None,
    previous: Annotated[
        bool, typer.Option("--previous", help="Go back to the version before the upgrade.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a step on standard output.")
    ] = False,
) -> None:
    """Install the table on this machine: its user, unit, udev rules and settings."""
    from table.setup.acts import SetupFailed
    from table.setup.doing import Doer, is_root
    from table.setup.plan import plan

    options = {"--undo": undo, "--upgrade": upgrade is not None, "--previous": previous, "--lan": lan}
    below = _below(root, [name for name, is_given in options.items() if is_given])
    say = _to_programs if as_json else _to_people
    doer = Doer(below, dry_run, say)
    if not (dry_run or below or is_root()):
        raise SetupFailed(
            "this needs the rights of root", "sudo polartable setup; --dry-run shows every step"
        )
    if upgrade is not None or previous:
        _swap(upgrade, dry_run, doer, say)
        return
    steps = plan(Path(sys.prefix).resolve(), lan, doer.groups())
    if undo:
        raise typer.Exit(_undo(steps, doer, say))
    if below is None and not dry_run:
        _can_be_seen()
    doer.do(steps)


def _below(root: str | None, given: list[str]) -> Path | None:
    """The directory that replaces `/`; None: this machine. Raises `UsageError` for an invalid one."""
    from firmware_bridge.errors import UsageError

    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} cannot be meant together", "give one of them")
    if root is None:
        return None
    if given in (["--upgrade"], ["--previous"]):
        raise UsageError(f"{given[0]} does not work below a directory", "do it on the table itself")
    if not (root and Path(root).is_dir()):  # an empty name would be the working directory
        raise UsageError(f"--root: {root!r} is no directory", "give the one where the card is mounted")
    return Path(root).resolve()  # the tools need an absolute path


def _swap(wheel: Path | None, dry_run: bool, doer: Doer, say: Say) -> None:
    """Replace the running version: by that of a wheel, or (None) by the previous one."""
    from table.setup import upgrade as versions
    from table.setup.plan import CURRENT, Run

    if wheel is None:
        say("link", f"{CURRENT} -> {versions.before(CURRENT) if dry_run else versions.back(CURRENT)}")
    elif dry_run:
        new = versions.environment(wheel, CURRENT)
        say("link", f"{CURRENT} -> {new}, once it is whole and has been tried")
    else:
        say("link", f"{CURRENT} -> {versions.upgrade(wheel, CURRENT, say)}")
    doer.do([Run(("systemctl", "try-restart", "polartable.service"))])


def _undo(steps: Sequence[Step], doer: Doer, say: Say) -> int:
    """Undo the steps. Returns the exit code: 1 if something could not be undone."""
    from table.setup.plan import GAMES

    failed = doer.undo(steps)
    for error in failed:
        print(f"polartable: {error}", file=sys.stderr)
    games = doer.at(GAMES)
    if games.exists():
        say("keep", f"{games} (the games); sudo rm -r {shlex.quote(str(games))} takes them away for good")
    return 1 if failed else 0


def _can_be_seen() -> None:
    """Raises `SetupFailed` if the service could not see this package."""
    from table.setup.acts import SetupFailed
    from table.setup.doing import hidden

    shut = hidden(Path(sys.prefix), Path(sys.base_prefix))
    if shut is not None:
        raise SetupFailed(
            f"Polartable is installed in {shut}, which a service with ProtectHome and PrivateTmp cannot see",
            "install it for the machine: sudo PIPX_HOME=/opt/pipx PIPX_BIN_DIR=/usr/local/bin pipx install WHEEL",
        )


def _to_programs(step: str, what: str, text: str = "") -> None:
    told = {"step": step, "what": what} | ({"text": text} if text else {})
    print(json.dumps(told, ensure_ascii=False), flush=True)


def _to_people(step: str, what: str, text: str = "") -> None:
    print(f"{step:7} {what}", *(f"        | {line}" for line in text.splitlines()), sep="\n", flush=True)
