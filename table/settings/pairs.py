"""The arguments of `settings set`: settings and their values, valid if they make sense together."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from itertools import combinations, pairwise
from typing import Any

from firmware_bridge.errors import UsageError
from table.settings.faults import SettingsError

# changing one of these without the other may leave an invalid section
TOGETHER = {"taps": ("taps.source", "taps.profile"), "game": ("game.name", "game.players")}


def read_pairs(words: Sequence[str], sections: Collection[str]) -> dict[str, Any]:
    """The new value of each setting; None: take it out.

    Raises UsageError; no message shows a value, which may be a password.
    """
    settings = words[::2]
    for before, setting in pairwise(settings):
        if setting.split(".")[0] not in sections:  # with a known section it is a setting, perhaps misspelt
            raise UsageError(
                f"after {before!r} and its value stands no setting",
                'a value with spaces stands in quotes: taps.source "USB Audio"',
            )
    if len(words) % 2:
        raise UsageError(f"{words[-1]!r} has no value", "write one after each setting: serve.port 8081")
    for one, other in combinations(sorted(settings, key=len), 2):
        if one == other:
            raise UsageError(f"{one!r} is named twice", "name each setting once")
        if other.startswith(f"{one}."):
            raise UsageError(f"{other!r} is in {one!r}, and both are set", "set the one or the other")
    return {setting: _value(value) for setting, value in zip(settings, words[1::2], strict=True)}


def with_others(fault: SettingsError, settings: Collection[str]) -> SettingsError:
    """Improve a refusal: if only one of several settings that belong together was set, name the others."""
    for section, names in TOGETHER.items():
        alone = sum(name in settings for name in names) == 1
        if alone and fault.cause.startswith(f"setting {section!r} "):
            return type(fault)(fault.cause, f"{fault.mend}; set these in one command: {', '.join(names)}")
    return fault


def _value(text: str) -> Any:
    if text == "null":  # as `settings show` prints what is not set; TOML has no such value
        return None
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
