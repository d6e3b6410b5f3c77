"""Several people shake at once at one simulated table: how much worse is the count than for the same shakes alone?

    python -m benchmarks.ear_together                       all three, fresh scenes
    python -m benchmarks.ear_together --what accelerometer --tables 20
    python -m benchmarks.ear_together --what seat --gains 0 6 12 --rounds 4      not set alike

Every shake is heard twice, alone and in company, with the same noise of its own: the loss is a paired difference, and
its interval is over whole tables (room, igloos and people). Targets: accelerometers lose no more than .03 exact with
2, 4 or 6 people, a microphone at each seat no more than .05 with 4. `hw_mock.igloo.scene` describes the simulation.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np

from benchmarks.together_not_alike import not_alike
from benchmarks.together_pairs import (
    RATE,
    SEATS,
    Pair,
    Sound,
    count,
    ears_of,
    of_seat,
    real,
    rounds_of,
    show,
    with_only,
)
from calibration.scores import of_shares
from hw_mock.igloo.scene import Scene
from hw_mock.igloo.together import Evening
from sensors.ear.frames.frontend import Envelopes
from sensors.ear.profiles.profile import Profile, load_shipped
from sensors.ear.seats.listener import hear_together
from sensors.ear.shakes.shake import shake_of
from sensors.evidence import Heard

PEOPLE = 6


def on_the_shell(seed: int, tables: int, rounds: int) -> None:
    """A sensor on each shell: the crosstalk, and what it costs."""
    feels = load_shipped("accelerometer")
    found: dict[tuple[str, int], list[Pair]] = defaultdict(list)
    leaks = defaultdict(list)
    for one in rounds_of(Evening(seed, tables, rounds, (PEOPLE,), PEOPLE)):
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
    """A microphone at each seat: four people, four channels of one sound card."""
    kind = "cardioid" if pattern else "omni"
    profile = load_shipped("microphone")
    pairs: dict[str, list[Pair]] = defaultdict(list)
    rightly, wrongly, missed, silent = 0, 0, 0, 0
    for one in rounds_of(Evening(seed, tables, rounds, (SEATS,), SEATS, pattern=pattern)):
        scene = one.scene()
        alone = {}
        for part in scene.parts:
            said = _hear(profile, with_only(scene, [part]))
            alone[part.seat] = of_seat(said, part)
            others = [s for s in range(SEATS) if s != part.seat]
            silent += len(others)
            wrongly += sum(any(real(h) and h.seat == str(s) for h in said) for s in others)
        together = _hear(profile, scene)
        plain = scene.microphones(tuple(range(SEATS)), scene.parts[0].played.device)
        for part in scene.parts:
            heard, before = of_seat(together, part), alone[part.seat]
            rightly += heard is not None
            missed += heard is None
            name, was = f"{one.table}", None if before is None else before.best
            now = None if heard is None else heard.best
            pairs["as it is"].append(Pair(name, part.beads, was, count(profile, plain[:, part.seat], RATE)))
            pairs["held against each other"].append(Pair(name, part.beads, was, now))
            if heard is not None and not heard.why.of_several:
                pairs["where it is offered as evidence"].append(Pair(name, part.beads, was, now))
    for name, some in pairs.items():
        bar = "" if name == "as it is" else "   wanted ≤ .05"
        show(f"a microphone a seat ({kind}), {SEATS} people, {name}", some, bar)
    print(
        f"a microphone a seat ({kind}): {rightly} of {rightly + missed} shakes told of their own seat "
        f"while {SEATS} shake; "
        f"{wrongly} of {silent} seats where nobody shook were given one that was shaken elsewhere"
    )


def one_for_all(seed: int, tables: int, rounds: int) -> None:
    """One microphone for all: what the ear notices, and what it would cost to count the sound as one igloo."""
    profile = load_shipped("microphone")
    head = profile.head_for("microphone", RATE)
    noticed: dict[int, list[bool]] = defaultdict(list)
    names: dict[int, list[str]] = defaultdict(list)
    pairs = []
    for one in rounds_of(Evening(seed, tables, rounds, (SEATS,), SEATS)):
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


def _hear(profile: Profile, scene: Scene) -> list[Heard]:
    sound = scene.microphones(tuple(range(scene.seats)), scene.parts[0].played.device)
    ears = ears_of(profile, scene.seats)
    said = [s for s in hear_together(ears, sound, RATE) if isinstance(s, Heard)]
    for ear in ears:
        said += ear.finish()
    return said


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
