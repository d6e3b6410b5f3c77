"""Igloos, people and beads of the third world: Bullet's rigid bodies with impulse contacts; ranges are judgement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STEP = 2e-4  # s, time step of the engine
MOTION = 1000.0  # Hz, sample rate of the hand's motion
SCALE = 100.0  # all lengths are multiplied by this for Bullet, whose tolerances suit objects of a metre
SETTLE_S = 0.15
LEAST_SPEED = 0.01  # m/s; slower impacts do not bounce
HEAVIER = 4.0  # a lasting contact whose impulse rises by this factor is a new impact


@dataclass(frozen=True)
class Igloos:
    """One maker's twelve igloos: the inside is the same, each has its own beads."""

    seed: int
    radius: float  # m
    height: float  # m
    bead: float  # radius, m
    density: float
    bounce: tuple[float, float]  # restitution on the wall, on a bead
    friction: tuple[float, float]
    shell_kg: float

    def bead_kg(self) -> float:
        return float(self.density * 4 / 3 * np.pi * self.bead**3)


@dataclass(frozen=True)
class Shaker:
    """A person's strokes to and fro, each different from the last; the habit is the person's, with a little change
    every day."""

    seed: int
    hz: float
    g: float
    sharp: float  # 0 a sine, 1 hard turns
    uneven: float  # variation from stroke to stroke
    axis: Array
    wander: float
    up: Array
    turns: float  # tilt of the igloo with each stroke, rad
    grip: tuple[float, float]  # Hz, damping ratio


def draw_igloos(seed: int) -> Igloos:
    """A maker's set."""
    r = np.random.default_rng([seed, 31])
    radius = float(r.uniform(0.018, 0.030))
    height = float(radius * r.uniform(0.75, 1.2))
    bead = float(np.exp(r.uniform(np.log(0.0015), np.log(0.0042))))
    return Igloos(
        seed=seed,
        radius=radius,
        height=height,
        bead=min(bead, 0.16 * min(radius, height)),
        density=float(r.choice([2500.0, 1180.0, 700.0], p=[0.6, 0.25, 0.15])),
        bounce=(float(r.uniform(0.45, 0.9)), float(r.uniform(0.6, 0.95))),
        friction=(float(r.uniform(0.1, 0.5)), float(r.uniform(0.05, 0.35))),
        shell_kg=float(np.exp(r.uniform(np.log(0.010), np.log(0.045)))),
    )


def draw_shaker(seed: int, day: int) -> Shaker:
    """Who shakes, and how they shake on that day."""
    r = np.random.default_rng([seed, 32])
    d = np.random.default_rng([seed, 33, day])
    axis = np.array([0.2, 0.2, 1.0]) if r.random() < 0.5 else np.array([1.0, 0.2, 0.3])
    axis = axis * r.choice([-1, 1], 3) + r.normal(0, 0.25, 3) + d.normal(0, 0.08, 3)
    up = np.array([0, 0, 1.0]) + r.normal(0, 0.35, 3) + d.normal(0, 0.12, 3)
    return Shaker(
        seed=seed,
        hz=float(np.clip(np.exp(r.normal(np.log(4.2), 0.22) + d.normal(0, 0.06)), 2.3, 7.0)),
        g=float(np.clip(np.exp(r.normal(np.log(2.6), 0.33) + d.normal(0, 0.12)), 0.9, 6.0)),
        sharp=float(r.uniform(0, 1)),
        uneven=float(r.uniform(0.03, 0.18)),
        axis=axis / np.linalg.norm(axis),
        wander=float(r.uniform(0.05, 0.45)),
        up=up / np.linalg.norm(up),
        turns=float(r.uniform(0, 0.35)),
        grip=(
            float(np.exp(r.uniform(np.log(20), np.log(80)) + d.normal(0, 0.1))),
            float(r.uniform(0.25, 0.8)),
        ),
    )


