"""Igloos, people and beads of a third world: Bullet's rigid bodies, which bounce by impulses; all ranges are judgement.

Not only igloos and beads: a tin or a box, with cubes or sticks in it, rattles by the same laws, and who has learned
from all of them holds less by what is true of igloos alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STEP = 2e-4  # s, of the engine
MOTION = 1000.0  # Hz, of the hand
SCALE = 100.0  # Bullet's tolerances are made for things of a metre: it sees all lengths a hundredfold
SETTLE_S = 0.15
LEAST_SPEED = 0.01  # m/s; below, a blow does not bounce
HEAVIER = 4.0  # a lasting touch that is pressed so much harder than till now has been struck anew


@dataclass(frozen=True)
class Vessel:
    """What is shaken, and what is in it. One maker's twelve differ by some per cent."""

    seed: int
    shape: str  # dome, tin, box
    size: Array  # m: half width, half depth, height of the inside
    piece: str  # bead, cube, stick
    piece_size: Array  # m: half edges; of a bead the radius three times
    density: float
    bounce: tuple[float, float]  # restitution on the wall, between pieces
    friction: tuple[float, float]
    shell_kg: float
    unlike: float  # by how much one piece differs from the next

    def kg(self) -> float:
        """Of one piece."""
        solid = np.prod(self.piece_size) * (4 / 3 * np.pi if self.piece == "bead" else 8)
        return float(self.density * solid)


@dataclass(frozen=True)
class Shaker:
    """Strokes there and back, none like the last; alike for one person, a little else every day."""

    seed: int
    hz: float
    g: float
    sharp: float  # 0 a sine, 1 hard turns
    uneven: float  # from stroke to stroke
    axis: Array
    wander: float
    up: Array
    turns: float  # rad the igloo leans with each stroke
    grip: tuple[float, float]  # Hz, damping


def draw_vessel(seed: int, anything: bool = False) -> Vessel:
    """A maker's set of igloos; `anything`: tins and boxes, cubes and sticks as well."""
    r = np.random.default_rng([seed, 31])
    piece = str(r.choice(["bead", "cube", "stick"], p=[0.35, 0.15, 0.5])) if anything else "bead"
    shape = "dome"
    if anything:
        shape = str(
            r.choice(["dome", "tin", "box"], p=[0, 0.15, 0.85] if piece == "stick" else [0.4, 0.3, 0.3])
        )
    wide = float(r.uniform(0.018, 0.030))
    size = np.array([wide, wide, wide * r.uniform(0.75, 1.2)])
    if shape == "box":
        size = np.array([r.uniform(0.02, 0.032), r.uniform(0.012, 0.022), r.uniform(0.008, 0.022)])
    small = float(np.exp(r.uniform(np.log(0.0015), np.log(0.0042))))
    small = min(small, 0.16 * float(size.min() if shape != "box" else size[1]))
    half = np.full(3, small)
    if piece == "stick":
        thick = float(r.uniform(0.0008, 0.0014))
        half = np.array([r.uniform(0.65, 0.93) * size[0], thick, thick])
    density = float(r.choice([2500.0, 1180.0, 700.0], p=[0.6, 0.25, 0.15]))
    if piece == "stick":
        density = float(r.uniform(400, 900))
    hard = 1.0 if piece == "bead" else float(r.uniform(0.25, 0.75))
    return Vessel(
        seed=seed,
        shape=shape,
        size=size,
        piece=piece,
        piece_size=half,
        density=density,
        bounce=(float(hard * r.uniform(0.45, 0.9)), float(hard * r.uniform(0.6, 0.95))),
        friction=(float(r.uniform(0.1, 0.5)), float(r.uniform(0.05, 0.35))),
        shell_kg=float(np.exp(r.uniform(np.log(0.010), np.log(0.045)))),
        unlike=0.03 if piece == "bead" else float(r.uniform(0.03, 0.1)),
    )


def draw_shaker(seed: int, day: int) -> Shaker:
    """Who shakes, and how on that day."""
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
    wide = np.ones(13) / 13  # no hand changes its pull at once
    felt = np.stack([np.convolve(felt[:, k], wide, "same") for k in range(3)], axis=1)
    turned = np.outer(np.cos(lean), shaker.up) + np.outer(np.sin(lean), side)
    return np.asarray(9.81 * (size * felt + turned))


