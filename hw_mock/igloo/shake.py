"""One shake from end to end: `simulate(beads, device, player, seed)`. The same arguments give the same bits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.signal import sosfilt

from hw_mock.igloo import accelerometer, beads, microphone, noises, shell
from hw_mock.igloo.contacts import PairLaw, WallLaw
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.gestures import gesture as named_gesture
from hw_mock.igloo.hand import RATE as MOTION_RATE
from hw_mock.igloo.hand import Motion, Player
from hw_mock.igloo.room import Room, through

RATE = 48000
SENSORS = ("microphone", "near", "contact", "accelerometer")
SETTLE_S = 0.15
STOP_STIFFNESS = 6e5  # N/m, a printed bumper on a table (judgement)
STOP_DAMPING = 60.0  # N·s/m


@dataclass(frozen=True, slots=True)
class Shake:
    """What the sensors recorded, and the truth. Sound float32[n] at 48 kHz, ±1; None for a sensor that was not asked for.

    accel float32[m, 3] in g at accel_true_rate, though the chip claims accel_rate. impacts [K, 6]: start in s, impulse in
    N·s, kind (0 dome, 1 floor, 2 bead on bead), bead, other bead or -1, duration in s. stop_force float32[n] in N: the blow
    on an elastic stop, where the gesture has one. level: RMS of the hand's acceleration during the gesture, g.
    """

    beads: int
    sound: NDArray[np.float32] | None
    near: NDArray[np.float32] | None
    contact: NDArray[np.float32] | None
    accel: NDArray[np.float32] | None
    accel_rate: float
    accel_true_rate: float
    impacts: NDArray[np.float64]
    stop_force: NDArray[np.float32]
    motion: Motion
    level: float


def simulate(
    count: int,
    device: Device,
    player: Player,
    seed: int,
    seconds: float = 2.5,
    sensors: Sequence[str] = ("microphone", "accelerometer"),
    gesture: str = "shake",
    room: Room | None = None,
) -> Shake:
    """Shake `device`'s igloo of `count` beads once. `player` as on that day (`Player.on`); `seed` is of the take.

    `room` default: the device's own. Raises ValueError for an unknown sensor or gesture, or a count below 1.
    """
    unknown = set(sensors) - set(SENSORS)
    if unknown:
        raise ValueError(f"no sensor called {', '.join(sorted(unknown))}; there are {', '.join(SENSORS)}")
    igloo = Igloo.of(device, count)
    person = player.take(seed)
    motion = named_gesture(gesture, person, seed, seconds)
    out, grip, heard = _played(device, igloo, person, motion, seed)
    r = np.random.default_rng([seed, count, 2])
    room = Room.draw(device.seed) if room is None else room
    n, hits = len(out.click), int(out.counts[1])
    strength = _strength(motion, n)
    sound = near = contact = accel = None
    if "microphone" in sensors or "near" in sensors:
        click = _click(device, igloo, out.click)
        direct, diffuse = heard[0] + click, heard[1] + click
        rub = 4e-4 * np.exp(r.normal(0, 0.7)) * noises.rubbing(r, n, strength)
        air = microphone.air_response(device.microphone)
        self_noise = float(np.random.default_rng([device.microphone, 1]).uniform(22, 38))
        level = microphone.PASCAL * 10 ** (room.background_db / 20) * float(np.exp(r.normal(0, 0.3)))
        for name in ("microphone", "near"):
            if name not in sensors:
                continue
            away = (
                None
                if name == "microphone"
                else float(np.random.default_rng([device.microphone, 2]).uniform(0.02, 0.08))
            )
            got = through(room.response(seed, away), direct + rub, diffuse + rub)
            got += level * noises.background(room.background, r, n)
            taken = microphone.record(got, air, r, self_noise)
            if name == "microphone":
                sound = taken
            else:
                near = taken
    if "contact" in sensors:
        vibration = _vibration(heard, out, motion)
        vibration += 0.5 * np.exp(r.normal(0, 0.7)) * noises.rubbing(r, n, strength)
        contact = _contact(device, vibration, r)
    if "accelerometer" in sensors:
        accel = accelerometer.record(
            device,
            igloo,
            motion,
            out.recoil,
            out.torque,
            heard[3],
            grip,
            np.random.default_rng([seed, count, 3]),
        )
    true_rate = device.accelerometer_rate * device.accelerometer_true
    impacts = out.impacts[:hits]
    order = np.argsort(impacts[:, 0], kind="stable")
    during = slice(int(motion.start_s * MOTION_RATE), int(motion.end_s * MOTION_RATE))
    pull = np.linalg.norm(motion.force[during] - motion.force[during].mean(axis=0), axis=1)
    return Shake(
        count, sound, near, contact, accel, device.accelerometer_rate, true_rate, impacts[order].copy(),
        out.stop, motion, float(np.sqrt(np.mean(pull**2)) / 9.81),
    )  # fmt: skip


def _played(
    device: Device, igloo: Igloo, person: Player, motion: Motion, seed: int
) -> tuple[beads.Traces, tuple[float, float, float], NDArray[np.float32]]:
    """Traces, grip, and the ring: [4, n] pressure for two directions, contact microphone and sensor (m/s²)."""
    out, grip = _move(igloo, person, motion, np.random.default_rng([seed, igloo.beads, 1]))
    ring = shell.modes(device, igloo, person.grip_loss, seed)
    entries = int(out.counts[0])
    turn = 2 * math.pi * ring.hz / RATE
    fade = np.exp(-ring.decay / RATE)
    heard: NDArray[np.float32] = shell.ring(
        len(out.click),
        out.entry_sample[:entries],
        out.entry_cell[:entries],
        out.entry_impulse[:entries],
        ring.drive,
        (fade * np.cos(turn)).astype(np.float32),
        (fade * np.sin(turn)).astype(np.float32),
        np.stack([ring.heard[:, 0], ring.heard[:, 1], ring.touched, ring.felt]).astype(np.float32),
    )
    return out, grip, heard


def _move(
    igloo: Igloo, person: Player, motion: Motion, r: np.random.Generator
) -> tuple[beads.Traces, tuple[float, float, float]]:
    """The dynamics of one take: traces, and the grip (stiffness N/m, damping N·s/m, mass that moves kg)."""
    n = igloo.beads
    position, velocity, spin = _laid_out(igloo, r), np.zeros((n, 3)), np.zeros((n, 3))
    mass = igloo.shell_mass + person.flesh_mass
    damping = 2 * person.grip_damping * math.sqrt(person.grip_stiffness * mass)
    shell_state = np.array([mass, person.grip_stiffness, damping, 0, 0, 0, 0, 0, 0], float)
    laws = np.array([_law(igloo.dome), _law(igloo.floor), _law(igloo.pair)])
    body = (
        np.array(igloo.radii),
        np.array(igloo.masses),
        (igloo.dome_radius, igloo.centre_height),
        laws,
        shell_state,
    )
    rates = (float(RATE), MOTION_RATE)
    stop = np.array([STOP_STIFFNESS, STOP_DAMPING, *motion.stop_axis])
    still, quiet = np.repeat(motion.force[:1], 4, axis=0), np.zeros((4, 3))
    settling = (still, quiet, quiet, np.zeros(0))
    settle = round(SETTLE_S * RATE)
    nothing = beads.traces(0, n)
    beads.run(
        position, velocity, spin, *body, settling, stop, rates, igloo.substeps, settle, shell.CELLS, nothing
    )
    samples = int(motion.seconds * RATE)
    out = beads.traces(samples, n)
    moved = (motion.force, motion.turn, motion.turn_rate, motion.stop_path)
    beads.run(position, velocity, spin, *body, moved, stop, rates, igloo.substeps, samples, shell.CELLS, out)
    return out, (person.grip_stiffness, damping, mass)


def _law(law: WallLaw | PairLaw) -> list[float]:
    if isinstance(law, WallLaw):
        return [law.stiffness, law.damping, 1 / law.impedance, 1 / law.relaxation, law.friction]
    return [law.stiffness, law.damping, 0.0, 0.0, law.friction]


def _laid_out(igloo: Igloo, r: np.random.Generator) -> NDArray[np.float64]:
    """Bead centres [N, 3] that overlap neither each other nor a wall: chance places, lower ones first."""
    radii = np.array(igloo.radii)
    out = np.zeros((igloo.beads, 3))
    for i in range(igloo.beads):
        reach = igloo.dome_radius - radii[i]
        low = radii[i]
        for trial in range(4000):
            p = r.uniform(-reach, reach, 3)
            high = min(igloo.centre_height + reach, low + (0.3 + trial / 400) * 2 * radii[i])
            p[2] = low + (high - low) * r.random()
            if np.hypot(np.hypot(p[0], p[1]), p[2] - igloo.centre_height) > reach:
                continue
            if i == 0 or np.min(np.linalg.norm(out[:i] - p, axis=1) - radii[:i]) > radii[i]:
                out[i] = p
                break
        else:
            raise ValueError(f"{igloo.beads} beads of {2e3 * radii.mean():.1f} mm do not fit this igloo")
    return out


def _click(device: Device, igloo: Igloo, impulse: NDArray[np.float32]) -> NDArray[np.float64]:
    """Pressure at 1 m of bead on bead, through seam and wall: the acceleration noise of two spheres.

    A sphere of radius a that is jerked radiates rho·a³/(2rc) · d(acceleration)/dt (Koss and Alfredson, J. Sound Vib. 27, 59, 1973).
    """
    a = float(np.mean(igloo.radii))
    jerk = np.gradient(impulse.astype(np.float64) * RATE / float(np.mean(igloo.masses)), 1 / RATE)
    return device.leak * 1.2 * a**3 / (2 * 343.0) * jerk


def _strength(motion: Motion, n: int) -> NDArray[np.float64]:
    """The hand's acceleration without gravity's mean, g [n]."""
    pull = np.linalg.norm(motion.force - motion.force.mean(axis=0), axis=1) / 9.81
    return np.interp(np.arange(n) * MOTION_RATE / RATE, np.arange(len(pull)), pull)


def _vibration(heard: NDArray[np.float32], out: beads.Traces, motion: Motion) -> NDArray[np.float64]:
    """What a contact microphone is shaken by, m/s² [n]."""
    n = len(out.click)
    hand = np.interp(np.arange(n) * MOTION_RATE / RATE, np.arange(len(motion.force)), motion.force[:, 2])
    return np.asarray(heard[2] + out.recoil[:, 2] + hand, float)


def _contact(device: Device, vibration: NDArray[np.float64], r: np.random.Generator) -> NDArray[np.float32]:
    """A contact microphone: its gain was set once, by ear, and stays, so that absolute size counts."""
    own = np.random.default_rng([device.contact, 2])
    got = np.asarray(sosfilt(microphone.contact_response(device.contact), vibration))
    loud = _loud_contact(device)
    got += loud * 10 ** (own.uniform(-80, -55) / 20) * r.normal(size=len(got))
    got += loud * 10 ** (own.uniform(-80, -50) / 20) * noises.hum(r, len(got))
    return np.clip(got * (10 ** (own.uniform(-14, -3) / 20) / loud), -1, 1).astype(np.float32)


@lru_cache(maxsize=256)
def _loud_contact(device: Device) -> float:
    """The loud parts of a usual shake of seven beads at the contact microphone, m/s²: what its gain is set by."""
    igloo = Igloo.of(device, 7)
    person = replace(Player.draw(0), stroke_hz=4.3, strength_g=2.4)
    motion = named_gesture("shake", person, 0, 0.8)
    out, _, heard = _played(device, igloo, person, motion, 0)
    got = np.asarray(sosfilt(microphone.contact_response(device.contact), _vibration(heard, out, motion)))
    return float(np.quantile(np.abs(got), 0.999))
