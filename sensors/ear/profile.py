"""A profile: everything the ear learned about one kind of sensor, in one JSON file that cannot execute anything.

A profile holds one head for each front end that it can serve (a slow accelerometer fills fewer bands than a fast one);
its hash covers the whole body, so a file that was cut short or edited by hand is refused.
"""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

from sensors.ear.errors import ProfileError
from sensors.ear.heads import Head, Profile, Usual
from sensors.ear.profile_json import body_of, digest_of, profile_of

FORMAT = "polartable-ear-profile"
VERSION = 1
LARGEST = 32 * 2**20  # bytes; a profile is some hundred kilobytes
SHIPPED: dict[str, str] = {
    "microphone": "microphone.profile",
    "accelerometer": "accelerometer.profile",
    "contact": "contact.profile",
}

__all__ = ["SHIPPED", "Head", "Profile", "Usual", "load", "load_shipped", "parse", "save"]


def save(profile: Profile, path: Path) -> Profile:
    """Write the profile whole or not at all; returns it with its digest. Raises ProfileError where it cannot."""
    body = body_of(profile)
    digest = digest_of(body)
    text = json.dumps(
        {"format": FORMAT, "version": VERSION, "digest": digest, "body": body}, separators=(",", ":")
    )
    beside = path.with_name(path.name + ".part")
    try:
        beside.write_text(text + "\n", encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise ProfileError(f"{path} cannot be written ({error.strerror})", "choose another folder") from error
    return parse(text, str(path))


def load(path: Path) -> Profile:
    """Read a profile. Raises ProfileError, with one sentence, for whatever is not a whole profile of ours."""
    try:
        if path.stat().st_size > LARGEST:
            raise ProfileError(
                f"{path} is far too large for a profile", "name a file made by `calibrate igloos fit`"
            )
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ProfileError(
            f"{path} cannot be read ({error.strerror})", "check the name of the profile"
        ) from error
    except UnicodeDecodeError as error:
        raise ProfileError(f"{path} is no profile", "name a file made by `calibrate igloos fit`") from error
    return parse(text, str(path))


def load_shipped(kind: str) -> Profile:
    """The profile that came with the product: `microphone`, `accelerometer` or `contact`."""
    return parse(
        resources.files("sensors").joinpath("profiles", SHIPPED[kind]).read_text("utf-8"), SHIPPED[kind]
    )


def parse(text: str, where: str) -> Profile:
    """A profile from its text; `where` names it in errors. Raises ProfileError."""
    again = "fit it again with `polartable calibrate igloos fit`, or copy it anew"
    try:
        outer = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{where} is no profile, or only a part of one", again) from error
    if not isinstance(outer, dict) or outer.get("format") != FORMAT:
        raise ProfileError(
            f"{where} is no profile of Polartable", "name a file made by `calibrate igloos fit`"
        )
    if outer.get("version") != VERSION:
        raise ProfileError(f"{where} was written by another version ({outer.get('version')!r})", again)
    body = outer.get("body")
    try:
        if not isinstance(body, dict) or digest_of(body) != outer.get("digest"):
            raise ProfileError(f"{where} is damaged: its contents do not match its hash", again)
        return profile_of(body, str(outer["digest"]))
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        if isinstance(error, ProfileError):
            raise
        raise ProfileError(f"{where} is damaged: {type(error).__name__} in its contents", again) from error
