"""Errors of reports."""

from __future__ import annotations

from firmware_bridge.errors import PolartableError


class ReportError(PolartableError, ValueError):
    """A report that cannot be written, or a file that is not a report or not trustworthy."""

    number = 608
