"""Modes of the ringing shell: frequencies, shapes where beads hit, damping, and how well each is heard and felt.

Dome: the bending branch of a spherical shell (membrane and bending, after Junger and Feit, Sound, Structures and Their
Interaction, 1986, ch. 7.11); door, slot and brick relief break the symmetry and split degenerate orders.
Floor: a circular plate, between simply supported and clamped (Leissa, Vibration of Plates, 1969, tables 2.1 and 2.3).
Damping: material, seam, fingers. Radiation: a compact source below ka = 1, inefficient below the coincidence frequency.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import jv, lpmv

from hw_mock.igloo.compiled import compiled
from hw_mock.igloo.constants import AIR, SOUND_RATE, SOUND_SPEED
from hw_mock.igloo.contacts import plate_stiffness
from hw_mock.igloo.device import Device, Igloo

CELLS = 20
HIGHEST_HZ = 19000.0
# (nodal diameters, lambda² simply supported, lambda² clamped) of the circular plate, Poisson 0.33
PLATE = (
    (0, 4.98, 10.22), (1, 13.94, 21.26), (2, 25.65, 34.88), (0, 29.76, 39.77), (3, 39.95, 51.04), (1, 48.51, 60.82),
    (4, 56.88, 69.67), (2, 70.14, 84.58), (0, 74.20, 89.10), (5, 76.0, 90.74), (3, 94.5, 111.0), (1, 102.8, 120.1),
    (6, 98.0, 114.2), (4, 121.7, 140.1), (2, 134.3, 153.8), (0, 138.3, 158.2), (5, 151.8, 171.0), (3, 168.7, 190.3),
)  # fmt: skip
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ring:
    """The K modes of one igloo in the hand: frequency Hz, decay 1/s, and weights.

    drive [2·CELLS², K]: modal velocity (m/s) per N·s on a cell of dome (first half) or floor. heard [K, 2]: pressure in
    Pa at one metre for a modal acceleration of 1 m/s², in two directions of listening; felt [K]: share of the modal
    motion along the outward normal at the sensor node; touched [K]: the same for the contact microphone.
    """

    hz: Array
    decay: Array
    drive: NDArray[np.float32]
    heard: Array
    felt: Array
    touched: Array


def modes(device: Device, igloo: Igloo, grip_loss: float, seed: int) -> Ring:
    """The ring of `igloo` in a hand whose fingers add `grip_loss`; `seed` of the take: draws where the fingers lie."""
    one = np.random.default_rng([device.seed, 0x30])  # the mould: common to all igloos of the set
    own = np.random.default_rng([device.seed, igloo.beads, 0x31])  # this casting
    take = np.random.default_rng([seed, 0x32])
    rows = _dome(device, igloo, one) + _floor(device, igloo, one)
    hz = np.array([row[0] for row in rows])
    hz *= 1 + device.igloo_spread * 0.6 * np.clip(own.normal(size=len(hz)), -2.5, 2.5)
    p = device.plastic
    on_floor = np.array([row[1] for row in rows])
    loss = p.loss * (hz / 1000.0) ** -0.1 + device.seam_loss * one.uniform(0.3, 1.7, len(hz))
    held = (
        grip_loss
        * take.uniform(0.4, 1.6, len(hz))
        * np.where(on_floor, take.uniform(0.2, 1.2), take.uniform(0.5, 1.3))
    )
    # soft finger pads absorb less at high frequencies
    loss = loss + held * np.sqrt(3000.0 / np.maximum(hz, 500.0))
    shapes = np.array([row[2] for row in rows])  # [K, 2·CELLS²]
    masses = np.array([row[3] for row in rows])
    # the node loads the modes of its half, up to the resonance of its mount: they get heavier and lower
    node = cell_of(device.mount.on_floor, *device.mount.place)
    riding = device.node_mass * shapes[:, node] ** 2 / (1 + (hz / device.mount.resonance_hz) ** 2)
    hz = hz / np.sqrt(1 + riding / masses)
    masses = masses + riding
    decay = math.pi * hz * loss
    # modes of one half also move the other half a little, through the seam
    leak = 0.15 * one.uniform(0, 1, len(hz))
    half = CELLS * CELLS
    spread = np.where(on_floor[:, None], np.arange(2 * half) < half, np.arange(2 * half) >= half)
    shapes = shapes + leak[:, None] * spread * one.normal(0, 0.7, (len(hz), 1))
    drive = (shapes / masses[:, None]).T
    area = np.where(on_floor, math.pi, 2 * math.pi) * igloo.dome_radius**2
    rim = igloo.dome_radius + device.dome_thickness
    compact = (hz / (SOUND_SPEED / (2 * math.pi * rim))) ** 2
    coincidence = _coincidence(device, np.where(on_floor, igloo.floor_thickness, igloo.dome_thickness))
    sigma = compact**2 / (1 + compact**2) * np.minimum(1.0, hz / coincidence)
    # half of what a wall of that efficiency radiates (judgement: the inside is closed, a table and a lap are near).
    # The factor is common to all modes, so it only sets the level of the ringing relative to the bead-bead clicks
    pressure = AIR * SOUND_SPEED * np.sqrt(sigma * area / (4 * math.pi)) * 0.5
    covered = take.uniform(0.2, 0.8)  # the hand covers part of the shell, and the palm is behind the floor
    pressure *= np.where(on_floor, take.uniform(0.3, 1.0), 1 - 0.6 * covered)
    heard = (pressure / (2 * math.pi * hz))[:, None] * take.normal(0, 1, (len(hz), 2))
    felt = shapes[:, node]
    at = np.random.default_rng([device.contact, 1])
    patch = cell_of(bool(at.random() < 0.4), float(at.uniform(0, 0.8)), float(at.uniform(-3.1, 3.1)))
    touched = shapes[:, patch]
    return Ring(hz, decay, np.ascontiguousarray(drive, np.float32), heard, felt, touched)


def cell_of(on_floor: bool, way: float, angle: float) -> int:
    """The cell at `way` (0 top or centre, 1 rim) and `angle` about the vertical in rad."""
    ring = way * (1.0 if on_floor else 0.8)
    a = min(max(int(ring * CELLS), 0), CELLS - 1)
    b = min(int((angle + math.pi) / (2 * math.pi) % 1.0 * CELLS), CELLS - 1)
    return (int(on_floor) * CELLS + a) * CELLS + b


def _coincidence(device: Device, thickness: Array) -> Array:
    p = device.plastic
    bend = p.young * thickness**3 / (12 * (1 - p.poisson**2))
    out: Array = SOUND_SPEED**2 / (2 * math.pi) * np.sqrt(p.density * thickness / bend)
    return out


def _dome(device: Device, igloo: Igloo, r: np.random.Generator) -> list[tuple[float, bool, Array, float]]:
    """Rows (Hz, on the floor, shape on all cells, modal mass) of the dome's modes below `HIGHEST_HZ`."""
    p = device.plastic
    radius = igloo.dome_radius + igloo.dome_thickness / 2
    speed = math.sqrt(p.young / (p.density * (1 - p.poisson**2)))
    beta = igloo.dome_thickness**2 / (12 * radius**2)
    polar = (np.arange(CELLS) + 0.5) / CELLS * math.pi / 2 / 0.8
    around = (np.arange(CELLS) + 0.5) / CELLS * 2 * math.pi - math.pi
    weight = np.sin(polar) * (polar < math.acos(-igloo.centre_height / igloo.dome_radius))
    weight = np.repeat(weight / weight.sum() / CELLS, CELLS)
    skin = p.density * igloo.dome_thickness * 2 * math.pi * radius * (igloo.dome_radius + igloo.centre_height)
    rows: list[tuple[float, bool, Array, float]] = []
    for n in range(2, 14):
        lam = n * (n + 1)
        # Junger and Feit 7.11: Omega⁴ − b·Omega² + c = 0, lower root: the bending branch
        b = 1 + 3 * p.poisson + lam - beta * (1 - p.poisson - lam**2 - p.poisson * lam)
        c = (lam - 2) * (1 - p.poisson**2) + beta * (
            lam**3 - 4 * lam**2 + lam * (5 - p.poisson**2) - 2 * (1 - p.poisson**2)
        )
        omega = math.sqrt((b - math.sqrt(b * b - 4 * c)) / 2)
        base = omega * speed / (2 * math.pi * radius) * (0.8 + 0.2 * device.edge_fixity)
        for m in range(n + 1):
            if (n - m) % 2 == 0:
                continue  # the floor holds the rim: only shapes with a node there
            for twin in range(1 if m == 0 else 2):
                hz = base * (1 + 0.05 * float(np.clip(r.normal(), -2.5, 2.5)))
                turn = float(r.uniform(-math.pi, math.pi))
                if hz > HIGHEST_HZ:
                    continue
                shape = np.outer(
                    lpmv(m, n, np.cos(polar)), np.cos(m * around + turn + twin * math.pi / 2)
                ).ravel()
                shape = shape / math.sqrt(float((shape**2 * weight).sum()) + 1e-12)
                rows.append((hz, False, np.concatenate([shape, np.zeros_like(shape)]), skin))
    return rows


