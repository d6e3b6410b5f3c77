"""The broker's reason codes for refusals (MQTT 5, 2.4), each with its remedy."""

from __future__ import annotations

from table.fleet.address import Address
from table.fleet.errors import BrokerRefused, BrokerStalls, FleetError

FROM = 0x80  # codes from here on are refusals
_NO_MQTT_5 = 0x84
_KEYS = (0x86, 0x87, 0x8C)  # bad user or password, not authorized, bad method
_ELSEWHERE = (0x9C, 0x9D)
_FULL = (0x88, 0x89, 0x97, 0x9F)  # unavailable, busy, quota, rate: may be over in a minute
_NOT_AUTHORIZED, _QUOTA = 0x87, 0x97
_LIMITS = "it is tried again; where that does not help, raise the broker's limits"
_LOG = "the broker's log has more of it"


def not_let_in(address: Address, code: int, name: str) -> FleetError:
    """The broker answered our greeting with that code; `name` is the specification's name for it."""
    if code == _NO_MQTT_5:
        return BrokerRefused(
            f"the broker at {address} does not speak MQTT 5",
            "take one that does, Mosquitto 1.6 or newer",
        )
    cause = f"the broker at {address} does not let us in ({name.lower()})"
    if code in _FULL:
        return BrokerStalls(cause, _LIMITS)
    if code in _KEYS:
        return BrokerRefused(cause, "check user and password of the fleet in the settings")
    if code in _ELSEWHERE:
        return BrokerRefused(cause, "ask where it is now: [fleet] broker")
    return BrokerRefused(cause, _LOG)


def not_taken(address: Address, code: int) -> FleetError:
    """The broker refuses what we publish."""
    return _not_allowed(address, code, "take what we publish", "write under")


def not_heard(address: Address, code: int) -> FleetError:
    """The broker refuses our subscription."""
    return _not_allowed(address, code, "let us hear the fleet", "read")


def _not_allowed(address: Address, code: int, what: str, right: str) -> FleetError:
    cause = f"the broker at {address} does not {what} (code {code:#x})"
    if code == _QUOTA:
        return BrokerStalls(cause, _LIMITS)
    if code == _NOT_AUTHORIZED:
        return BrokerRefused(
            cause, f"let this user {right} the fleet's topics in the broker's access list (docs/fleet.md)"
        )
    return BrokerRefused(cause, _LOG)