def motion(shaker: Shaker, take: int, seconds: float) -> Array:
    """The hand's acceleration less gravity in the igloo's frame, float64[steps at MOTION, 3], m/s²."""
    r = np.random.default_rng([shaker.seed, take, 34])
    n = round(seconds * MOTION)
    size = shaker.g * float(np.exp(r.normal(0, 0.12)))
    drift = np.cumsum(r.normal(0, 0.3 * shaker.uneven, 200))
    along, across = np.zeros(n), np.zeros(n)
    lean = np.zeros(n)
    at, stroke = 0.0, 0
    while at < seconds:
        half = 0.5 / shaker.hz * float(np.exp(shaker.uneven * r.normal() + 0.3 * drift[stroke]))
        strong = float(np.exp(1.5 * shaker.uneven * r.normal() + drift[stroke] - drift[0]))
        first, end = int(at * MOTION), min(n, int((at + half) * MOTION))
        where = np.linspace(0, 1, max(1, end - first), endpoint=False)
        blow = np.sin(np.pi * where) ** (1 + 2.5 * shaker.sharp)
        way = 1 if stroke % 2 == 0 else -1
        along[first:end] = way * strong * blow / max(0.3, float(blow.mean())) * 0.64
        across[first:end] = way * strong * r.normal(0, 1) * np.sin(2 * np.pi * where)
        lean[first:end] = way * shaker.turns * np.sin(np.pi * where)
        at, stroke = at + half, (stroke + 1) % 199
    fade = np.clip(np.arange(n) / MOTION / 0.12, 0, 1) * np.clip(
        (seconds - np.arange(n) / MOTION) / 0.12, 0, 1
    )
    side = np.cross(shaker.axis, shaker.up)
    side /= np.linalg.norm(side) + 1e-9
    felt = np.outer(along * fade, shaker.axis) + shaker.wander * np.outer(across * fade, side)
    wide = np.ones(13) / 13  # a hand's force does not jump
    felt = np.stack([np.convolve(felt[:, k], wide, "same") for k in range(3)], axis=1)
    turned = np.outer(np.cos(lean), shaker.up) + np.outer(np.sin(lean), side)
    return np.asarray(9.81 * (size * felt + turned))


def _walls(igloos: Igloos) -> list[tuple[Array, Array]]:
    """Points and inward normals of the planes: floor first, then the dome."""
    walls = [(np.zeros(3), np.array([0.0, 0.0, 1.0]))]
    x, z = igloos.radius, igloos.height
    for k, level in enumerate(np.linspace(0.12, 1.4, 5)):
        around = max(3, round(13 * np.cos(level)))
        for j in range(around):
            turn = 2 * np.pi * (j + 0.5 * (k % 2)) / around
            way = np.array([np.cos(turn) * np.cos(level), np.sin(turn) * np.cos(level), np.sin(level)])
            normal = way / np.array([1, 1, z / x])
            walls.append((way * np.array([x, x, z]), -normal / np.linalg.norm(normal)))
    return walls


def engine(igloos: Igloos, beads: int, felt: Array, take: int) -> Array:
    """Every impact, float64[blows, 7]: time s, impulse N·s, wall or −1 for bead on bead, its speed m/s, direction."""
    import pybullet

    world = pybullet.connect(pybullet.DIRECT)
    try:
        return _run(pybullet, world, igloos, beads, felt, take)
    finally:
        pybullet.disconnect(world)


