"""Where a table's settings and data are on this machine: in system folders if it is installed, else in this user's."""

from __future__ import annotations

import os
from pathlib import Path

from table.setup.plan import GAMES, SETTINGS

INSTALLED = SETTINGS  # where `polartable setup` installs it
STATE = GAMES  # where the installed table keeps its games


def data_directory() -> Path:
    """The folder of journal and profiles: `POLARTABLE_DATA`; on a table's machine its own, else this user's."""
    from platformdirs import user_data_path

    given = os.environ.get("POLARTABLE_DATA")
    if given:
        return Path(given)
    if INSTALLED.exists() and os.access(STATE, os.W_OK):  # we are root, or the table itself
        return STATE
    return user_data_path("polartable", appauthor=False)


def default_file() -> Path | None:
    """The settings file if none is named: `POLARTABLE_CONFIG`, else the one that `setup` installed, else none."""
    given = os.environ.get("POLARTABLE_CONFIG")
    if given:
        return Path(given)
    return INSTALLED if INSTALLED.exists() else None
