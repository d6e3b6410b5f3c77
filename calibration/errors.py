"""What can be wrong with a folder of recordings: each error is one sentence with a cause and a remedy."""

from __future__ import annotations

from firmware_bridge.errors import PolartableError


class RecordingsError(PolartableError, ValueError):
    """A folder, or a line of its `recordings.jsonl`, that cannot be used."""

    number = 211


class NothingToTest(PolartableError, ValueError):
    """No recording fits what was asked for."""

    number = 403


class ClusterAway(PolartableError, OSError):
    """The Dask cluster that was named does not answer, or is not of our version."""

    number = 730


class PieceLost(PolartableError):
    """Every worker that had the piece died."""

    number = 731
