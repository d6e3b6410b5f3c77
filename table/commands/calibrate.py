"""`polartable calibrate`: teach the table your own igloos and cubes."""

from __future__ import annotations

import typer

from table.commands import calibrate_cubes, calibrate_igloos

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Teach the table your own igloos and cubes.",
    epilog="Example: polartable calibrate igloos fit recordings --out mine.profile",
)
app.add_typer(calibrate_igloos.app, name="igloos")
app.command("cubes", epilog=calibrate_cubes.EXAMPLE)(calibrate_cubes.cubes)
