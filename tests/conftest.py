"""Hooks for all tests: parts that may be missing, no network beyond this machine, one Hypothesis profile."""

from __future__ import annotations

import os
import signal
import socket

import pytest
from hypothesis import HealthCheck, settings

from tests.parts import IN_CI, IN_FULL, missing, proof

os.environ.setdefault("GPIOZERO_PIN_FACTORY", "mock")
os.environ.setdefault("MPLBACKEND", "Agg")

# shared, noisy machines: a slow example is no failure; in CI the examples are the same every time
settings.register_profile(
    "polartable", deadline=None, derandomize=IN_CI, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("polartable")


def pytest_configure(config: pytest.Config) -> None:
    # a shell starts jobs in the background deaf to Ctrl-C, and programs under test would inherit that
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "needs(*parts): real parts that the test stands on")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Files that take their numbers from `proof` are what `make proof` runs; in full each may take hours."""
    if getattr(getattr(item, "module", None), "proof", None) is proof:
        item.add_marker(pytest.mark.proof)
        if IN_FULL:
            item.add_marker(pytest.mark.timeout(0), append=False)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        for part in mark.args:
            reason = missing(part)
            if reason is not None:
                if IN_CI:
                    pytest.fail(reason, pytrace=False)
                pytest.skip(reason)


@pytest.fixture(autouse=True)
def only_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that reaches for another machine fails: the product works on a hotspot without internet, so must they."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else None
        if isinstance(host, str) and not (host.startswith("127.") or host in ("::1", "localhost", "")):
            pytest.fail(f"a test tried to reach {host}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)
