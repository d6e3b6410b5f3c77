"""What was compiled is kept as long as its source is the same, and igloos are simulated also where nothing can be
kept."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hw_mock.igloo import compiled

# as in a read-only container, by a user without a home
NOWHERE = """
from numba.core import caching
for kind in (caching.UserProvidedCacheLocator, caching.InTreeCacheLocator, caching.UserWideCacheLocator):
    kind.from_function = classmethod(lambda cls, function, source: None)
import importlib, pkgutil
import numpy as np
import hw_mock.igloo
for module in pkgutil.iter_modules(hw_mock.igloo.__path__, "hw_mock.igloo."):
    importlib.import_module(module.name)
from hw_mock.igloo.microphone import automatic_gain
print(automatic_gain(np.full(100, 0.5), 0.5, 0.1).shape)
"""

# a function with all that it may take from other modules: one put into it, one called, a constant
SMALL = {
    "put_in": """
from hw_mock.igloo.compiled import compiled

@compiled(inline="always")
def push(depth):
    return 2.0 * depth
""",
    "called": """
from hw_mock.igloo.compiled import compiled

@compiled()
def slide(depth):
    return 10.0 * depth
""",
    "known": "WEIGHT = 100.0",
    "outer": """
from called import slide
from hw_mock.igloo.compiled import compiled
from known import WEIGHT
from put_in import push

@compiled()
def force(depth):
    return push(depth) + slide(depth) + WEIGHT
""",
}
FORCE = """
from outer import force
print(force(1.0), sum(force.stats.cache_misses.values()))
"""
COMPILED, FETCHED = "1", "0"


def test_where_nothing_can_be_kept_all_is_compiled_anew() -> None:
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", NOWHERE], env=env, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("(100,)\n", "")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder of modules with something to compile."""
    for name, source in SMALL.items():
        (tmp_path / f"{name}.py").write_text(source)
    return tmp_path


def force(folder: Path) -> list[str]:
    """In a process of its own: what `outer.force` gives there, and whether it was compiled for that."""
    env = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    env.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run([sys.executable, "-c", FORCE], env=env, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_a_change_in_any_module_beside_it_is_compiled_and_nothing_else_is(small: Path) -> None:
    assert force(small) == ["112.0", COMPILED]
    assert force(small) == ["112.0", FETCHED]
    for name, old, new, total in (
        ("put_in", "2.0", "3.0", "113.0"),
        ("called", "10.0", "20.0", "123.0"),
        ("known", "100.0", "200.0", "223.0"),
    ):
        source = small / f"{name}.py"
        source.write_text(source.read_text().replace(old, new))
        assert force(small) == [total, COMPILED]
    # as after another checkout of the same
    for source in small.glob("*.py"):
        os.utime(source, (1e9, 1e9))
    assert force(small) == ["223.0", FETCHED]


def test_a_numba_that_keeps_its_stamp_elsewhere_is_let_do_as_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def njit(**options: object) -> Callable[..., object]:
        return lambda function: function

    monkeypatch.setattr(compiled, "njit", njit)
    assert compiled.compiled()(force) is force
