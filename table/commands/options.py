"""Options shared by several commands, with the same help text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="One JSON object a line on standard output.")]
# for commands about the installed table
InstalledConfig = Annotated[
    Path | None, typer.Option(help="Settings (TOML); default: what `setup` installed.")
]
# for commands that also run without an installed table
AnyConfig = Annotated[
    Path | None, typer.Option(help="Settings (TOML); default: what `setup` installed, else none.")
]
PagePort = Annotated[int | None, typer.Option(min=0, max=65535, help="Port of the page; 0: any free one.")]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")]
