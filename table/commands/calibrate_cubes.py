"""`polartable calibrate cubes`: which cube is which, how its sensor sits in it; one cube after another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import platformdirs
import typer

from sensors.cubes import calibration
from sensors.cubes.follow import NodeKey, Seat

app = typer.Typer(rich_markup_mode=None, add_completion=False)


def default_path() -> Path:
    """Where the calibration of the cubes is kept."""
    return Path(platformdirs.user_config_dir("polartable")) / "cubes.json"


def saved_seats(ports: Sequence[str], path: Path | None = None) -> dict[NodeKey, Seat]:
    """The seats of a saved calibration that belong to these ports; empty where nothing was saved."""
    cubes = calibration.load(path or default_path())
    return {k: s for k, s in calibration.seats(cubes, {}).items() if k[0] in ports}