def _walls(vessel: Vessel) -> list[tuple[Array, Array]]:
    """Points and inward normals: floor first."""
    up = np.array([0.0, 0.0, 1.0])
    x, y, z = vessel.size
    walls = [(np.zeros(3), up)]
    if vessel.shape == "box":
        walls.append((np.array([0, 0, z]), -up))
        for k, reach in ((0, x), (1, y)):
            for way in (-1.0, 1.0):
                normal = np.zeros(3)
                normal[k] = -way
                walls.append((-reach * normal, normal))
    elif vessel.shape == "tin":
        walls.append((np.array([0, 0, z]), -up))
        for j in range(20):
            normal = np.array([np.cos(j * np.pi / 10), np.sin(j * np.pi / 10), 0.0])
            walls.append((-x * normal, normal))
    else:
        for k, level in enumerate(np.linspace(0.12, 1.4, 5)):
            around = max(3, round(13 * np.cos(level)))
            for j in range(around):
                turn = 2 * np.pi * (j + 0.5 * (k % 2)) / around
                way = np.array([np.cos(turn) * np.cos(level), np.sin(turn) * np.cos(level), np.sin(level)])
                normal = way / np.array([1, 1, z / x])
                walls.append((way * np.array([x, x, z]), -normal / np.linalg.norm(normal)))
    return walls


def engine(vessel: Vessel, pieces: int, felt: Array, take: int) -> Array:
    """Every blow, float64[blows, 7]: time s, impulse N·s, wall or −1 for piece on piece, its speed m/s, direction."""
    import pybullet

    world = pybullet.connect(pybullet.DIRECT)
    try:
        return _run(pybullet, world, vessel, pieces, felt, take)
    finally:
        pybullet.disconnect(world)


def _run(pb: Any, world: int, vessel: Vessel, pieces: int, felt: Array, take: int) -> Array:
    pb.setPhysicsEngineParameter(
        fixedTimeStep=STEP,
        numSolverIterations=15,
        restitutionVelocityThreshold=LEAST_SPEED * SCALE,
        contactBreakingThreshold=0.002,
        deterministicOverlappingPairs=1,
        physicsClientId=world,
    )
    # Bullet multiplies what two bodies bring
    own = [float(np.sqrt(value)) for value in (vessel.bounce[1], vessel.friction[1])]
    walls = _walls(vessel)
    for point, normal in walls:
        shape = pb.createCollisionShape(pb.GEOM_PLANE, planeNormal=normal.tolist(), physicsClientId=world)
        body = pb.createMultiBody(0, shape, basePosition=(SCALE * point).tolist(), physicsClientId=world)
        bounce, friction = (
            value / o for value, o in zip((vessel.bounce[0], vessel.friction[0]), own, strict=True)
        )
        pb.changeDynamics(body, -1, restitution=bounce, lateralFriction=friction, physicsClientId=world)
    r = np.random.default_rng([vessel.seed, pieces, 35])
    mass = vessel.kg()
    for place, turn in _start(vessel, pieces):
        half = (
            SCALE
            * vessel.piece_size
            * r.uniform(1 - vessel.unlike, 1 + vessel.unlike, 3 if vessel.piece == "stick" else 1)
        )
        other = np.ones(2) if vessel.piece == "bead" else np.exp(5 * vessel.unlike * r.normal(size=2))
        if vessel.piece == "bead":
            shape = pb.createCollisionShape(pb.GEOM_SPHERE, radius=float(half.mean()), physicsClientId=world)
        else:
            shape = pb.createCollisionShape(
                pb.GEOM_BOX, halfExtents=np.broadcast_to(half, 3).tolist(), physicsClientId=world
            )
        body = pb.createMultiBody(mass, shape, -1, (SCALE * place).tolist(), turn, physicsClientId=world)
        pb.changeDynamics(
            body,
            -1,
            restitution=min(1.0, own[0] * float(other[0])),
            lateralFriction=own[1] * float(other[1]),
            rollingFriction=0,
            spinningFriction=0,
            linearDamping=0,
            angularDamping=0,
            activationState=pb.ACTIVATION_STATE_DISABLE_SLEEPING,
            collisionMargin=0.0 if vessel.piece == "bead" else 0.004,
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
    late = np.random.default_rng([vessel.seed, take, 36])  # within a step nothing tells when
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


def _start(vessel: Vessel, pieces: int) -> list[tuple[Array, list[float]]]:
    """Where each piece lies before it falls to the floor."""
    x, y, z = vessel.piece_size * 1.1
    if vessel.piece == "stick":
        rows = max(1, int(0.8 * min(vessel.size[0], vessel.size[1]) // y))
        return [
            (np.array([0.0, (2 * (i % rows) - rows + 1) * y, z * (1.2 + 2.2 * (i // rows))]), [0, 0, 0, 1])
            for i in range(pieces)
        ]
    reach = 0.6 * min(vessel.size[0], vessel.size[1])
    ring = max(1, int(np.pi * reach / (1.3 * x)))
    places = []
    for i in range(pieces):
        level, k = divmod(i, ring)
        turn = 2 * np.pi * k / ring
        place = np.array([reach * np.cos(turn), reach * np.sin(turn), z * (1.2 + 2.3 * level)])
        places.append((place, [0.0, 0.0, 0.0, 1.0]))
    return places
