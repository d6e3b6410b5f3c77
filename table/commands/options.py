"""Options that several commands take, said in the same words by each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="One JSON object a line on standard output.")]
# of what asks about the table that is installed
InstalledConfig = Annotated[
    Path | None, typer.Option(help="Settings (TOML); default: what `setup` installed.")
]
# of what runs without a table that is installed too
AnyConfig = Annotated[
    Path | None, typer.Option(help="Settings (TOML); default: what `setup` installed, else none.")
]
PagePort = Annotated[int | None, typer.Option(min=0, max=65535, help="Port of the page; 0: any free one.")]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")]
