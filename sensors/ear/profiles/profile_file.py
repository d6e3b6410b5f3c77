"""Profile files of all kinds: one JSON object that names its format, its version, and a hash over its body.

A file that was truncated, edited by hand or made by somebody else is refused in one sentence; nothing in it is
executed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from errno import ENOENT
from pathlib import Path
from stat import S_ISREG
from typing import Any, TypeVar

from firmware_bridge.host.durable import write_whole
from firmware_bridge.host.utf16 import AS_UTF8, is_utf16
from sensors.ear.errors import ProfileError
from sensors.ear.profiles.profile_json import canonical, digest_of

LARGEST = 32 * 2**20  # bytes; a profile is one or two million
MAKE = "name a file made by `calibrate igloos fit`"
LATER = "update Polartable, or fit it again with `polartable calibrate igloos fit`"
AGAIN = "fit it again with `polartable calibrate igloos fit`, or copy it anew"
BEGINS = b'{"format":"polartable'  # the first bytes that `wrap` writes, for any kind
Made = TypeVar("Made")


def wrap(form: str, version: int, body: dict[str, Any]) -> str:
    """The text of a profile's file."""
    text = canonical(body)
    return _before_body(form, version, digest_of(text)) + text + "}"


def _before_body(form: str, version: int, digest: str) -> str:
    outer = {"format": form, "version": version, "digest": digest}
    return json.dumps(outer, separators=(",", ":"))[:-1] + ',"body":'


def _digest_in(text: str, body: dict[str, Any], form: str, version: int, digest: str) -> str:
    """The digest of the body of a file with this text. It is computed from the text itself where `wrap` wrote it,
    because serialising a body takes as long as reading it."""
    before = _before_body(form, version, digest)
    if text.startswith(before) and digest_of(text.rstrip()[len(before) : -1]) == digest:
        return digest
    return digest_of(canonical(body))


def write(path: Path, text: str) -> None:
    """Write it whole or not at all. Raises ProfileError where it cannot be written."""
    try:
        if not path.parent.is_dir():
            raise FileNotFoundError(ENOENT, "there is no such folder")
        write_whole(path, (text + "\n").encode(), 0o644)
    except OSError as error:
        raise ProfileError(f"{path} cannot be written ({error.strerror})", "choose another folder") from error


def read(path: Path) -> str:
    """The text of a file that may be a profile. Raises ProfileError for one that cannot be."""
    try:
        # a pipe may wait for ever, and a device may never end
        if not S_ISREG(path.stat().st_mode):
            raise ProfileError(f"{path} is no file", MAKE)
        with path.open("rb") as file:
            told = file.read(LARGEST + 1)  # whatever size the file claims to have
        if len(told) > LARGEST:
            raise ProfileError(f"{path} is far too large for a profile", MAKE)
        if is_utf16(told):
            raise ProfileError(f"{path} is written in UTF-16", AS_UTF8)
        return told.decode("utf-8-sig")
    except PermissionError as error:
        raise ProfileError(f"{path} cannot be read ({error.strerror})", "check its permissions") from error
    except OSError as error:
        raise ProfileError(
            f"{path} cannot be read ({error.strerror})", "check the name of the profile"
        ) from error
    except UnicodeDecodeError as error:
        if told.startswith(BEGINS):
            raise ProfileError(f"{path} is damaged: it holds bytes that are no text", AGAIN) from error
        raise ProfileError(f"{path} is no profile", MAKE) from error


def unwrap(
    text: str, where: str, form: str, version: int, make: Callable[[dict[str, Any], str], Made]
) -> Made:
    """The result of `make` from the body and its digest; `where` names the file in errors. Raises ProfileError."""
    try:
        outer = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{where} is no profile, or only a part of one", AGAIN) from error
    if not isinstance(outer, dict) or outer.get("format") != form:
        raise ProfileError(f"{where} is no profile of this kind", MAKE)
    other = outer.get("version")
    if isinstance(other, int) and other > version:
        raise ProfileError(f"{where} was written by a later version of Polartable ({other})", LATER)
    if other != version:
        raise ProfileError(f"{where} was written by another version ({other!r})", AGAIN)
    body = outer.get("body")
    try:
        digest = str(outer.get("digest"))
        if not isinstance(body, dict) or _digest_in(text, body, form, version, digest) != digest:
            raise ProfileError(f"{where} is damaged: its contents do not match its hash", AGAIN)
        return make(body, digest)
    except ProfileError as error:  # raised by `make`, which does not know the file
        cause = error.cause if error.cause.startswith(where) else f"{where}: {error.cause}"
        raise ProfileError(cause, error.mend) from error
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise ProfileError(f"{where} is damaged: {type(error).__name__} in its contents", AGAIN) from error
