"""Learning the ear's network (sensors.ear.net) with JAX: Adam, batch normalisation, takes cut short and spoiled.

Loss: cross-entropy against a count smeared over its neighbours on a logarithmic scale, and how many blows the simulator
counted, which tells the first layers what to listen for. Folders of each engine weigh alike. A take is cut at random,
its floor raised, its depth and its bands' balance changed: rooms, gains and backgrounds differ more than simulators do.
The weights that ship are a running mean, with the normalisation folded in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from benchmarks.net_takes import Learned
from sensors.ear.frontend import HAND_RATE, FrontEnd
from sensors.ear.net import DILATION, HAND_COLUMNS, MOST_READ, Net, hand_columns, steps_of

LONGEST_S = 3.2  # of a take that is learned from
SHORTEST_S = 0.8
CHANNELS = (24, 40, 64)
DENSE = 64
BATCH = 32
RATE = 4e-3
WARM = 0.1  # of all steps
DECAY = 1e-2  # of the weights
DROPPED = 0.3
SMEARED = 0.10  # of ln N
HITS = 0.1  # weight of the blows in the loss
KEPT = 0.998  # of the running mean of the weights, a step
NORM_KEPT = 0.98
EPSILON = 1e-3
CONVOLUTIONS = ("1", "2", "3", "4", "5")

Tree = dict[str, jax.Array]
Batch = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.int32]]


def points_of(front: FrontEnd) -> int:
    return int(LONGEST_S * front.frame_rate) // steps_of(front).whole


def batch(front: FrontEnd, takes: Sequence[Learned], random: np.random.Generator | None) -> Batch:
    """ln energy [takes, frames, bands], the hand [takes, points, 7], and how many points each fills; cut at random."""
    whole, most = steps_of(front).whole, points_of(front)
    bands = len(front.bands)
    x = np.full((len(takes), most * whole, bands), -6, np.float32)
    hand = np.zeros((len(takes), most, HAND_COLUMNS), np.float32)
    points = np.zeros(len(takes), np.int32)
    for i, take in enumerate(takes):
        length, begin = min(len(take.log), most * whole), 0
        if random is not None:
            length = int(min(length, max(SHORTEST_S * front.frame_rate, length * random.uniform(0.5, 1.15))))
            begin = int(random.integers(0, len(take.log) - length + 1))
        n = points[i] = length // whole
        x[i, :length] = take.log[begin : begin + length]
        if front.hand and n:
            scale = HAND_RATE / front.frame_rate
            moved = take.hand[int(begin * scale) : int((begin + length) * scale)]
            if random is not None:
                moved = moved * np.float32(random.uniform(0.95, 1.05))
            hand[i, :n] = hand_columns(moved, n)
    return x, hand, points


def spoiled(x: jax.Array, key: jax.Array) -> jax.Array:
    """Another floor for half of them, another depth, another balance of the bands."""
    a, b, c, d = jax.random.split(key, 4)
    one = (len(x), 1, 1)
    floor = jnp.exp(jax.random.uniform(a, one, minval=-6.0, maxval=-2.0)) * jax.random.bernoulli(b, 0.5, one)
    deep = jax.random.uniform(c, one, minval=0.9, maxval=1.1)
    return jnp.log(jnp.exp(x) + floor) * deep + 0.15 * jax.random.normal(d, (len(x), 1, x.shape[2]))


def begun(front: FrontEnd, random: np.random.Generator) -> tuple[Tree, Tree]:
    """Weights before anything is learned, and the running mean and variance of every layer."""
    first, second, third = CHANNELS
    steps, into = steps_of(front), 2 * len(front.bands)
    shapes = {
        "1": (4 * steps.first + 1, into, first),
        "2": (2 * steps.second + 1, first, second),
        "3": (5, second + (HAND_COLUMNS if front.hand else 0), third),
        "4": (5, third, third),
        "5": (5, third, third),
        "dense": (2 * third + first, DENSE),
        "out": (DENSE, MOST_READ),
        "hits": (DENSE, 2),
    }
    weights: Tree = {}
    norms: Tree = {}
    for name, shape in shapes.items():
        last = 0.3 if name in ("out", "hits") else 1.0
        spread = last * np.sqrt(2 / np.prod(shape[:-1]))
        weights["w" + name] = jnp.asarray(random.normal(0, spread, shape), jnp.float32)
        weights["b" + name] = jnp.zeros(shape[-1])
        if name not in ("out", "hits"):
            weights["g" + name] = jnp.ones(shape[-1])
            norms[name] = jnp.stack([jnp.zeros(shape[-1]), jnp.ones(shape[-1])])
    return weights, norms


def _convolved(x: jax.Array, weights: jax.Array, name: str, step: int) -> jax.Array:
    apart = DILATION.get(name, 1)
    beyond = weights.shape[0] // 2 * apart
    return jax.lax.conv_general_dilated(
        x,
        weights,
        (step,),
        [(beyond, beyond)],
        rhs_dilation=(apart,),
        dimension_numbers=("NWC", "WIO", "NWC"),
    )


def answer(
    front: FrontEnd, weights: Tree, norms: Tree, x: jax.Array, hand: jax.Array, points: jax.Array,
    key: jax.Array | None,
) -> tuple[jax.Array, jax.Array, Tree]:  # fmt: skip
    """Logits of the counts, the blows, and this batch's means and variances; `key` is None when nothing is learned."""
    steps, most = steps_of(front), points_of(front)
    seen: Tree = {}

    def filled(scale: int) -> jax.Array:
        inside: jax.Array = (jnp.arange(most * scale)[None] < (points * scale)[:, None])[..., None]
        return inside.astype(jnp.float32)

    def ramp(y: jax.Array, name: str, inside: jax.Array) -> jax.Array:
        if key is not None:
            axes = tuple(range(y.ndim - 1))
            mean = (y * inside).sum(axes) / inside.sum()
            seen[name] = jnp.stack([mean, (jnp.square(y - mean) * inside).sum(axes) / inside.sum()])
        mean, variance = seen[name] if key is not None else norms[name]
        scaled = (y - mean) * jax.lax.rsqrt(variance + EPSILON) * weights["g" + name] + weights["b" + name]
        return jax.nn.relu(scaled) * inside

    def dropped(y: jax.Array, number: int) -> jax.Array:
        if key is None:
            return y
        kept = jax.random.bernoulli(jax.random.fold_in(key, number), 1 - DROPPED, y.shape)
        return y * kept / (1 - DROPPED)

    coarse, middle = filled(1), filled(steps.second)
    y = jnp.concatenate([x / 2, jnp.exp(x / 2) - 0.7], -1) * filled(steps.whole)
    fine = ramp(_convolved(y, weights["w1"], "1", steps.first), "1", middle)
    y = ramp(_convolved(fine, weights["w2"], "2", steps.second), "2", coarse)
    y = jnp.concatenate([y, hand], -1) if front.hand else y
    y = ramp(_convolved(y, weights["w3"], "3", 1), "3", coarse)
    for name in ("4", "5"):
        y = y + ramp(_convolved(y, weights["w" + name], name, 1), name, coarse)
    n = points[:, None]
    mean = y.sum(1) / n
    spread = jnp.sqrt((jnp.square(y - mean[:, None]) * coarse).sum(1) / n + 1e-4)
    pooled = dropped(jnp.concatenate([mean, spread, fine.sum(1) / (n * steps.second)], 1), 0)
    told = dropped(ramp(pooled @ weights["wdense"], "dense", jnp.ones((len(x), 1))), 1)
    return told @ weights["wout"] + weights["bout"], told @ weights["whits"] + weights["bhits"], seen


