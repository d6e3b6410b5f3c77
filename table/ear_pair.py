"""Two sensors of one igloo in files that began together: each shake is told once, by both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from firmware_bridge.errors import UsageError
from sensors.ear.errors import a_sensor
from sensors.ear.sets import add_up
from sensors.ear.sound_file import open_sound
from sensors.ear.verdict import believable, could_be
from sensors.evidence import Heard
from table.ear_sources import choose_profile, hear_file, sensor_of

LEAST_SHARED = 0.5  # of the shorter one, for two stretches to be the same shake


def hear_pair(paths: Sequence[Path], profiles: Sequence[str]) -> Iterator[Heard]:
    """The shakes of two files, in order; one that only one of the sensors heard is told by that one alone.

    `profiles`: one for each kind of sensor, or none (those that ship). Raises UsageError where the files are not of two
    kinds of sensor.
    """
    sensors = [sensor_of(open_sound(path)) for path in paths]
    if len(set(sensors)) < 2:
        raise UsageError(
            f"both files are of {a_sensor(sensors[0])}",
            "one igloo is heard by an accelerometer and a microphone together; several people at microphones of their "
            "own are named with --seats red,blue",
        )
    known = [choose_profile(name, "microphone") for name in profiles]
    by_sensor = {profile.sensor: profile for profile in known}
    if len(by_sensor) < len(known):
        raise UsageError(
            "two profiles are for one kind of sensor",
            "name one for each: --profile accelerometer --profile contact",
        )
    ears = [by_sensor.get(sensor) or choose_profile(None, sensor) for sensor in sensors]
    heard = [
        [said for said in hear_file(path, ear, path.name, False, ear.sensor) if isinstance(said, Heard)]
        for path, ear in zip(paths, ears, strict=True)
    ]
    least = max(ear.heads[0].sure_from for ear in ears)
    told: list[Heard] = []
    left = list(heard[1])
    for one in heard[0]:
        same = [other for other in left if _shared(one, other) >= LEAST_SHARED]
        if not same:
            told.append(one)
            continue
        partner = max(same, key=lambda other: (believable(other), _shared(one, other)))
        left.remove(partner)
        told.append(_both(one, partner, least))
    # what one sensor heard as one shake, the other may have heard in pieces
    pieces = [
        s for s in left if s.verdict == "not-a-shake" and any(_shared(s, t) >= LEAST_SHARED for t in told)
    ]
    yield from sorted([*told, *(s for s in left if s not in pieces)], key=lambda said: said.start_s)


def _shared(one: Heard, other: Heard) -> float:
    """The share of the shorter stretch that lies in the other."""
    both = min(one.end_s, other.end_s) - max(one.start_s, other.start_s)
    return both / max(1e-6, min(one.end_s - one.start_s, other.end_s - other.start_s))


def _both(one: Heard, other: Heard, sure_from: float) -> Heard:
    """What both say of one shake; the one that was overdriven, drowned or heard none is left aside."""
    good = [said for said in (one, other) if believable(said)]
    source = f"{one.source} + {other.source}"
    if len(good) < 2:
        return replace((good or [one])[0], source=source)
    p = add_up([said.probabilities for said in good])
    astray = [said.reason for said in good if said.reason and not said.reason.startswith("it could be")]
    reason = astray[0] if astray else could_be(p) if max(p.values()) < sure_from else None
    return replace(
        one,
        source=source,
        start_s=min(one.start_s, other.start_s),
        end_s=max(one.end_s, other.end_s),
        verdict="unsure" if reason else "sure",
        probabilities=p,
        reason=reason,
        snr_db=min(one.snr_db, other.snr_db),
    )
