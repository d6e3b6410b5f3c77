"""A profile: everything the ear learned about one kind of sensor, in one JSON file that cannot execute anything.

A profile holds one head for each front end that it can serve (a slow accelerometer fills fewer bands than a fast one).
Its hash covers the whole body, so a file that was truncated or edited by hand is refused.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from pathlib import Path

from sensors.ear.errors import ProfileError
from sensors.ear.profiles import profile_file
from sensors.ear.profiles.heads import Head, Profile, Usual
from sensors.ear.profiles.profile_json import body_of, profile_of

FORMAT = "polartable-ear-profile"
VERSION = 1
SHIPPED: dict[str, str] = {
    "microphone": "microphone.profile",
    "accelerometer": "accelerometer.profile",
    "contact": "contact.profile",
}
REINSTALL = (
    "install Polartable again (pipx reinstall polartable; in a checkout: git checkout sensors/profiles)"
)

__all__ = [
    "SHIPPED",
    "Head",
    "Profile",
    "Usual",
    "load",
    "load_shipped",
    "parse",
    "save",
    "says_on_the_shell",
]


def save(profile: Profile, path: Path) -> Profile:
    """Write the profile whole or not at all; returns it with its digest. Raises ProfileError where it cannot."""
    text = profile_file.wrap(FORMAT, VERSION, body_of(profile))
    profile_file.write(path, text)
    return parse(text, str(path))


def load(path: Path) -> Profile:
    """Read a profile. Raises ProfileError, with one sentence, for anything but a whole profile of ours."""
    return parse(profile_file.read(path), str(path))


def says_on_the_shell(path: Path) -> bool:
    """Whether a file, even an unusable one, says that it is a profile of a microphone on the shell."""
    try:
        body = json.loads(profile_file.read(path))["body"]
        return body["sensor"] == "microphone" and body["fixed"] is True
    except (ProfileError, ValueError, RecursionError, KeyError, TypeError):
        return False


@lru_cache(maxsize=len(SHIPPED))  # every fold of a test starts from them
def load_shipped(kind: str) -> Profile:
    """The profile that ships with the product: `microphone`, `accelerometer` or `contact`. Raises ProfileError where
    its file is missing or damaged, which no fit can repair."""
    name = SHIPPED[kind]
    try:
        return parse(resources.files("sensors").joinpath("profiles", name).read_text("utf-8"), name)
    except ProfileError as error:
        raise ProfileError(f"of the profiles that ship, {error.cause}", REINSTALL) from error
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it holds bytes that are no text"
        raise ProfileError(f"of the profiles that ship, {name} cannot be read ({why})", REINSTALL) from error


def parse(text: str, where: str) -> Profile:
    """A profile from its text; `where` names it in errors. Raises ProfileError."""
    return profile_file.unwrap(text, where, FORMAT, VERSION, profile_of)
