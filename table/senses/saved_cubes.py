"""Where the calibration of the cubes is kept, and the seats that it holds."""

from __future__ import annotations

from pathlib import Path

from sensors.cubes import calibration
from sensors.cubes.follow import NodeKey, Seat
from table import places


def default_path() -> Path:
    """Where the calibration of the cubes is kept: with the table's data where there is one on this machine."""
    import platformdirs

    if places.data_directory() == places.STATE:
        return places.STATE / "cubes.json"
    return Path(platformdirs.user_config_dir("polartable")) / "cubes.json"


def saved_seats() -> dict[NodeKey | str, Seat]:
    """The seats of the saved calibration, by the board's lasting number or by port and node; empty without one."""
    return calibration.seats(calibration.load(default_path()))
