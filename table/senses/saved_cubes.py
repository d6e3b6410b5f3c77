"""The saved calibration of the cubes: where it is kept, and the seats in it."""

from __future__ import annotations

from pathlib import Path

from sensors.cubes import calibration
from sensors.cubes.follow import NodeKey, Seat
from table import places


def default_path() -> Path:
    """The calibration's file: with the table's data, if a table is installed on this machine."""
    import platformdirs

    if places.data_directory() == places.STATE:
        return places.STATE / "cubes.json"
    return Path(platformdirs.user_config_dir("polartable")) / "cubes.json"


def saved_seats() -> dict[NodeKey | str, Seat]:
    """The seats of the saved calibration, by the board's permanent number or by port and node; empty without one."""
    return calibration.seats(calibration.load(default_path()))
