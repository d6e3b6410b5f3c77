"""Several people shake at once at one simulated table: how much of counting is lost beside the same shakes alone.

    python -m benchmarks.ear_together                       all three, fresh scenes
    python -m benchmarks.ear_together --what accelerometer --tables 20
    python -m benchmarks.ear_together --what seat --gains 0 6 12 --rounds 4      not set alike

Every shake is heard twice, alone and in company, with the same noise of its own: what is lost is a difference of
pairs, its interval by whole tables (room, igloos and people). Wanted: accelerometers lose no more than .03 exact with
2, 4 or 6 people, a microphone a seat no more than .05 with 4. Simulated: `hw_mock.igloo.scene` says how.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration.scores import by_sessions, of_shares
from hw_mock.igloo.scene import Part, Scene
from hw_mock.igloo.together import Evening, Round
from sensors.ear.frontend import Envelopes
from sensors.ear.profile import Profile, load_shipped
from sensors.ear.seat_listener import NOT_HERE, TOO_CROWDED, SeatListener, hear_together
from sensors.ear.seats import Seats
from sensors.ear.shake import shake_of
from sensors.ear.verdict import SEVERAL, probabilities_of
from sensors.evidence import Heard

RATE = 48000
SEATS = 4
PEOPLE = 6
QUIET_S = 1.0  # between scenes of one evening
HEADROOM_DB = -10.0  # of the loudest microphone at most, when an evening begins
SOFTLY_DB = -60.0
Sound = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Pair:
    """One shake heard alone and in company; `best` None where it was not taken for a shake of that seat."""

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


def on_the_shell(seed: int, tables: int, rounds: int) -> None:
    """A sensor on each shell: the leak, and what it costs."""
    feels = load_shipped("accelerometer")
    found: dict[tuple[str, int], list[Pair]] = defaultdict(list)
    leaks = defaultdict(list)
    for one in _rounds(Evening(seed, tables, rounds, (PEOPLE,), PEOPLE)):
        scene = one.scene()
        for i, part in enumerate(scene.parts):
            rate = round(part.played.device.accelerometer_rate)
            alone = with_only(scene, [part]).accelerometer(part)
            before = count(feels, alone, rate)
            for people in (2, 4, 6):
                others = [scene.parts[(i + k) % PEOPLE] for k in range(people)]
                company = with_only(scene, others).accelerometer(part)
                found["accelerometer", people].append(
                    Pair(f"{one.table}", part.beads, before, count(feels, company, rate))
                )
                if people == PEOPLE:
                    leaks["accelerometer"].append(_leak_db(alone, company))
            quiet, loud = (s.contact(part) for s in (with_only(scene, [part]), scene))
            leaks["contact"].append(_leak_db(quiet, loud))
            contact = load_shipped("contact")
            found["contact", PEOPLE].append(
                Pair(f"{one.table}", part.beads, count(contact, quiet, RATE), count(contact, loud, RATE))
            )
    for (sensor, people), pairs in sorted(found.items()):
        bar = "   wanted ≤ .03" if sensor == "accelerometer" else ""
        show(f"{sensor} on each shell, {people} people", pairs, bar)
    for sensor, values in leaks.items():
        low, middle, high = np.quantile(values, (0.05, 0.5, 0.95))
        print(
            f"{sensor}: five neighbours leak {middle:.0f} dB beside its own igloo ({low:.0f} to {high:.0f})"
        )


def a_seat(seed: int, tables: int, rounds: int, pattern: float) -> None:
    """A microphone a seat: four people, four channels of one sound card."""
    kind = "cardioid" if pattern else "omni"
    profile = load_shipped("microphone")
    pairs: dict[str, list[Pair]] = defaultdict(list)
    rightly, wrongly, missed, silent = 0, 0, 0, 0
    for one in _rounds(Evening(seed, tables, rounds, (SEATS,), SEATS, pattern=pattern)):
        scene = one.scene()
        alone = {}
        for part in scene.parts:
            said = _hear(profile, with_only(scene, [part]))
            alone[part.seat] = _of_seat(said, part)
            others = [s for s in range(SEATS) if s != part.seat]
            silent += len(others)
            wrongly += sum(any(_real(h) and h.seat == str(s) for h in said) for s in others)
        together = _hear(profile, scene)
        plain = scene.microphones(tuple(range(SEATS)), scene.parts[0].played.device)
        for part in scene.parts:
            heard, before = _of_seat(together, part), alone[part.seat]
            rightly += heard is not None
            missed += heard is None
            name, was = f"{one.table}", None if before is None else before.best
            now = None if heard is None else heard.best
            pairs["as it is"].append(Pair(name, part.beads, was, count(profile, plain[:, part.seat], RATE)))
            pairs["held against each other"].append(Pair(name, part.beads, was, now))
            if heard is not None and heard.reason not in (TOO_CROWDED, SEVERAL):
                pairs["where it is offered as evidence"].append(Pair(name, part.beads, was, now))
    for name, some in pairs.items():
        bar = "" if name == "as it is" else "   wanted ≤ .05"
        show(f"a microphone a seat ({kind}), {SEATS} people, {name}", some, bar)
    print(
        f"a microphone a seat ({kind}): {rightly} of {rightly + missed} shakes told of their own seat "
        f"while {SEATS} shake; "
        f"{wrongly} of {silent} seats where nobody shook were given one that was shaken elsewhere"
    )


def not_alike(seed: int, tables: int, rounds: int, pattern: float, spreads_db: Sequence[float]) -> None:
    """A microphone a seat, each set softer or louder by up to so many dB. One table hears all of an evening, in each
    round every shake alone and then all together."""
    profile = load_shipped("microphone")
    pairs: dict[tuple[float, str], list[Pair]] = defaultdict(list)
    # whether it was told alone and together, and at how many others
    told: dict[tuple[float, str], list[tuple[bool, bool, int]]] = defaultdict(list)
    for table in range(tables):
        plan = Evening(seed, tables, rounds, (SEATS,), SEATS, pattern=pattern)
        drawn = np.random.default_rng([seed, table, 0x6A]).uniform(-1, 1, SEATS)
        ears = {spread: _ears(profile, SEATS) for spread in spreads_db}
        loudest = 0.0
        for number in range(rounds):
            scene = Round(plan, table, number, SEATS).scene()
            scene.seconds += QUIET_S
            played = {part.seat: _softly(with_only(scene, [part])) for part in scene.parts}
            everybody = _softly(scene)
            if number == 0:
                loudest = float(np.abs(everybody).max())
            for spread, some in ears.items():
                gain = 10 ** ((spread * (drawn - drawn.max()) + HEADROOM_DB) / 20) / loudest
                alone, others = {}, {}
                for part in scene.parts:
                    said = _go_on(some, played[part.seat] * gain)
                    alone[part.seat] = _of_seat(said, part)
                    others[part.seat] = len({h.seat for h in said if _real(h)} - {str(part.seat)})
                together = _go_on(some, everybody * gain)
                when = spread, "later rounds" if number else "first round"
                for part in scene.parts:
                    was, now = alone[part.seat], _of_seat(together, part)
                    told[when].append((was is not None, now is not None, others[part.seat]))
                    best = [None if h is None else h.best for h in (was, now)]
                    pairs[when].append(Pair(f"{table}", part.beads, *best))
    for when, those in sorted(told.items()):
        name = f"set ±{when[0]:g} dB apart ({'cardioid' if pattern else 'omni'}), {when[1]}"
        show(name, pairs[when])
        own, company, elsewhere = (sum(x) for x in zip(*those, strict=True))
        n = len(those)
        print(
            f"{name}: {own} of {n} shakes told of their own seat while nobody else shakes, {company} while {SEATS} do; "
            f"{elsewhere} of {n * (SEATS - 1)} seats where nobody shook were given one that was shaken elsewhere",
            flush=True,
        )


def one_for_all(seed: int, tables: int, rounds: int) -> None:
    """One microphone: what is noticed, and what counting it as one igloo would cost."""
    profile = load_shipped("microphone")
    head = profile.head_for("microphone", RATE)
    noticed: dict[int, list[bool]] = defaultdict(list)
    names: dict[int, list[str]] = defaultdict(list)
    pairs = []
    for one in _rounds(Evening(seed, tables, rounds, (SEATS,), SEATS)):
        scene = one.scene()
        device = scene.parts[0].played.device
        for people in (1, 2, 3, 4):
            for first in range(0, SEATS, people):
                some = scene.parts[first : first + people]
                if len(some) < people:
                    continue
                sound = with_only(scene, some).microphones((None,), device)
                shake = shake_of(head.front, Envelopes(head.front, RATE, 1).push(sound))
                if shake is None:
                    continue
                noticed[people].append(shake.several > 0)
                names[people].append(f"{one.table}")
                if people == 1:
                    everybody = scene.microphones((None,), device)
                    was, now = count(profile, sound, RATE), count(profile, everybody, RATE)
                    pairs.append(Pair(f"{one.table}", some[0].beads, was, now))
    for people, hits in sorted(noticed.items()):
        share = np.array(hits, float)
        low, high = of_shares(names[people], np.array(hits))
        what = "taken for several" if people == 1 else "noticed"
        print(
            f"one microphone for all, {people} shaking: {what} {share.mean():.2f} ({low:.2f}–{high:.2f}), n {len(hits)}"
        )
    show(f"one microphone for all, {SEATS} people, counted as one igloo", pairs)


def _rounds(plan: Evening) -> Iterable[Round]:
    for table in range(plan.tables):
        for number in range(plan.rounds):
            yield Round(plan, table, number, plan.people[0])


def _ears(profile: Profile, seats: int) -> list[SeatListener]:
    table = Seats(tuple(str(s) for s in range(seats)))
    return [SeatListener(profile, RATE, 1, "table", table, name) for name in table.names]


def _hear(profile: Profile, scene: Scene) -> list[Heard]:
    sound = scene.microphones(tuple(range(scene.seats)), scene.parts[0].played.device)
    ears = _ears(profile, scene.seats)
    said = [s for s in hear_together(ears, sound, RATE) if isinstance(s, Heard)]
    for ear in ears:
        said += ear.finish()
    return said


def _softly(scene: Scene) -> Sound:
    """What the seats' microphones get, so softly that nothing is clipped."""
    return scene.microphones(tuple(range(scene.seats)), scene.parts[0].played.device, SOFTLY_DB)


