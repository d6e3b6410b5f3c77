"""Shakes that are heard twice, alone and in company: which seat they are attributed to, and what company costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration.scores import by_sessions
from hw_mock.igloo.scene import Part, Scene
from hw_mock.igloo.together import Evening, Round
from sensors.ear.frames.frontend import Envelopes
from sensors.ear.profiles.profile import Profile
from sensors.ear.seats.listener import SeatListener
from sensors.ear.seats.together import Seats
from sensors.ear.shakes.shake import shake_of
from sensors.ear.verdicts.probabilities import probabilities_of
from sensors.evidence import Heard

RATE = 48000
SEATS = 4
Sound = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Pair:
    """One shake heard alone and in company; `best` None if it was not attributed to that seat."""

    table: str
    beads: int
    alone: int | None
    company: int | None


def show(name: str, pairs: Sequence[Pair], bar: str = "") -> None:
    if not pairs:
        return
    tables = [p.table for p in pairs]
    alone = np.array([p.alone == p.beads for p in pairs], float)
    company = np.array([p.company == p.beads for p in pairs], float)
    near = [
        np.mean([abs((b or 0) - p.beads) <= 1 for p in pairs for b in [getattr(p, k)]])
        for k in ("alone", "company")
    ]
    low, high = by_sessions(tables, alone - company)
    print(
        f"{name:<52} alone {alone.mean():.3f} / {near[0]:.2f} · in company {company.mean():.3f} / {near[1]:.2f} · "
        f"lost {alone.mean() - company.mean():+.3f} ({low:+.3f} to {high:+.3f}) · n {len(pairs)}{bar}",
        flush=True,
    )


def with_only(scene: Scene, parts: Sequence[Part]) -> Scene:
    return replace(scene, parts=list(parts))


def count(profile: Profile, samples: Sound, rate: float) -> int | None:
    """The most probable count of one recording."""
    heads = profile.heads_for(profile.sensor, rate)
    columns = samples if samples.ndim == 2 else samples[:, None]
    seen = [shake_of(h.front, Envelopes(h.front, rate, columns.shape[1]).push(columns)) for h in heads]
    if seen[0] is None:
        return None
    beside = tuple(shake for shake in seen[1:] if shake is not None)
    p = probabilities_of(heads, replace(seen[0], beside=beside))
    return max(p, key=lambda n: p[n])


def rounds_of(plan: Evening) -> Iterable[Round]:
    """The rounds of every table with the first number of people of the evening."""
    for table in range(plan.tables):
        for number in range(plan.rounds):
            yield Round(plan, table, number, plan.people[0])


def ears_of(profile: Profile, seats: int) -> list[SeatListener]:
    """An ear with a microphone for each seat of one table."""
    table = Seats(tuple(str(s) for s in range(seats)))
    return [SeatListener(profile, RATE, 1, "table", table, name) for name in table.names]


def real(heard: Heard) -> bool:
    """Whether it was attributed to that seat."""
    return heard.verdict != "not-a-shake" and not heard.why.elsewhere


def of_seat(said: Iterable[Heard], part: Part) -> Heard | None:
    """The answer to a seat's shake: the one with the largest overlap."""
    start, end = part.span_s
    best, most = None, 0.3
    for heard in said:
        common = min(end, heard.end_s) - max(start, heard.start_s)
        if heard.seat == str(part.seat) and real(heard) and common > most:
            best, most = heard, common
    return best
