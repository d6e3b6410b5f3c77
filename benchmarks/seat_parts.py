"""The counting seat's printed parts (hardware/seat.scad): masses, natural frequencies of the seat, and what touches.

    python -m benchmarks.seat_parts                      for an igloo whose floor is 50 mm across
    python -m benchmarks.seat_parts --floor 57.5 --out parts     for yours, and writes ring.stl, carriage.stl, …

It runs OpenSCAD (`apt-get install openscad`). Parts that are not printed – screws, leaves, sensor – are calculated.
"""

from __future__ import annotations

import argparse
import math
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hw_mock.igloo.seat import STEEL, leaf_pair

DRAWING = Path(__file__).parent.parent / "hardware" / "seat.scad"
PARTS = "ring", "carriage", "post", "notch", "jaw"
PLA, STEEL_WEIGHS = 1.24e-3, 7.85e-3  # g/mm³
SCREW_G = 0.4  # M2.5 × 10, countersunk: calculated from its size
SENSOR_G = 1.2  # a chip's board, or a brass disc of 20 mm with its lead
# mm, the leaves of the drawing: width, (thickness, free length) standing and lying, clamped length
WIDE, STANDING, LYING, CLAMPED = 12.7, (0.30, 40.0), (0.60, 37.0), 10.0
# effective share of the mass of a leaf clamped at both ends, one of which moves sideways (Rayleigh; its shape is a
# cubic)
OF_A_LEAF = 13 / 35


class Unprintable(RuntimeError):
    """OpenSCAD is missing, or did not make a valid part for a slicer."""


def drawn(part: str, out: Path, **settings: float) -> Path | None:
    """A part's STL, in mm; None: the part is empty (`touching`, when nothing touches). Raises `Unprintable`."""
    words = [f"-D{name}={value}" for name, value in settings.items()]
    try:
        told = subprocess.run(
            ["openscad", f'-Dpart="{part}"', *words, "-o", str(out), str(DRAWING)],
            capture_output=True,
            text=True,
        )
    except FileNotFoundError as error:
        raise Unprintable("OpenSCAD is not here; on Debian: apt-get install openscad") from error
    refused = re.search(r'failed: "(.+?)"', told.stderr)
    if refused:
        raise Unprintable(refused[1])
    if "Current top level object is empty" in told.stderr:
        return None
    if told.returncode or "WARNING" in told.stderr or not re.search(r"Simple:\s+yes", told.stderr):
        raise Unprintable(f"{part}: {told.stderr.strip()}")
    return out


def volume(stl: Path) -> float:
    """Volume in mm³ enclosed by the triangles of an ASCII STL (divergence theorem)."""
    corners = re.findall(r"vertex (\S+) (\S+) (\S+)", stl.read_text())
    triangles = np.array(corners, float).reshape(-1, 3, 3)
    return float(np.einsum("ni,ni->", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2])) / 6)


@dataclass(frozen=True, slots=True)
class Moved:
    """Moving masses in g, with screws, leaves and sensor: of the ring, and of the carriage in addition."""

    platform: float
    carriage: float

    def tones(self) -> tuple[float, float]:
        """Natural frequencies of the empty seat in Hz: to and fro, and up and down."""
        stiff = [
            leaf_pair(STEEL, WIDE * 1e-3, thick * 1e-3, free * 1e-3) for thick, free in (STANDING, LYING)
        ]
        grams = self.platform, self.platform + self.carriage
        fro, up = (math.sqrt(k / (1e-3 * g)) / (2 * math.pi) for k, g in zip(stiff, grams, strict=True))
        return fro, up


def moved(printed: dict[str, float]) -> Moved:
    """Moving masses from the printed parts' grams. A standing leaf moves up and down with both ends, to and fro with
    one."""
    end = {thick: STEEL_WEIGHS * WIDE * thick * CLAMPED for thick, _ in (STANDING, LYING)}
    free = {thick: STEEL_WEIGHS * WIDE * thick * long for thick, long in (STANDING, LYING)}
    standing, lying = STANDING[0], LYING[0]
    clamp = printed["jaw"] + 2 * SCREW_G
    platform = printed["ring"] + SENSOR_G + 2 * (clamp + end[standing] + OF_A_LEAF * free[standing])
    carriage = printed["carriage"] + 2 * (clamp + end[standing] + (1 - OF_A_LEAF) * free[standing])
    return Moved(platform, carriage + 2 * (clamp + end[lying] + OF_A_LEAF * free[lying]))


def weighed(into: Path, floor: float) -> dict[str, float]:
    """Mass in g of each printed part, solid; writes their STLs into a folder. Raises `Unprintable`."""
    grams = {}
    for part in PARTS:
        stl = drawn(part, into / f"{part}.stl", floor_across=floor)
        if stl is None:
            raise Unprintable(f"{part}: there is nothing of it")
        grams[part] = PLA * volume(stl)
    return grams


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--floor", type=float, default=50.0, metavar="MM", help="across your igloo's floor")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="keep the STLs")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as there:
        into: Path = told.out or Path(there)
        into.mkdir(parents=True, exist_ok=True)
        try:
            grams = weighed(into, told.floor)
            touching = drawn("touching", Path(there) / "touching.stl", floor_across=told.floor)
        except Unprintable as error:
            raise SystemExit(str(error)) from error
    print(f"The seat's parts, printed solid in PLA ({1e3 * PLA:.2f} g/cm³), floor {told.floor:g} mm")
    for part, weight in grams.items():
        print(f"  {part:10s} {weight:5.1f} g" + ("  (eight of them)" if part == "jaw" else ""))
    seat = moved(grams)
    fro, up = seat.tones()
    print("What moves, with screws, leaves and sensor as reckoned")
    print(f"  to and fro  {seat.platform:5.1f} g, so the empty seat sings at {fro:.0f} Hz")
    print(f"  up and down {seat.platform + seat.carriage:5.1f} g, so it sings at {up:.0f} Hz")
    print("  " + ("nothing touches that moves" if touching is None else "something touches that should move"))


if __name__ == "__main__":
    main()
