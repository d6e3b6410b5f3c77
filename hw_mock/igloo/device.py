"""A set of igloos as manufactured: shells, beads, and how sensors sit on them. `Device.draw(seed)`.

Igloo Pop comes with twelve plastic igloos in two halves, snapped together, and ninety "little glass beads" (reviews of
the game; rule book). Their diameter of 45–60 mm, and everything else without a source, is judgement: typical toy
materials, with injection-moulded walls of 1.2–2.2 mm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from hw_mock.igloo.constants import SOUND_RATE
from hw_mock.igloo.contacts import (
    PairLaw,
    WallLaw,
    contact_time,
    disc_stiffness,
    dome_stiffness,
    pair_law,
    wall_law,
)

GLASS_DENSITY = 2500.0  # kg/m³, soda-lime


@dataclass(frozen=True, slots=True)
class Plastic:
    """A moulding material: E in Pa, density in kg/m³, loss factor at audio frequencies, restitution of small hits."""

    name: str
    young: float
    poisson: float
    density: float
    loss: float
    restitution: float


# Handbook values (E, Poisson, density); losses: Cremer and Heckl, Structure-Borne Sound; restitution: judgement
PLASTICS = (
    Plastic("polystyrene", 3.1e9, 0.35, 1050.0, 0.015, 0.93),
    Plastic("abs", 2.2e9, 0.37, 1050.0, 0.022, 0.90),
    Plastic("san", 3.5e9, 0.35, 1080.0, 0.015, 0.93),
    Plastic("polypropylene", 1.5e9, 0.40, 905.0, 0.050, 0.83),
    Plastic("pla-print", 2.8e9, 0.36, 1200.0, 0.030, 0.88),
)
PLASTIC_ODDS = (0.35, 0.30, 0.10, 0.10, 0.15)  # judgement; the last is a maker's own printed igloo


@dataclass(frozen=True, slots=True)
class SensorMount:
    """How a sensor node sits on the shell. Directions are unit vectors in the shell's frame, z up from the floor."""

    on_floor: bool
    # distance from the top (or centre) as a share of that to the rim, and the angle about z in rad
    place: tuple[float, float]
    axes: tuple[tuple[float, float, float], ...]  # rows: the sensor's x, y, z in the shell's frame
    resonance_hz: float  # of the node on its tape or glue
    quality: float


