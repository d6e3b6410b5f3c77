"""`[fleet]` in the settings: which broker, and what this table is called there."""

from __future__ import annotations

import re
import socket
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationInfo, field_validator

from table.fleet.address import Address
from table.fleet.errors import BadAddress
from table.fleet.messages import NAME
from table.fleet.publisher import Place


class Fleet(BaseModel):
    """Where a club's or a fair's tables meet (docs/fleet.md). Without a broker a table tells nobody anything."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    broker: str | None = Field(default=None, description="mqtt://[user@]host[:1883] or mqtts://…[:8883]")
    password: SecretStr | None = Field(
        default=None, description="for that user; better in the environment: POLARTABLE_FLEET__PASSWORD"
    )
    ca: Path | None = Field(default=None, description="certificate of the broker's authority, for mqtts")
    table: str | None = Field(
        default=None, pattern=NAME, description="name of this table; none: that of the machine"
    )
    title: str | None = Field(default=None, max_length=80, description="what people call it")
    prefix: str = Field(
        default="polartable", pattern=r"^[^#+\s]{1,60}$", description="first part of every topic"
    )
    homeassistant: str = Field(
        default="homeassistant",
        pattern=r"^[^#+\s]{0,60}$",
        description="Home Assistant's prefix; empty: not told",
    )

    @field_validator("broker")
    @classmethod
    def _can_be_read(cls, broker: str | None) -> str | None:
        try:
            if broker is not None:
                Address.read(broker)
        except BadAddress as error:
            raise ValueError(error.mend) from error
        return broker

    @field_validator("password", "ca")
    @classmethod
    def _is_of_use(cls, value: SecretStr | Path | None, info: ValidationInfo) -> SecretStr | Path | None:
        # without a broker: the hub's command line names one, and what fits it is used
        broker = info.data.get("broker")
        try:
            if broker is not None and isinstance(value, SecretStr):
                Address.read(broker, value.get_secret_value())
            elif broker is not None and isinstance(value, Path):
                Address.read(broker, None, value)
        except BadAddress as error:
            raise ValueError(error.mend) from error
        return value

    def address(self, broker: str | None = None) -> Address:
        """The broker's address. Raises `BadAddress`; ValueError without a broker.

        `broker`: another one, named in place of the settings' own. Our credentials are sent to no other broker. If that
        address has no use for a password or certificate, it gets none: whoever named it gave neither.
        """
        if broker is not None:
            return self._of_another(Address.read(broker))
        if self.broker is None:
            raise ValueError("no broker")
        return Address.read(self.broker, self.secret(), self.ca)

    def _of_another(self, named: Address) -> Address:
        own = None if self.broker is None else Address.read(self.broker)
        if own is not None and (own.host, own.port, own.tls) != (named.host, named.port, named.tls):
            return named
        password = None if named.user is None else self.secret()
        return replace(named, password=password, ca=self.ca if named.tls else None)

    def secret(self) -> str | None:
        return None if self.password is None else self.password.get_secret_value()

    def place(self) -> Place:
        """This table's place. Raises `BadAddress`."""
        table = self.table or machine_name()
        return Place(self.address(), table, self.title or table, self.prefix, self.homeassistant)


def machine_name() -> str:
    """The machine's name in the spelling that a table's name allows."""
    return (
        re.sub(r"[^a-z0-9_-]+", "-", socket.gethostname().split(".")[0].lower()).strip("-_")[:40] or "table"
    )
