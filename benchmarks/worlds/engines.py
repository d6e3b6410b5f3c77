"""Folders of simulated recordings, one list per physics engine: the training data of networks and profiles."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks import given


def add_folders(parser: argparse.ArgumentParser) -> None:
    """Add arguments for the product's own folders, and for those of another engine after each `--other`."""
    parser.add_argument("folder", type=given.recordings, nargs="+", help="simulated recordings of hw_mock")
    parser.add_argument(
        "--other",
        type=Path,
        nargs="+",
        action="append",
        default=[],
        help="of one other engine; may be repeated",
    )


def engines_of(options: argparse.Namespace) -> list[list[Path]]:
    """The folders of each engine."""
    return [options.folder, *options.other]