@dataclass(frozen=True, slots=True)
class Device:
    """One set: the properties that its twelve igloos share, and how much they differ. SI units."""

    seed: int
    plastic: Plastic
    outer_diameter: float
    dome_thickness: float
    floor_thickness: float
    # height of the sphere's centre above the floor's inside; below zero: flatter than a hemisphere
    centre_height: float
    edge_fixity: float  # 0: the floor's rim is simply supported, 1: clamped
    seam_loss: float  # loss factor that the snapped seam adds
    stiffening: float  # factor of curvature and brick relief on the plate's impedance
    bead_diameter: float
    bead_spread: float  # relative standard deviation of the diameter within the set
    bead_restitution: float
    bead_friction: float
    wall_friction: float
    node_mass: float  # the sensor node on the shell, with board and battery
    leak: float  # amplitude of bead-bead sound through seam, door slot and wall, relative to free air
    igloo_spread: float  # relative differences between igloos of the set
    accelerometer_rate: float  # nominal, Hz
    accelerometer_true: float  # ratio of the true rate to the nominal one
    accelerometer_band: float  # cutoff of its low-pass, as a share of the rate
    accelerometer_noise: float  # g/√Hz
    accelerometer_offset: tuple[float, float, float]  # g
    mount: SensorMount
    microphone: int  # seed of the microphone's response
    contact: int  # seed of the contact microphone's response

    @classmethod
    def draw(cls, seed: int) -> Self:
        """A set of igloos from its seed."""
        r = np.random.default_rng([seed, 0xD0])
        plastic = PLASTICS[int(r.choice(len(PLASTICS), p=PLASTIC_ODDS))]
        diameter = float(r.uniform(0.045, 0.060))
        inner = diameter / 2 - 0.0017
        return cls(
            seed=seed,
            plastic=plastic,
            outer_diameter=diameter,
            dome_thickness=float(r.uniform(0.0012, 0.0022)),
            floor_thickness=float(r.uniform(0.0012, 0.0025)),
            centre_height=float(r.uniform(-0.20, 0.12)) * inner,  # judgement: from flat to tall
            edge_fixity=float(r.uniform(0.1, 1.0)),
            seam_loss=float(r.uniform(0.003, 0.03)),  # judgement: a snapped seam rubs
            stiffening=float(r.uniform(1.0, 1.3)),  # judgement: brick relief
            # 3–9 mm; ninety "little" beads for twelve children's igloos: most likely 4–6 mm
            bead_diameter=float(np.clip(np.exp(r.normal(math.log(0.0052), 0.26)), 0.003, 0.009)),
            bead_spread=float(r.uniform(0.005, 0.03)),  # craft beads are sorted to a few hundredths
            # glass spheres: 0.97, friction 0.09 (Foerster and others, Phys. Fluids 6, 1108, 1994); beads are rougher
            bead_restitution=float(r.uniform(0.92, 0.97)),
            bead_friction=float(r.uniform(0.08, 0.18)),
            wall_friction=float(r.uniform(0.15, 0.40)),  # glass on plastic, handbook 0.2–0.4
            node_mass=float(r.uniform(0.002, 0.012)),  # a bare breakout, or one with a coin or LiPo cell
            # mass law of 2 kg/m² at 10 kHz: 42 dB; gaps leak more
            leak=float(10 ** (r.uniform(-38, -18) / 20)),
            igloo_spread=float(r.uniform(0.005, 0.02)),
            # LSM6DS3/LSM6DSO: 833, 1666, 3332 Hz, low-pass at a quarter or half of it, noise 70–130 µg/√Hz, offset
            # ±40 mg (data sheets); other makers' chips run at 800, 1600, 3200 Hz
            accelerometer_rate=float(r.choice((800.0, 833.0, 1600.0, 1666.0, 3200.0, 3332.0))),
            accelerometer_band=float(r.uniform(0.22, 0.48)),
            accelerometer_true=float(1 + np.clip(r.normal(0, 0.008), -0.02, 0.02)),
            accelerometer_noise=float(r.uniform(70e-6, 130e-6)),
            accelerometer_offset=tuple(float(v) for v in r.normal(0, 0.02, 3)),  # type: ignore[arg-type]
            mount=_mount(r),
            microphone=int(r.integers(2**31)),
            contact=int(r.integers(2**31)),
        )

    def wider(self) -> Self:
        """A set drawn from wider ranges than we believe, for training: real igloos may be unlike any we imagined."""
        r = np.random.default_rng([self.seed, 0xD1])

        def by_ratio(low: float, high: float) -> float:
            return float(np.exp(r.uniform(math.log(low), math.log(high))))

        diameter = float(r.uniform(0.038, 0.066))
        inner = diameter / 2 - 0.0017
        return replace(
            self,
            plastic=replace(
                self.plastic,
                restitution=float(r.uniform(0.45, 0.95)),
                loss=by_ratio(0.01, 0.12),
                young=by_ratio(1e9, 5e9),
            ),
            outer_diameter=diameter,
            dome_thickness=float(r.uniform(0.0008, 0.0035)),
            floor_thickness=float(r.uniform(0.0008, 0.0035)),
            centre_height=float(r.uniform(-0.3, 0.25)) * inner,
            seam_loss=by_ratio(0.003, 0.1),
            bead_diameter=min(by_ratio(0.003, 0.009), 0.34 * inner),  # thirteen of them must fit in
            bead_restitution=float(r.uniform(0.6, 0.97)),
            bead_friction=float(r.uniform(0.05, 0.4)),
            wall_friction=float(r.uniform(0.1, 0.6)),
            node_mass=by_ratio(0.0015, 0.02),
            leak=float(10 ** (r.uniform(-45, -12) / 20)),
            mount=replace(self.mount, resonance_hz=by_ratio(300, 5000), quality=float(r.uniform(1, 9))),
            accelerometer_band=float(r.uniform(0.2, 0.48)),
        )


