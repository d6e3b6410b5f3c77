"""Why a source cannot be heard, in words that a table can show."""

from __future__ import annotations

import logging
import traceback

from firmware_bridge.errors import PolartableError


def why_lost(name: str, error: Exception) -> str:
    """Why it is not heard, and the remedy; a defect of ours goes into the log as well."""
    if isinstance(error, PolartableError):
        return f"{error.cause} – {error.mend}"
    logging.getLogger("polartable").error("listening to %s broke", name, exc_info=error)
    where = traceback.extract_tb(error.__traceback__)[-1].name
    return (
        f"a defect of ours in {where} ({type(error).__name__}: {error}) – report it with what the log says; "
        "it is listened to anew"
    )
