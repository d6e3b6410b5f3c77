"""Access control: host, players with session tokens, spectators.

On loopback whoever uses the machine is the host. On the network a code is exchanged for a token, one per seat. Tokens
are random and stored only as SHA-256; codes are short and therefore rate-limited.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import math
import secrets
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from firmware_bridge.clock import Clock
from firmware_bridge.errors import PolartableError
from firmware_bridge.host.durable import write_whole
from table.door.addresses import loopback, network_of

Role = Literal["host", "player", "spectator"]
TRIES = 5  # wrong codes from one address within a minute
TRIES_IN_ALL = 60  # wrong codes from all addresses within an hour
MOST_TOKENS = 500  # phones that a table remembers
HANDED_S = 300.0  # how long a seat that is being handed on stays on offer


class NotAllowed(PolartableError, PermissionError):
    """The request needs another role."""

    number = 710


class NotPaired(PolartableError, PermissionError):
    """Nobody with that token is at this table."""

    number = 715


class SeatTaken(PolartableError):
    """Somebody plays that seat."""

    number = 717


class WrongCode(PolartableError):
    """The pairing code is not the one on the host's screen."""

    number = 711


class TooManyTries(PolartableError):
    """Too many wrong codes; the next one is checked in `wait_s` seconds."""

    number = 712

    def __init__(self, cause: str, mend: str, wait_s: float) -> None:
        super().__init__(cause, mend)
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Who:
    """The caller: a role, and for a player the seat."""

    role: Role
    seat: str | None = None

    def may_act_for(self, seat: str | None) -> bool:
        """Whether the caller may act for that seat: the host for every seat, a player for his own."""
        return self.role == "host" or (self.role == "player" and seat is not None and seat == self.seat)


@dataclass(frozen=True, slots=True)
class Handed:
    """A seat on offer to another phone: the hashed token that plays it until then, and when the offer ends, in s."""

    token: str
    seat: str
    until: float


HOST = Who("host")
SPECTATOR = Who("spectator")