def _run(pb: Any, world: int, igloos: Igloos, beads: int, felt: Array, take: int) -> Array:
    pb.setPhysicsEngineParameter(
        fixedTimeStep=STEP,
        numSolverIterations=15,
        restitutionVelocityThreshold=LEAST_SPEED * SCALE,
        contactBreakingThreshold=0.002,
        deterministicOverlappingPairs=1,
        physicsClientId=world,
    )
    # Bullet multiplies the two bodies' values
    own = [float(np.sqrt(value)) for value in (igloos.bounce[1], igloos.friction[1])]
    walls = _walls(igloos)
    for point, normal in walls:
        shape = pb.createCollisionShape(pb.GEOM_PLANE, planeNormal=normal.tolist(), physicsClientId=world)
        body = pb.createMultiBody(0, shape, basePosition=(SCALE * point).tolist(), physicsClientId=world)
        bounce, friction = (
            value / o for value, o in zip((igloos.bounce[0], igloos.friction[0]), own, strict=True)
        )
        pb.changeDynamics(body, -1, restitution=bounce, lateralFriction=friction, physicsClientId=world)
    r = np.random.default_rng([igloos.seed, beads, 35])
    mass = igloos.bead_kg()
    for place in _start(igloos, beads):
        size = SCALE * igloos.bead * float(r.uniform(0.97, 1.03))
        shape = pb.createCollisionShape(pb.GEOM_SPHERE, radius=size, physicsClientId=world)
        body = pb.createMultiBody(mass, shape, -1, (SCALE * place).tolist(), physicsClientId=world)
        pb.changeDynamics(
            body,
            -1,
            restitution=own[0],
            lateralFriction=own[1],
            rollingFriction=0,
            spinningFriction=0,
            linearDamping=0,
            angularDamping=0,
            activationState=pb.ACTIVATION_STATE_DISABLE_SLEEPING,
            collisionMargin=0.0,
            physicsClientId=world,
        )
    steps = int(len(felt) / MOTION / STEP)
    pull = np.stack(
        [
            np.interp(np.arange(steps) * STEP * MOTION, np.arange(len(felt)), -SCALE * felt[:, k])
            for k in range(3)
        ],
        axis=1,
    ).tolist()
    pb.setGravity(*pull[0], physicsClientId=world)
    for _ in range(int(SETTLE_S / STEP)):
        pb.stepSimulation(physicsClientId=world)
    late = np.random.default_rng([igloos.seed, take, 36])  # the time within a step is unknown
    going: dict[tuple[int, int], list[float]] = {}
    done: list[list[float]] = []
    least = 1e-4 * mass

    def close(touch: list[float]) -> None:
        start, impulse, _, wall, *way = touch
        if impulse > least:
            done.append([(start + late.random()) * STEP, impulse, wall, impulse / (1.7 * mass), *way])

    for step in range(steps):
        pb.setGravity(*pull[step], physicsClientId=world)
        pb.stepSimulation(physicsClientId=world)
        now: dict[tuple[int, int], list[float]] = {}
        for point in pb.getContactPoints(physicsClientId=world):
            if point[9] > 0:
                known = now.setdefault((point[1], point[2]), [0.0, *point[7]])
                known[0] += point[9] * STEP / SCALE
        for key in [key for key in going if key not in now]:
            close(going.pop(key))
        for key, (impulse, *way) in now.items():
            touch = going.get(key)
            if touch is not None and impulse > HEAVIER * touch[2] and impulse > least:
                close(touch)
                touch = None
            if touch is None:
                wall = min(key) if min(key) < len(walls) else -1
                going[key] = [step, impulse, impulse, wall, *way]
            else:
                touch[1] += impulse
                touch[2] = 0.7 * touch[2] + 0.3 * impulse
    return np.array(sorted(done)).reshape(-1, 7)


def _start(igloos: Igloos, beads: int) -> list[Array]:
    """Initial positions of the beads, from which they fall to the floor: in rings, one above the other."""
    size = 1.1 * igloos.bead
    reach = 0.6 * igloos.radius
    ring = max(1, int(np.pi * reach / (1.3 * size)))
    places = []
    for i in range(beads):
        level, k = divmod(i, ring)
        turn = 2 * np.pi * k / ring
        places.append(np.array([reach * np.cos(turn), reach * np.sin(turn), size * (1.2 + 2.3 * level)]))
    return places