def _floor(device: Device, igloo: Igloo, r: np.random.Generator) -> list[tuple[float, bool, Array, float]]:
    p = device.plastic
    radius = math.sqrt(igloo.dome_radius**2 - igloo.centre_height**2)
    bend = plate_stiffness(p.young, p.poisson, igloo.floor_thickness)
    skin = p.density * igloo.floor_thickness
    out = (np.arange(CELLS) + 0.5) / CELLS * igloo.dome_radius / radius
    around = (np.arange(CELLS) + 0.5) / CELLS * 2 * math.pi - math.pi
    weight = np.repeat(out * (out < 1), CELLS)
    weight = weight / weight.sum()
    rows: list[tuple[float, bool, Array, float]] = []
    for m, loose, clamped in PLATE:
        value = loose + device.edge_fixity * (clamped - loose)
        base = value / (2 * math.pi * radius**2) * math.sqrt(bend / skin)
        for twin in range(1 if m == 0 else 2):
            hz = base * (1 + 0.03 * float(np.clip(r.normal(), -2.5, 2.5)))
            turn = float(r.uniform(-math.pi, math.pi))
            if hz > HIGHEST_HZ:
                continue
            profile = jv(m, math.sqrt(value) * np.minimum(out, 1)) * (1 - np.minimum(out, 1) ** 8)
            shape = np.outer(profile, np.cos(m * around + turn + twin * math.pi / 2)).ravel()
            shape = shape / math.sqrt(float((shape**2 * weight).sum()) + 1e-12)
            rows.append((hz, True, np.concatenate([np.zeros_like(shape), shape]), skin * math.pi * radius**2))
    return rows


