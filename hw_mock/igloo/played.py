"""One gesture with an igloo: the dynamics of its beads and the ringing of its shell, before any sensor."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hw_mock.igloo import beads, shell
from hw_mock.igloo.compiled import run_whole
from hw_mock.igloo.constants import AIR, GRAVITY, SOUND_RATE, SOUND_SPEED
from hw_mock.igloo.contacts import PairLaw, WallLaw
from hw_mock.igloo.device import Device, Igloo
from hw_mock.igloo.hand import RATE as MOTION_RATE
from hw_mock.igloo.hand import Motion, Player
from hw_mock.igloo.traces import Traces, traces

SETTLE_S = 0.3
STOP_STIFFNESS = 6e5  # N/m, a printed bumper on a table (judgement)
STOP_DAMPING = 60.0  # N·s/m
STOP_RISE_S = 0.05
Sound = NDArray[np.float64]


class DoNotFit(ValueError):
    """These beads do not fit into that igloo."""


@dataclass(frozen=True, slots=True)
class Grip:
    """The fingers' hold on the shell: a spring in N/m, damping in N·s/m, and the mass that moves on it in kg."""

    stiffness: float
    damping: float
    mass: float


@dataclass(frozen=True, slots=True)
class Played:
    """One igloo, one motion. `ring` float32[4, n]: pressure of the modes at 1 m in Pa, towards a listener and into the
    room; acceleration in m/s² at the contact microphone and at the sensor node."""

    device: Device
    igloo: Igloo
    motion: Motion
    grip: Grip
    traces: Traces
    ring: NDArray[np.float32]

    @property
    def samples(self) -> int:
        return len(self.traces.click)

    @property
    def impacts(self) -> Sound:
        """The impacts in the order of their start; columns as in `Traces`."""
        hits = self.traces.impacts[: int(self.traces.counts[1])]
        order = np.argsort(hits[:, 0], kind="stable")
        return np.asarray(hits[order])

    def pressure(self) -> tuple[Sound, Sound]:
        """Sound at 1 m in Pa: towards the listener, and into the room [n]."""
        click = self._click()
        return np.asarray(self.ring[0] + click), np.asarray(self.ring[1] + click)

    def vibration(self) -> Sound:
        """The acceleration of a contact microphone on the shell, m/s² [n].

        Its rigid-body motion is taken along z wherever it sits. The hand's part has the sign of the force on beads
        (gravity minus acceleration), the recoil's part that of acceleration. The hand's part is below the band of every
        listener, so no figure depends on it. This is left as it is, because the shipped networks learned from this
        sound.
        """
        return np.asarray(self.ring[2] + self.traces.recoil[:, 2] + self._fine(self.motion.force[:, 2]))

    def strength(self) -> Sound:
        """The hand's acceleration relative to its mean, g [n]."""
        force = self.motion.force
        return self._fine(np.linalg.norm(force - force.mean(axis=0), axis=1) / GRAVITY)

    def level(self) -> float:
        """RMS of the hand's acceleration during the gesture, g."""
        m = self.motion
        during = m.force[int(m.start_s * MOTION_RATE) : int(m.end_s * MOTION_RATE)]
        return float(np.sqrt(np.mean(np.sum((during - during.mean(axis=0)) ** 2, axis=1))) / GRAVITY)

    def _fine(self, coarse: Sound) -> Sound:
        out: Sound = np.interp(
            np.arange(self.samples) * MOTION_RATE / SOUND_RATE, np.arange(len(coarse)), coarse
        )
        return out

    def _click(self) -> Sound:
        """Pressure at 1 m of bead-bead collisions, through seam and wall: the acceleration noise of spheres.

        A suddenly accelerated sphere of radius a radiates rho·a³/(2rc) · d(acceleration)/dt (Koss and Alfredson,
        J. Sound Vib. 27, 59, 1973).
        """
        a = float(np.mean(self.igloo.radii))
        jerk = np.gradient(
            self.traces.click.astype(float) * SOUND_RATE / float(np.mean(self.igloo.masses)), 1 / SOUND_RATE
        )
        return np.asarray(self.device.leak * AIR * a**3 / (2 * SOUND_SPEED) * jerk)


def play(device: Device, igloo: Igloo, person: Player, motion: Motion, seed: int, chance: int = 1) -> Played:
    """Simulate the beads and the ringing. `person`: as in this take (`Player.take`); `seed`: of the take. Another
    `chance` changes only how the beads lie at the start."""
    traces, grip = move(igloo, person, motion, np.random.default_rng([seed, igloo.beads, chance]))
    modes = shell.modes(device, igloo, person.grip_loss, seed)
    pressed = _on_the_rim(traces, seed) if motion.on_table else _pressed(traces)
    turn = 2 * math.pi * modes.hz / SOUND_RATE
    fade = np.exp(-modes.decay / SOUND_RATE)
    ring = run_whole(
        shell.ring,
        len(traces.click),
        *pressed,
        modes.drive,
        (fade * np.cos(turn)).astype(np.float32),
        (fade * np.sin(turn)).astype(np.float32),
        np.stack([modes.heard[:, 0], modes.heard[:, 1], modes.touched, modes.felt]).astype(np.float32),
    )
    return Played(device, igloo, motion, grip, traces, ring)