class Access:
    """Codes and tokens of one table. `file`: where hashed tokens survive a restart (None: nowhere)."""

    def __init__(self, clock: Clock, lan: bool, file: Path | None = None) -> None:
        self.lan = lan
        self.code, self.host_code = _digits(6), _digits(8)
        self._handed: dict[str, Handed] = {}  # by code
        self._clock = clock
        self._file = file
        self._known: dict[str, Who] = self._read()
        # hashed token → where it was last used since the start, and when (s on the table's clock)
        self._seen: dict[str, tuple[str, float]] = {}
        self._wrong: dict[str, deque[float]] = {}
        self._all_wrong: deque[float] = deque()

    def who(self, token: str | None, address: str) -> Who | None:
        """The owner of that token; the host if only this machine can connect; None: pair first."""
        key = _hash(token) if token else ""
        known = self._known.get(key)
        if known is not None:
            self._seen[key] = address, self._clock.now()
        if known is not None or self.lan:
            return known
        return HOST if loopback(address) else None  # also with a cookie left over from another evening

    def pair(self, code: str, address: str, token: str | None = None) -> str:
        """Exchange a code for a token. Raises WrongCode, or TooManyTries before the code is even checked.

        `token`: what this browser has already. It keeps it if the code grants no more. If it grants something else, the
        old token's seat is given back, since nobody could do that any more.
        """
        now = self._clock.now()
        if len(self._wrong) > MOST_TOKENS:  # bounds the memory: a stranger can use any number of addresses
            for tries in self._wrong.values():
                _forget(tries, now - 60.0)
            self._wrong = {known: tries for known, tries in self._wrong.items() if tries}
        mine = self._wrong.setdefault(address, deque())
        _forget(mine, now - 60.0)
        _forget(self._all_wrong, now - 3600.0)
        self._ration(mine, now)
        host = hmac.compare_digest(code.encode(), self.host_code.encode())
        seated = None if host else self._received(code)
        if seated is not None:
            return self._give(seated, address, token)
        if not host and not hmac.compare_digest(code.encode(), self.code.encode()):
            mine.append(now)
            self._all_wrong.append(now)
            raise WrongCode("that is not the code of this table", "type the one on the host's screen")
        known = None if token is None else self._known.get(_hash(token))
        if token is not None and known is not None and (known == HOST or not host):
            return token
        return self._give(HOST if host else SPECTATOR, address, token)

    def _ration(self, mine: deque[float], now: float) -> None:
        """Raises TooManyTries. The limit for all addresses comes first: it lasts longest, and binds the host too."""
        if len(self._all_wrong) >= TRIES_IN_ALL:
            wait_s = self._all_wrong[0] + 3600.0 - now
            minutes = max(1, math.ceil(wait_s / 60.0))
            raise TooManyTries(
                "too many wrong codes in this hour, from all together",
                f"wait {minutes} minute{'s' * (minutes > 1)}, or start the table again: it shows new codes",
                wait_s,
            )
        if len(mine) >= TRIES:
            raise TooManyTries(
                "too many wrong codes",
                "wait a minute, then type the code from the host's screen",
                mine[0] + 60.0 - now,
            )

    def seat_of(self, token: str) -> str | None:
        """The seat that this token plays."""
        return self._known.get(_hash(token), SPECTATOR).seat

    def sit(self, token: str, seat: str) -> None:
        """Let this token play that free seat from now on. Raises NotPaired, SeatTaken."""
        who = self._known.get(_hash(token))
        if who is None:
            raise NotPaired("nobody with that token is at this table", "pair first")
        if who.role == "host" or who.seat == seat:
            return
        if seat in self.taken():
            raise SeatTaken(
                f"somebody plays {seat}", "who sits there, or the host, gives the seat back first"
            )
        self._known[_hash(token)] = Who("player", seat)
        self._write()

    def hand_on(self, token: str) -> str:
        """A one-time code of eight digits: whoever enters it in the next minutes takes over this token's seat.

        Raises `NotAllowed` for a token without a seat.
        """
        who = self._known.get(_hash(token))
        if who is None or who.seat is None:
            raise NotAllowed("only who plays a seat can hand it on", "take a seat first")
        code, key = _digits(8), _hash(token)
        self._handed = {c: h for c, h in self._handed.items() if h.token != key}
        self._handed[code] = Handed(key, who.seat, self._clock.now() + HANDED_S)
        return code

    def _received(self, code: str) -> Who | None:
        """The seat that was handed on under that code; its previous player becomes a spectator."""
        now = self._clock.now()
        self._handed = {c: h for c, h in self._handed.items() if h.until >= now}
        for known in list(self._handed):
            if hmac.compare_digest(code.encode(), known.encode()):
                handed = self._handed.pop(known)
                if self._known.get(handed.token, SPECTATOR).seat == handed.seat:
                    self._known[handed.token] = SPECTATOR
                    return Who("player", handed.seat)
        return None

    def free(self, seat: str) -> None:
        """Free that seat; its player becomes a spectator."""
        for key, who in self._known.items():
            if who.seat == seat:
                self._known[key] = SPECTATOR
        self._write()

    def keep_seats(self, seats: Iterable[str]) -> None:
        """Another game has these seats: players of any other seat become spectators."""
        for seat in self.taken() - set(seats):
            self.free(seat)

    def stand_up(self, token: str) -> None:
        """Make the owner of this token a spectator."""
        if _hash(token) in self._known and self._known[_hash(token)].role == "player":
            self._known[_hash(token)] = SPECTATOR
            self._write()

    def taken(self) -> set[str]:
        """The seats that somebody plays."""
        return {who.seat for who in self._known.values() if who.seat is not None}

    def _give(self, who: Who, address: str, instead_of: str | None) -> str:
        if instead_of is not None:
            self.stand_up(instead_of)
        token = secrets.token_urlsafe(24)
        self._known[_hash(token)], self._seen[_hash(token)] = who, (address, self._clock.now())
        while len(self._known) > MOST_TOKENS:
            gone = self._given_up()
            del self._known[gone]
            self._seen.pop(gone, None)
        self._write()
        return token

    def _given_up(self) -> str:
        """The token that is evicted when the list is full of guests of many years.

        It is a spectator's, if there is one. Of these it comes from the network that holds the most tokens (in IPv4
        each address is a network), there from the address that holds the most, and there it is the one seen least
        recently. So whoever pairs again and again evicts only himself.
        """
        looking = [key for key, who in self._known.items() if who == SPECTATOR] or list(self._known)
        many = Counter(self._seen[key][0] for key in looking if key in self._seen)
        networks = {address: network_of(address) for address in many}
        in_all = Counter[str]()
        for address, count in many.items():
            in_all[networks[address]] += count

        def keeps(key: str) -> tuple[int, int, float]:
            if key not in self._seen:  # from before the start: its network is unknown
                return -1, -1, -math.inf
            address, at = self._seen[key]
            return -in_all[networks[address]], -many[address], at

        return min(looking, key=keeps)

    def _read(self) -> dict[str, Who]:
        if self._file is None or not self._file.exists():
            return {}
        try:
            value = json.loads(self._file.read_text(encoding="utf-8"))
            return {str(k): Who(v["role"], v["seat"]) for k, v in value.items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return {}  # everybody has to pair again; that is no reason not to start

    def _write(self) -> None:
        if self._file is None:
            return
        value = {key: {"role": who.role, "seat": who.seat} for key, who in self._known.items()}
        try:
            write_whole(self._file, json.dumps(value).encode())
        except OSError as error:  # a full disk keeps nobody out: the tokens hold until the next start
            logging.getLogger("polartable").warning("%s could not be written: %s", self._file, error)


def _digits(count: int) -> str:
    return "".join(secrets.choice("0123456789") for _ in range(count))


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _forget(times: deque[float], before: float) -> None:
    while times and times[0] < before:
        times.popleft()