@compiled(fastmath={"contract", "arcp", "nsz", "reassoc"})
def ring(
    steps: int,
    sample: NDArray[np.int32],
    cell: NDArray[np.int32],
    impulse: NDArray[np.float32],
    drive: NDArray[np.float32],
    cosine: NDArray[np.float32],
    sine: NDArray[np.float32],
    weights: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Let modes ring: each is a rotating, decaying phasor, whose real part is the modal velocity.

    sample (rising), cell, impulse [E]: the excitation; cosine, sine [K]: decay·cos and decay·sin of one sample's phase;
    weights [C, K]. Returns [C, steps]: channel c is the weighted sum over modes of acceleration, m/s².
    """
    modes = cosine.shape[0]
    channels = weights.shape[0]
    real = np.zeros(modes, np.float32)
    imaginary = np.zeros(modes, np.float32)
    out = np.zeros((channels, steps), np.float32)
    last = np.zeros(channels, np.float32)
    rate = np.float32(SOUND_RATE)
    e = 0
    for s in range(steps):
        for k in range(modes):
            a = real[k]
            real[k] = a * cosine[k] - imaginary[k] * sine[k]
            imaginary[k] = a * sine[k] + imaginary[k] * cosine[k]
        while e < sample.shape[0] and sample[e] == s:
            row = cell[e]
            j = impulse[e]
            for k in range(modes):
                real[k] += j * drive[row, k]
            e += 1
        for c in range(channels):
            total = np.float32(0.0)
            for k in range(modes):
                total += weights[c, k] * real[k]
            out[c, s] = (total - last[c]) * rate
            last[c] = total
    return out