def _pressed(traces: Traces) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
    """Sample, cell and impulse of all contacts with the shell, in order."""
    entries = int(traces.counts[0])
    return traces.entry_sample[:entries], traces.entry_cell[:entries], traces.entry_impulse[:entries]


def _on_the_rim(
    traces: Traces, seed: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
    """The same, with the impacts of the table, which strikes the rim where it touches first."""
    sample, cell, impulse = _pressed(traces)
    at = np.flatnonzero(traces.stop > 0).astype(np.int32)
    side = shell.cell_of(True, 0.95, float(np.random.default_rng([seed, 0x71]).uniform(-math.pi, math.pi)))
    all_at = np.concatenate([sample, at])
    order = np.argsort(all_at, kind="stable")
    cells = np.concatenate([cell, np.full(len(at), side, np.int32)])
    # fade in: an igloo that lies on the table from the start does not strike it
    rising = np.minimum(1.0, at / (STOP_RISE_S * SOUND_RATE))
    pushes = np.concatenate([impulse, traces.stop[at] * rising / SOUND_RATE])
    return all_at[order], cells[order], pushes[order].astype(np.float32)


def move(igloo: Igloo, person: Player, motion: Motion, r: np.random.Generator) -> tuple[Traces, Grip]:
    """Simulate only the beads, without sound, in a hand that moves like this; `r` draws how they lie at the start."""
    n = igloo.beads
    position, velocity, spin = laid_out(igloo, r), np.zeros((n, 3)), np.zeros((n, 3))
    mass = igloo.shell_mass + person.flesh_mass
    grip = Grip(
        person.grip_stiffness, 2 * person.grip_damping * math.sqrt(person.grip_stiffness * mass), mass
    )
    held = np.array([mass, grip.stiffness, grip.damping, 0, 0, 0, 0, 0, 0], float)
    laws = np.array([law_row(igloo.dome), law_row(igloo.floor), law_row(igloo.pair)])
    body = (
        np.array(igloo.radii),
        np.array(igloo.masses),
        (igloo.dome_radius, igloo.centre_height),
        laws,
        held,
    )
    rates = (float(SOUND_RATE), MOTION_RATE)
    stop = np.array([STOP_STIFFNESS, STOP_DAMPING, *motion.stop_axis])
    still, quiet = np.repeat(motion.force[:1], 4, axis=0), np.zeros((4, 3))
    lies = np.repeat(motion.stop_path[:1], 4) if motion.on_table else np.zeros(0)
    settling = (still, quiet, quiet, lies)
    settle, samples = round(SETTLE_S * SOUND_RATE), int(motion.seconds * SOUND_RATE)
    moved = (motion.force, motion.turn, motion.turn_rate, motion.stop_path)
    for way, lasts, kept in ((settling, settle, 0), (moved, samples, samples)):
        out = run_whole(
            beads.run,
            position,
            velocity,
            spin,
            *body,
            way,
            stop,
            rates,
            igloo.substeps,
            lasts,
            shell.CELLS,
            traces(kept),
        )
    return out, grip


def law_row(law: WallLaw | PairLaw) -> list[float]:
    """The law as `beads.run` takes it: stiffness, damping, compliance, dent recovery, friction."""
    if isinstance(law, WallLaw):
        return [law.stiffness, law.damping, 1 / law.impedance, 1 / law.relaxation, law.friction]
    return [law.stiffness, law.damping, 0.0, 0.0, law.friction]


def laid_out(igloo: Igloo, r: np.random.Generator) -> NDArray[np.float64]:
    """Centres [N, 3] of beads that overlap neither each other nor a wall: random places, lower ones first."""
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
            return _pressed_in(igloo, r)
    return out


def _pressed_in(igloo: Igloo, r: np.random.Generator) -> NDArray[np.float64]:
    """For many large beads: placed at random and pushed apart until they fit. Raises DoNotFit if they never do."""
    radii = np.array(igloo.radii)
    reach = igloo.dome_radius - radii
    out = r.uniform(-0.7, 0.7, (igloo.beads, 3)) * igloo.dome_radius
    for _ in range(2000):
        between = out[:, None] - out[None, :]
        far = np.linalg.norm(between, axis=2) + np.eye(igloo.beads)
        deep = np.maximum(0.0, radii[:, None] + radii[None, :] - far) * (1 - np.eye(igloo.beads))
        if deep.max() < 1e-7:
            return out
        out += 0.6 * (((deep + 1e-6 * (deep > 0)) / far)[:, :, None] * between).sum(axis=1)
        out[:, 2] = np.maximum(out[:, 2], radii)
        from_centre = out - [0.0, 0.0, igloo.centre_height]
        length = np.linalg.norm(from_centre, axis=1)
        out -= from_centre * (np.maximum(0.0, length - reach) / np.maximum(length, 1e-9))[:, None]
        out[:, 2] = np.maximum(out[:, 2], radii)
    raise DoNotFit(f"{igloo.beads} beads of {2e3 * radii.mean():.1f} mm do not fit this igloo")
