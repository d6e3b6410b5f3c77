"""Errors between a table, a broker and a hub (72x). The table plays on through all of them."""

from __future__ import annotations

from firmware_bridge.errors import PolartableError


class FleetError(PolartableError):
    """The broker cannot be used now; events wait in the tables' journals."""

    number = 720


class BrokerAway(FleetError, OSError):
    """Nobody answers at the broker's address, or the connection broke."""

    number = 721


class BrokerRefused(FleetError, PermissionError):
    """The broker does not let us in, or not write where we must."""

    number = 722


class BrokerStalls(FleetError, TimeoutError):
    """The broker is there and does not answer."""

    number = 723


class NameTaken(FleetError):
    """Another table of that name is at the broker."""

    number = 724


class JournalTwice(FleetError):
    """Another table came with our journal: a copied card."""

    number = 725


class BadAddress(FleetError, ValueError):
    """The broker's address cannot be read, or what was given beside it is of no use with it."""

    number = 726


class HubBook(PolartableError):
    """The hub's own book cannot be used."""

    number = 727
