"""The message of `polartable listen` if nothing countable was heard: in the whole input, or in files of a folder."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from firmware_bridge.host.shown import shown
from sensors.ear.profiles.profile import SHIPPED
from sensors.ear.sources.sound_file import open_sound
from sensors.ear.verdicts.mends import FIRMLY
from sensors.gesture.fitting import RECORD_TAPS
from table.listening import seat_profile
from table.listening.files import choose_profile, goes_on, not_rejected, sensor_of
from table.listening.own_line import listed

NEARER = "a microphone wants to be nearer where the background is loud"
ON_SHELL = {"contact", "accelerometer"}  # kinds of sensors that cannot be moved nearer


def tell_unheard(
    sources: Sequence[str], unheard: Sequence[str], profiles: list[str] | None, seconds: float | None = None
) -> None:
    """Print one sentence: on `unheard` recordings of a folder, or on all `sources` if none is named.

    `seconds`: the part of each that was listened to, if not all.
    """
    where, it = ", ".join(sources), "it"
    if unheard:
        alone = len(unheard) == 1
        which = unheard[0] if alone else f"{len(unheard)} recordings, {unheard[0]} the first,"
        where, it = f"{which} of {sources[0]}", "it" if alone else "them"
    if profiles and seat_profile.named(profiles[0]) is not None:
        mend = f"record {it} again: {RECORD_TAPS}"
    else:
        mend = f"record {it} again, shaken harder"
        kinds = _kinds(sources, set(unheard), profiles)
        if not kinds <= ON_SHELL:
            mend += f"; {NEARER}"
        if kinds & ON_SHELL:
            mend += f"; {FIRMLY}"
        if profiles and not set(profiles) <= set(SHIPPED):
            mend += "; a profile of one gesture hears no other"
    if seconds is not None and _goes_on(sources, unheard, seconds):
        where, mend = f"the first {seconds:g} s of {where}", f"hear more of {it} (--seconds), or {mend}"
    print(f"polartable: nothing to count was heard in {shown(where)}: {mend}", file=sys.stderr)


def _goes_on(sources: Sequence[str], unheard: Sequence[str], seconds: float) -> bool:
    """Whether some of them are longer than what was listened to."""
    paths: Iterable[Path] = [Path(sources[0]) / name for name in unheard] or map(Path, sources)
    return any(
        goes_on(open_sound(file), seconds)
        for path in paths
        for file in ((r.path for r in not_rejected(path)) if path.is_dir() else (path,))
    )


def _kinds(sources: Sequence[str], unheard: set[str], profiles: list[str] | None) -> set[str]:
    """Their kinds of sensors, as in `Recording.kind`: by the named profile, or as each was classified."""
    if profiles:
        known = [choose_profile(name, "") for name in profiles]
        return {"contact" if p.fixed and p.sensor == "microphone" else p.sensor for p in known}
    kinds: set[str] = set()
    for path in map(Path, sources):
        if path.is_dir():
            kinds |= {r.kind for r in not_rejected(path) if not unheard or r.file in unheard}
        else:
            line = listed(path)
            kinds.add(line.kind if line else sensor_of(open_sound(path)))
    return kinds
