"""The counting gesture as people make it: tap the empty seat; then three times set the igloo down, let go, tap, lift.

People tap with the end of a loosely held pencil. It weighs 5 g, and with the fingers on it has an impulse of 5–40 mN·s;
the contact of wood on a printed face lasts 1–4 ms (Hertz; judgement for the fingers' share). A bare fingertip's contact
lasts 5–20 ms (key strokes: Jindrich and others, J. Biomech. 36, 497, 2003), too long to excite the vertical mode well:
hence the pencil. A notch at 25° guides it, so that a tap pushes along and down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from hw_mock.choices import one_of
from hw_mock.igloo.compiled import run_whole
from hw_mock.igloo.constants import GRAVITY, SOUND_RATE
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.hand import Player
from hw_mock.igloo.played import laid_out, law_row
from hw_mock.igloo.seat import Occasion, Seat
from hw_mock.igloo.seat_motion import Bodies, State, ring
from hw_mock.igloo.traces import Array

Mistake = Literal["holding", "crooked", "soft", "hard", "no-empty", "nothing", "hasty", "resting"]
MISTAKES: tuple[Mistake, ...] = get_args(Mistake)
LIFTED = 0.003  # m above the nubs, where the igloo enters the simulation
GOOD_BLOW = (0.011, 0.022)  # N·s: some 0.3–0.6 g on the platform
# N/m: a fingertip that hardly touches (judgement), and one that leans on. Pressed, it has some 1000 N/m, and about as
# much damping for that as a grip (Wiertlewski and Hayward, J. Biomech. 45, 1869, 2012)
RESTING = 15.0, 1000.0
HEEDED = 0.7  # how much of a tap's deviation from the band the next tap corrects (judgement)


@dataclass(frozen=True, slots=True)
class Tapping:
    """How somebody taps: `Tapping.of(player)`; impulses in N·s, times in s."""

    impulse: float
    spread: float  # from tap to tap, ln
    lasts: float
    slope: float  # rad below horizontal
    pause: float  # between taps

    @classmethod
    def of(cls, player: Player) -> Tapping:
        """Who shakes hard also taps hard, but less than proportionally: tapping is shown and coached (judgement)."""
        r = np.random.default_rng([player.seed, 0x7A9])
        return cls(
            impulse=0.017 * (player.strength_g / 2.4) ** 0.6 * math.exp(r.normal(0, 0.35)),
            spread=float(r.uniform(0.12, 0.35)),
            lasts=float(r.uniform(0.001, 0.004)),
            slope=math.radians(25) + float(r.normal(0, math.radians(5))),  # the notch guides the pencil
            pause=float(r.uniform(0.95, 1.3)),  # a light on the page flashes once a second
        )


@dataclass(frozen=True, slots=True)
class Tapped:
    """One gesture before any sensor. platform [S, 2] in m/s² (x, z) at 48 kHz; clicks [S]: bead forces summed, N.

    taps_s: all taps, the empty seat's first.
    """

    beads: int
    platform: Array
    clicks: Array
    taps_s: tuple[float, ...]
    bead_mass: float
    shell_mass: float


@dataclass(frozen=True, slots=True)
class _Plan:
    """The times of the gesture, s. places: (down, free, lift) of each placing."""

    taps: tuple[float, ...]
    places: tuple[tuple[float, float, float], ...]
    samples: int

    @classmethod
    def draw(
        cls, r: np.random.Generator, way: Tapping, empties: int, placings: int, taps: int, hasty: bool
    ) -> _Plan:
        moments = [0.35 + float(r.uniform(0, 0.1))]
        for _ in range(empties - 1):
            moments.append(moments[-1] + way.pause * math.exp(r.normal(0, 0.06)))
        now, empty, places = moments[-1] + 0.65, list(moments), []
        del moments[:]
        for _ in range(placings):
            down = now + float(r.uniform(0.1, 0.5))
            free = down + float(r.uniform(0.25, 0.5))
            at = free + (0.05 if hasty else float(r.uniform(0.35, 0.7)))
            for k in range(taps):
                at += way.pause * math.exp(r.normal(0, 0.06)) if k else 0.0
                moments.append(at)
            lift = at + float(r.uniform(0.65, 0.9))
            places.append((down, free, lift))
            now = lift + 0.45
        return cls((*empty, *moments), tuple(places), round((moments[-1] + 0.7) * SOUND_RATE))


def tap(
    count: int, device: Device, seat: Seat, player: Player, today: Occasion, seed: int, placings: int = 3,
    taps: int = 1, empties: int = 2, mistake: Mistake | None = None,
) -> Tapped:  # fmt: skip
    """`player` counts the igloo of `count` beads once; `mistake`: what is done wrongly. Same arguments, same bits.

    There are `empties` taps on the empty seat; then, `placings` times, the igloo is set down, let go, tapped `taps`
    times and lifted off. Raises ValueError for a mistake not in MISTAKES, and if one of the three numbers is below 1.
    """
    if mistake is not None:
        one_of("mistake", mistake, MISTAKES)
    if min(placings, taps, empties) < 1:
        raise ValueError(
            f"{placings} placings of {taps} taps after {empties} on the empty seat: 1 at least of each"
        )
    r = np.random.default_rng([seed, count, player.seed, 0x7A8])
    spots = np.random.default_rng([seed, count, player.seed, 0x5B07])
    igloo, way = Igloo.of(device, count), Tapping.of(player.take(seed))
    shell = igloo.shell_mass * (1 + today.damp + today.dust * float(r.normal()))
    plan = _Plan.draw(r, way, empties, placings, taps, mistake == "hasty")
    skipped = empties if mistake == "no-empty" else 0
    drive = np.zeros((plan.samples, 4))
    drive[:, 2:] = _unrest(r, plan.samples, seat, today)
    strength = {"soft": 0.02, "hard": 12.0}.get(mistake or "", 1.0)
    heed: float = 1.0
    for k, moment in enumerate(plan.taps):
        hit = way.impulse * math.exp(r.normal(0, way.spread)) * heed
        since, blow = _blow(r, plan.samples, moment, way, strength * hit)
        if k >= skipped:
            drive[since : since + len(blow), :2] += blow
        # the page shows each tap's strength against a band: people outside it come nearer the next time
        heed *= (min(max(hit, GOOD_BLOW[0]), GOOD_BLOW[1]) / hit) ** HEEDED
    springs = np.array(seat.stiffness) * (1 + seat.warmth * today.kelvin)
    moved = np.array([seat.platform, seat.platform + seat.carriage])
    leaves = np.stack([springs, np.sqrt(springs * moved) / np.array(seat.quality)], axis=1)
    feet, rock = seat.standing(today)
    loss = 0.2 if mistake != "crooked" else 0.6
    fingers = player.take(seed)
    stays = _stays_on(fingers, mistake, seed)
    gravity = GRAVITY * np.array([math.sin(today.lean[0]), math.sin(today.lean[1]), -1.0])
    platform, clicks = np.zeros((plan.samples, 2)), np.zeros(plan.samples)
    damping = 2 * fingers.grip_damping * math.sqrt(fingers.grip_stiffness * shell)
    base, moving = np.zeros(9), np.zeros(4)
    here = 0
    places = () if mistake == "nothing" else plan.places
    for down, free, lift in (*places, (math.inf,) * 3):
        # nubs touch another spot each time; crooked: on the ring's edge, with one side in the air
        met = np.exp(seat.nub_spread * np.array([spots.normal(), r.normal()]))
        nubs = np.array(seat.nub_stiffness) * met * (0.004 if mistake == "crooked" else 1.0)
        state = State(
            base, moving, np.array([0, 0, LIFTED, 0, 0, 0]), np.zeros(1),
            laid_out(igloo, r) + np.array([0, 0, LIFTED]), np.zeros((count, 3)), np.zeros((count, 3)),
        )  # fmt: skip
        for until, loaded in ((down - 0.25, False), (lift + 0.25, True)):
            end = plan.samples if until == math.inf else min(round(until * SOUND_RATE), plan.samples)
            if end <= here:
                continue
            stiff = leaves.copy()
            stiff[:, 0] *= 1 + seat.warmth * today.drift_kelvin * (here / SOUND_RATE) / 60
            bodies = Bodies(
                base=seat.base,
                feet=feet,
                rock=rock,
                moved=moved,
                leaves=stiff,
                shell=shell,
                nubs=np.stack([nubs, loss * np.sqrt(nubs * shell)], axis=1),
                nub_friction=seat.nub_friction,
                grip=np.array([fingers.grip_stiffness, damping]),
                gravity=gravity,
                dome=np.array([igloo.dome_radius, igloo.centre_height]),
                laws=np.array([law_row(igloo.dome), law_row(igloo.floor), law_row(igloo.pair)]),
                radius=np.array(igloo.radii),
                mass=np.array(igloo.masses),
            )
            hand = _hand(here, end, down, free, lift, stays, mistake == "hasty")
            run_whole(
                ring, bodies, state, loaded, drive[here:end], hand, float(SOUND_RATE), igloo.substeps,
                platform[here:end], clicks[here:end],
            )  # fmt: skip
            here = end
    return Tapped(count, platform, clicks, plan.taps[skipped:], float(sum(igloo.masses)), shell)


def _blow(r: np.random.Generator, samples: int, at: float, way: Tapping, impulse: float) -> tuple[int, Array]:
    """A pencil on the base, `impulse` N·s: half a sine, and sometimes a remaining weight while it lingers. Returns the
    sample of its start, and the force N [n, 2]."""
    lasts = way.lasts * math.exp(r.normal(0, 0.15))
    slope = way.slope + float(r.normal(0, 0.05))
    linger = float(r.uniform(0.0, 0.08))
    first, end = int(at * SOUND_RATE), math.ceil((at + lasts + linger) * SOUND_RATE) + 1
    t = np.arange(first, min(end, samples)) / SOUND_RATE - at
    during = (t >= 0) & (t < lasts)
    push = np.where(during, np.sin(np.pi * np.clip(t / lasts, 0, 1)) * impulse * np.pi / (2 * lasts), 0.0)
    if linger > 0.02:  # the finger stays and is lifted softly
        u = np.clip((t - lasts * 0.5) / linger, 0, 1)
        push += 0.3 * float(r.uniform(0, 1)) * impulse / way.impulse * np.sin(np.pi * u) ** 2
    return first, np.stack([push * math.cos(slope), -push * math.sin(slope)], axis=1)


def _unrest(r: np.random.Generator, samples: int, seat: Seat, today: Occasion) -> Array:
    """Forces of the table on the feet, N: hands and elbows, mostly below 30 Hz, and a knock now and then."""
    knots = samples // 480 + 8
    slow = r.normal(size=(knots, 2))
    t = np.arange(samples) / 480.0
    out = np.stack([np.interp(t, np.arange(knots), slow[:, k]) for k in range(2)], axis=1)
    out *= today.tremble * seat.base
    if r.random() < 0.1:
        where = np.arange(samples) / SOUND_RATE - float(r.uniform(0, samples / SOUND_RATE))
        bump = np.where(where > 0, np.exp(-where / 0.03) * np.sin(2 * np.pi * 18 * where), 0.0)
        out += seat.base * 0.15 * bump[:, None] * r.normal(size=2)
    return out


def _stays_on(fingers: Player, mistake: Mistake | None, seed: int) -> float:
    """How firmly the igloo is still held when it should be free, as a share of the grip."""
    if mistake == "resting":
        low, high = np.log(RESTING)
        own = np.random.default_rng([seed, fingers.seed, 0xF19])
        return float(np.exp(own.uniform(low, high))) / fingers.grip_stiffness
    return 0.15 if mistake == "holding" else 0.0


def _hand(since: int, end: int, down: float, free: float, lift: float, stays: float, hasty: bool) -> Array:
    """[S, 3] for the samples from `since` to `end`: how firmly the igloo is held, and the hand's x and z, m. The hand
    sets it down on the nubs, presses a little, lets go but for what `stays` on, and lifts it off."""
    out = np.zeros((end - since, 3))
    t = np.arange(since, end) / SOUND_RATE
    share = np.clip((t - down + 0.2) / 0.22, 0, 1) - np.clip((t - lift - 0.03) / 0.22, 0, 1)
    out[:, 2] = LIFTED - (LIFTED + 0.0003) * share * share * (3 - 2 * share)
    out[:, 0] = np.clip(np.maximum((free - t) / 0.02, (t - lift) / 0.02), 0, 1)
    out[:, 0] = np.maximum(out[:, 0], stays)
    if hasty:
        out[:, 0] = np.clip(np.maximum((free + 0.9 - t) / 0.3, (t - lift) / 0.02), 0, 1)
    return out
