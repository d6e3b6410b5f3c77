"""`polartable setup`: a table that starts by itself; every privileged step can be read first and taken back."""

from __future__ import annotations

import json
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
        Path | None, typer.Option(help="Do it below this directory instead (an image of a card).")
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
    from table.setup.doing import Doer, SetupFailed, hidden, is_root
    from table.setup.plan import CURRENT, Run, plan

    def say(text: str) -> None:
        if as_json:
            what, _, rest = text.partition(" ")
            print(json.dumps({"step": what, "what": rest.strip()}, ensure_ascii=False), flush=True)
        else:
            print(text, flush=True)

    doer = Doer(root, dry_run, say)
    if not (dry_run or root or is_root()):
        raise SetupFailed(
            "this needs the rights of root", "sudo polartable setup; --dry-run shows every step"
        )
    current = CURRENT if root is None else root / CURRENT.relative_to("/")
    restart = Run(("systemctl", "try-restart", "polartable.service"))
    if upgrade is not None or previous:
        from table.setup import upgrade as versions

        if dry_run:
            say(
                f"link    {current} -> {upgrade or 'the version of before'}, once it is whole and has been tried"
            )
        else:
            new = versions.back(current) if upgrade is None else versions.upgrade(upgrade, current, say)
            say(f"link    {current} -> {new}")
        doer.do([restart])
        return
    steps = plan(Path(sys.prefix), lan, doer.groups())
    if undo:
        failed = doer.undo(steps)
        for error in failed:
            print(f"polartable: {error}", file=sys.stderr)
        say("keep    /var/lib/polartable (the games); sudo rm -r takes them away for good")
        raise typer.Exit(1 if failed else 0)
    shut = hidden(Path(sys.prefix), Path(sys.base_prefix)) if root is None else None
    if shut is not None and not dry_run:
        raise SetupFailed(
            f"Polartable is installed in {shut}, which a service with ProtectHome and PrivateTmp cannot see",
            "install it for the machine: sudo PIPX_HOME=/opt/pipx PIPX_BIN_DIR=/usr/local/bin pipx install WHEEL",
        )
    doer.do(steps)
