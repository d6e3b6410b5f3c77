"""A table without any wire, in memory."""

from __future__ import annotations

from firmware_bridge.clock import VirtualClock
from table.access import Access
from table.config import Settings
from table.journal.store import Journal
from table.table_room import TableRoom


def room() -> TableRoom:
    clock = VirtualClock()
    return TableRoom(Settings.read(None), clock, Journal(None), Access(clock, lan=False))
