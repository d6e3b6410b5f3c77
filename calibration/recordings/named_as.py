"""Matches names of sessions and other keys with the arguments of `--test-on` and `--only`."""

from __future__ import annotations

from fnmatch import fnmatch


def fits(name: str | None, asked: str | None) -> bool:
    """Is it the very name that is asked for, or does it match that as a shell pattern (`sweep-*`)? None matches all.

    The very name is tried first: as a pattern, `kitchen [2]` matches only *kitchen 2*, and people do name sessions so.
    """
    return asked is None or name == asked or fnmatch(name or "", asked)
