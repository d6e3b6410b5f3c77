"""hw_mock for other people's tests: a pytest plugin (entry point `polartable`), documented in docs/mock.md.

Fixtures: `hw_clock`, `hw_cubes`, `hw_igloo`, `hw_buttons`. All are simulated, but for those that
`pytest --hw cubes=PORT mic=NAME buttons=gpio` names: then the same tests run on the parts on the desk.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from firmware_bridge.clock import VirtualClock
    from hw_mock.bench.buttons import SeatButtons
    from hw_mock.bench.cubes import CubeSet
    from hw_mock.bench.igloo import IglooOnDesk

PARTS = {
    "cubes": "serial ports of the four cubes, or of their dongle: cubes=/dev/ttyACM0 or cubes=PORT,PORT,PORT,PORT",
    "mic": "the name of the microphone: mic=USB",
    "buttons": "buttons=gpio: real pins",
}
_OPTION = "--hw"


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
    """`--hw cubes=PORT mic=NAME` is `--hw cubes=PORT --hw mic=NAME`: the parts end at the first word that is none."""
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
    for name in ("hw_cubes", "hw_igloo"):
        config.addinivalue_line(
            "markers", f"{name}(**how): how the simulated part of the fixture {name} is made"
        )
    real_parts(config)


def real_parts(config: pytest.Config) -> dict[str, str]:
    """What `--hw` names: part → which. Raises pytest.UsageError for what is none."""
    out: dict[str, str] = {}
    for word in config.getoption(_OPTION):
        name, _, which = word.partition("=")
        if name not in PARTS:
            near = difflib.get_close_matches(name, PARTS, 1)
            raise pytest.UsageError(
                f"--hw {word}: no part {name!r}; did you mean {(near or list(PARTS))[0]}?"
            )
        if not which:
            raise pytest.UsageError(f"--hw {word}: say which – {PARTS[name]}")
        out[name] = which
    return out


def pytest_report_header(config: pytest.Config) -> str:
    real = real_parts(config)
    said = ", ".join(f"{name} {which}" for name, which in real.items()) or "none"
    return f"polartable: real parts: {said}; the others are simulated"


@pytest.fixture
def hw_clock() -> VirtualClock:
    """A clock that stands still until it is moved: minutes of hardware time in milliseconds."""
    from firmware_bridge.clock import VirtualClock

    return VirtualClock()


@pytest.fixture
def hw_cubes(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CubeSet]:
    """Four cubes on serial ports (hw_mock.bench.cubes). `@pytest.mark.hw_cubes(temper="hasty", …)` says which."""
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
    """An igloo before a microphone (hw_mock.bench.igloo); skips where pulseaudio is not installed."""
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
def hw_buttons(request: pytest.FixtureRequest) -> Iterator[Callable[[Mapping[str, int | str]], SeatButtons]]:
    """Makes the buttons of some seats: `hw_buttons({"red": 17})` (hw_mock.bench.buttons)."""
    from hw_mock.bench.buttons import RealButtons, SimulatedButtons
    from hw_mock.bench.person import Person

    made: list[Any] = []
    real = "buttons" in real_parts(request.config)

    def make(pins: Mapping[str, int | str]) -> SeatButtons:
        made.append(RealButtons(pins, Person()) if real else SimulatedButtons(pins))
        buttons: SeatButtons = made[-1]
        return buttons

    yield make
    for buttons in made:
        buttons.close()


def _marked(request: pytest.FixtureRequest, name: str) -> dict[str, Any]:
    mark = request.node.get_closest_marker(name)
    return dict(mark.kwargs) if mark is not None else {}
