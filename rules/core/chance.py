"""Randomness as a value: a seed and the number of draws so far. Equal values always give the same draws.

Numbers come from BLAKE2b over seed and counter, so the state is only two integers, and nobody who sees some draws can
predict the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple, TypeVar

T = TypeVar("T")
_PREFIX = "c1."
_SEED_BYTES = 16


class Chance(NamedTuple):
    """`seed`: 128 bits; `used`: the number of draws so far."""

    seed: int
    used: int = 0

    @classmethod
    def of(cls, seed: int) -> Chance:
        """From any integer that a person or a program names."""
        digest = blake2b(str(seed).encode(), digest_size=_SEED_BYTES, person=b"polartable").digest()
        return cls(int.from_bytes(digest, "big"))

    @classmethod
    def parse(cls, text: str) -> Chance:
        """Read what `str()` wrote. Raises ValueError."""
        seed, dot, used = text.removeprefix(_PREFIX).partition(".")
        if not text.startswith(_PREFIX) or not dot or len(seed) != 2 * _SEED_BYTES or len(used) > 12:
            raise ValueError("not a chance that this referee wrote")
        chance = cls(int(seed, 16), int(used))
        if str(chance) != text or chance.used < 0:
            raise ValueError("not a chance that this referee wrote")
        return chance

    def __str__(self) -> str:
        return f"{_PREFIX}{self.seed:032x}.{self.used}"

    def below(self, n: int) -> tuple[int, Chance]:
        """A uniform integer from 0 to n - 1 (bias at most 2⁻⁴⁰), and the chance after the draw."""
        word = blake2b(
            self.seed.to_bytes(_SEED_BYTES, "big") + self.used.to_bytes(8, "big"), digest_size=8
        ).digest()
        return int.from_bytes(word, "big") % n, Chance(self.seed, self.used + 1)

    def shuffled(self, things: Sequence[T]) -> tuple[tuple[T, ...], Chance]:
        """The things in random order (Fisher–Yates), and the chance after it."""
        out, chance = list(things), self
        for last in range(len(out) - 1, 0, -1):
            k, chance = chance.below(last + 1)
            out[last], out[k] = out[k], out[last]
        return tuple(out), chance
