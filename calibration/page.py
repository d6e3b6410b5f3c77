"""Reports become pages: a template of this folder, filled in."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Any


def rendered(template: str, filled: Mapping[str, Any]) -> str:
    """The page that `template` ("report.html.j2") makes of what it is given; texts are escaped."""
    from jinja2 import Environment, FunctionLoader

    folder = resources.files("calibration")
    pages = Environment(
        autoescape=True, loader=FunctionLoader(lambda name: folder.joinpath(name).read_text("utf-8"))
    )
    return pages.get_template(template).render(filled)
