"""The counting seat's drawing: parts that print, move freely, and are the seat that is simulated."""

from __future__ import annotations

import math
import subprocess
from pathlib import Path

import numpy as np
import pytest

from benchmarks.seat_parts import (
    DRAWING,
    LYING,
    PARTS,
    STANDING,
    Moved,
    Unprintable,
    drawn,
    moved,
    volume,
    weighed,
)
from hw_mock.igloo.seat import Seat

pytestmark = pytest.mark.needs("openscad")

# round enough to weigh, and quickly drawn
COARSE = {"$fn": 24}
FLOORS = 42.0, 50.0, 60.0


@pytest.fixture(scope="module", params=FLOORS)
def printed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    return weighed(tmp_path_factory.mktemp("parts"), request.param)


def test_every_part_is_one_body_and_what_moves_is_as_heavy_as_the_simulated_seat(
    printed: dict[str, float],
) -> None:
    simulated = [Seat.draw(seed) for seed in range(200)]
    made = moved(printed)
    assert made.platform == pytest.approx(1e3 * np.mean([s.platform for s in simulated]), rel=0.15)
    assert made.carriage == pytest.approx(1e3 * np.mean([s.carriage for s in simulated]), rel=0.15)


def test_the_empty_seat_sings_where_the_page_says(printed: dict[str, float]) -> None:
    fro, up = moved(printed).tones()
    assert 47 < fro < 69
    assert 97 < up < 145


def test_its_tones_are_those_that_the_simulated_seat_has_with_such_masses() -> None:
    seat = Seat.draw(1)
    bare = Moved(1e3 * seat.platform, 1e3 * seat.carriage).tones()
    masses = seat.platform, seat.platform + seat.carriage
    simulated = [math.sqrt(k / m) / (2 * math.pi) for k, m in zip(seat.stiffness, masses, strict=True)]
    # a maker's leaves are a hundredth thicker or thinner, and some tenths of a millimetre longer or shorter
    assert bare == pytest.approx(simulated, rel=0.08)


@pytest.mark.parametrize(("to_and_fro", "up_and_down"), [(0, 0), (1.5, 0), (-1.5, 0), (0, -1.5)])
def test_nothing_touches_what_moves(tmp_path: Path, to_and_fro: float, up_and_down: float) -> None:
    moving = {"to_and_fro": to_and_fro, "up_and_down": up_and_down}
    assert drawn("touching", tmp_path / "touching.stl", floor_across=60, **COARSE, **moving) is None


@pytest.mark.parametrize("moving", [{"up_and_down": -6.0}, {"to_and_fro": -30.0, "up_and_down": -45.0}])
def test_what_would_touch_is_found(tmp_path: Path, moving: dict[str, float]) -> None:
    assert drawn("touching", tmp_path / "touching.stl", floor_across=60, **COARSE, **moving) is not None


def test_the_leaves_are_those_that_are_reckoned_with(tmp_path: Path) -> None:
    stl = drawn("leaves", tmp_path / "leaves.stl")
    assert stl is not None
    (thin, free), (thick, lying) = STANDING, LYING
    assert volume(stl) == pytest.approx(2 * 12.7 * (thin * (free + 20) + thick * (lying + 20)), rel=1e-4)


def test_an_igloo_for_which_it_is_not_drawn_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Unprintable, match="drawn for igloos of 35 to 80 mm"):
        drawn("ring", tmp_path / "ring.stl", floor_across=12)


def test_a_maker_gets_every_part_by_the_command_of_the_page(tmp_path: Path) -> None:
    for part in PARTS:
        words = [
            "openscad",
            "-D",
            f'part="{part}"',
            "-D",
            "floor_across=52.4",
            "-o",
            f"{part}.stl",
            str(DRAWING),
        ]
        subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    assert {stl.stem for stl in tmp_path.iterdir()} == set(PARTS)
