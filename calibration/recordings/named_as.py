"""Names of sessions and other keys of a list, as `--test-on` and `--only` ask for them."""

from __future__ import annotations

from fnmatch import fnmatch


def fits(name: str | None, asked: str | None) -> bool:
    """Is it the very name that is asked for, or does it fit that as a shell's pattern (`sweep-*`)? None asks for any.

    The very name first: `kitchen [2]` as a pattern is *kitchen 2* alone, and people do name sessions so.
    """
    return asked is None or name == asked or fnmatch(name or "", asked)
