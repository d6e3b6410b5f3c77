"""Igloos, people and beads of the other world: MuJoCo's rigid bodies in a dome of planes; all ranges are judgement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
RATE = 48000
STEP = 5e-5  # s, time step of the engine
CONTACT_S = 4e-4  # contact time in the engine; the sound is made with `touch_s`
LEVELS = (0.15, 0.4, 0.65, 0.9, 1.15, 1.4)  # elevations of the dome's planes, rad


@dataclass(frozen=True)
class Set:
    """Twelve igloos of one maker, with their sensors."""

    seed: int
    radius: float
    bead: float  # radius, m
    bounce: tuple[float, float]  # restitution on the wall, on a bead
    friction: float
    touch_s: float  # real time of contact at 1 m/s
    modes: Array  # Hz
    quality: Array
    gains: Array  # [planes, modes]
    heard: Array  # [modes] weights at a microphone
    felt: Array  # [modes, 3] weights at the accelerometer
    leak: float
    shell_kg: float
    grip: tuple[float, float]  # Hz, damping ratio
    node: tuple[float, float]  # Hz and Q factor of the sensor on its tape
    axes: Array  # [3, 3]
    rate: float
    true_rate: float
    band: float
    noise_g: float
    tilt: Array  # FIR of the microphone
    squash: float = 1.0  # height of the dome relative to its radius


@dataclass(frozen=True)
class Person:
    seed: int
    hz: float
    g: float
    axis: Array
    second: float
    jitter: float
    sway: float
    up: Array
    grip: float
    swirl: float = 0.25  # share of circular motion


def draw_set(seed: int, wide: bool = False, odd: bool = False, rate_hz: float | None = None) -> Set:
    """A maker's set. `wide`: wider ranges than we believe, for training; `odd`: also domes that are not round.
    `rate_hz`: of its accelerometer (None: drawn)."""
    r = np.random.default_rng([seed, 11])
    planes = len(_planes(1.0))
    n = int(r.integers(9, 16))
    modes = np.sort(np.exp(r.uniform(np.log(900), np.log(17000), n)))
    rate = float(r.choice([833.0, 1600.0, 1666.0, 3200.0], p=[0.1, 0.3, 0.3, 0.3]))
    rate = rate_hz or rate
    q, _ = np.linalg.qr(r.normal(size=(3, 3)))
    taps = r.normal(0, 0.15, 24) * np.exp(-np.arange(24) / 5)
    taps[0] = 1
    radius = float(r.uniform(0.017, 0.032) if wide else r.uniform(0.019, 0.027))
    bead = float(np.exp(r.uniform(*np.log((0.0015, 0.0042) if wide else (0.002, 0.0038)))))
    return Set(
        seed=seed,
        radius=radius,
        bead=min(bead, 0.17 * radius) if wide else bead,
        bounce=(float(r.uniform(0.2 if wide else 0.45, 0.85)), float(r.uniform(0.5 if wide else 0.75, 0.93))),
        friction=float(r.uniform(0.1, 0.6 if wide else 0.4)),
        touch_s=float(r.uniform(2.5e-5, 1.2e-4 if wide else 7e-5)),
        modes=modes,
        quality=r.uniform(6, 60, n) if wide else r.uniform(12, 60, n),
        gains=r.normal(0, 1, (planes, n)) + 0.6 * r.normal(0, 1, n),
        heard=np.exp(r.normal(0, 0.7, n)),
        felt=r.normal(0, 1, (n, 3)) * (modes[:, None] / 4000) ** -0.7,
        leak=float(np.exp(r.uniform(np.log(0.05), np.log(0.4)))),
        shell_kg=float(r.uniform(0.012, 0.04)),
        grip=(float(r.uniform(25, 75)), float(r.uniform(0.3, 0.7))),
        node=(float(r.uniform(350, 1500)), float(r.uniform(3, 9))),
        axes=q,
        rate=rate,
        true_rate=rate * float(r.uniform(0.98, 1.02)),
        band=float(r.uniform(0.25, 0.45)),
        noise_g=float(r.uniform(1e-4, 3e-4)),
        tilt=taps,
        squash=float(r.uniform(0.7, 1.3)) if odd else 1.0,
    )


def draw_person(seed: int, day: int, wide: bool = False, odd: bool = False) -> Person:
    """Who shakes. `wide`: as for a set; `odd`: also hands that move in circles."""
    more = 1.6 if wide else 1.0
    r = np.random.default_rng([seed, 12])
    d = np.random.default_rng([seed, 13, day])
    axis = np.array([1.0, 0.3, 0.3]) if r.random() < 0.4 else np.array([0.2, 0.3, 1.0])
    axis = axis * r.choice([-1, 1], 3) + r.normal(0, 0.25, 3)
    up = np.array([0, 0, 1.0]) + r.normal(0, 0.3, 3) + d.normal(0, 0.1, 3)
    return Person(
        seed,
        hz=float(np.clip(np.exp(r.normal(np.log(3.9), 0.2 * more) + d.normal(0, 0.06)), 2.2, 6.5)),
        g=float(
            np.clip(
                np.exp(r.normal(np.log(2.4), 0.3 * more) + d.normal(0, 0.1 * more)),
                *((0.9, 6.5) if wide else (1.2, 5.5)),
            )
        ),
        axis=axis / np.linalg.norm(axis),
        second=float(r.uniform(0, 0.35)),
        jitter=float(r.uniform(0.03, 0.12)),
        sway=float(r.uniform(0.0, 0.5)),
        up=up / np.linalg.norm(up),
        grip=float(np.exp(r.normal(0, 0.2) + d.normal(0, 0.1))),
        swirl=float(r.uniform(0.0, 1.0)) if odd else 0.25,
    )


def _planes(radius: float, squash: float = 1.0) -> list[tuple[Array, Array]]:
    """Points and inward normals of the planes: floor, then the dome, whose height is `squash` times its radius."""
    out = [(np.zeros(3), np.array([0.0, 0.0, 1.0]))]
    for k, level in enumerate(LEVELS):
        n = max(4, round(14 * np.cos(level)))
        for j in range(n):
            turn = 2 * np.pi * (j + 0.5 * (k % 2)) / n
            way = np.array([np.cos(turn) * np.cos(level), np.sin(turn) * np.cos(level), np.sin(level)])
            normal = way / np.array([1.0, 1.0, squash])
            out.append((radius * way * np.array([1.0, 1.0, squash]), -normal / np.linalg.norm(normal)))
    return out


def _model(igloos: Set, beads: int) -> Any:
    import mujoco

    def solref(bounce: float) -> str:
        ln = -np.log(bounce)
        damping = ln / np.hypot(np.pi, ln)
        k = (np.pi / CONTACT_S) ** 2
        return f"{-k:.6g} {-2 * damping * np.sqrt(k):.6g}"

    wall, pair = (solref(b) for b in igloos.bounce)
    common = 'condim="3" solimp="0.98 0.98 0.0001"'
    text = [
        f'<mujoco><option timestep="{STEP}" cone="elliptic" integrator="Euler" iterations="12"/><worldbody>'
    ]
    for i, (point, normal) in enumerate(_planes(igloos.radius, igloos.squash)):
        p, z = " ".join(f"{v:.6f}" for v in point), " ".join(f"{v:.6f}" for v in normal)
        text.append(
            f'<geom name="w{i}" type="plane" size="1 1 1" pos="{p}" zaxis="{z}" solref="{wall}" priority="1" '
            f'friction="{igloos.friction} 0.00001 0.00001" contype="1" conaffinity="2" {common}/>'
        )
    r = np.random.default_rng([igloos.seed, 14, beads])
    mass = 2500 * 4 / 3 * np.pi * igloos.bead**3
    for i in range(beads):
        ring, k = divmod(i, 7)
        reach = 0.5 * igloos.radius
        x, y = reach * np.cos(k * 0.898), reach * np.sin(k * 0.898)
        height = igloos.bead * (1.1 + 2.2 * ring)
        text.append(
            f'<body pos="{x:.5f} {y:.5f} {height:.5f}"><freejoint/>'
            f'<geom type="sphere" size="{igloos.bead * r.uniform(0.97, 1.03):.6f}" mass="{mass:.6g}" solref="{pair}" '
            f'friction="0.15 0.00001 0.00001" contype="3" conaffinity="3" {common}/></body>'
        )
    text.append("</worldbody></mujoco>")
    return mujoco.MjModel.from_xml_string("".join(text))


def motion(person: Person, seed: int, seconds: float) -> Array:
    """The hand's acceleration less gravity in the igloo's frame, float64[steps, 3], m/s²."""
    r = np.random.default_rng([person.seed, seed, 15])
    n = round(seconds / STEP)
    t = np.arange(n) * STEP
    knots = max(3, int(seconds * 4))
    pace = np.interp(t, np.linspace(0, seconds, knots), r.normal(1, person.jitter, knots))
    loud = np.interp(t, np.linspace(0, seconds, knots), r.normal(1, 1.5 * person.jitter, knots))
    loud *= np.clip(t / 0.15, 0, 1) * np.clip((seconds - t) / 0.15, 0, 1)
    phase = 2 * np.pi * person.hz * np.cumsum(pace) * STEP
    along = np.sin(phase) + person.second * np.sin(2 * phase + person.sway)
    across = np.cross(person.axis, person.up)
    way = np.outer(along * loud, person.axis) + person.swirl * np.outer(np.sin(phase + 1.3) * loud, across)
    size = person.g * float(np.exp(r.normal(0, 0.1)))
    lean = 0.25 * person.sway * np.sin(phase * 1.0 + 0.4) * loud
    gravity = 9.81 * (person.up + np.outer(lean, across))
    return 9.81 * size * way + gravity


def engine(igloos: Set, beads: int, felt: Array) -> Array:
    """Every contact, float64[touches, 7]: time s, impulse N·s, plane or −1 for bead on bead, speed m/s, direction."""
    import mujoco

    model = _model(igloos, beads)
    data = mujoco.MjData(model)
    walls = len(_planes(1.0))
    mass = 2500 * 4 / 3 * np.pi * igloos.bead**3
    open_touch: dict[tuple[int, int], list[Any]] = {}
    done: list[list[float]] = []
    for _ in range(2000):  # settle
        mujoco.mj_step(model, data)
    for step in range(len(felt)):
        model.opt.gravity[:] = -felt[step]
        mujoco.mj_step(model, data)
        n = data.ncon
        if not n and not open_touch:
            continue
        seen = set()
        if n:
            contact = data.contact
            geom, at, frame = contact.geom, contact.efc_address, contact.frame
            for i in range(n):
                if at[i] < 0:
                    continue
                force = data.efc_force[at[i]]
                if force <= 0:
                    continue
                key = (int(geom[i, 0]), int(geom[i, 1]))
                seen.add(key)
                touch = open_touch.get(key)
                if touch is None:
                    open_touch[key] = [step * STEP, force * STEP, *frame[i, :3]]
                else:
                    touch[1] += force * STEP
        for key in [k for k in open_touch if k not in seen]:
            start, impulse, *way = open_touch.pop(key)
            if impulse > 1e-4 * mass:
                wall = min(key) if min(key) < walls else -1
                done.append([start, impulse, wall, impulse / (1.7 * mass), *way])
    return np.array(sorted(done)).reshape(-1, 7)
