"""Recordings that a folder holds twice, so that one copy is fitted on while the other one is left out."""

from __future__ import annotations

from typing import NamedTuple

from calibration.recordings.folder import Recording
from calibration.recordings.folds import Unit, key_of
from calibration.recordings.one_shake import perhaps_one_shake, united
from calibration.takes.features import Row, Takes
from calibration.traps.by_the_clock import moment, to_the_second
from calibration.traps.fingerprints import fingerprint
from calibration.traps.near_copies import near_copies


class Again(NamedTuple):
    """The share of tested takes that exist again in another unit; one such take and its copy, if any."""

    share: float
    example: tuple[Recording, Recording] | None


def there_again(rows: Takes, unit: Unit, tested: Takes) -> Again:
    """How much of the `tested` recordings exists again under another session, device or player, so that it is fitted on
    when they are left out. Copies are recognised by their features, the samples around the loudest one, their
    envelopes, and the instant in which that igloo was shaken by that hand."""
    recordings = [of_one[0].recording for of_one in rows]
    clock = to_the_second(recordings)
    known: dict[str, dict[str, Recording]] = {}  # for each fingerprint one recording for each unit
    for of_one in rows:
        for told in _prints(of_one[0], clock):
            known.setdefault(told, {}).setdefault(key_of(of_one[0].recording, unit), of_one[0].recording)
    # recordings of one shake by several sensors are left out together
    of_shakes = united(recordings, [key_of(recording, unit) for recording in recordings])
    near = near_copies(recordings, [of_one[0].course for of_one in rows], of_shakes)
    copies = {id(recordings[take]): recordings[copy] for take, copy in near.items()}

    def copy_of(row: Row) -> Recording | None:
        if id(row.recording) in copies:
            return copies[id(row.recording)]
        own = key_of(row.recording, unit)
        others = (copy for told in _prints(row, clock) for other, copy in known[told].items() if other != own)
        return next(others, None)

    again = [(of_one[0].recording, copy) for of_one in tested if (copy := copy_of(of_one[0])) is not None]
    return Again(len(again) / max(1, len(tested)), again[0] if again else None)


def _prints(row: Row, clock: bool) -> list[str]:
    out = [fingerprint(row), *([row.loudest] if row.loudest else [])]
    made, of = moment(row.recording), row.recording
    if clock and made is not None and of.player is not None:
        out.append(f"{made.at} {made.beads} {of.player} {of.device} {of.kind}")
    return out


def heard_beside(rows: Takes, unit: Unit, tested: Takes) -> float:
    """Share of the `tested` whose shake may exist under another session, device or player, by the same kind of sensor,
    so that it is fitted on when they are left out."""
    recordings = [of_one[0].recording for of_one in rows]
    known: set[int] = set()
    for shake in perhaps_one_shake(recordings):
        if len({key_of(recordings[i], unit) for i in shake}) > 1:
            known |= {id(recordings[i]) for i in shake}
    return sum(id(of_one[0].recording) in known for of_one in tested) / max(1, len(tested))


def known_by_copies(share: float, take: Recording, copy: Recording, unit: Unit) -> str:
    """The sentence for this share of tested recordings that exist under another `unit`; with one of them and its
    copy."""
    return (
        f"{share:.0%} of what is tested is there once more under another {unit} ({_as_a_copy(take, copy)}, say), so it "
        "is known when it is left out, and figures flatter; delete the copies from recordings.jsonl, or give both the "
        f"same {unit}"
    )


def _as_a_copy(take: Recording, copy: Recording) -> str:
    if take.path == copy.path:
        return f"{take.file}, which is listed twice"
    of_one_folder = take.folder == copy.folder
    return f"{take.file} as {copy.file}" if of_one_folder else f"{take.path} as {copy.path}"
