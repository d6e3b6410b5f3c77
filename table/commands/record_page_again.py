"""What asks for the igloo of a take again that was thrown out at the wizard's page."""

from __future__ import annotations

from calibration.recordings.folder import Recording
from calibration.recordings.sweep import Sweep, next_sweep
from calibration.words import many
from firmware_bridge.errors import UsageError
from table.commands.record_again import by_command, comes_again
from table.commands.record_begin import session_of
from table.commands.record_takes import names_files
from table.commands.record_way import Way, check_same_way
from table.recording.takes import Again


def at_the_page(counts: tuple[int, ...], device: str, session: str | None, way: Way) -> Again:
    """What asks for a take's igloo again where a page records so: mostly the page itself."""

    def again(take: Recording, have: list[Recording], under_way: str | None) -> str:
        igloo = f"the igloo with {many(take.beads or 0, 'bead')}"
        if take.set is not None and take.set == under_way:
            return f"{igloo} comes again in this sweep"
        ours = take.device == device and session in (None, take.session) and names_files(take.session or "")
        if not ours or not comes_again(take, have, counts) or not _same_way(take, have, counts, way):
            return by_command(take, have)
        player = take.player or ""
        of = session_of(have, counts, device, player, session) or ""
        first, _ = next_sweep(have, counts, device, of, player)
        then = "" if first.name == take.set else f", once the sweep {first.name} is complete"
        return f"“Begin” as {player} asks for {igloo} again{then}"

    return again


def _same_way(take: Recording, have: list[Recording], counts: tuple[int, ...], way: Way) -> bool:
    try:
        check_same_way(Sweep(str(take.set), counts), have, way)
    except UsageError:
        return False
    return True
