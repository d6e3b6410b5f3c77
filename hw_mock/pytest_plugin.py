"""A pytest plugin (entry point `polartable`) that offers hw_mock to other people's tests; see docs/mock.md.

Fixtures: `hw_clock`, `hw_cubes`, `hw_igloo`, `hw_buttons`. All are simulated, except those named in
`pytest --hw cubes=PORT mic=NAME buttons=gpio`: for these the same tests run on the real parts on the desk.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from firmware_bridge.clock import VirtualClock
    from hw_mock.bench.buttons import ButtonsOnDesk
    from hw_mock.bench.cubes import CubeSet
    from hw_mock.bench.igloo import IglooOnDesk

PARTS = {
    "cubes": "one port, of the dongle, or four, of the cubes: cubes=/dev/ttyACM0 or cubes=PORT,PORT,PORT,PORT",
    "mic": "the name of the microphone: mic=USB",
    "buttons": "buttons=gpio: real pins",
}
_OPTION = "--hw"
_EXAMPLES = {"hw_cubes": 'temper="hasty"', "hw_igloo": "seed=3"}


def pytest_addoption(parser: pytest.Parser) -> None:
    words = "; ".join(PARTS.values())
    parser.getgroup("polartable").addoption(
        _OPTION,
        action="append",
        default=[],
        metavar="PART=WHICH",
        help=f"Use a real part on the desk, a person handles it as asked; several may follow. {words}",
    )


def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Read `--hw cubes=PORT mic=NAME` as `--hw cubes=PORT --hw mic=NAME`, up to the first word that is no part."""
    out: list[str] = []
    open_list = False
    for word in args:
        if open_list and _is_part(word) and out[-1] != _OPTION:
            out.append(_OPTION)
        open_list = word == _OPTION or word.startswith(_OPTION + "=") or (open_list and _is_part(word))
        out.append(word)
    args[:] = out


def _is_part(word: str) -> bool:
    return "=" in word and word.partition("=")[0] in PARTS and not Path(word).exists()


def pytest_configure(config: pytest.Config) -> None:
    for name in _EXAMPLES:
        config.addinivalue_line(
            "markers", f"{name}(**how): how the simulated part of the fixture {name} is made"
        )
    real_parts(config)


def real_parts(config: pytest.Config) -> dict[str, str]:
    """The real parts that `--hw` names: part → which one. Raises pytest.UsageError for an unknown part."""
    out: dict[str, str] = {}
    for word in config.getoption(_OPTION):
        name, _, which = word.partition("=")
        if name not in PARTS:
            near = difflib.get_close_matches(name, PARTS, 1)
            raise pytest.UsageError(
                f"--hw {word}: no part {name!r}; did you mean {(near or list(PARTS))[0]}?"
            )
        if not _can_be(name, which):
            raise pytest.UsageError(f"--hw {word}: say which – {PARTS[name]}")
        out[name] = which
    return out


def _can_be(part: str, which: str) -> bool:
    ports = which.split(",")
    match part:
        case "cubes":
            return all(ports) and len(ports) == len(set(ports)) and len(ports) in (1, 4)
        case "buttons":
            return which == "gpio"
        case _:
            return bool(which)


def pytest_report_header(config: pytest.Config) -> str:
    real = real_parts(config)
    said = ", ".join(f"{name} {which}" for name, which in real.items()) or "none"
    return f"polartable: real parts: {said}; the others are simulated"


@pytest.fixture
def hw_clock() -> VirtualClock:
    """A clock that stands still until the test advances it: minutes of hardware time in milliseconds."""
    from firmware_bridge.clock import VirtualClock

    return VirtualClock()


@pytest.fixture
def hw_cubes(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CubeSet]:
    """Four cubes on serial ports (hw_mock.bench.cubes). `@pytest.mark.hw_cubes(temper="hasty", …)` configures them."""
    from hw_mock.bench.cubes import RealCubes, SimulatedCubes
    from hw_mock.bench.person import Person

    ports = real_parts(request.config).get("cubes")
    if ports:
        yield RealCubes(ports.split(","), Person())
        return
    cubes = SimulatedCubes(tmp_path / "ports", **_marked(request, "hw_cubes"))
    yield cubes
    cubes.close()


@pytest.fixture
def hw_igloo(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[IglooOnDesk]:
    """An igloo at a microphone (hw_mock.bench.igloo); skips the test if pulseaudio is not installed."""
    from hw_mock.bench.igloo import RealIgloo, SimulatedIgloo
    from hw_mock.bench.person import Person

    microphone = real_parts(request.config).get("mic")
    if microphone:
        yield RealIgloo(microphone, Person())
        return
    try:
        igloo = SimulatedIgloo(tmp_path / "sound", **_marked(request, "hw_igloo"))
    except FileNotFoundError:
        pytest.skip("a simulated microphone needs pulseaudio: apt-get install pulseaudio pulseaudio-utils")
    yield igloo
    igloo.close()


@pytest.fixture
def hw_buttons(request: pytest.FixtureRequest) -> Iterator[ButtonsOnDesk]:
    """Makes the buttons of some seats: `hw_buttons({"red": 17})` (hw_mock.bench.buttons)."""
    from hw_mock.bench.buttons import ButtonsOnDesk
    from hw_mock.bench.person import Person

    buttons = ButtonsOnDesk(Person() if "buttons" in real_parts(request.config) else None)
    yield buttons
    buttons.close()


def _marked(request: pytest.FixtureRequest, name: str) -> dict[str, Any]:
    """The keyword arguments of the mark `name`. Raises pytest.UsageError for positional ones: they mean nothing."""
    mark = request.node.get_closest_marker(name)
    if mark is None:
        return {}
    if mark.args:
        given = ", ".join(map(repr, mark.args))
        raise pytest.UsageError(f"{name}({given}): name each, as in {_EXAMPLES[name]}")
    return dict(mark.kwargs)