def _loss(
    weights: Tree, norms: Tree, front: FrontEnd, x: jax.Array, hand: jax.Array, points: jax.Array,
    truth: jax.Array, hits: jax.Array, key: jax.Array,
) -> tuple[jax.Array, tuple[jax.Array, Tree]]:  # fmt: skip
    a, b = jax.random.split(key)
    logits, blows, seen = answer(front, weights, norms, spoiled(x, a), hand, points, b)
    entropy = -(truth * jax.nn.log_softmax(logits)).sum(1).mean()
    return entropy + HITS * jnp.square(blows - hits).mean(), (entropy, seen)


@partial(jax.jit, static_argnames="front")
def _step(
    front: FrontEnd, state: tuple[Tree, Tree, Tree, Tree, Tree], t: jax.Array, rate: jax.Array, x: jax.Array,
    hand: jax.Array, points: jax.Array, truth: jax.Array, hits: jax.Array, key: jax.Array,
) -> tuple[tuple[Tree, Tree, Tree, Tree, Tree], jax.Array]:  # fmt: skip
    """One step of Adam (Kingma and Ba, 2015) with decoupled decay; gradients no longer than 1."""
    weights, norms, first, second, mean = state
    slope, (entropy, seen) = jax.grad(_loss, has_aux=True)(
        weights, norms, front, x, hand, points, truth, hits, key
    )
    length = jnp.sqrt(sum(jnp.square(g).sum() for g in jax.tree.leaves(slope)))
    slope = jax.tree.map(lambda g: g * jnp.minimum(1.0, 1.0 / length), slope)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, slope)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, slope)

    def moved(w: jax.Array, m: jax.Array, v: jax.Array) -> jax.Array:
        decay = DECAY * w if w.ndim > 1 else 0.0
        return w - rate * (m / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8) + decay)

    weights = jax.tree.map(moved, weights, first, second)
    kept = jnp.minimum(KEPT, (1 + t) / (10 + t))
    mean = jax.tree.map(lambda e, w: kept * e + (1 - kept) * w, mean, weights)
    norms = jax.tree.map(lambda o, n: NORM_KEPT * o + (1 - NORM_KEPT) * n, norms, seen)
    return (weights, norms, first, second, mean), entropy


