"""Which node is in which igloo, according to a folder's takes: detects that a maker took up the wrong igloo."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.recordings.folder import Recording
from calibration.words import many


def another_igloo(
    node: int | None, beads: int, device: str, source: str, have: Sequence[Recording]
) -> str | None:
    """A warning about a take by that node, recorded for the igloo with `beads`.

    None if no kept take of that set and port contradicts it.
    """
    if node is None:
        return None
    known = [
        (r.more["node"], r.beads)
        for r in have
        if r.rejected is None and r.device == device and r.more.get("source") == source and "node" in r.more
    ]
    about = [one for one in known if one[0] == node or one[1] == beads]  # the latest one is valid
    # one node is moved from igloo to igloo, because there are no others
    goes_round = len({held for one, held in known if one == node}) > 1
    if not about or about[-1] == (node, beads) or goes_round:
        return None
    was, held = next((one for one in reversed(about) if one[0] == node and one[1] != beads), about[-1])
    before = f"node {was} was in the igloo with {many(held or 0, 'bead')} before"
    return f"This was node {node}, and {before}: look whether this is the one with {many(beads, 'bead')}."
