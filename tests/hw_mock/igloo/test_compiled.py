"""Igloos are simulated also where nothing that was compiled can be kept."""

from __future__ import annotations

import os
import subprocess
import sys

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


def test_where_nothing_can_be_kept_all_is_compiled_anew() -> None:
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", NOWHERE], env=env, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("(100,)\n", "")
