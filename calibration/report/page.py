"""Renders reports: fills in a template of this folder."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from calibration.traps.flattering import LEAVE_OUT
from calibration.words import many


def rendered(template: str, filled: Mapping[str, Any]) -> str:
    """The page that `template` ("report.html.j2") makes of `filled`; texts are escaped."""
    from jinja2 import Environment, FunctionLoader

    folder = resources.files("calibration.report")
    pages = Environment(
        autoescape=True, loader=FunctionLoader(lambda name: folder.joinpath(name).read_text("utf-8"))
    )
    return pages.get_template(template).render(filled)


def left_out(lines: int, unheard: int, what: str = "recording") -> list[str]:
    """What the page leaves out, so that nobody takes the rest for everything. `lines`: unusable lines of the list;
    `unheard`: how many of the chosen recordings (or `what` else) could not be heard."""
    untold = (
        (lines, "line", "of recordings.jsonl could not be used"),
        (unheard, what, "could not be heard or tested"),
    )
    return [
        f"{many(n, one)} {why}, and {'is' if n == 1 else 'are'} left out here: the command that wrote this page tells "
        f"{'it' if n == 1 else 'them one by one'}."
        for n, one, why in untold
        if n
    ]


def to_follow(sentence: str, folder: Path, sessions: int) -> str:
    """A sentence of `traps.flattering` about taps, with a remedy that a reader of the page can follow: the whole
    command, or another session where there are no two to leave out."""
    command = f"polartable calibrate igloos evaluate {shlex.quote(str(folder))} --leave-out session"
    mend = f"leave whole sessions out: {command}" if sessions > 1 else "record another session on another day"
    return sentence.replace(LEAVE_OUT.format(several="sessions", unit="session"), mend)
