"""`polartable setup`: a table that starts by itself; every privileged step can be read first and taken back."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

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
    from firmware_bridge.errors import UsageError
    from table.setup.acts import SetupFailed
    from table.setup.doing import Doer, hidden, is_root
    from table.setup.plan import CURRENT, GAMES, Run, plan

    def say(step: str, what: str, text: str = "") -> None:
        if as_json:
            told = {"step": step, "what": what} | ({"text": text} if text else {})
            print(json.dumps(told, ensure_ascii=False), flush=True)
        else:
            print(
                f"{step:7} {what}", *(f"        | {line}" for line in text.splitlines()), sep="\n", flush=True
            )

    options = {"--undo": undo, "--upgrade": upgrade is not None, "--previous": previous, "--lan": lan}
    given = [name for name, is_given in options.items() if is_given]
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} cannot be meant together", "give one of them")
    below = None
    if root is not None:
        if upgrade is not None or previous:
            raise UsageError(f"{given[0]} does not work below a directory", "do it on the table itself")
        if not (root and Path(root).is_dir()):  # an empty name would be the directory where one stands
            raise UsageError(f"--root: {root!r} is no directory", "give the one where the card is mounted")
        below = Path(root).resolve()  # tools want no relative one
    doer = Doer(below, dry_run, say)
    if not (dry_run or below or is_root()):
        raise SetupFailed(
            "this needs the rights of root", "sudo polartable setup; --dry-run shows every step"
        )
    if upgrade is not None or previous:
        from table.setup import upgrade as versions

        if dry_run and upgrade is not None:
            new = versions.environment(upgrade, CURRENT)
            say("link", f"{CURRENT} -> {new}, once it is whole and has been tried")
        else:
            if upgrade is not None:
                new = versions.upgrade(upgrade, CURRENT, say)
            else:
                new = versions.before(CURRENT) if dry_run else versions.back(CURRENT)
            say("link", f"{CURRENT} -> {new}")
        doer.do([Run(("systemctl", "try-restart", "polartable.service"))])
        return
    steps = plan(Path(sys.prefix).resolve(), lan, doer.groups())
    if undo:
        failed = doer.undo(steps)
        for error in failed:
            print(f"polartable: {error}", file=sys.stderr)
        games = doer.at(GAMES)
        if games.exists():
            say("keep", f"{games} (the games); sudo rm -r {shlex.quote(str(games))} takes them away for good")
        raise typer.Exit(1 if failed else 0)
    shut = hidden(Path(sys.prefix), Path(sys.base_prefix)) if below is None else None
    if shut is not None and not dry_run:
        raise SetupFailed(
            f"Polartable is installed in {shut}, which a service with ProtectHome and PrivateTmp cannot see",
            "install it for the machine: sudo PIPX_HOME=/opt/pipx PIPX_BIN_DIR=/usr/local/bin pipx install WHEEL",
        )
    doer.do(steps)