def _go_on(ears: Sequence[SeatListener], sound: npt.NDArray[np.floating]) -> list[Heard]:
    """What ears that have heard before say of a sound, in its own seconds."""
    since_s = ears[0].now_s
    block = np.clip(sound, -1, 1).astype(np.float32)
    said = [s for s in hear_together(ears, block, RATE) if isinstance(s, Heard)]
    return [replace(s, start_s=s.start_s - since_s, end_s=s.end_s - since_s) for s in said]


def _real(heard: Heard) -> bool:
    return heard.verdict != "not-a-shake" and heard.reason not in NOT_HERE


def _of_seat(said: Iterable[Heard], part: Part) -> Heard | None:
    """What was said of a seat's shake: the one that overlaps it most."""
    start, end = part.span_s
    best, most = None, 0.3
    for heard in said:
        common = min(end, heard.end_s) - max(start, heard.start_s)
        if heard.seat == str(part.seat) and _real(heard) and common > most:
            best, most = heard, common
    return best


def _leak_db(alone: Sound, company: Sound) -> float:
    own = np.diff(alone.astype(float), axis=0)
    return float(20 * np.log10(np.std(np.diff(company.astype(float), axis=0) - own) / np.std(own) + 1e-9))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--what", choices=("accelerometer", "seat", "one"), action="append")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=4242)
    gains = "with --what seat: microphones set softer or louder by up to so many dB; take some --rounds"
    parser.add_argument("--gains", type=float, nargs="+", metavar="DB", help=gains)
    options = parser.parse_args()
    print(
        "exact / within one, of shipped profiles that met neither igloos nor people; lost: alone less company"
    )
    what = options.what or ["accelerometer", "seat", "one"]
    if "accelerometer" in what:
        on_the_shell(options.seed, options.tables, options.rounds)
    if "seat" in what:
        for pattern in (0.0, 0.5):
            if options.gains is None:
                a_seat(options.seed, options.tables, options.rounds, pattern)
            else:
                not_alike(options.seed, options.tables, options.rounds, pattern, options.gains)
    if "one" in what:
        one_for_all(options.seed, options.tables, options.rounds)


if __name__ == "__main__":
    main()
