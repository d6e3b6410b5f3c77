"""Accelerometers on shells, drawn from far wider ranges than we believe, for the impacts of any engine.

Like drawn_shells.py, it shares nothing with our other sensors, and all ranges are judgement.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.signal import butter, lfilter, sosfilt

from benchmarks.worlds.drawn_rooms import Array
from benchmarks.worlds.drawn_shells import LEAD_S, TAIL_S


@dataclass(frozen=True)
class Node:
    """An accelerometer on one maker's shells."""

    seed: int
    shell_kg: float
    hz: Array  # [modes] that are low enough to be felt
    loss: Array
    turn: Array  # [modes, 3] and `phase`, as in `Shell`
    phase: Array
    felt: Array  # [modes, 3]
    lever: Array  # [3, 3] from an impact to the sensor, by rotation of the shell
    mounts: tuple[tuple[float, float], ...]  # resonance Hz and Q factor of its mounts
    axes: Array  # [3, 3]
    true: float  # ratio of its true rate to the nominal one
    low: tuple[int, float]  # the chip's low-pass: order (0: none), and cutoff as a share of the rate
    noise_g: float
    reach_g: float


def draw_node(seed: int) -> Node:
    """A maker's sensor."""
    r = np.random.default_rng([seed, 65])
    n = int(r.integers(0, 8))
    hz = np.exp(r.uniform(np.log(250), np.log(5000), n))
    axes, _ = np.linalg.qr(r.normal(size=(3, 3)))
    return Node(
        seed=seed,
        shell_kg=float(np.exp(r.uniform(np.log(0.008), np.log(0.05)))),
        hz=hz,
        loss=np.exp(r.uniform(np.log(0.01), np.log(0.3), n)),
        turn=r.normal(size=(n, 3)) * r.uniform(0.5, 2.5),
        phase=r.uniform(0, 2 * np.pi, n),
        felt=r.normal(size=(n, 3)) * np.exp(r.uniform(np.log(0.05), np.log(1.0))),
        lever=np.eye(3) + r.uniform(0.1, 0.6) * r.normal(size=(3, 3)),
        mounts=tuple(
            (
                float(np.exp(r.uniform(np.log(200), np.log(2500)))),
                float(np.exp(r.uniform(np.log(0.7), np.log(10)))),
            )
            for _ in range(int(r.integers(1, 3)))
        ),
        axes=axes,
        true=float(r.uniform(0.98, 1.02)),
        low=(int(r.integers(0, 5)), float(r.uniform(0.2, 0.48))),
        noise_g=float(np.exp(r.uniform(np.log(5e-5), np.log(6e-4)))),
        reach_g=float(r.choice([8.0, 16.0])),
    )


def feel(
    node: Node, blows: Array, felt: Array, motion_rate: float, rate: float, day: int, take: int
) -> Array:
    """What an accelerometer reports at the nominal `rate` Hz, float64[samples, 3] in g.

    felt: the hand's acceleration less gravity in the igloo's frame, float64[n, 3] in m/s² at `motion_rate`.
    """
    d, r = np.random.default_rng([node.seed, day, 66]), np.random.default_rng([node.seed, day, take, 67])
    fast = 4 * rate
    n = round((len(felt) / motion_rate + LEAD_S + TAIL_S) * fast)
    wall = blows[:, 2] >= 0
    at = np.minimum(((blows[:, 0] + LEAD_S) * fast).astype(int), n - 1)[wall]
    force = np.zeros((n, 3))
    for k in range(3):
        np.add.at(force[:, k], at, -blows[wall, 1] * blows[wall, 4 + k])
    held = node.shell_kg * float(np.exp(d.uniform(0, 0.9)))
    grip, damping = float(np.exp(d.uniform(np.log(12), np.log(100)))), float(d.uniform(0.2, 0.9))
    w = 2 * np.pi * grip / fast
    pole, turn = np.exp(-damping * w), np.cos(w * np.sqrt(1 - damping**2))
    g = lfilter([1, -2, 1], [1, -2 * pole * turn, pole**2], force, axis=0) * fast / held @ node.lever.T
    for m, hz in enumerate(node.hz):
        if hz > 0.45 * fast:
            continue
        drive = np.zeros(n)
        np.add.at(drive, at, blows[wall, 1] * np.cos(blows[wall, 4:7] @ node.turn[m] + node.phase[m]))
        w = 2 * np.pi * hz / fast
        pole = np.exp(-0.5 * node.loss[m] * w)
        g += np.outer(
            lfilter([1, -1], [1, -2 * pole * np.cos(w), pole**2], drive) * fast / held, node.felt[m]
        )
    for hz, quality in node.mounts:
        w = 2 * np.pi * min(hz, 0.45 * fast) / fast
        pole = np.exp(-w / (2 * quality))
        turn = np.cos(w * np.sqrt(max(0.0, 1 - 0.25 / quality**2)))
        a = np.array([1, -2 * pole * turn, pole**2])
        g = lfilter([a.sum()], a, g, axis=0)
    pull = np.linalg.norm(felt - felt.mean(axis=0), axis=1) / 9.81
    index = (np.arange(n) / fast - LEAD_S) * motion_rate
    rub = lfilter([1], [1, -r.uniform(0.3, 0.95)], r.normal(size=(n, 3)), axis=0)
    rub *= np.interp(index, np.arange(len(pull)), pull)[:, None] / (rub.std() + 1e-12)
    g = g / 9.81 + float(np.exp(d.uniform(np.log(1e-4), np.log(0.03)))) * rub
    order, corner = node.low
    if order:
        g = sosfilt(butter(order, corner * rate, fs=fast, output="sos"), g, axis=0)
    times = np.arange(int(n / fast * rate * node.true)) / (rate * node.true)
    index = (times - LEAD_S) * motion_rate
    out = np.stack([np.interp(index, np.arange(len(felt)), felt[:, k]) / 9.81 for k in range(3)], axis=1)
    out += np.stack([np.interp(times * fast, np.arange(n), g[:, k]) for k in range(3)], axis=1)
    out = out @ node.axes.T + r.normal(size=out.shape) * node.noise_g * np.sqrt(rate / 2)
    return np.asarray(np.clip(np.round(out / 4.88e-4) * 4.88e-4, -node.reach_g, node.reach_g))
