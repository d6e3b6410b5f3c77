"""The broker's address, a message, and the last will that the broker publishes for us when we are gone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from table.blanked import blanked
from table.fleet.errors import BadAddress

ANSWER_S = 10.0  # a broker that is silent for this long stalls
_ADDRESS = re.compile(r"^(mqtts?)://(?:([^:@/]+)@)?(\[[0-9a-fA-F:]+\]|[^:@/\s]+)(?::(\d{1,5}))?/?$")


@dataclass(frozen=True, slots=True)
class Address:
    """The broker's address and our credentials for it."""

    host: str
    port: int
    tls: bool = False
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    ca: Path | None = None
    answer_s: float = ANSWER_S

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @classmethod
    def read(cls, url: str, password: str | None = None, ca: Path | None = None) -> Address:
        """Parse `mqtt://[user@]host[:1883]` or `mqtts://…[:8883]`. Raises `BadAddress`.

        Also raises it for a password that would never be sent and a certificate that would never be checked: whoever
        set them believes the connection is safe.
        """
        found = _ADDRESS.match(url)
        if found is None or not 0 < int(found[4] or 1883) < 65536:
            raise BadAddress(
                f"the broker's address {blanked(url)!r} cannot be read",
                "write mqtt://host:1883, or mqtts://user@host:8883; the password stands apart from it",
            )
        tls = found[1] == "mqtts"
        if ca is not None and not tls:
            raise BadAddress(
                f"the certificate {ca} is of no use: there is no TLS with the broker's address {url!r}",
                "write mqtts:// in the broker's address: without TLS nothing looks at it",
            )
        if password and found[2] is None:
            raise BadAddress(
                f"there is a password, and no user in the broker's address {url!r}",
                f"name its user in the broker's address, {found[1]}://user@{found[3]}, or leave the password out",
            )
        port = int(found[4]) if found[4] else (8883 if tls else 1883)
        return cls(found[3].strip("[]"), port, tls, found[2], password, ca)


@dataclass(frozen=True, slots=True)
class Will:
    """The message that the broker publishes for us if we vanish without a goodbye."""

    topic: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Message:
    topic: str
    payload: bytes
    retained: bool
