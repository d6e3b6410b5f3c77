"""Reports become pages: a template of this folder, filled in."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from calibration.traps.flattering import LEAVE_OUT


def rendered(template: str, filled: Mapping[str, Any]) -> str:
    """The page that `template` ("report.html.j2") makes of what it is given; texts are escaped."""
    from jinja2 import Environment, FunctionLoader

    folder = resources.files("calibration.report")
    pages = Environment(
        autoescape=True, loader=FunctionLoader(lambda name: folder.joinpath(name).read_text("utf-8"))
    )
    return pages.get_template(template).render(filled)


def to_follow(sentence: str, folder: Path, sessions: int) -> str:
    """A sentence of `traps.flattering` about taps with a mend that whoever reads it on a page can follow: the whole
    command, or another session where there are no two to leave out."""
    command = f"polartable calibrate igloos evaluate {shlex.quote(str(folder))} --leave-out session"
    mend = f"leave whole sessions out: {command}" if sessions > 1 else "record another session on another day"
    return sentence.replace(LEAVE_OUT.format(several="sessions", unit="session"), mend)