def learn(
    front: FrontEnd,
    takes: Sequence[Learned],
    shares: npt.NDArray[np.float64],
    epochs: int,
    seed: int,
    tell: Callable[[int, float], None] = lambda epoch, loss: None,
) -> dict[str, npt.NDArray[np.float16]]:
    """Learn from `takes`, each drawn with its share; `tell` hears the mean loss of every epoch.

    The answer holds weights `w…` and biases `b…` as sensors.ear.net reads them.
    """
    random = np.random.default_rng(seed)
    key = jax.random.PRNGKey(seed)
    weights, norms = begun(front, random)
    none = jax.tree.map(jnp.zeros_like, weights)
    state = (weights, norms, none, none, weights)
    counts = np.log(np.arange(1, MOST_READ + 1))
    near = np.exp(-0.5 * np.square((counts - counts[:, None]) / SMEARED))
    near = (near / near.sum(axis=1, keepdims=True)).astype(np.float32)
    beads = np.array([take.beads for take in takes])
    hits = np.log(np.array([take.hits for take in takes]) + 1.0)
    hits = ((hits - hits.mean(axis=0)) / hits.std(axis=0)).astype(np.float32)
    whole = len(takes) // BATCH
    t = 0
    for epoch in range(epochs):
        told = 0.0
        for chosen in random.choice(len(takes), (whole, BATCH), p=shares / shares.sum()):
            t += 1
            done = t / (epochs * whole)
            rate = RATE * min(done / WARM, 0.5 * (1 + np.cos(np.pi * max(0.0, done - WARM) / (1 - WARM))))
            key, own = jax.random.split(key)
            x, hand, points = batch(front, [takes[i] for i in chosen], random)
            state, entropy = _step(
                front, state, t, rate, x, hand, points, near[beads[chosen] - 1], hits[chosen], own
            )
            told += float(entropy)
        tell(epoch, told / max(1, whole))
    numbers = folded(state[4], state[1])
    _check(front, state[4], state[1], numbers, takes[:16])
    return numbers


def _check(
    front: FrontEnd,
    weights: Tree,
    norms: Tree,
    numbers: dict[str, npt.NDArray[np.float16]],
    takes: Sequence[Learned],
) -> None:
    """What ships must answer in NumPy what was learned here. Raises ValueError where it does not."""
    most = points_of(front) * steps_of(front).whole
    moved = int(most * HAND_RATE / front.frame_rate)
    short = [replace(take, log=take.log[:most], hand=take.hand[:moved]) for take in takes]
    x, hand, points = (jnp.asarray(part) for part in batch(front, short, None))
    ours, _, _ = answer(front, weights, norms, x, hand, points, None)
    net = Net.of(numbers)
    theirs = np.array([net.embedding(front, take.log.astype(np.float32), take.hand) for take in short])
    away = np.abs(np.asarray(ours) - theirs @ net.weights["out"] - net.biases["out"]).max()
    if not away < 0.1:
        raise ValueError(
            f"{front.name}: the network as it ships answers otherwise than as learned, by {away:.3f}"
        )


def folded(weights: Tree, norms: Tree) -> dict[str, npt.NDArray[np.float16]]:
    """The normalisation of every layer worked into its weights and bias; what only the learning needs is left out."""
    out: dict[str, Any] = {"wout": weights["wout"], "bout": weights["bout"]}
    for name, (mean, variance) in norms.items():
        scale = weights["g" + name] / jnp.sqrt(variance + EPSILON)
        out["w" + name] = weights["w" + name] * scale
        out["b" + name] = weights["b" + name] - mean * scale
    return {name: np.asarray(value).astype(np.float16) for name, value in out.items()}