def _mount(r: np.random.Generator) -> SensorMount:
    on_floor = bool(r.random() < 0.4)
    place = (float(r.uniform(0.0, 0.8)), float(r.uniform(-math.pi, math.pi)))
    matrix, _ = np.linalg.qr(r.normal(size=(3, 3)))
    axes = tuple((float(row[0]), float(row[1]), float(row[2])) for row in matrix)
    # from thick double-sided tape under a few grams to hot glue: 0.6–4 kHz (judgement)
    return SensorMount(
        on_floor,
        place,
        axes,
        float(np.exp(r.uniform(math.log(600), math.log(4000)))),
        float(r.uniform(1.2, 4)),
    )


@dataclass(frozen=True, slots=True)
class Igloo:
    """One igloo of a set with its beads: geometry and contact laws for the dynamics."""

    beads: int
    dome_radius: float  # inside
    centre_height: float
    dome_thickness: float
    floor_thickness: float
    shell_mass: float  # shell and sensor node
    radii: tuple[float, ...]
    masses: tuple[float, ...]
    dome: WallLaw
    floor: WallLaw
    pair: PairLaw
    substeps: int  # per 48 kHz sample

    @classmethod
    def of(cls, device: Device, beads: int) -> Self:
        """The igloo of `device` that holds `beads` beads: always the same one."""
        if beads < 1:
            raise ValueError(f"an igloo holds at least one bead, not {beads}")
        r = np.random.default_rng([device.seed, beads, 0x16])
        vary = 1 + device.igloo_spread * np.clip(r.normal(size=3), -2.5, 2.5)
        dome_thickness = device.dome_thickness * float(vary[0])
        floor_thickness = device.floor_thickness * float(vary[1])
        inner = device.outer_diameter / 2 - dome_thickness
        diameters = device.bead_diameter * (1 + device.bead_spread * np.clip(r.normal(size=beads), -2.5, 2.5))
        radii = diameters / 2
        masses = GLASS_DENSITY * 4 / 3 * math.pi * radii**3
        mass, radius = float(masses.mean()), float(radii.mean())
        p = device.plastic
        matter = (p.young, p.poisson, p.density)
        rim = math.sqrt(inner**2 - device.centre_height**2)
        static = (
            dome_stiffness(p.young, p.poisson, dome_thickness, inner),
            disc_stiffness(p.young, p.poisson, floor_thickness, rim, device.edge_fixity),
        )
        dome, floor = (
            wall_law(mass, radius, matter, h, k, device.stiffening, p.restitution, device.wall_friction)
            for h, k in zip((dome_thickness, floor_thickness), static, strict=True)
        )
        pair = pair_law(mass, radius, device.bead_restitution, device.bead_friction)
        shortest = min(contact_time(mass, dome.stiffness, 2.0), contact_time(mass / 2, pair.stiffness, 2.0))
        height = inner + device.centre_height
        area = 2 * math.pi * inner * height, math.pi * rim**2
        shell = p.density * (area[0] * dome_thickness + area[1] * floor_thickness) * float(vary[2])
        return cls(
            beads=beads,
            dome_radius=inner,
            centre_height=device.centre_height,
            dome_thickness=dome_thickness,
            floor_thickness=floor_thickness,
            shell_mass=shell * 1.1 + device.node_mass,  # rim, tunnel and slot add a tenth (judgement)
            radii=tuple(float(v) for v in radii),
            masses=tuple(float(v) for v in masses),
            dome=dome,
            floor=floor,
            pair=pair,
            substeps=max(6, math.ceil(12 / SOUND_RATE / shortest)),
        )
