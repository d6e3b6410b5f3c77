"""`polartable doctor`: numbered checks of this machine, each with its mend."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(rich_markup_mode=None, add_completion=False)

_MARKS = {"good": "✓", "look": "!", "bad": "✗", "not here": "–"}


@app.command(epilog="Example: polartable doctor --config table.toml")
def doctor(
    config: Annotated[Path | None, typer.Option(help="Settings (TOML); default: what `setup` installed.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line on standard output.")
    ] = False,
) -> None:
    """Numbered checks of this machine; exit 1 where something is bad."""
    from table.config import Settings, default_file
    from table.doctor.checks import all_checks
    from table.doctor.findings import to_json

    bad = 0
    for check in all_checks(Settings.read(config or default_file())):
        finding = check.found()
        bad += finding.state == "bad"
        if as_json:
            print(json.dumps(to_json(check, finding), ensure_ascii=False), flush=True)
        else:
            mend = f" – {finding.mend}" if finding.mend else ""
            print(f"{check.number:2} {_MARKS[finding.state]} {check.name}: {finding.what}{mend}", flush=True)
    raise typer.Exit(1 if bad else 0)
