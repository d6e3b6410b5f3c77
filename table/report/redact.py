"""Redaction: removes secrets (by the name of their key), codes, and whatever names a person or a machine."""

from __future__ import annotations

import contextlib
import getpass
import re
import socket
from collections.abc import Iterable
from typing import Any

SECRET = re.compile(
    r"pass(word|wd|phrase)?$|secret|token|credential|(^|_)(key|code|auth|cookie)$|^user(name)?$", re.I
)
_IN_ADDRESS = re.compile(r"(?<=://)[^/@\s]+@")  # mqtt://user:password@host
_TOKEN = re.compile(r"\b(?:[A-Za-z0-9_-]{32,}|(?:\d{6}|\d{8}))\b(?![.:]\d)")
_HOME = re.compile(r"(/(?:home|Users)/)[^/\s\"']+")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
_MAC = re.compile(r"\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", re.I)
GONE = "[removed]"


class Redactor:
    """Removes private data. `names`: words that name this machine and its user."""

    def __init__(self, names: Iterable[str] | None = None) -> None:
        known = _own_names() if names is None else list(names)
        words = sorted(
            {name for name in known if len(name) >= 3 and name not in _COMMON}, key=len, reverse=True
        )
        self._names = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in words)) if words else None

    def text(self, text: str, codes: bool = True) -> str:
        """A line fit for strangers. `codes`: also remove digits and letters that could be a pairing code or a token."""
        text = _IN_ADDRESS.sub(f"{GONE}@", text)
        text = _MAIL.sub(GONE, text)
        text = _MAC.sub(GONE, text)
        text = _HOME.sub(rf"\1{GONE}", text)
        if self._names is not None:
            text = self._names.sub(GONE, text)
        return _TOKEN.sub(GONE, text) if codes else text

    def value(self, value: Any, key: str = "") -> Any:
        """A JSON value: the value of a secret's key is removed whole, every other text is redacted."""
        if SECRET.search(key) and value not in (None, "", {}, []):
            return GONE
        if isinstance(value, dict):
            return {self.text(str(k), codes=False): self.value(v, str(k)) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(v, key) for v in value]
        return self.text(value, codes=False) if isinstance(value, str) else value


_COMMON = {"root", "localhost", "raspberrypi", "polartable", "table", "user", "admin", "debian", "nobody"}


def _own_names() -> list[str]:
    names = [socket.gethostname(), socket.gethostname().split(".")[0]]
    with contextlib.suppress(KeyError, OSError):  # a user without a name, as in a container
        names.append(getpass.getuser())
    return names
