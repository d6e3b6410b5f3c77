"""`polartable doctor`: numbered checks of this machine, each with its remedy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from table.commands.options import InstalledConfig, Json

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog="Example: polartable doctor --config table.toml")
def doctor(
    config: InstalledConfig = None,
    as_service: Annotated[
        bool, typer.Option("--as-service", help="Under the restrictions of the installed unit (needs sudo).")
    ] = False,
    as_json: Json = False,
) -> None:
    """Numbered checks of this machine; exit 1 where something is bad."""
    from table.config import Settings, SettingsError
    from table.doctor.checks import all_checks
    from table.doctor.findings import MARKS, to_json
    from table.doctor.running import senses_of_running_table
    from table.places import default_file

    file = config or default_file()
    if as_service:
        raise typer.Exit(_as_service(file, as_json))
    try:
        settings = Settings.read(file)
    except SettingsError:  # check 14 reports it; the others check the machine with the defaults
        settings = Settings.read(None)
    bad = 0
    for check in all_checks(settings, file, senses_of_running_table(settings)):
        finding = check.found()
        bad += finding.state == "bad"
        if as_json:
            print(json.dumps(to_json(check, finding), ensure_ascii=False), flush=True)
        else:
            mend = f" – {finding.mend}" if finding.mend else ""
            print(f"{check.number:2} {MARKS[finding.state]} {check.name}: {finding.what}{mend}", flush=True)
    raise typer.Exit(1 if bad else 0)


def _as_service(file: Path | None, as_json: bool) -> int:
    """Run the checks as the service would: as its user, with its devices and restrictions."""
    from table.doctor.service import inside
    from table.setup.acts import SetupFailed
    from table.setup.plan import CURRENT, UNIT

    try:
        text = UNIT.read_text(encoding="utf-8")
    except OSError as error:
        raise SetupFailed(
            f"there is no unit {UNIT}", "install the table first: sudo polartable setup"
        ) from error
    command = [str(CURRENT / "bin" / "polartable"), "doctor"]
    command += ["--config", str(file.absolute())] if file is not None else []
    command += ["--json"] if as_json else []
    try:
        return subprocess.run(inside(text, command), stdout=sys.stdout, check=False).returncode
    except OSError as error:
        raise SetupFailed("systemd-run is not on this machine", "a unit needs systemd") from error
