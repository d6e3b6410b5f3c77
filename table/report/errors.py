"""What can be wrong with a report."""

from __future__ import annotations

from firmware_bridge.errors import PolartableError


class ReportError(PolartableError, ValueError):
    """A report that cannot be written, or a file that is none or is not to be trusted."""

    number = 608
