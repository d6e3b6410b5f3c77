"""A small convolutional network on log-mel spectrograms, as a peer of the ear: three layers, pooled over time, Adam.

It is written in JAX, which trains it on one core in reasonable time; the product needs none of this.
"""

from __future__ import annotations

from typing import Any, Self

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

CHANNELS = (8, 16, 32)
EPOCHS = 40
BATCH = 32
RATE = 2e-3
DECAY = 1e-4  # weight decay
DROPPED = 0.3
Layers = dict[str, jax.Array]


def answer(layers: Layers, pictures: jax.Array, keep: jax.Array) -> jax.Array:
    """Logits [pictures, classes] of spectrograms [pictures, mels, points, 1]; `keep` scales the last features
    (dropout)."""
    x = pictures
    for k in range(len(CHANNELS)):
        x = jax.lax.conv_general_dilated(
            x, layers[f"w{k}"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        x = jax.nn.relu(x + layers[f"b{k}"])
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    pooled = jnp.concatenate([x.mean(axis=(1, 2)), x.max(axis=(1, 2))], axis=1)
    return (pooled * keep) @ layers["w"] + layers["b"]


def loss(layers: Layers, pictures: jax.Array, truth: jax.Array, keep: jax.Array) -> jax.Array:
    scores = jax.nn.log_softmax(answer(layers, pictures, keep))
    return -jnp.take_along_axis(scores, truth[:, None], axis=1).mean()


@jax.jit
def step(
    layers: Layers,
    first: Layers,
    second: Layers,
    t: jax.Array,
    pictures: jax.Array,
    truth: jax.Array,
    keep: jax.Array,
) -> tuple[Layers, Layers, Layers]:
    """One step of Adam (Kingma and Ba, 2015) with weight decay."""
    slope = jax.grad(loss)(layers, pictures, truth, keep)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, slope)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, slope)

    def moved(w: jax.Array, m: jax.Array, v: jax.Array) -> jax.Array:
        return w - RATE * (m / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8) + DECAY * w)

    return jax.tree.map(moved, layers, first, second), first, second


class SmallCNN:
    """`fit` and `predict` as in scikit-learn, on flattened spectrograms of `shape` (mels, points)."""

    def __init__(self, shape: tuple[int, int], seed: int = 0) -> None:
        self._shape, self._seed = shape, seed
        self._layers: Layers = {}
        self.classes: npt.NDArray[Any] = np.zeros(0)

    def fit(self, x: npt.NDArray[np.float64], y: npt.NDArray[Any]) -> Self:
        random = np.random.default_rng(self._seed)
        self.classes, truth = np.unique(y, return_inverse=True)
        layers: dict[str, npt.NDArray[np.float32]] = {}
        before = 1
        for k, after in enumerate(CHANNELS):
            spread = np.sqrt(2 / (9 * before))
            layers[f"w{k}"] = random.normal(0, spread, (3, 3, before, after)).astype(np.float32)
            layers[f"b{k}"] = np.zeros(after, np.float32)
            before = after
        layers["w"] = random.normal(0, np.sqrt(1 / before), (2 * before, len(self.classes))).astype(
            np.float32
        )
        layers["b"] = np.zeros(len(self.classes), np.float32)
        now: Layers = jax.tree.map(jnp.asarray, layers)
        first = second = jax.tree.map(jnp.zeros_like, now)
        pictures = self._pictures(x)
        t = 0
        for _ in range(EPOCHS):
            order = random.permutation(len(pictures))
            for start in range(0, len(order) - BATCH + 1, BATCH):
                t += 1
                chosen = order[start : start + BATCH]
                keep = (random.random((BATCH, 2 * before)) > DROPPED) / (1 - DROPPED)
                # a shake may begin anywhere: shift the spectrograms in time
                batch = np.roll(pictures[chosen], random.integers(self._shape[1]), axis=2)
                now, first, second = step(
                    now, first, second, jnp.float32(t), batch, truth[chosen], keep.astype(np.float32)
                )
        self._layers = now
        return self

    def predict(self, x: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
        pictures = self._pictures(x)
        whole = jnp.ones((1, 2 * CHANNELS[-1]))
        scores = [
            answer(self._layers, jnp.asarray(pictures[k : k + 64]), whole)
            for k in range(0, len(pictures), 64)
        ]
        return np.asarray(self.classes[np.concatenate(scores).argmax(axis=1)])

    def _pictures(self, x: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
        return x.reshape(len(x), *self._shape, 1).astype(np.float32)
