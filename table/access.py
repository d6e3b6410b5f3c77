"""Who may do what. On loopback whoever sits at the machine is the host; on the network a code, then a token a seat.

Tokens are random, kept as SHA-256 only; codes are short and therefore rationed. Requests whose Host or Origin is not
ours are refused, WebSockets included: a page on the Internet must not be able to talk to a table on the local network.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from firmware_bridge.clock import Clock
from firmware_bridge.errors import PolartableError
from table.durable import write_whole

Role = Literal["host", "player", "spectator"]
TRIES = 5  # wrong codes from one address in a minute
TRIES_IN_ALL = 60  # from all addresses in an hour
LOCAL = ("127.0.0.1", "::1", "localhost")


class NotAllowed(PolartableError, PermissionError):
    """The request needs another role."""

    number = 710


class WrongCode(PolartableError):
    """The pairing code is not the one on the host's screen."""

    number = 711


class TooManyTries(PolartableError):
    """Too many wrong codes."""

    number = 712


@dataclass(frozen=True, slots=True)
class Who:
    """Who asks: a role, and for a player the seat."""

    role: Role
    seat: str | None = None

    def may_act_for(self, seat: str | None) -> bool:
        """The host acts for everybody, a player for himself."""
        return self.role == "host" or (self.role == "player" and seat is not None and seat == self.seat)


HOST = Who("host")
SPECTATOR = Who("spectator")


class Access:
    """Codes and tokens of one table. `file`: where hashed tokens are kept over a restart (None: nowhere)."""

    def __init__(self, clock: Clock, lan: bool, file: Path | None = None) -> None:
        self.lan = lan
        self.code = "".join(secrets.choice("0123456789") for _ in range(6))
        self.host_code = "".join(secrets.choice("0123456789") for _ in range(8))
        self._clock = clock
        self._file = file
        self._known: dict[str, Who] = self._read()
        self._wrong: dict[str, deque[float]] = {}
        self._all_wrong: deque[float] = deque()

    def who(self, token: str | None, address: str) -> Who | None:
        """Whoever holds that token; the host where nobody but this machine can ask; None: pair first."""
        if token:
            return self._known.get(_hash(token))
        return HOST if not self.lan and address in LOCAL else None

    def pair(self, code: str, address: str) -> str:
        """A token for whoever knows a code. Raises WrongCode, or TooManyTries before the code is even looked at."""
        now = self._clock.now()
        mine = self._wrong.setdefault(address, deque())
        _forget(mine, now - 60.0)
        _forget(self._all_wrong, now - 3600.0)
        if len(mine) >= TRIES or len(self._all_wrong) >= TRIES_IN_ALL:
            raise TooManyTries(
                "too many wrong codes", "wait a minute, then type the code from the host's screen"
            )
        host = hmac.compare_digest(code.encode(), self.host_code.encode())
        if not host and not hmac.compare_digest(code.encode(), self.code.encode()):
            mine.append(now)
            self._all_wrong.append(now)
            raise WrongCode(
                "that is not the code of this table", "type the six digits from the host's screen"
            )
        return self._give(HOST if host else SPECTATOR)

    def sit(self, token: str, seat: str) -> None:
        """Whoever holds the token plays that seat from now on; who sat there before looks on."""
        who = self._known.get(_hash(token))
        if who is None:
            raise NotAllowed("nobody with that token is at this table", "pair first")
        if who.role == "host":
            return
        for key, other in self._known.items():
            if other.seat == seat:
                self._known[key] = SPECTATOR
        self._known[_hash(token)] = Who("player", seat)
        self._write()

    def stand_up(self, token: str) -> None:
        """Whoever holds the token looks on from now on."""
        if _hash(token) in self._known and self._known[_hash(token)].role == "player":
            self._known[_hash(token)] = SPECTATOR
            self._write()

    def taken(self) -> set[str]:
        """The seats that somebody plays."""
        return {who.seat for who in self._known.values() if who.seat is not None}

    def _give(self, who: Who) -> str:
        token = secrets.token_urlsafe(24)
        self._known[_hash(token)] = who
        self._write()
        return token

    def _read(self) -> dict[str, Who]:
        if self._file is None or not self._file.exists():
            return {}
        try:
            value = json.loads(self._file.read_text(encoding="utf-8"))
            return {str(k): Who(v["role"], v["seat"]) for k, v in value.items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return {}  # everybody pairs again: no reason to keep the table shut

    def _write(self) -> None:
        if self._file is None:
            return
        value = {key: {"role": who.role, "seat": who.seat} for key, who in self._known.items()}
        write_whole(self._file, json.dumps(value).encode())


def allowed_host(host: str, names: Iterable[str]) -> bool:
    """Whether a Host header names this machine (with any port)."""
    name = urlsplit(f"//{host}").hostname if host else None
    return name is not None and name in set(names)


def allowed_origin(origin: str | None, host: str) -> bool:
    """Whether a request comes from our own page, or from no page at all (a program)."""
    return origin is None or (origin not in ("null", "") and urlsplit(origin).netloc == host)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _forget(times: deque[float], before: float) -> None:
    while times and times[0] < before:
        times.popleft()
