"""`polartable calibrate cubes`: which face is which, how the sensor sits, one cube after another."""

from __future__ import annotations

import typer

app = typer.Typer(
    add_completion=False, no_args_is_help=True, rich_markup_mode=None, help="Teach the table your cubes."
)


@app.callback()
def _cubes() -> None:
    """Teach the table your cubes."""
